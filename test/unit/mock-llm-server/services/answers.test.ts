import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ServiceName } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../../support/stories/builders.ts';
import { functionTool, result, user } from './cases/case.ts';

const call = { tool_calls: [{ name: 'read', arguments: { path: 'a' } }] };
const done = { response: { content: 'Done.' } };
const app = createMockServer({
  scenarios: scenarioSet({
    scenarios: [
      { name: 'plain', trigger: 'plain', steps: [{ response: call }, done] },
      { name: 'thinking', trigger: 'thinking', steps: [{ response: { reasoning: 'Hm.', ...call } }, done] },
    ],
  }),
});
const MessageSchema = z.looseObject({ tool_calls: z.array(z.looseObject({ id: z.string() })).nullish() });
const AnswerSchema = z.object({ choices: z.tuple([z.object({ message: MessageSchema })]) });

async function post(service: ServiceName, body: object) {
  return app.request(`/as/${service}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'copilot-integration-id': 'vscode-chat' },
    body: JSON.stringify(body),
  });
}

async function messageOf(response: Response) {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return AnswerSchema.parse(JSON.parse(text)).choices[0].message;
}

const MODELS: readonly (readonly [ServiceName, string])[] = [
  ['openai', 'gpt-4o'],
  ['azure', 'gpt-4o'],
  ['deepseek', 'deepseek-v4-pro'],
  ['moonshot', 'kimi-k2.5'],
  ['mistral', 'mistral-large-latest'],
  ['xai', 'grok-4'],
  ['zai', 'glm-4.6'],
  ['dashscope', 'qwen3-max'],
  ['groq', 'openai/gpt-oss-120b'],
  ['cerebras', 'gpt-oss-120b'],
  ['together', 'Qwen/Qwen3-235B'],
  ['fireworks', 'accounts/fireworks/models/glm-4p6'],
  ['openrouter', 'z-ai/glm-4.6'],
  ['copilot', 'gpt-4.1'],
  ['copilot', 'gemini-3-pro-preview'],
  ['vllm', 'qwen3-8b'],
  ['sglang', 'qwen3-8b'],
  ['llamacpp', 'qwen3-8b'],
  ['ollama', 'qwen3:8b'],
  ['lmstudio', 'qwen3-8b'],
  ['litellm', 'gpt-4o'],
];

describe('an agent that sends back what it got', () => {
  it.each(MODELS.flatMap((row) => ['plain', 'thinking'].map((prompt) => [...row, prompt] as const)))(
    'is not refused by %s with %s: %s',
    async (service, model, prompt) => {
      const request = { model, tools: [functionTool({ properties: { path: { type: 'string' } } })] };
      const first = await messageOf(await post(service, { ...request, messages: [user(prompt)] }));
      const id = first.tool_calls?.[0]?.id ?? '';
      const messages = [user(prompt), first, result(id)];
      expect(await messageOf(await post(service, { ...request, messages }))).toMatchObject({ content: 'Done.' });
    },
  );
});
