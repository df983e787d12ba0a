import type { AgentEvent, RunError, RunOutcome } from '../ports/events.ts';
import type { ToolCall } from '../ports/messages.ts';
import type { ToolSet } from '../ports/tool.ts';
import { collectTurn, type TurnAnswer } from './collect-turn.ts';
import { type CallRecord, detectLoop } from './detect-loop.ts';
import { type CallContext, prepareCall, type ReadyCall, runCall, type SettledCall } from './execute-call.ts';
import { repairHistory } from './repair-history.ts';
import type { AgentPorts, AgentSettings, RunInput } from './run-input.ts';
import { ANSWER_CUT, EMPTY_ANSWER, endOfRun, FILTERED, loopNote } from './run-texts.ts';
import { applyEvent, type SessionState } from './session-state.ts';
import { sideBySide } from './side-by-side.ts';

/** How many neighbouring reads of one answer run at the same time. */
const READS_SIDE_BY_SIDE = 4;

/** One run while it lasts. `state` is kept up to date by `runAgent` before anybody sees an event. */
interface Run {
  state: SessionState;
  readonly input: RunInput;
  readonly ports: AgentPorts;
  readonly settings: AgentSettings;
  readonly records: CallRecord[];
  nobodyAsked: boolean;
  turn: number;
  /** The turn in which the model was told that it repeats itself. */
  toldIn: number | undefined;
  stuck: boolean;
}

/**
 * Runs one user request: ask the model, execute what it calls, until it answers without a call. Everything that
 * happens is an event; the last one is `run_end`. Never throws. The history that the events fold into is valid at
 * every moment a consumer can see.
 */
export async function* runAgent(
  input: RunInput,
  ports: AgentPorts,
  settings: AgentSettings,
): AsyncGenerator<AgentEvent, void, void> {
  const flags = { nobodyAsked: false, turn: 0, toldIn: undefined, stuck: false };
  const run: Run = { state: input.state, input, ports, settings, records: [], ...flags };
  for await (const event of events(run)) {
    run.state = applyEvent(run.state, event);
    yield event;
  }
}

async function* events(run: Run): AsyncGenerator<AgentEvent, void, void> {
  const { input, ports, settings } = run;
  if (!run.state.started) {
    yield { type: 'session_start', ...settings.session, time: new Date(ports.clock.now()).toISOString() };
  }
  yield { type: 'user_message', text: input.prompt };
  while (run.turn < settings.maxIterations) {
    run.turn += 1;
    yield { type: 'turn_start', turn: run.turn };
    const answer = yield* ask(run);
    const ended = endsWith(answer);
    if (ended === undefined && answer.type === 'answer') yield* executeCalls(answer, run);
    yield { type: 'turn_end', turn: run.turn };
    if (ended !== undefined) return yield end(run, ended.outcome, ended.error);
    if (input.signal.aborted) return yield end(run, 'aborted');
    if (run.stuck) return yield end(run, 'stuck');
  }
  yield end(run, 'limit');
}

async function* ask(run: Run): AsyncGenerator<AgentEvent, TurnAnswer, void> {
  const { ports, settings, input } = run;
  const request = {
    system: settings.system,
    messages: repairHistory(run.state.messages),
    tools: ports.tools.definitions,
  };
  const answer = yield* collectTurn(ports.model, request, run.turn, input.signal);
  const finish = answer.type === 'answer' ? answer.finish : answer.type;
  if (answer.type === 'answer' || answer.message.content !== '') {
    yield { type: 'assistant_message', message: answer.message, finish };
  }
  return answer;
}

/** How the run ends with this answer, or `undefined` when there are calls to execute. */
function endsWith(answer: TurnAnswer): { readonly outcome: RunOutcome; readonly error?: RunError } | undefined {
  if (answer.type === 'aborted') return { outcome: 'aborted' };
  if (answer.type === 'failed') return { outcome: 'failed', error: answer.error };
  if (answer.message.toolCalls.length > 0) return undefined;
  if (answer.finish === 'length') return { outcome: 'limit', error: ANSWER_CUT };
  if (answer.finish === 'content_filter') return { outcome: 'failed', error: FILTERED };
  return answer.message.content === '' ? { outcome: 'failed', error: EMPTY_ANSWER } : { outcome: 'done' };
}

async function* executeCalls(
  answer: Extract<TurnAnswer, { type: 'answer' }>,
  run: Run,
): AsyncGenerator<AgentEvent, void, void> {
  const calls = answer.message.toolCalls;
  const cut = answer.finish === 'length' ? calls.at(-1) : undefined;
  const context = (): CallContext => {
    const { ports, settings, input, state } = run;
    return { ports, settings, signal: input.signal, rules: state.rules };
  };
  for (const group of groupReads(calls, run.ports.tools)) {
    const steps: AsyncGenerator<AgentEvent, SettledCall, void>[] = [];
    for (const call of group) steps.push(start(yield* prepareCall(call, call === cut, context()), context()));
    for (const settled of yield* sideBySide(steps, READS_SIDE_BY_SIDE)) yield* report(settled, run);
  }
}

/** Neighbouring reads belong together; everything else stands alone, in order. */
function groupReads(calls: readonly ToolCall[], tools: ToolSet): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let reading = false;
  for (const call of calls) {
    const reads = tools.find(call.name)?.definition.effect === 'read';
    const group = groups.at(-1);
    if (reading && reads && group !== undefined) group.push(call);
    else groups.push([call]);
    reading = reads;
  }
  return groups;
}

async function* start(
  step: ReadyCall | SettledCall,
  context: CallContext,
): AsyncGenerator<AgentEvent, SettledCall, void> {
  return step.type === 'settled' ? step : yield* runCall(step, context);
}

/** Says what became of a call, and tells the model once when it goes round in circles. */
async function* report(settled: SettledCall, run: Run): AsyncGenerator<AgentEvent, void, void> {
  const { call, toolName, outcome, summary, durationMs } = settled;
  run.nobodyAsked ||= settled.nobodyAsked;
  run.records.push({ name: toolName, arguments: call.arguments, result: settled.content });
  const cycle = detectLoop(run.records);
  // Only a model that has read the note and still goes round is stuck: one answer may hold many equal calls.
  if (cycle !== undefined && run.toldIn !== undefined && run.turn > run.toldIn) run.stuck = true;
  const note = cycle !== undefined && run.toldIn === undefined ? loopNote(cycle) : undefined;
  if (note !== undefined) run.toldIn = run.turn;
  const content = note === undefined ? settled.content : `${settled.content}\n\n${note}`;
  yield { type: 'tool_result', callId: call.id, toolName, outcome, content, summary, durationMs };
  if (note !== undefined) yield { type: 'warning', code: 'repetition', message: note };
}

function end(run: Run, outcome: RunOutcome, error?: RunError): AgentEvent {
  const { maxIterations } = run.settings;
  if (run.nobodyAsked && (outcome === 'done' || outcome === 'limit' || outcome === 'stuck')) {
    return { type: 'run_end', outcome: 'denied', message: endOfRun('denied', maxIterations, undefined) };
  }
  const ended = { type: 'run_end', outcome, message: endOfRun(outcome, maxIterations, error) } as const;
  return error === undefined ? ended : { ...ended, error };
}
