import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { callTool, page, serve } from '../support/tools/example-tools.ts';

describe.skipIf(process.platform === 'win32')('web-search', () => {
  const search = (server: string, args: object = {}) =>
    callTool('web-search.mjs', { query: 'a & b', ...args }, { environment: { SEARXNG_URL: server } });

  it('returns titles, addresses and snippets of a SearXNG', async () => {
    let asked = '';
    const server = await serve((request, response) => {
      asked = request.url ?? '';
      const result = { title: 'A', url: 'https://a.example', content: 'x'.repeat(900), engine: 'other' };
      response.end(
        JSON.stringify({ query: 'a & b', results: [result, { title: 'B', url: 'https://b.example' }, result] }),
      );
    });
    expect(await search(`http://${server}/searxng`, { max_results: 2 })).toMatchObject({
      code: 0,
      results: [
        { title: 'A', url: 'https://a.example', snippet: 'x'.repeat(500) },
        { title: 'B', url: 'https://b.example', snippet: '' },
      ],
    });
    expect(asked).toBe('/searxng/search?q=a+%26+b&format=json');
  });

  it.each([
    ['forbids JSON', page('', {}, 403), 'Add json to search.formats'],
    ['fails', page('', {}, 500), 'answered with status 500'],
    ['is something else', page('<html>'), 'did not answer as a SearXNG does'],
    ['has no results', page('{}'), 'did not answer as a SearXNG does'],
  ])('gives the reason if it cannot use a server that %s', async (_name, answer, reason) => {
    const { code, success, error } = await search(`http://${await serve(answer)}`);
    expect({ code, success, error }).toEqual({ code: 1, success: false, error: expect.stringContaining(reason) });
  });

  it('reports that there is no server', async () => {
    expect((await search('http://127.0.0.1:9')).error).toMatch(/^There is no SearXNG at .* \(.+\)\. Set SEARXNG_URL/);
  });
});

describe.skipIf(process.platform === 'win32')('web-fetch', () => {
  const fetchPage = (url: string, allow = '') =>
    callTool('web-fetch.mjs', { url }, { environment: { WEB_FETCH_ALLOW: allow } });
  const fetchFrom = async (answer: RequestListener) => {
    const host = await serve(answer);
    return fetchPage(`http://${host}/`, host);
  };

  it('returns the readable text of a page', async () => {
    const html = `<!doctype html><html><head><title>A &amp; B</title><style>p { color: red }</style></head><body>
      <!-- <p>not shown</p> --><script>if (1 < 2) document.write('<p>not shown</p>')</script>
      <h1>Head&shy;line</h1><p>One   <b>bold</b>
      line with <a href="https://x.example/?a=1&amp;b=2">a link</a>.<br>Next &#8364; &#x1F600; &unknown; 1 < 2</p>
      <ul><li>first<li>second</ul><pre>  kept
    as it is</pre><table><tr><td>a</td><td>b</td></tr></table></body>`;
    const { result } = await fetchFrom(page(html));
    expect(result.split('\n').slice(2).join('\n')).toBe(
      [
        'A & B',
        '# Head&shy;line',
        'One bold line with [a link](https://x.example/?a=1&b=2).\nNext € 😀 &unknown; 1 < 2',
        '- first\n- second',
        '  kept\n    as it is',
        'a b',
      ].join('\n\n'),
    );
  });

  it.each([
    ['JSON', page('{"a": "<b>"}', { 'content-type': 'application/json' }), '{"a": "<b>"}'],
    ['text', page('a <b>', { 'content-type': 'text/plain' }), 'a <b>'],
    [
      'another character set',
      page(Buffer.from('caf\xe9', 'latin1'), { 'content-type': 'text/html; charset=iso-8859-1' }),
      'café',
    ],
    ['a character set in the page', page(Buffer.from('<meta charset="iso-8859-1">caf\xe9', 'latin1')), 'café'],
    ['an unknown character set', page('café', { 'content-type': 'text/html; charset=nonsense' }), 'café'],
    ['a script without an end', page('before<script>never'), 'before'],
    ['a comment without an end', page('before<!-- never'), 'before'],
  ])('returns %s', async (_name, answer, text) => {
    expect((await fetchFrom(answer)).result.split('\n\n')[1]).toBe(text);
  });

  it('reads hostile markup of megabytes in little time', async () => {
    const part = 2 * 1024 * 1024 - 10;
    for (const unit of ['<script', '<a "', "<a '", '<!--', '<', '&#', '</', '<p>', '<a href="https://x">']) {
      const html = unit.repeat(Math.floor(part / unit.length));
      expect((await fetchFrom(page(html))).success).toBe(true);
    }
  });

  it.each([
    ['a picture', page('x', { 'content-type': 'image/png' }), 'The page is image/png, not text.'],
    ['a page of more than 2 MB', page('x'.repeat(2_200_000)), 'larger than 2 MB'],
    ['an error', page('gone', { 'content-type': 'text/html' }, 404), 'answered with status 404: gone'],
    [
      'a compressed page',
      page('x', { 'content-type': 'text/html', 'content-encoding': 'gzip' }),
      'compressed with gzip',
    ],
    ['endless redirects', page('', { location: '/' }, 302), 'redirects more than 5 times'],
  ])('rejects %s', async (_name, answer, reason) => {
    const { code, error } = await fetchFrom(answer);
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(reason) });
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
  ])('connects to no address of this machine or its network: %s', async (url) => {
    expect((await fetchPage(url)).error).toMatch(
      /is not a public address\. The user can allow it with WEB_FETCH_ALLOW=/,
    );
  });

  it.each([
    'file:///etc/passwd',
    'ftp://x.example/',
    'data:text/plain,x',
    'http://user:secret@x.example/',
    'no address',
  ])('fetches no other kind of address: %s', async (url) => {
    const { success, error } = await fetchPage(url);
    expect({ success, said: error !== '' && !error.includes('secret') }).toEqual({ success: false, said: true });
  });

  it.each(['http://127.0.0.2/', 'http://localhost:1/', 'file:///etc/passwd', '//10.0.0.1/'])(
    'follows no redirect to an address that is not allowed itself: %s',
    async (location) => {
      const { success, error } = await fetchFrom(page('', { location }, 302));
      expect({ success, error }).toEqual({
        success: false,
        error: expect.stringMatching(/not a public address|not fetched/),
      });
    },
  );

  it('follows a redirect to an allowed address', async () => {
    const target = await serve(page('there'));
    const start = await serve(page('', { location: `http://${target}/x` }, 301));
    expect((await fetchPage(`http://${start}/`, `${start}, ${target}`)).result).toBe(`http://${target}/x\n\nthere`);
  });

  it('allows a host name with all of its ports', async () => {
    const host = await serve(page('here'));
    const url = `http://${host.replace('127.0.0.1', 'localhost')}/`;
    expect((await fetchPage(url, 'localhost')).result).toContain('here');
  });
});
