import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { wireOf } from '../../../../mock-llm-server/record/answer-path.ts';
import { convertExchanges } from '../../../../mock-llm-server/record/convert/exchanges.ts';
import { decodeAnswer } from '../../../../mock-llm-server/record/decode/decode-answer.ts';
import { createFetchRecorder } from '../../../../mock-llm-server/record/record-fetch.ts';
import { loadJsonFromSchema } from '../../../../mock-llm-server/reply/json-from-schema.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet, type ScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { comparableEvents } from '../../../../mock-llm-server/wire/native/same-answer.ts';
import { realServerAnswers } from '../../../support/recorded/real-servers.ts';
import { REASONING_FIELDS } from '../ask-protocols.ts';

/** An answer of a real service with its request: see the README beside the file. */
interface ServiceAnswer {
  readonly source: string;
  readonly file: string;
  readonly protocol: Protocol;
  readonly path: string;
  readonly request: object;
  readonly contentType: string;
  readonly text: string;
}

const ANSWERS = readFileSync(new URL('./fixtures/recorded-answers.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): ServiceAnswer => JSON.parse(line));

/** Requests that servers answered and a service refuses, or whose history has no beginning. */
const WRONG = /json-object|tools-bad|bad-tool-schema|tools-named$|missing-|empty-input/;

/** Answers with reasoning, which a request has to ask for. */
const REASONS = /"type": ?"(?:thinking|reasoning)|"reasoning(?:_content)?": ?"/;

/** Answers that are an error within a stream. */
const FAILED = /"(?:object|type)": ?"error"|^data: [^{[]/;

const SERVED = realServerAnswers().flatMap(({ server, exchange, wire, path, request, type, body }): ServiceAnswer[] => {
  if (
    wire === 'ollama-chat' ||
    request === undefined ||
    WRONG.test(exchange) ||
    FAILED.test(body) ||
    exchange.includes('abort')
  )
    return [];
  const answer = { protocol: wire, path, request, contentType: type, text: body };
  return [{ source: server, file: `${server}/${exchange}`, ...answer }];
});

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gemini: { 'x-goog-api-key': 'key' },
  'anthropic-messages': { 'anthropic-version': '2023-06-01' },
};

/** The scenarios that the recorder makes of an answer. */
async function record({ protocol, path, request, contentType, text }: ServiceAnswer): Promise<ScenarioSet> {
  await loadJsonFromSchema();
  const recorder = createFetchRecorder([]);
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  const fetch = recorder.wrap(async () => {
    return { status: 200, ok: true, headers: new Headers({ 'content-type': contentType }), body };
  });
  const sent = { method: 'POST', headers: { ...HEADERS[protocol] }, body: JSON.stringify(request) };
  const response = await fetch(`http://127.0.0.1${path}`, sent);
  for await (const _ of response.body ?? []);
  const story = { prompts: ['Say hello'] };
  const { files } = await recorder.finish({ story, workspace: new Map(), expected: undefined, agent: 'any' });
  const content = parseScenarioFile(String(files.get('scenario.json')), 'scenario.json');
  return createScenarioSet([{ file: 'scenario.json', content }]);
}

/** The events of an answer in a form in which only ids, times, padding and the cut of its texts make no difference. */
function eventsOf({ path, contentType, text }: Pick<ServiceAnswer, 'path' | 'contentType' | 'text'>) {
  const wire = wireOf({ method: 'POST', path: path.replace(/\?.*/, '') });
  if (wire === undefined) throw new Error(`No protocol has the path ${path}.`);
  const { native } = decodeAnswer(wire.protocol, { contentType, text });
  return comparableEvents(wire.protocol, native?.events ?? (native?.body === undefined ? [] : [native.body]));
}

it.each([...ANSWERS, ...SERVED].map((answer) => [`${answer.protocol} ${answer.file}`, answer] as const))(
  'replays every event of a recorded answer: %s',
  async (_name, answer) => {
    // The switch for reasoning, which the test adds, is that of the newest models.
    const app = createMockServer({ scenarios: await record(answer), lint: 'off' });
    const headers = { 'content-type': 'application/json', ...HEADERS[answer.protocol] };
    const asked = ANSWERS.includes(answer) || REASONS.test(answer.text) ? REASONING_FIELDS[answer.protocol] : {};
    const body = JSON.stringify({ ...answer.request, ...asked });
    const response = await app.request(answer.path, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    const contentType = response.headers.get('content-type') ?? '';
    const want = eventsOf(answer);
    expect(want).not.toEqual([]);
    expect(eventsOf({ ...answer, contentType, text: await response.text() })).toEqual(want);
  },
);

it('replays an interaction with an id that a later request can continue', async () => {
  // 0xPlaygrounds/rig, tests/cassettes/gemini/interactions_api/followup_with_previous_interaction_id.yaml, shortened.
  const interaction = (id: string, text: string) => ({
    ...{ created: '1970-01-01T00:00:00Z', updated: '1970-01-01T00:00:00Z', id, model: 'gemini-3-flash-preview' },
    ...{ object: 'interaction', service_tier: 'standard', status: 'completed' },
    steps: [
      { type: 'thought', signature: 'signature_1' },
      { type: 'model_output', content: [{ type: 'text', text }] },
    ],
  });
  const first = { model: 'gemini-3-flash-preview', input: 'Give me one short fact about hummingbirds.', store: true };
  const path = '/v1beta/interactions';
  const answer = JSON.stringify(interaction('v1_REDACTED_1', 'They fly backward.'));
  const recorded = await record({
    ...{ source: 'rig', file: 'f', protocol: 'gemini-interactions', path, request: first },
    ...{ contentType: 'application/json', text: answer },
  });
  const app = createMockServer({ scenarios: recorded, lint: 'off' });
  const post = async (body: object): Promise<Record<string, unknown>> =>
    JSON.parse(await (await app.request(path, { method: 'POST', body: JSON.stringify(body) })).text());
  const { id, ...rest } = await post(first);
  expect(rest).toEqual({ ...JSON.parse(answer), id: undefined });
  expect(await post({ model: 'm', input: 'And now?', previous_interaction_id: id })).not.toMatchObject({
    error: { code: 'not_found' },
  });
});

it('continues a recorded interaction with results in the input of the user', async () => {
  // The form of 0xPlaygrounds/rig, tests/cassettes/gemini/interactions_api/tool_result_roundtrip.yaml.
  const model = 'gemini-3-flash-preview';
  const tools = [{ type: 'function', name: 'add', parameters: { type: 'object', properties: {} } }];
  const call = (id: string) => ({ type: 'function_call', id, name: 'add', arguments: {} });
  const result = (id: string) => ({ type: 'function_result', name: 'add', call_id: id, result: { sum: 18 } });
  const interaction = (id: string, steps: readonly object[]) => ({ id, model, object: 'interaction', steps });
  const ask = { model, tools, input: [{ type: 'user_input', content: [{ type: 'text', text: 'Add them.' }] }] };
  const answers = [
    { ...interaction('v1_a', [call('fc_1'), call('fc_2')]), status: 'requires_action' },
    {
      ...interaction('v1_b', [{ type: 'model_output', content: [{ type: 'text', text: '18.' }] }]),
      status: 'completed',
    },
  ];
  const goOn = (id: unknown, [one, two]: readonly string[]) => ({
    ...{ model, previous_interaction_id: id },
    input: [{ type: 'user_input', content: [result(one ?? ''), result(two ?? '')] }],
  });
  const exchange = (request: object, response: object | undefined) => ({
    request: { method: 'POST', url: 'https://h/v1beta/interactions', body: JSON.stringify(request) },
    response: { status: 200, body: JSON.stringify(response) },
  });
  const recorded = [exchange(ask, answers[0]), exchange(goOn('v1_a', ['fc_1', 'fc_2']), answers[1])];
  const { scenarios } = convertExchanges(recorded.map((entry) => ({ entry, label: '' })));
  const app = createMockServer({
    scenarios: createScenarioSet([{ file: 's', content: { scenarios: [...scenarios] } }]),
    lint: 'off',
  });
  const post = async (body: object): Promise<{ id: string; steps: readonly { id: string }[] }> =>
    JSON.parse(
      await (await app.request('/v1beta/interactions', { method: 'POST', body: JSON.stringify(body) })).text(),
    );
  const { id, steps } = await post(ask);
  expect(
    await post(
      goOn(
        id,
        steps.map((step) => step.id),
      ),
    ),
  ).toMatchObject({
    steps: [{ content: [{ text: '18.' }] }],
  });
});

it.each([['test_together_chat_legacy.yaml#0', 'eos']])(
  'keeps the reason of the service for the end of a recorded answer: %s',
  async (file, finish) => {
    const answer = ANSWERS.find((each) => each.file.endsWith(file));
    if (answer === undefined) throw new Error(`There is no recorded answer ${file}.`);
    const { scenarios } = await record(answer);
    expect(scenarios.map(({ steps }) => steps.at(-1))).toMatchObject([{ finish: 'stop', nativeFinish: finish }]);
  },
);
