import OpenAI from 'openai';
import type { FunctionTool, ResponseInput } from 'openai/resources/responses/responses';
import { beforeAll, describe, expect, it } from 'vitest';
import { AWKWARD, PLAYED, serveScenarios, TWO_READS, TWO_READS_TOOLS } from '../../support/wires/serve-scenarios.ts';

const written = { tool_calls: [{ id: 'call_written', name: 'write_file', arguments: AWKWARD }] };
const served = serveScenarios([
  { ...TWO_READS, steps: TWO_READS.steps.with(1, { response: written }) },
  // The same call id again: only the ids of the responses differ.
  {
    name: 'twin',
    trigger: 'twin',
    steps: [{ response: { tool_calls: [{ id: 'call_written', name: 'write_file' }] } }],
  },
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

  it('counts as many tokens as the reply reports', async () => {
    const { input_tokens } = await client.responses.inputTokens.count(prompt('long'));
    expect((await client.responses.create(prompt('long'))).usage?.input_tokens).toBe(input_tokens);
  });
});

it('the client retrieves a model by its name', async () => {
  expect(await client.models.retrieve('mock/long')).toMatchObject({ id: 'mock/long', object: 'model' });
});

describe('an error', () => {
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
