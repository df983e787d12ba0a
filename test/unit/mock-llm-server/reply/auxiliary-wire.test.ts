import { describe, expect, it } from 'vitest';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet, steps } from '../builders.ts';

const PROMPT = 'create hello.txt';
const app = createMockServer({
  scenarios: scenarioSet({ scenarios: [{ name: 'hello', trigger: PROMPT, steps: steps(1) }] }),
});

describe('the server', () => {
  it.each<readonly [string, string, object, string]>([
    [
      'the router of Gemini CLI',
      '/v1beta/models/gemini-2.5-flash-lite:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
        systemInstruction: { parts: [{ text: 'You are a specialized Task Routing AI.' }] },
        generationConfig: {
          responseMimeType: 'application/json',
          responseJsonSchema: {
            type: 'OBJECT',
            properties: { model_choice: { type: 'STRING', enum: ['flash', 'pro'] } },
            required: ['model_choice'],
          },
        },
      },
      '{\\"model_choice\\":\\"flash\\"}',
    ],
    [
      'a request of Gemini for one of several texts',
      '/v1beta/models/gemini-2.5-flash:generateContent',
      {
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
        generationConfig: { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['A', 'B'] } },
      },
      '"text":"A"',
    ],
    [
      'the title of Claude Code',
      '/v1/messages?beta=true',
      {
        model: 'claude-haiku-4-5',
        max_tokens: 100,
        messages: [{ role: 'user', content: PROMPT }],
        output_config: {
          format: {
            type: 'json_schema',
            schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
          },
        },
      },
      '{\\"title\\":\\"create hello.txt\\"}',
    ],
    [
      'the title of opencode',
      '/v1/chat/completions',
      {
        model: 'mock-1',
        messages: [
          { role: 'system', content: 'You are a title generator. You output ONLY a thread title. Nothing else.' },
          { role: 'user', content: 'Generate a title for this conversation:\n' },
          { role: 'user', content: PROMPT },
        ],
      },
      '"create hello.txt"',
    ],
    [
      'the JSON mode of Ollama',
      '/api/chat',
      { model: 'm', stream: false, messages: [{ role: 'user', content: PROMPT }], format: 'json' },
      '"{}"',
    ],
    [
      'a schema of the Responses API',
      '/v1/responses',
      {
        model: 'm',
        input: PROMPT,
        text: {
          format: {
            type: 'json_schema',
            name: 'n',
            schema: { type: 'object', properties: { n: { type: 'integer' } } },
          },
        },
      },
      '{\\"n\\":0}',
    ],
  ])('answers %s', async (_name, path, body, expected) => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain(expected);
  });
});
