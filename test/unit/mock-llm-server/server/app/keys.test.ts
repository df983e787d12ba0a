import { expect, it } from 'vitest';
import { createJournal } from '../../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';
import { WIRE_CASES, type WireCase } from '../../wire/wire-requests.ts';

const key = `sk-${'0123456789'.repeat(4)}`;
const STEPS = {
  'a fixed answer': { response: { content: 'Fixed.' } },
  'a template in the text': { response: { content: 'You said {{last_user}}' } },
  'a template in arguments': { response: { tool_calls: [{ name: 'x', arguments: { text: '{{last_user}}' } }] } },
  'a template in an intent': { intent: 'shell', command: '{{last_user}}' },
};

const rows = WIRE_CASES.flatMap((wireCase) =>
  Object.entries(STEPS).map(([what, step]) => ({ ...wireCase, what, step })),
);

/** A server whose scenarios have this step, with its records. */
function createServer(step: object) {
  const journal = createJournal();
  const lines: string[] = [];
  const scenarios = scenarioSet({
    scenarios: [
      { name: 's', trigger: 'go', steps: [step] },
      { name: 'p', trigger: { text: 'pinned', header: { 'x-api-key': 'none' } }, steps: [step] },
    ],
  });
  const app = createMockServer({ scenarios, journal, log: (line) => lines.push(line) });
  const clear = (): void => {
    journal.clear();
    lines.length = 0;
  };
  return { app, journal, lines, clear };
}

const servers = new Map(Object.values(STEPS).map((step) => [step, createServer(step)] as const));

/** The server with this step, without records. */
function serverOf(step: (typeof STEPS)[keyof typeof STEPS]) {
  const server = servers.get(step);
  if (server === undefined) throw new Error('no server');
  server.clear();
  return server;
}

it.each(rows)(
  'log and journal contain no key of a request over $protocol: $what',
  async ({ protocol, request, step }) => {
    const { app, journal, lines } = serverOf(step);
    const url = `${request.path}?${new URLSearchParams(request.query)}`;
    const body: unknown = JSON.parse(request.body.replace('"go"', `"go ${key}"`));
    // Responses repeats the metadata of a request in its answer.
    const more = protocol === 'gemini' ? { labels: { of: key } } : { metadata: { of: key }, user: key };
    const withMore = { ...(typeof body === 'object' && body), model: `m-${key}`, ...more };
    const response = await app.request(url, {
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify(withMore),
    });
    expect([await response.text(), response.status]).toEqual([
      expect.any(String),
      step === STEPS['a template in an intent'] ? 400 : 200,
    ]);
    expect(journal.entries).toHaveLength(1);
    expect(JSON.stringify([journal.entries, lines])).not.toContain('0123456789');
  },
);

/** A key that no pattern recognizes. */
const short = 'Opaque7key9Canary5f0c1d2eZQ';
/** A key that is longer than the quotes in errors and titles. */
const long = short.repeat(20);
/** A key that JSON has to escape, with parts that are too short to be recognized. */
const quoted = 'Opaque7"key9\\Canary"f0c1\\d2eZQ12"34567890';

interface Leak {
  readonly key?: string;
  /** The headers with the key, instead of the header of the protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Text of the user. */
  readonly text?: string;
  /** Changes the body. */
  readonly change?: (body: string) => string;
  readonly step?: keyof typeof STEPS;
  readonly status?: number;
}

/** The body with limits under the names of every protocol. */
function limited(
  body: string,
  { max_tokens, stop, ...more }: { max_tokens?: number; stop?: string; stream?: boolean },
) {
  const stops = stop === undefined ? {} : { stop, stop_sequences: [stop] };
  const tokens = max_tokens === undefined ? {} : { max_tokens, max_output_tokens: max_tokens };
  const options = { num_predict: max_tokens, stop: stop && [stop] };
  const generationConfig = { maxOutputTokens: max_tokens, stopSequences: stop && [stop] };
  const read = JSON.parse(body);
  // Gemini takes no other fields than its own.
  if (read.contents !== undefined) return JSON.stringify({ ...read, generationConfig });
  return JSON.stringify({ ...read, ...stops, ...tokens, options, generationConfig, ...more });
}

const LEAKS: Readonly<Record<string, Leak>> = {
  'a body that is not JSON': { change: () => `{"a": ${short}}`, status: 400 },
  'a body that is not JSON, with the key of another service': {
    key: '',
    change: () => `{"a": sk-${short}}`,
    status: 400,
  },
  'a parameter of the query': { headers: {}, query: `api_key=${short}`, text: `go ${short}` },
  'the second of two parameters': { headers: {}, query: `key=aaaaaaaaaaaaaaaa&key=${short}`, text: `go ${short}` },
  'a custom scheme': { headers: { authorization: `Token token=${short}` }, text: `go ${short}` },
  'two keys in a header': { headers: { authorization: `Bearer ${short}, Bearer z` }, text: `go ${short}` },
  'a password': { headers: { authorization: `Basic ${btoa(`user:${short}`)}` }, text: `go ${short}` },
  'user and password': { headers: { authorization: `Basic ${btoa(`user:${short}`)}` }, text: `go user:${short}` },
  'a custom header': { headers: { 'x-custom-api-token': short }, text: `go ${short}` },
  'quotes in a text': { key: quoted, text: `go ${quoted}` },
  'quotes in arguments': { key: quoted, text: `go ${quoted}`, step: 'a template in arguments' },
  'quotes in an error': { key: quoted, text: `go ${quoted}`, step: 'a template in an intent', status: 400 },
  'quotes in JSON within JSON': { key: quoted, text: `go ${JSON.stringify(quoted)}` },
  'a miss': { text: `zz ${short}`, status: 400 },
  'a miss of the key alone': { text: short, status: 400 },
  'a miss with the key of another service': { key: '', text: `zz AIza${short}`, status: 400 },
  'a long key in a miss': { key: long, text: `zz ${long}`, status: 400 },
  'a key at the end of the text that a miss quotes': { text: `${'zz '.repeat(60)}${short}`, status: 400 },
  'a key at the start of the text that a miss compares': { text: `${short} ${'zz\n'.repeat(6664)}`, status: 400 },
  'a miss with quotes': { key: quoted, text: `zz ${quoted}`, status: 400 },
  'a miss with the key of a query': { headers: {}, query: `key=${long}`, text: `zz ${long}`, status: 400 },
  'a condition on a header': { key: long, text: 'pinned', status: 400 },
  'a title': { key: long, text: `Generate a title for this conversation: use key ${long}` },
  'a title with the key of a query': {
    headers: {},
    query: `key=${long}`,
    text: `Generate a title for this chat: ${long}`,
  },
  'a title with the name of a key': { key: '', text: `Generate a title for this chat with api_key: ${short}` },
  'a summary': { key: long, text: `Summarize this conversation: ${long}` },
  'a pin': { headers: { 'x-api-key': long, 'x-mock-scenario': long }, key: long, status: 400 },
  'an answer that is cut in a key': { text: `go ${short}`, change: (body) => limited(body, { max_tokens: 7 }) },
  'an answer that is cut in a key and not streamed': {
    text: `go ${short}`,
    change: (body) => limited(body, { max_tokens: 7, stream: false }),
  },
  'arguments that are cut in a key': {
    text: `go ${short}`,
    step: 'a template in arguments',
    change: (body) => limited(body, { max_tokens: 7 }),
  },
  'an answer that is stopped in a key': { text: `go ${short}`, change: (body) => limited(body, { stop: 'Canary' }) },
  'a cookie': { headers: { cookie: `a=b; session=${short}` }, text: `go ${short}` },
};
const leaks = WIRE_CASES.flatMap((wireCase) =>
  Object.entries(LEAKS).map(([what, leak]) => ({ ...wireCase, what, leak })),
);

/** Length of a part that reveals a key. */
const REVEALING_LENGTH = 8;

/** The surroundings of a part of the key in a text, in any case and with or without escapes. */
function findPart(key: string, text: string): string | undefined {
  const [wanted = '', plain = ''] = [key, text].map((each) => each.replaceAll('\\', '').toLowerCase());
  for (let start = 0; start + REVEALING_LENGTH <= wanted.length; start++) {
    const index = plain.indexOf(wanted.slice(start, start + REVEALING_LENGTH));
    if (index !== -1) return plain.slice(Math.max(0, index - 60), index + 60);
  }
  return undefined;
}

async function recordsOf({ request }: WireCase, leak: Leak) {
  const { key = short, headers = { 'x-api-key': key }, query = '', text = 'go', change = (body) => body } = leak;
  const { app, journal, lines } = serverOf(STEPS[leak.step ?? 'a template in the text']);
  const url = `${request.path}?${new URLSearchParams(request.query)}&${query}`;
  const body = change(request.body.replace('"go"', JSON.stringify(text)));
  const { status } = await app.request(url, { method: 'POST', headers: { ...request.headers, ...headers }, body });
  return { status, count: journal.entries.length, text: JSON.stringify([journal.entries, lines]) };
}

it.each(leaks)('log and journal contain no part of a key over $protocol: $what', async ({ leak, ...wireCase }) => {
  const { status, count, text } = await recordsOf(wireCase, leak);
  expect([status, count]).toEqual([leak.status ?? 200, 1]);
  expect(findPart(leak.key || short, text)).toBeUndefined();
});

it('log and journal contain no part of a key in an answer with a schema', async () => {
  const chat = WIRE_CASES.filter(({ protocol }) => protocol === 'openai-chat');
  const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
  const change = (body: string) => JSON.stringify({ ...JSON.parse(body), stream: false, response_format: format });
  expect(chat).toHaveLength(1);
  for (const wireCase of chat) {
    const leak = { key: long, text: `use key ${long}`, change, step: 'a fixed answer' } as const;
    const { status, text } = await recordsOf(wireCase, leak);
    expect([status, text]).toEqual([200, expect.stringContaining('use key redacted')]);
    expect(findPart(long, text)).toBeUndefined();
  }
});

it('findPart finds a part of a key', () => {
  expect(findPart(short, `"name":"zz-${short.slice(3, 12).toLowerCase()}"`)).toBe('"name":"zz-que7key9c"');
  expect(findPart(quoted, JSON.stringify(quoted.slice(4, 14)))).toBe('"ue7"key9c"');
  expect(findPart(short, short.slice(0, REVEALING_LENGTH - 1))).toBeUndefined();
});
