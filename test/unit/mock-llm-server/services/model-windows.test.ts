import { describe, expect, it } from 'vitest';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';

const scenarios = { ...createScenarioSet([]), defaultResponse: 'Hello.' };

/** Sends a prompt of so many short words. */
async function ask(service: string, model: string, words: number, lint: 'fail' | 'off' = 'fail') {
  const app = createMockServer({ scenarios, lint });
  const messages = [{ role: 'user', content: 'word '.repeat(words) }];
  const answer = await app.request(`/as/${service}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model, messages }),
  });
  return [answer.status, await answer.text()] as const;
}

describe('a request that is far longer than the window of its model', () => {
  it.each([
    ['openai', 'gpt-4', 20_000, "This model's maximum context length is 8192 tokens."],
    ['moonshot', 'moonshot-v1-8k', 20_000, 'Your request exceeded model token limit: 8192'],
    ['cerebras', 'gpt-oss-120b', 200_000, 'while limit is 131072'],
    ['mistral', 'devstral-latest', 400_000, 'too large for model with 262144 maximum context length'],
    ['xai', 'grok-4', 400_000, "This model's maximum prompt length is 256000"],
    ['dashscope', 'qwen-max-latest', 60_000, 'Range of input length should be [1, 30720]'],
  ])('is refused by %s for %s', async (service, model, words, says) => {
    const [status, text] = await ask(service, model, words);
    expect([status, text]).toEqual([400, expect.stringContaining(says)]);
  });

  it.each([
    ['shorter', 'openai', 'gpt-4', 2000, 'fail'],
    ['for another model', 'openai', 'gpt-4.1', 20_000, 'fail'],
    ['for a model with a longer window', 'xai', 'grok-4-fast', 400_000, 'fail'],
    ['for a server without refusals', 'openai', 'gpt-4', 20_000, 'off'],
  ] as const)('is answered if it is %s', async (_title, service, model, words, lint) => {
    expect(await ask(service, model, words, lint)).toEqual([200, expect.stringContaining('Hello.')]);
  });
});
