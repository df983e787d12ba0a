import { describe, expect, it } from 'vitest';
import { runAgent } from '../../../src/agent/agent-loop.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { sendWholeHistory } from '../../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { allowAll } from '../../support/agent/agent-harness.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { scriptedCall as call, createScriptedModel } from '../../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';

/** Runs a prompt with two reads; throws into the run at the first event of `type`. Returns the events. */
async function runFailingAt(
  type: AgentEvent['type'],
  tools = scriptedTools({ read: {} }),
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  const calls = [call('a', 'read', {}), call('b', 'read', { other: true })];
  const run = runAgent(
    { prompt: 'go', session: { state: EMPTY_SESSION }, signal: new AbortController().signal },
    {
      model: createScriptedModel({ calls }, { text: 'Done.' }),
      clock: createManualClock(),
      digest: computeDigest,
      approver: { decide: () => Promise.reject(new Error('not asked')) },
      tools,
    },
    {
      system: '',
      maxIterations: 25,
      dryRun: false,
      decide: allowAll,
      prepareRequest: sendWholeHistory,
      session: { sessionId: 'id', model: 'scripted', workspace: '/w', permissionMode: 'ask' },
    },
  );
  for (let step = await run.next(); step.done !== true; ) {
    events.push(step.value);
    step = step.value.type === type ? await run.throw(new Error('the disk is full')) : await run.next();
  }
  return events;
}

describe('a consumer that cannot store an event', () => {
  it.each([
    'session_start',
    'user_message',
    'turn_start',
    'assistant_message',
    'tool_call',
    'tool_result',
    'turn_end',
  ] as const)('ends the run at %s with the reason', async (type) => {
    const events = await runFailingAt(type);
    expect(events.slice(0, -1).filter((event) => event.type === type)).toHaveLength(1);
    expect(events.at(-2)?.type).toBe(type);
    expect(events.at(-1)).toEqual({
      type: 'run_end',
      outcome: 'failed',
      message: 'the disk is full',
      error: { code: 'not_saved', message: 'the disk is full' },
    });
  });

  it('leaves no tool open', async () => {
    const closed: unknown[] = [];
    const tools = scriptedTools({
      read: {
        async *run(args) {
          try {
            yield { stream: 'stdout', text: 'working' };
            return result('worked');
          } finally {
            closed.push(args);
          }
        },
      },
    });
    const events = await runFailingAt('tool_output', tools);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', error: { code: 'not_saved' } });
    expect(closed).toEqual([{}, { other: true }]);
  });
});
