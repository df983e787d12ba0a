import { expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { parseBody } from '../../../../mock-llm-server/wire/body.ts';
import { WIRES } from '../../../../mock-llm-server/wire/wires.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';
import { askedAbout } from '../ask-protocols.ts';
import { WIRE_CASES } from './wire-requests.ts';

/** Deeper than the limit of 1000 levels, and cheap to parse. */
const DEPTH = 2000;
/** Deep enough to overflow the stack of a recursive function. */
const OVERFLOWING = 20_000;
const nested = {
  arrays: (depth: number) => '['.repeat(depth) + ']'.repeat(depth),
  objects: (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
  both: (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`,
};
const app = createMockServer({ scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: steps() }] }) });
// Ollama's `show` answers every unreadable body with the same error.
const paths = WIRES.flatMap(({ protocol, paths: patterns, routes }) =>
  [...patterns, ...routes.filter(({ method }) => method === 'POST').map(({ path }) => path)]
    .filter((pattern) => pattern !== '/api/show')

    .map((pattern) => ({
      protocol: pattern.startsWith('/model/') ? ('bedrock-converse' as const) : protocol,
      path: pattern
        .replace(/:model\{\.\+(:\w+)\}/, 'm$1')
        .replace(/:model\{\[\^\/\]\*embed\[\^\/\]\*\}/, 'an-embedding'),
    })),
);
const post = (path: string, body: string) =>
  app.request(path, { method: 'POST', body, headers: { 'anthropic-version': '2023-06-01' } });

const LEVELS = /nested deeper than 1000 levels/;
const SHAPES = {
  'openai-chat': { error: { message: expect.stringMatching(LEVELS), type: 'invalid_request_error' } },
  'openai-responses': { error: { message: expect.stringMatching(LEVELS), type: 'invalid_request_error' } },
  'anthropic-messages': {
    type: 'error',
    error: { type: 'invalid_request_error', message: expect.stringMatching(LEVELS) },
  },
  'bedrock-converse': { message: expect.stringMatching(LEVELS) },
  gemini: { error: { code: 400, message: expect.stringMatching(LEVELS), status: 'INVALID_ARGUMENT' } },
  'gemini-interactions': { error: { code: 'invalid_request', message: expect.stringMatching(LEVELS) } },
  ollama: { error: expect.stringMatching(LEVELS) },
};

async function expectRefusal(protocol: keyof typeof SHAPES, path: string, body: string): Promise<void> {
  const response = await post(path, body);
  const json: unknown = await response.json();
  // Where a reply would be an array of pieces, the error is the item of an array.
  const error: unknown = Array.isArray(json) ? json[0] : json;
  expect({ status: response.status, json: error }).toMatchObject({ status: 400, json: SHAPES[protocol] });
}

const fieldOf = (deep: string) => `{"model":"m","max_tokens":9,"x":${deep}}`;

it.each(paths)('a body nested deeply at $path is refused with the error body of the protocol', async (target) => {
  const { protocol, path } = target;
  const shallower = Object.values(nested).map((nest) => nest(DEPTH));
  const bodies = [...shallower, ...shallower.map(fieldOf), fieldOf(nested.arrays(OVERFLOWING))];
  for (const body of bodies) await expectRefusal(protocol, path, body);
});

it.each(Object.entries(nested))(
  'a body whose depth would overflow the stack is refused as well: %s',
  async (_name, nest) => {
    const deep = nest(OVERFLOWING);
    for (const body of [deep, fieldOf(deep)]) await expectRefusal('openai-chat', '/v1/chat/completions', body);
  },
);

it('refuses to show a model for a deeply nested body as for an empty one', async () => {
  const deep = await post('/api/show', nested.objects(OVERFLOWING));
  const empty = await post('/api/show', '{}');
  expect([deep.status, await deep.text()]).toEqual([empty.status, await empty.text()]);
  expect(deep.status).toBeLessThan(500);
});

it.each(Object.values(nested))('parseBody accepts 1000 levels and no more', (nest) => {
  expect(JSON.stringify(parseBody(nest(1000)))).toBe(nest(1000));
  expect(() => parseBody(nest(1002))).toThrow(LEVELS);
});

it('the server answers bodies of the maximum depth', async () => {
  const parameters = nested.objects(989);
  const tools = `[{"type":"function","function":{"name":"a","parameters":{"type":"object","default":${parameters}}}}]`;
  const body = `{"model":"m","messages":[{"role":"user","content":"go"}],"tools":${tools}}`;
  expect((await post('/v1/chat/completions', body)).status).toBe(200);
});

const named = { mock_scenario: 'only', mock_step: 0 };
const pins = WIRE_CASES.map(
  ({ protocol }) => [protocol, { [protocol === 'gemini' ? 'labels' : 'metadata']: named }] as const,
);

it.each(pins)('reads the pin in the metadata of %s: %j', async (protocol, fields) => {
  const { ask } = askedAbout({ content: 'pinned' }, {}, 'a trigger that no text has');
  expect(await ask(protocol, false, fields)).toMatchObject({ text: 'pinned' });
});

it('reads no pin in metadata of another form', async () => {
  const { ask } = askedAbout({ content: 'triggered' });
  for (const metadata of ['only', {}, { user_id: 'x' }, { mock_scenario: null }]) {
    expect(await ask('openai-chat', false, { metadata })).toMatchObject({ text: 'triggered' });
  }
});
