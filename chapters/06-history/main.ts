// Chapter 6: the history. It is valid whatever happened, and each request continues the one before.

import type { LanguageModel, Message, ModelRequest, Tool } from '../../src/agent/index.ts';
import { type AgentEvent, applyEvent, createAgent, EMPTY_SESSION, repairHistory } from '../../src/agent/index.ts';
import { argument, clock, definition, digest, type ScriptedAnswer, scriptedModel } from '../support.ts';

const echo: Tool = {
  definition: definition('echo', 'execute', 'text'),
  async plan(args) {
    const text = argument(args, 'text');
    return {
      effect: { summary: `echo ${text}`, paths: [] },
      async *run() {
        return { content: text, isError: false, summary: 'echoed' };
      },
    };
  },
};

/** The requests that the models of this chapter have got. */
const requests: ModelRequest[] = [];

function recorded(model: LanguageModel): LanguageModel {
  return {
    ...model,
    stream(request, signal) {
      requests.push(structuredClone(request));
      return model.stream(request, signal);
    },
  };
}

function agentFor(...answers: ScriptedAnswer[]) {
  const decide = () => ({ type: 'allow', rule: 'everything' }) as const;
  const model = recorded(scriptedModel(...answers));
  return createAgent({ model, tools: [echo], system: 'Echo.', decide, clock, digest });
}

function print(title: string, messages: readonly Message[]): void {
  console.log(`\n${title}`);
  for (const message of messages) {
    const calls = message.role === 'assistant' ? message.toolCalls.map(({ id }) => ` [calls ${id}]`).join('') : '';
    const id = message.role === 'tool' ? ` ${message.toolCallId}` : '';
    console.log(`  ${message.role}${id}: ${message.content}${calls}`);
  }
}

// The program dies when the first of two calls has ended. The log of its events is all that is left.
const log: AgentEvent[] = [];
const twoCalls = [
  ['echo', { text: 'one' }],
  ['echo', { text: 'two' }],
] as const;
for await (const event of agentFor(twoCalls).run('Say one and two.')) {
  log.push(event);
  if (event.type === 'tool_result') break;
}

// The state is a fold over the events, so that a new program continues where the old one was.
const agent = agentFor('One.', [['echo', { text: 'two' }]], 'Two.');
agent.state = log.reduce(applyEvent, EMPTY_SESSION);
print('The history after the crash has a call without a result:', agent.history);
print('A provider would refuse it. Repaired before each request:', repairHistory(agent.history));

for await (const _ of agent.run('What did you say?'));
for await (const _ of agent.run('Say two.'));
print('The history at the end, unchanged, because only requests are repaired:', agent.history.slice(-6));

// A provider reuses what it has computed for a prefix, so nothing before the new messages may change.
console.log('\nEach request continues the one before:');
for (const [index, { messages }] of requests.entries()) {
  const before = JSON.stringify(requests[index - 1]?.messages ?? []).slice(0, -1);
  const isPrefix = JSON.stringify(messages).startsWith(before);
  console.log(`  request ${index + 1} has ${messages.length} messages${isPrefix ? '' : ', and differs'}`);
}
