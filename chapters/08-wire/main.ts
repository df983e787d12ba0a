// Chapter 8: a real wire. The same loop talks HTTP to a server; the server is the mock, so that its answers are known.
import path from 'node:path';
import { startMockLlm } from '../../mock-llm-server/testing.ts';
import { createAgent, type Tool } from '../../src/agent/index.ts';
import { createOpenAiChat } from '../../src/providers/openai-chat/openai-chat.ts';
import { withRetry } from '../../src/providers/retry.ts';
import { argument, clock, definition, digest, show } from '../support.ts';

await using server = await startMockLlm({ scenarios: path.join(import.meta.dirname, 'scenario.yaml') });

/** An adapter of the port LanguageModel. With the address of another server and its key, a real model answers. */
const wire = createOpenAiChat({
  ...{ provider: 'mock', label: 'The mock', model: 'mock-model', endpoint: `${server.url}/v1` },
  ...{ maxTokens: 1_000, timeoutMs: 10_000, clock },
});

const countWords: Tool = {
  definition: definition('count_words', 'read', 'text'),
  async plan(args) {
    const words = argument(args, 'text').split(' ');
    return {
      effect: { summary: `count ${words.length} words`, paths: [] },
      async *run() {
        return { content: String(words.length), isError: false, summary: 'counted' };
      },
    };
  },
};

const agent = createAgent({
  // A layer around the model repeats requests that failed for a temporary reason.
  model: withRetry(wire, clock, { attempts: 2, backoffBaseMs: 1 }),
  tools: [countWords],
  system: 'You count words.',
  decide: () => ({ type: 'allow', rule: 'everything' }),
  clock,
  digest,
});

for await (const event of agent.run('How many words has "to be or not to be"?')) show(event);

console.log('\nWhat the server got and sent:');
for (const { path: url, status, calls = [], served } of server.requests) {
  console.log(`  POST ${url} → ${status}, ${calls.length} calls, ${served.text.split('data:').length - 1} pieces`);
}
