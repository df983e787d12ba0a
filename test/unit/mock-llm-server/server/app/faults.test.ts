import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../../mock-llm-server/conversation/conversation.ts';
import type { Clock } from '../../../../../mock-llm-server/delivery/clock.ts';
import { createJournal } from '../../../../../mock-llm-server/journal/journal.ts';
import type { Fault } from '../../../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import type { Timing } from '../../../../../mock-llm-server/scenario/format/timing-format.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { createManualClock } from '../../../../support/fakes/manual-clock.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';
import { WIRE_CASES, type WireCase } from '../../wire/wire-requests.ts';

interface ServerOptions {
  readonly fault?: Fault;
  readonly timing?: Timing;
  readonly clock?: Clock;
  readonly chaos?: { readonly rate: number; readonly seed: number };
}

const CALLED = '(tools: expected view, found nothing)';
const response = { content: 'Grüße an 漢字.', tool_calls: [{ name: 'view', arguments: { path: 'ü' } }] };

/** A server with one scenario that answers `go`. */
function server({ fault, timing, clock = createManualClock(), chaos }: ServerOptions) {
  const lines: string[] = [];
  const journal = createJournal();
  const app = createMockServer({
    scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: [{ response, fault, timing }] }] }),
    log: (line) => lines.push(line),
    journal,
    clock,
    ...(chaos && { chaos }),
  });
  const post = ({ request }: WireCase, headers: Record<string, string> = {}) =>
    app.request(`${request.path}?${new URLSearchParams(request.query)}`, {
      method: 'POST',
      headers: { ...request.headers, ...headers },
      body: request.body,
    });
  return { app, post, lines, notes: journal.entries };
}

/** Changes a request so that its answer is not streamed, where that is not a field of the body. */
const UNSTREAMED: Partial<Record<Protocol, (wireCase: WireCase) => WireCase>> = {
  'bedrock-converse': (wireCase) => {
    const path = wireCase.request.path.replace('-stream', '');
    return { ...wireCase, request: { ...wireCase.request, path } };
  },
  gemini: (wireCase) => {
    const path = wireCase.request.path.replace('streamGenerateContent', 'generateContent');
    return { ...wireCase, request: { ...wireCase.request, path, query: {} } };
  },
};

function unstreamed(wireCase: WireCase): WireCase {
  const special = UNSTREAMED[wireCase.protocol];
  if (special !== undefined) return special(wireCase);
  const body = JSON.stringify({ ...JSON.parse(wireCase.request.body), stream: false });
  return { ...wireCase, request: { ...wireCase.request, body } };
}

describe.each(WIRE_CASES)('a faulty server over $protocol', (wireCase) => {
  const { path } = wireCase.request;

  it('fails `times` times, then answers', async () => {
    const { post, lines, notes } = server({ fault: { status: 503, retry_after: 0.5, times: 1 } });
    const seen: unknown[] = [];
    for (const headers of [{}, {}, { 'x-test-id': 'other' }]) {
      const { status, headers: got } = await post(wireCase, headers);
      seen.push([status, got.get('retry-after'), got.get('retry-after-ms'), got.get('x-should-retry')]);
    }
    expect(seen).toEqual([
      [503, '1', '500', null],
      [200, null, null, null],
      [503, '1', '500', null],
    ]);
    expect(lines.slice(0, 2)).toEqual([
      `${path} 503 s step 0 (fault status 503, retry_after 0.5, times 1)`,
      `${path} 200 s step 0 ${CALLED}`,
    ]);
    expect(notes.slice(0, 2)).toMatchObject([
      { status: 503, scenario: 's', step: 0, fault: 'fault status 503, retry_after 0.5, times 1' },
      { status: 200, scenario: 's', step: 0 },
    ]);
    expect(notes[1]?.fault).toBeUndefined();
  });

  it('sends the same bytes over time as at once', async () => {
    const whole = await (await server({}).post(wireCase)).text();
    const timed = await server({ timing: { chunk: { by: 'words' }, jitter: 1 } }).post(wireCase);
    const torn = await server({ fault: { split_utf8: true }, clock: freeClock() }).post(wireCase);
    expect(await timed.text()).toBe(whole);
    expect(timed.headers.get('content-type')).toBe(wireCase.wire.streamType);
    expect(await torn.text()).toBe(whole);
  });

  it('sends pieces of the requested size', async () => {
    const chunks = async (timing: Timing) => {
      const { body } = await server({ timing, clock: freeClock() }).post(wireCase);
      if (body === null) throw new Error('no body');
      let count = 0;
      for await (const _ of body) count++;
      return count;
    };
    const words = await chunks({ tokens_per_second: 1000, chunk: { by: 'words' } });
    const characters = await chunks({ tokens_per_second: 1000, chunk: { by: 'characters' } });
    expect(characters).toBeGreaterThan(words);
  });

  it('clears its timer when the client disconnects during a stall', async () => {
    const clock = createManualClock();
    const { post } = server({
      fault: { stall: 'pings', ping_every_ms: 50 },
      timing: { time_to_first_token_ms: 10 },
      clock,
    });
    const reader = (await post(wireCase)).body?.getReader();
    if (reader === undefined) throw new Error('no body');
    const reading = (async () => {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read());
    })();
    if (wireCase.sse) {
      await clock.untilSleeping();
      await clock.advance(200);
      await clock.untilSleeping();
    }
    await reader.cancel();
    await reading;
    clock.assertIdle();
  });

  it('cuts an answer that is not streamed in half, and delays all of it', async () => {
    const plain = unstreamed(wireCase);
    const whole = await (await server({}).post(plain)).text();
    const cut = await (await server({ fault: { cut: 'before_finish' } }).post(plain)).text();
    expect(() => JSON.parse(cut)).toThrow();
    expect(whole.startsWith(cut)).toBe(true);
    const clock = createManualClock();
    let hasHeaders = false;
    const late = (async () => {
      const response = await server({ timing: { time_to_first_token_ms: 70 }, clock }).post(plain);
      hasHeaders = true;
      return response.text();
    })();
    await clock.untilSleeping();
    expect(clock.pending).toEqual([70]);
    expect(hasHeaders).toBe(false);
    await clock.advance(70);
    expect(await late).toBe(whole);
  });

  it('stops waiting when the client disconnects before the answer', async () => {
    const clock = createManualClock();
    const { app, lines } = server({ timing: { time_to_first_token_ms: 70 }, clock });
    const ask = async ({ request: { path, query, headers, body } }: WireCase, { signal }: AbortController) => {
      const url = `http://mock.test${path}?${new URLSearchParams(query)}`;
      const response = await app.fetch(new Request(url, { method: 'POST', headers, body, signal }));
      return { status: response.status, text: await response.text() };
    };
    const client = new AbortController();
    const whole = ask(unstreamed(wireCase), client);
    const streamed = ask(wireCase, client);
    await clock.untilSleeping(2);
    client.abort();
    expect(await whole).toEqual({ status: 499, text: '' });
    await expect(streamed).rejects.toThrow('aborted');
    expect(lines.at(-1)).toBe(`${unstreamed(wireCase).request.path} 499 the client disconnected`);
    clock.assertIdle();
  });

  it('resets the connection', async () => {
    const { body } = await server({ fault: { reset: true } }).post(wireCase);
    await expect(new Response(body).text()).rejects.toThrow('The connection was reset.');
  });

  it('sends the wrong content type of a fault', async () => {
    const { headers } = await server({ fault: { content_type: 'text/html' } }).post(wireCase);
    expect(headers.get('content-type')).toBe('text/html');
  });

  it.each<[Fault, RegExp, RegExp]>([
    [{ empty_answer: true }, /./, /view|Grüße/],
    [
      { tool_call_as_text: true },
      /tool_call>.*view/s,
      /"tool_calls":\[\{|"tool_?[uU]se"|"functionCall"|function_call_arg/,
    ],
    [{ open_think_tag: true }, /<think>/, /<\/think>/],
  ])('answers with %j, streamed or not', async (fault, present, absent) => {
    for (const request of [wireCase, unstreamed(wireCase)]) {
      const whole = await (await server({ fault, timing: { chunk: { by: 'tokens', size: 99 } } }).post(request)).text();
      expect(whole).toMatch(present);
      expect(whole).not.toMatch(absent);
    }
  });
});

/** A clock on which sleeps take no time. */
function freeClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

it('does not split a character when it halves an answer that is not streamed', async () => {
  const [wireCase] = WIRE_CASES.map(unstreamed);
  if (wireCase === undefined) throw new Error('no protocol');
  // Of three consecutive lengths, at least one has its middle inside a character.
  for (const start of ['', 'x', 'xx']) {
    const content = start + '🙂'.repeat(200);
    const scenarios = scenarioSet({
      scenarios: [{ name: 's', trigger: 'go', steps: [{ response: { content }, timing: {} }] }],
    });
    const { path, headers, body } = wireCase.request;
    const response = await createMockServer({ scenarios }).request(path, {
      method: 'POST',
      headers: { ...headers },
      body,
    });
    expect(await response.text()).toContain(content);
  }
});

it('sends an answer without fault and timing as one text', async () => {
  const [wireCase] = WIRE_CASES;
  if (wireCase === undefined) throw new Error('no protocol');
  const { headers } = await server({}).post(wireCase);
  expect(headers.get('transfer-encoding')).toBeNull();
});

it('fails a fraction of the requests, the same ones with the same seed', async () => {
  const wireCase = WIRE_CASES.find(({ protocol }) => protocol === 'openai-chat');
  if (wireCase === undefined) throw new Error('no protocol');
  const play = async (seed: number) => {
    const { app, lines } = server({ chaos: { rate: 0.5, seed } });
    for (let index = 0; index < 20; index++) {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `go ${index}` }] });
      await app.request('/v1/chat/completions', { method: 'POST', body });
    }
    return lines;
  };
  const first = await play(7);
  expect(await play(7)).toEqual(first);
  expect(await play(8)).not.toEqual(first);
  const failed = first.filter((line) => line.includes('(chaos '));
  expect(failed.length).toBeGreaterThan(3);
  expect(failed.length).toBeLessThan(17);
});
