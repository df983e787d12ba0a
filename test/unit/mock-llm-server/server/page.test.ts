import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'&';

function server() {
  const journal = createJournal();
  const set = scenarioSet({ scenarios: [{ name: 'pair', trigger: 'two reads', steps: steps(2) }] });
  const app = createMockServer({ scenarios: set, journal });
  const ask = (content: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ model: content, messages: [{ role: 'user', content }] });
    return app.request('/v1/chat/completions', { method: 'POST', headers, body });
  };
  const page = async (query = '') => (await app.request(`/__mock${query}`)).text();
  return { app, ask, page };
}

/** The numbers of the requests that a page shows. */
const shownIn = (page: string) => [...page.matchAll(/data-number="(\d+)"/g)].map(([, number]) => Number(number));
/** The scenario file to copy of the first request that a page shows. */
const scenarioIn = (page: string) =>
  JSON.parse((/<pre class="scenario" hidden>([^<]*)</.exec(page)?.[1] ?? '').replaceAll('&quot;', '"'));

describe('GET /__mock', () => {
  it('allows exactly the script and the style that it contains', async () => {
    const { app } = server();
    const response = await app.request('/__mock');
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    for (const element of ['script', 'style']) {
      const [, text = ''] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? [];
      expect(text.length).toBeGreaterThan(100);
      expect(policy).toContain(`${element}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
    expect(page).not.toMatch(/src=|href="(?!\/__mock\?)|https?:/);
  });

  it('inserts every text of a request as text', async () => {
    const { app, ask, page } = server();
    await ask(HOSTILE, { 'x-test-id': HOSTILE });
    await ask(`two reads ${HOSTILE}`);
    await app.request(`/v1/chat/completions/${HOSTILE}`, { method: 'POST', body: HOSTILE });
    const text = (await page(`?test=${encodeURIComponent(HOSTILE)}`)) + (await page());
    expect(text).not.toMatch(/<img|<script>alert/);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('shows new requests only, or those of one test, newest first', async () => {
    const { ask, page } = server();
    for (const test of ['a', 'b', 'a']) await ask('two reads', { 'x-test-id': test });
    expect(shownIn(await page())).toEqual([3, 2, 1]);
    expect(shownIn(await page('?after=2'))).toEqual([3]);
    expect(shownIn(await page('?test=a'))).toEqual([3, 1]);
    expect(shownIn(await page('?test='))).toEqual([3, 2, 1]);
    expect(await page('?after=3')).toContain('data-last="3"');
  });

  it('shows at most the last 100 requests, and links to older ones with the test and the token of the page', async () => {
    const { ask, page } = server();
    for (let count = 0; count < 203; count++) await ask('two reads', { 'x-test-id': 'a&b' });
    const newest = shownIn(await page());
    expect([newest[0], newest.length]).toEqual([203, 100]);
    const pages: number[][] = [];
    let query: string | undefined = '?test=a%26b&key=k';
    while (query !== undefined) {
      const text: string = await page(query);
      pages.push(shownIn(text));
      const [, link] = /<p><a id="older" href="\/__mock([^"]*)"/.exec(text) ?? [];
      query = link?.replaceAll('&amp;', '&');
      if (query !== undefined) expect(query).toMatch(/^\?test=a%26b&key=k&before=\d+$/);
      expect(text.includes('Newest requests')).toBe(pages.length > 1);
    }
    expect(pages.map((numbers) => [numbers[0], numbers.at(-1), numbers.length])).toEqual([
      [203, 104, 100],
      [103, 4, 100],
      [3, 1, 3],
    ]);
  });

  it('offers a scenario with the calls of the answer, or with a text for a miss', async () => {
    const { ask, page } = server();
    await ask('please do two reads\nnow');
    expect(scenarioIn(await page())).toMatchObject({
      scenarios: [
        {
          trigger: 'please do two reads',
          steps: [
            { response: { tool_calls: [{ function: { name: 'tool' } }, { function: { name: 'tool' } }] } },
            { response: { content: 'Done.' } },
          ],
        },
      ],
    });
    await ask('what about the weather');
    expect(scenarioIn(await page())).toMatchObject({
      scenarios: [{ name: 'what-about-the-weather', steps: [{ response: { content: 'The answer.' } }] }],
    });
  });

  it.each([
    ['127.0.0.1:8000', 200],
    ['localhost', 200],
    ['[::1]:8000', 200],
    ['mock.localhost:1', 200],
    ['10.0.0.9:8000', 403],
    ['mock-llm', 403],
    ['127.0.0.1.example.com', 403],
  ])('is only for this machine: the host %s gets %i', async (host, status) => {
    const { app } = server();
    expect((await app.request('/__mock', { headers: { host } })).status).toBe(status);
  });

  it('leaves other paths and methods to the 404 of a protocol', async () => {
    const { app } = server();
    for (const [method, path] of [
      ['POST', '/__mock'],
      ['GET', '/__mock/nope'],
      ['GET', '/__mock/'],
    ] as const) {
      expect((await app.request(path, { method })).status, `${method} ${path}`).toBe(404);
    }
  });
});
