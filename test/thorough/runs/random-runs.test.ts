import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { repairHistory } from '../../../src/agent/repair-history.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { propertySettings } from '../../support/random/property.ts';
import { anyRun, labelOf, playRun, type RandomOutcome, type RandomRun } from '../../support/random/random-run.ts';

/** All faults of a run. */
function faultsOf(run: RandomRun, outcome: RandomOutcome): string[] {
  return [
    ...faultsOfEnd(run, outcome),
    ...faultsOfTurns(outcome.events),
    ...faultsOfResults(outcome.events),
    ...faultsOfHistory(outcome),
    ...faultsOfStarts(run, outcome),
  ];
}

function faultsOfEnd({ stopAt }: RandomRun, { events, stopped }: RandomOutcome): string[] {
  const faults: string[] = [];
  const ends = events.filter((event) => event.type === 'run_end');
  const [end] = ends;
  if (end === undefined || ends.length !== 1 || events.at(-1) !== end) return ['not one run_end, at the end'];
  if (end.outcome === 'aborted' && !stopped) faults.push('aborted without a stop');
  const stoppedBefore = stopped && stopAt !== events.length - 1;
  if (stoppedBefore && (end.outcome === 'limit' || end.outcome === 'stuck')) faults.push(`stopped, but ${end.outcome}`);
  const unavailable = events.some(
    (event) => event.type === 'approval_decision' && event.decision.type === 'unavailable',
  );
  if (unavailable !== (end.outcome === 'denied') && !['aborted', 'failed'].includes(end.outcome)) {
    faults.push(`approval unavailable: ${unavailable}, but the outcome is ${end.outcome}`);
  }
  return faults;
}

function faultsOfTurns(events: readonly AgentEvent[]): string[] {
  const marks = events.flatMap((event) => {
    return event.type === 'turn_start' || event.type === 'turn_end' ? [`${event.type} ${event.turn}`] : [];
  });
  const wanted = marks.map((_, position) => `turn_${position % 2 === 0 ? 'start' : 'end'} ${(position >> 1) + 1}`);
  return marks.join() === wanted.join() && marks.length % 2 === 0 ? [] : [`the turns are ${marks.join()}`];
}

/** Every call of an answer must be announced once and then get one result, in the order of the calls. */
function faultsOfResults(events: readonly AgentEvent[]): string[] {
  const faults: string[] = [];
  let wanted: readonly string[] = [];
  let announced: string[] = [];
  let got: string[] = [];
  for (const event of events) {
    if (event.type === 'assistant_message') {
      wanted = event.message.toolCalls.map(({ id }) => id);
      announced = [];
      got = [];
    }
    if (event.type === 'tool_call') announced.push(event.call.id);
    if (event.type === 'tool_result') {
      if (!announced.includes(event.callId)) faults.push(`a result of ${event.callId}, which was not announced`);
      got.push(event.callId);
    }
    if (event.type === 'turn_end' && (got.join() !== wanted.join() || announced.join() !== wanted.join())) {
      faults.push(`calls ${wanted.join()}, announced ${announced.join()}, results ${got.join()}`);
    }
  }
  return faults;
}

function faultsOfHistory({ state, requests }: RandomOutcome): string[] {
  const faults: string[] = [];
  const text = JSON.stringify(state.messages);
  if (JSON.stringify(repairHistory(state.messages)) !== text) faults.push(`the history needs repair: ${text}`);
  const sent = [...requests.map(({ messages }) => messages), state.messages].map((messages) =>
    JSON.stringify(messages),
  );
  for (const [position, earlier] of sent.slice(0, -1).entries()) {
    if (!sent[position + 1]?.startsWith(earlier.slice(0, -1)))
      faults.push(`request ${position + 2} is not a continuation`);
  }
  return faults;
}

/** A call may run only with permission, once, before the stop, and not in parallel with a write or command. */
function faultsOfStarts({ answers, dryRun }: RandomRun, { events, starts }: RandomOutcome): string[] {
  const faults: string[] = [];
  const toolOf = (label: string) => {
    const [turn, index] = label.split('.').map(Number);
    return answers[(turn ?? 0) - 1]?.calls[index ?? -1]?.tool;
  };
  const allowed = new Set<string>();
  const labels = new Map<string, string>();
  let cut: string | undefined;
  for (const event of events) {
    if (event.type === 'assistant_message') {
      labels.clear();
      cut = event.finish === 'length' ? event.message.toolCalls.at(-1)?.id : undefined;
      for (const call of event.message.toolCalls) labels.set(call.id, labelOf(call.arguments) ?? '');
    }
    const granted =
      (event.type === 'tool_call' && event.permission?.type === 'allow' && event.call.id) ||
      (event.type === 'approval_decision' && /^(?:once|session)$/.test(event.decision.type) && event.callId);
    const label = granted ? (labels.get(granted) ?? '') : '';
    if (granted && granted !== cut && (!dryRun || /^(?:look|find)$/.test(toolOf(label) ?? ''))) allowed.add(label);
  }
  const seen = new Set<string>();
  for (const { label, stopped, beside } of starts) {
    const tool = toolOf(label);
    const alone = tool === 'put' || tool === 'go';
    if (!allowed.has(label)) faults.push(`${label} ran without permission`);
    if (seen.has(label)) faults.push(`${label} ran twice`);
    if (stopped) faults.push(`${label} ran after the stop`);
    if (alone ? beside.length > 0 : beside.length > 3 || beside.some((effect) => effect !== 'read')) {
      faults.push(`${label} (${tool}) ran beside ${beside.join()}`);
    }
    seen.add(label);
  }
  return faults;
}

describe('any run', () => {
  it('ends once, answers every call in order, runs nothing without permission and leaves a valid history', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(anyRun, { minLength: 1, maxLength: 2 }), async (runs) => {
        let state = EMPTY_SESSION;
        for (const run of runs) {
          const outcome = await playRun(run, state);
          expect(faultsOf(run, outcome)).toEqual([]);
          const end = outcome.events.at(-1);
          if (end?.type === 'run_end') outcomes.add(end.outcome);
          ({ state } = outcome);
        }
      }),
      propertySettings(200),
    );
    expect([...outcomes].sort()).toEqual(['aborted', 'denied', 'done', 'failed', 'limit']);
  });
});

describe('a consumer that leaves', () => {
  it('leaves no closable tool open', async () => {
    const leftAt = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyRun, fc.integer({ min: 1, max: 25 }), async (run, leaveAt) => {
        const { events, stillOpen } = await playRun(run, EMPTY_SESSION, leaveAt);
        leftAt.add(events.at(-1)?.type ?? '');
        await new Promise((resolve) => setImmediate(resolve));
        expect(stillOpen()).toEqual([]);
      }),
      propertySettings(200),
    );
    expect(leftAt).toContain('tool_output');
  });
});

/** A run without a fault: one answer with two reads and a write that asks. The tests below add each kind of fault. */
const valid: RandomRun = {
  answers: [
    {
      text: '',
      end: 'tool_calls',
      calls: (['look', 'put', 'find'] as const).map((tool, index) => ({
        ...{ id: `id${index}`, tool, garbage: undefined, planning: 'plans', running: 'ends', approval: 'once' },
        permission: tool === 'put' ? 'ask' : 'allow',
      })),
    },
  ],
  stopAt: Number.POSITIVE_INFINITY,
  dryRun: false,
  maxIterations: 3,
};

type AddFault = (outcome: RandomOutcome) => Partial<RandomOutcome>;
const without = (type: AgentEvent['type']): AddFault => {
  return ({ events }) => ({
    events: events.filter((event) => event !== events.findLast((last) => last.type === type)),
  });
};

describe('the check of a run', () => {
  it('accepts a valid run', async () => {
    const outcome = await playRun(valid, EMPTY_SESSION);
    expect(faultsOf(valid, outcome)).toEqual([]);
    expect(outcome.starts.map(({ label }) => label)).toEqual(['1.0', '1.1', '1.2']);
  });

  it.each<[string, RegExp, AddFault]>([
    ['no end', /run_end/, without('run_end')],
    ['an event after the end', /run_end/, ({ events }) => ({ events: [...events, { type: 'turn_end', turn: 2 }] })],
    ['two ends', /run_end/, ({ events }) => ({ events: [...events, ...events.slice(-1)] })],
    ['a turn without an end', /turns/, without('turn_end')],
    ['a call without a result', /calls id0,id1,id2, .* results id0,id1$/, without('tool_result')],
    ['a call that is not announced', /not announced/, without('tool_call')],
    ['results in another order', /results id2,id1,id0/, ({ events }) => ({ events: events.map(swapEnds) })],
    ['a question without an answer', /1\.1 ran without permission/, without('approval_decision')],
    ['a call that runs twice', /ran twice/, ({ starts }) => ({ starts: [...starts, ...starts] })],
    [
      'a start after the stop',
      /after the stop/,
      ({ starts }) => ({ starts: starts.map((one) => ({ ...one, stopped: true })) }),
    ],
    [
      'a write in parallel with a read',
      /\(put\) ran beside read/,
      ({ starts }) => ({ starts: starts.map((one) => ({ ...one, beside: ['read'] })) }),
    ],
    [
      'a history with a gap',
      /needs repair/,
      ({ state }) => ({ state: { ...state, messages: state.messages.toSpliced(2, 1) } }),
    ],
    [
      'a request that drops a message',
      /request 3 is not a continuation/,
      ({ state }) => ({ state: { ...state, messages: state.messages.slice(1) } }),
    ],
    [
      'an abort without a stop',
      /aborted without a stop/,
      ({ events }) => ({
        events: events.map((event) => (event.type === 'run_end' ? { ...event, outcome: 'aborted' } : event)),
      }),
    ],
    [
      'a stop that is reported as a limit',
      /stopped, but limit/,
      ({ events }) => ({
        events: events.map((event) => (event.type === 'run_end' ? { ...event, outcome: 'limit' } : event)),
        stopped: true,
      }),
    ],
    [
      'a denial without an unavailable approval',
      /outcome is denied/,
      ({ events }) => ({
        events: events.map((event) => (event.type === 'run_end' ? { ...event, outcome: 'denied' } : event)),
      }),
    ],
  ])('reports %s', async (_name, expected, addFault) => {
    const outcome = await playRun(valid, EMPTY_SESSION);
    expect(faultsOf(valid, { ...outcome, ...addFault(outcome) }).join('\n')).toMatch(expected);
  });
});

function swapEnds(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_result' || event.callId === 'id1') return event;
  return { ...event, callId: event.callId === 'id0' ? 'id2' : 'id0' };
}
