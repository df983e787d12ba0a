import { expect, it } from 'vitest';
import { runHarness } from '../../support/agent/agent-harness.ts';
import { scriptedCall as call } from '../../support/fakes/scripted-model.ts';
import { scriptedTools } from '../../support/fakes/scripted-tools.ts';

it('sends a message of the user with the next request, after the results of the calls', async () => {
  const waiting: string[] = [];
  const { events, model } = await runHarness({
    answers: [{ calls: [call('c1', 'look', {})] }, { text: ['Both done.'] }],
    tools: scriptedTools({ look: {} }),
    takeMessages: () => waiting.splice(0),
    onEvent: ({ type }) => void (type === 'tool_result' && waiting.push('and this', 'and that')),
  });
  expect(model.requests.map(({ messages }) => messages.map(({ role, content }) => `${role} ${content}`))).toEqual([
    ['user go'],
    ['user go', 'assistant ', 'tool result of a call', 'user and this', 'user and that'],
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
});
