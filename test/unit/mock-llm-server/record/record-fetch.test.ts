import { describe, expect, it } from 'vitest';
import { createFetchRecorder } from '../../../../mock-llm-server/record/record-fetch.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

/** The scenario file of one recorded exchange. */
async function record(path: string, request: object, answer: object): Promise<string> {
  const recorder = createFetchRecorder([]);
  const headers = new Headers({ 'content-type': 'application/json' });
  const body = (async function* () {
    yield Buffer.from(JSON.stringify(answer));
  })();
  const fetch = recorder.wrap(async () => ({ status: 200, ok: true, headers, body }));
  const response = await fetch(`http://127.0.0.1${path}`, { method: 'POST', body: JSON.stringify(request) });
  for await (const _chunk of response.body ?? []);
  const run = { story: { prompts: ['go'] }, workspace: new Map(), expected: undefined, agent: 'any' };
  const { files } = await recorder.finish(run);
  return String(files.get('scenario.json'));
}

/** The answer of a server with this file. */
async function replay(file: string, path: string, request: object): Promise<unknown> {
  const scenarios = createScenarioSet([{ file: 'f.json', content: parseScenarioFile(file, 'f.json') }]);
  const app = createMockServer({ scenarios, lint: 'off' });
  return (await app.request(path, { method: 'POST', body: JSON.stringify(request) })).json();
}

describe('a program that records its own requests', () => {
  // In a process that has not asked for JSON before.
  it('may begin with one for the JSON of a schema', async () => {
    const request = {
      model: 'm',
      messages: [{ role: 'user', content: 'Where is it?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    };
    const message = { role: 'assistant', content: '{"city":"Rome"}' };
    const answer = { id: 'a', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    const file = await record('/v1/chat/completions', request, answer);
    expect(await replay(file, '/v1/chat/completions', request)).toMatchObject({ choices: [{ message }] });
  });

  // pydantic-ai, tests/models/cassettes/test_multimodal_tool_returns: direct-binary-document-bedrock_claude.
  it('may record a result without words, such as a document', async () => {
    const document = { format: 'pdf', name: 'Document 1', source: { bytes: 'JVBERi0xLjQ=' } };
    const request = {
      messages: [
        { role: 'user', content: [{ text: 'Get the file.' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'get_file', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ document }] } }] },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'get_file', inputSchema: { json: { type: 'object' } } } }] },
    };
    const content = [{ text: 'It is a PDF.' }];
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
    const answer = {
      metrics: { latencyMs: 7 },
      output: { message: { content, role: 'assistant' } },
      stopReason: 'end_turn',
      usage,
    };
    const path = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1:0/converse';
    expect(await replay(await record(path, request, answer), path, request)).toEqual(answer);
  });

  // pydantic-ai, tests/models/cassettes/test_bedrock: test_bedrock_model_structured_output.
  it('may record a text where the request requires a call', async () => {
    const tools = [{ toolSpec: { name: 'final_result', inputSchema: { json: schema } } }];
    const request = {
      messages: [{ role: 'user', content: [{ text: 'Where is it?' }] }],
      toolConfig: { tools, toolChoice: { any: {} } },
    };
    const content = [{ text: 'I do not know.' }];
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
    const answer = {
      metrics: { latencyMs: 7 },
      output: { message: { content, role: 'assistant' } },
      stopReason: 'end_turn',
      usage,
    };
    const path = '/model/amazon.nova-pro-v1:0/converse';
    expect(await replay(await record(path, request, answer), path, request)).toEqual(answer);
  });
});
