// Chapter 9: a session. Every event is in the log before its effect happens, so that a crash loses nothing.
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startMockLlm } from '../../mock-llm-server/testing.ts';
import { type AgentEvent, applyEvent, createAgent, EMPTY_SESSION, type Tool } from '../../src/agent/index.ts';
import { createOpenAiChat } from '../../src/providers/openai-chat/openai-chat.ts';
import { argument, clock, definition, digest, show } from '../support.ts';

const directory = await mkdtemp(path.join(os.tmpdir(), 'chapter-'));
const log = path.join(directory, 'session.jsonl');

/**
 * Stores each event before anybody else sees it. A generator is pulled, so nothing goes on until the event is on disk: a
 * call does not run before its approval is. An error of the disk is thrown into the run, which then ends.
 */
async function* stored(events: AsyncGenerator<AgentEvent, void, void>): AsyncGenerator<AgentEvent, void, void> {
  for await (const event of events) {
    await appendFile(log, `${JSON.stringify(event)}\n`);
    yield event;
  }
}

const written: string[] = [];
const write: Tool = {
  definition: definition('write', 'write', 'text'),
  async plan(args) {
    const text = argument(args, 'text');
    return {
      effect: { summary: `write ${text}`, paths: [] },
      async *run() {
        written.push(text);
        return { content: `Wrote ${text}.`, isError: false, summary: 'written' };
      },
    };
  },
};

await using server = await startMockLlm({ scenarios: path.join(import.meta.dirname, 'scenario.yaml') });

function openAgent() {
  return createAgent({
    model: createOpenAiChat({
      ...{ provider: 'mock', label: 'The mock', model: 'mock-model', endpoint: `${server.url}/v1` },
      ...{ maxTokens: 1_000, timeoutMs: 10_000, clock },
    }),
    tools: [write],
    system: 'You write.',
    decide: () => ({ type: 'ask', rule: 'ask', reason: 'It writes.' }),
    approver: { decide: async () => ({ type: 'once' }) },
    session: { sessionId: 'chapter', model: 'mock/mock-model', workspace: directory, permissionMode: 'ask' },
    clock,
    digest,
  });
}

for await (const event of stored(openAgent().run('Write the first chapter.'))) {
  show(event);
  if (event.type === 'approval_decision') break;
}
console.log(`\nThe program was killed after the answer. Written: ${written.join(', ') || 'nothing'}.`);

// Resumed: the fold of the log is the state. The call that did not run is known not to have run.
const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
const agent = openAgent();
agent.state = lines.map((line): AgentEvent => JSON.parse(line)).reduce(applyEvent, EMPTY_SESSION);
console.log(`The log has ${lines.length} events, and the history ${agent.history.length} messages.\n`);
for await (const event of stored(agent.run('Go on.'))) show(event);
console.log(`\nWritten: ${written.join(', ')}.`);
await rm(directory, { recursive: true });
