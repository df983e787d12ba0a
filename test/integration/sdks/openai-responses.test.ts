import fc from 'fast-check';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import type { FunctionTool, ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Reply } from '../../../mock-llm-server/conversation/conversation.ts';
import { openaiResponses } from '../../../mock-llm-server/wire/openai/responses/responses.ts';
import { anyText } from '../../support/random/any-text.ts';
import { propertySettings } from '../../support/random/property.ts';
import { fetchOfReply } from '../../support/wires/any-reply.ts';
import { AWKWARD, PLAYED, serveScenarios, TWO_READS, TWO_READS_TOOLS } from '../../support/wires/serve-scenarios.ts';

const Verdict = z.object({ title: z.string(), score: z.int() });
const verdict = { title: '„漢字“ 🙂', score: 3 };
const written = { tool_calls: [{ id: 'call_written', name: 'write_file', arguments: AWKWARD }] };
const served = serveScenarios([
  { ...TWO_READS, steps: TWO_READS.steps.with(1, { response: written }) },
  // The same call id again: only the ids of the responses differ.
  {
    name: 'twin',
    trigger: 'twin',
    steps: [{ response: { tool_calls: [{ id: 'call_written', name: 'write_file' }] } }],
  },
  { name: 'verdict', trigger: 'judge this', steps: [{ response: { content: JSON.stringify(verdict) } }] },
  { name: 'long', trigger: 'long', steps: [{ response: { content: 'A long answer.' } }] },
]);

let client: OpenAI;
beforeAll(() => {
  // The client keeps its default retries, so that the tests detect whether the server prevents them.
  client = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused' });
});

const model = 'gpt-x';
const prompt = (content: string) => ({ model, input: content });
const tools = TWO_READS_TOOLS.map((name) => ({
  type: 'function' as const,
  name,
  parameters: { type: 'object', properties: {} },
  strict: false,
}));

/** The results of a client for the calls of an answer. */
function outputsOf({ output }: Pick<OpenAI.Responses.Response, 'output'>): ResponseInput {
  return output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'ok' }]
      : [],
  );
}

interface Ask {
  readonly model: string;
  readonly input: string | ResponseInput;
  readonly previous_response_id?: string;
  readonly tools?: FunctionTool[];
}

/** The same answer, streamed and not. */
const ask = (streaming: boolean, request: Ask) =>
  streaming ? client.responses.stream(request).finalResponse() : client.responses.create(request);

describe('the Responses client', () => {
  it('gets a reply with parallel calls', async () => {
    const response = await client.responses.create(prompt('please read both'));
    expect(response.status).toBe('completed');
    expect(response.output_text).toBe('I read both – 漢字 🙂.');
    const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    expect(calls.map(({ name, arguments: args }) => [name, JSON.parse(args)])).toEqual([
      ['read_file', { path: 'a.txt' }],
      ['read_file', AWKWARD],
    ]);
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
    expect(response._request_id).toMatch(/^req_[0-9a-f]{32}$/);
    const { input_tokens, output_tokens, total_tokens } = response.usage ?? {};
    expect([input_tokens, output_tokens]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(total_tokens).toBe((input_tokens ?? 0) + (output_tokens ?? 0));
  });

  it('streams the same answer, event by event', async () => {
    const whole = await client.responses.create(prompt('please read both'));
    const events: ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({ ...prompt('please read both'), stream: true })) {
      events.push(event);
    }
    expect(events.map((event) => 'sequence_number' in event && event.sequence_number)).toEqual([...events.keys()]);
    const text = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
    expect(text.join('')).toBe(whole.output_text);
    const args = new Map<number, string>();
    for (const event of events) {
      if (event.type !== 'response.function_call_arguments.delta') continue;
      args.set(event.output_index, (args.get(event.output_index) ?? '') + event.delta);
    }
    expect([...args].map(([index, json]) => [index, JSON.parse(json)])).toEqual([
      [1, { path: 'a.txt' }],
      [2, AWKWARD],
    ]);
    const last = events.at(-1);
    const { _request_id: _, output_text: __, ...rest } = whole;
    expect(last?.type === 'response.completed' && last.response).toMatchObject(rest);
  });

  it.each([false, true])('plays a story to its end with the whole history (streaming: %s)', async (streaming) => {
    const input: ResponseInput = [{ role: 'user', content: 'please read both' }];
    let text = '';
    for (let turn = 0; turn < 5 && text !== 'Both are read.'; turn++) {
      const response = await ask(streaming, { model, input, tools });
      text = response.output_text;
      input.push(
        ...response.output.flatMap((item) => (item.type === 'function_call' || item.type === 'message' ? [item] : [])),
      );
      input.push(...outputsOf(response));
    }
    expect(served.answers()).toEqual(PLAYED);
  });

  it.each([false, true])('plays a story with only the ids of the responses (streaming: %s)', async (streaming) => {
    let response = await ask(streaming, { ...prompt('please read both'), tools });
    while (outputsOf(response).length > 0) {
      response = await ask(streaming, { model, tools, input: outputsOf(response), previous_response_id: response.id });
    }
    expect(response.output_text).toBe('Both are read.');
    expect(served.answers()).toEqual(PLAYED);
    const next = await client.responses.create({ ...prompt('twin'), previous_response_id: response.id });
    expect(next.output).toMatchObject([{ type: 'function_call', call_id: 'call_written' }]);
  });

  it('gets the JSON that a scenario has for the schema', async () => {
    const format = zodTextFormat(Verdict, 'verdict');
    const response = await client.responses.parse({ ...prompt('judge this'), text: { format } });
    expect(response.output_parsed).toEqual(verdict);
  });

  it('counts as many tokens as the reply reports', async () => {
    const { input_tokens } = await client.responses.inputTokens.count(prompt('long'));
    expect((await client.responses.create(prompt('long'))).usage?.input_tokens).toBe(input_tokens);
  });
});

describe('an error', () => {
  it.each([false, true])('follows one request without a match (streaming: %s)', async (stream) => {
    const failure = await client.responses.create({ ...prompt('raed btoh'), stream }).catch((error) => error);
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
    expect(failure).toMatchObject({
      code: 'no_scenario_matched',
      param: 'input',
      message: expect.stringContaining('"read both"'),
      requestID: expect.stringMatching(/^req_/),
    });
    expect(served.lines()).toHaveLength(1);
  });

  it("has the API's message for a call without its result", async () => {
    const { id, output } = await client.responses.create(prompt('please read both'));
    const [first, second] = outputsOf({ output });
    if (first?.type !== 'function_call_output' || second?.type !== 'function_call_output') throw new Error('no calls');
    const request = { model, previous_response_id: id };
    await expect(client.responses.create({ ...request, input: [first] })).rejects.toMatchObject({
      status: 400,
      param: 'input',
      message: `400 No tool output found for function call ${second.call_id}.`,
    });
    const stranger = { ...first, call_id: 'call_stranger' };
    await expect(client.responses.create({ ...request, input: [first, second, stranger] })).rejects.toMatchObject({
      message: '400 No tool call found for function call output with call_id call_stranger.',
    });
  });

  it.each(['resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b', 'x'])(
    'has the code of the API for the unknown response %s',
    async (id) => {
      const failure = await client.responses
        .create({ ...prompt('please read both'), previous_response_id: id })
        .catch((error) => error);
      expect(failure).toBeInstanceOf(OpenAI.BadRequestError);
      expect(failure).toMatchObject({
        code: 'previous_response_not_found',
        param: 'previous_response_id',
        message: `400 Previous response with id '${id}' not found.`,
      });
      expect(served.lines()).toHaveLength(1);
    },
  );

  it('is a 404 when a response is retrieved later', async () => {
    await expect(client.responses.retrieve('resp_1')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('a stream split anywhere into chunks', () => {
  const call = fc.record({ isText: fc.boolean(), args: anyText });

  it('assembles to the same response', async () => {
    const body = JSON.stringify(prompt('x'));
    const read = await openaiResponses.read({ method: 'POST', path: '/v1/responses', query: {}, headers: {}, body });
    if (read.type === 'error') throw new Error(read.message);
    await fc.assert(
      fc.asyncProperty(
        fc.option(anyText, { nil: undefined }),
        fc.option(anyText, { nil: undefined }),
        fc.array(call, { maxLength: 3 }),
        fc.integer({ min: 1, max: 700 }),
        async (reasoning, content, calls, size) => {
          const toolCalls = calls.map(({ isText, args }, index) => ({
            id: `call_${index}`,
            name: 'x',
            input: isText ? ('text' as const) : ('json' as const),
            arguments: args,
          }));
          const usage = { inputTokens: 3, cachedTokens: 0, outputTokens: 4, reasoningTokens: 0 };
          const reply: Reply = {
            digest: 'd'.repeat(64),
            created: 1,
            model,
            reasoning,
            content,
            toolCalls,
            finish: 'stop',
            usage,
            source: undefined,
          };
          const fetch = fetchOfReply('openai-responses', reply, size);
          const chunked = new OpenAI({ apiKey: 'unused', fetch });
          const response = await chunked.responses.stream(prompt('x')).finalResponse();
          expect(response).toMatchObject(JSON.parse(JSON.stringify(read.encode(reply))));
        },
      ),
      propertySettings(25),
    );
  });
});
