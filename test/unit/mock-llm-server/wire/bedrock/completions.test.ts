import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createFetchRecorder } from '../../../../../mock-llm-server/record/record-fetch.ts';
import { loadJsonFromSchema } from '../../../../../mock-llm-server/reply/json-from-schema.ts';
import { parseScenarioFile } from '../../../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { EventUnpacker } from '../../../../../mock-llm-server/wire/bedrock/event-stream.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';

const JsonObject = z.record(z.string(), z.json());
const AnswerSchema = z.object({
  kind: z.string(),
  path: z.string(),
  request: JsonObject,
  answer: z.union([z.array(JsonObject), JsonObject]),
});

const ANSWERS = readFileSync(new URL('./fixtures/invoke.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => AnswerSchema.parse(JSON.parse(line)));

const app = createMockServer({
  scenarios: scenarioSet({
    scenarios: [{ name: 'never', trigger: 'no such words', steps: [{ response: { content: 'x' } }] }],
    default_response: { content: 'A default answer of six words.' },
  }),
});

async function ask({ path, request }: Pick<z.infer<typeof AnswerSchema>, 'path' | 'request'>): Promise<Response> {
  return app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
}

/** The names of all fields, in any depth; numbers in a list count once. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length === 0 || typeof value[0] === 'number' ? 'numbers' : distinct(value.map(shapeOf));
  if (typeof value !== 'object' || value === null) return typeof value === 'object' ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

/** The shapes of a list; those of equal items once. */
function distinct(shapes: readonly unknown[]): readonly unknown[] {
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}

describe('InvokeModel', () => {
  it.each(ANSWERS.filter(({ answer }) => !Array.isArray(answer)))(
    'answers in the recorded form: $kind',
    async (recorded) => {
      const response = await ask(recorded);
      expect(response.status).toBe(200);
      expect(shapeOf(await response.json())).toEqual(shapeOf(recorded.answer));
    },
  );

  it.each(ANSWERS.filter(({ answer }) => Array.isArray(answer)))(
    'ends a stream in the recorded form: $kind',
    async (recorded) => {
      const bytes = Buffer.from(await (await ask(recorded)).arrayBuffer());
      const events = new EventUnpacker()
        .write(bytes)
        .split('\n\n')
        .filter(Boolean)
        .map((event) => JsonObject.parse(JSON.parse(event.replace('data: ', ''))));
      const last = [recorded.answer].flat().at(-1);
      expect(Object.keys(events.at(-1) ?? {}).toSorted()).toEqual(Object.keys(last ?? {}).toSorted());
      const texts = events.map(
        ({ outputText, completion, generation, text }) => outputText ?? completion ?? generation ?? text,
      );
      expect(texts.join('').trim()).toMatch(/^(?:A default answer|A default)/);
    },
  );

  it('keeps a body that it does not know apart', async () => {
    const response = await ask({ path: '/model/ai21.j2-mid-v1/invoke', request: { maxTokens: 3 } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('Titan, Llama, Mistral, AI21 and Cohere');
  });

  it('refuses to stream for AI21', async () => {
    const request = { prompt: 'hi', maxTokens: 3 };
    const response = await ask({ path: '/model/ai21.j2-mid-v1/invoke-with-response-stream', request });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: 'The model is unsupported for streaming.' });
  });

  it('cuts an answer of AI21 at its limit', async () => {
    const response = await ask({ path: '/model/ai21.j2-mid-v1/invoke', request: { prompt: 'hi', maxTokens: 2 } });
    const { completions } = z
      .object({ completions: z.array(z.object({ data: z.json(), finishReason: z.json() })) })
      .parse(await response.json());
    expect(completions).toMatchObject([{ finishReason: { reason: 'length' } }]);
  });

  it('reads the chat of Command R, and sends it back, streamed too', async () => {
    const chat = [
      { role: 'USER', message: 'hello' },
      { role: 'CHATBOT', message: 'Hi.' },
      { role: 'SYSTEM', message: 'Be short.' },
      'no message',
    ];
    const request = { message: 'and now?', chat_history: chat, preamble: 'You are kind.' };
    const path = '/model/cohere.command-r-v1:0/invoke';
    const answer = JsonObject.parse(await (await ask({ path, request })).json());
    const text = 'A default answer of six words.';
    const said = [
      { role: 'USER', message: 'and now?' },
      { role: 'CHATBOT', message: text },
    ];
    expect(answer).toMatchObject({ text, chat_history: [...chat, ...said], finish_reason: 'COMPLETE' });
    const stream = await ask({ path: `${path}-with-response-stream`, request });
    const events = new EventUnpacker()
      .write(Buffer.from(await stream.arrayBuffer()))
      .split('\n\n')
      .filter(Boolean);
    expect(JSON.parse(String(events.at(-1)).replace('data: ', ''))).toMatchObject({
      event_type: 'stream-end',
      is_finished: true,
      response: answer,
    });
  });

  it('does not know the tools of Command R', async () => {
    const request = { message: 'hi', tools: [{ name: 'x' }] };
    expect((await ask({ path: '/model/cohere.command-r-v1:0/invoke', request })).status).toBe(400);
  });
});

describe('an embedding of Bedrock', () => {
  it('needs a text', async () => {
    const response = await ask({ path: '/model/amazon.titan-embed-text-v2:0/invoke', request: { text: 'cat' } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('required key [inputText] not found');
  });

  it.each([
    ['amazon.titan-embed-text-v2:0', { inputText: 'cat', dimensions: 8 }, 8],
    ['amazon.titan-embed-text-v2:0', { inputText: 'cat' }, 64],
    ['cohere.embed-v4:0', { texts: ['cat'], output_dimension: 8 }, 8],
  ])('of %s has the dimensions of %j', async (model, request, dimensions) => {
    const response = await ask({ path: `/model/${model}/invoke`, request });
    const [numbers = ''] = /\[[-\d.,e]+\]/.exec(await response.text()) ?? [];
    expect(numbers.split(',')).toHaveLength(dimensions);
  });
});

describe('a recorded completion', () => {
  const whole = ANSWERS.filter(({ kind }) => kind.endsWith(' whole'));

  it.each(whole)('is sent again as it was: $kind', async ({ path, request, answer }) => {
    await loadJsonFromSchema();
    const text = JSON.stringify(answer);
    const recorder = createFetchRecorder([]);
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    const headers = new Headers({ 'content-type': 'application/json' });
    const fetch = recorder.wrap(async () => ({ status: 200, ok: true, headers, body }));
    const sent = await fetch(`http://127.0.0.1${path}`, { method: 'POST', body: JSON.stringify(request) });
    for await (const _ of sent.body ?? []);
    const story = { prompts: ['hi'] };
    const { files } = await recorder.finish({ story, workspace: new Map(), expected: undefined, agent: 'any' });
    const content = parseScenarioFile(String(files.get('scenario.json')), 'scenario.json');
    const replay = createMockServer({ scenarios: createScenarioSet([{ file: 'scenario.json', content }]) });
    const again = await replay.request(path, { method: 'POST', body: JSON.stringify(request) });
    const withoutIds = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (key, each) => (/^(?:id|.*_id)$/.test(key) ? 0 : each)));
    expect(withoutIds(await again.json())).toEqual(withoutIds(answer));
  });
});
