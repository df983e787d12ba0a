import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { eventsOf, runHarness } from '../../support/agent-harness.ts';
import { scriptedCall as call, SCRIPTED } from '../../support/scripted-model.ts';
import { scriptedTools } from '../../support/scripted-tools.ts';

const OLLAMA = { identity: { ...SCRIPTED, wire: 'ollama-chat' } };
const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 1 });

/** The warnings of a run whose first request has about 8,000 characters that count. */
async function warningsOf(inputTokens: readonly [number, number], model = OLLAMA) {
  const image = { mediaType: 'image/png', data: 'A'.repeat(40_000) } as const;
  const messages: readonly Message[] = [
    { role: 'user', content: 'x'.repeat(7_500) },
    {
      role: 'assistant',
      content: '',
      toolCalls: [call('z', 'read', {})],
      reasoning: 'x'.repeat(40_000),
      providerState: { model: 'm', items: ['x'.repeat(40_000)] },
    },
    { role: 'tool', toolCallId: 'z', content: '', isError: false, images: [image] },
  ];
  const run = await runHarness({
    model,
    tools: scriptedTools({ read: {} }),
    state: { ...EMPTY_SESSION, started: true, messages },
    answers: [
      { calls: [call('a', 'read', {})], usage: usage(inputTokens[0]) },
      { text: 'Done.', usage: usage(inputTokens[1]) },
    ],
  });
  return eventsOf(run, 'warning').map(({ code }) => code);
}

describe('the count of a request by Ollama', () => {
  it.each([
    ['far below its length warns', [900, 2_000], ['request_cut']],
    ['far below its length warns once', [900, 900], ['request_cut']],
    ['that fits its text does not warn', [1_100, 1_100], []],
  ] as const)('%s', async (_name, counts, warnings) => {
    expect(await warningsOf(counts)).toEqual(warnings);
  });

  it('is the only one that is compared, because other servers refuse long requests', async () => {
    expect(await warningsOf([1, 1], { identity: SCRIPTED })).toEqual([]);
  });
});
