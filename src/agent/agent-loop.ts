import { collectTurn, type TurnAnswer } from './collect-turn.ts';
import { RepetitionDetector, signatureOf } from './detect-loop.ts';
import { executeCalls } from './execute-call.ts';
import type { SettledCall } from './permit-call.ts';
import type { AgentEvent, RunError, RunOutcome } from './ports/events.ts';
import type { AgentPorts, AgentSettings, RunInput } from './run-input.ts';
import { ANSWER_CUT, EMPTY_ANSWER, endOfRun, FILTERED, notSaved, repetitionNote } from './run-texts.ts';
import { applyEvent } from './session-state.ts';

/** State of a run in progress. */
interface Run {
  readonly input: RunInput;
  readonly ports: AgentPorts;
  readonly settings: AgentSettings;
  readonly repetition: RepetitionDetector;
  turn: number;
  /** Message for the end of a run in which nobody answered a question. */
  unanswered: string | undefined;
  /** The calls that were denied, and whether one was denied again. */
  readonly denied: Set<string>;
  deniedTwice: boolean;
  /** A structured answer was given. */
  answered: boolean;
}

/**
 * Runs one user request: asks the model and executes its calls until it answers without a call. Yields everything that
 * happens; the last event is `run_end`. Never throws. The history of `input.session` is valid whenever a consumer sees
 * an event. A consumer that cannot store an event throws its error into the generator, which then ends the run.
 */
export async function* runAgent(
  input: RunInput,
  ports: AgentPorts,
  settings: AgentSettings,
): AsyncGenerator<AgentEvent, void, void> {
  const repetition = new RepetitionDetector();
  try {
    const counters = { turn: 0, unanswered: undefined, denied: new Set<string>(), deniedTwice: false, answered: false };
    for await (const event of events({ input, ports, settings, repetition, ...counters })) {
      input.session.state = applyEvent(input.session.state, event);
      yield event;
    }
  } catch (error) {
    yield notSaved(error);
  }
}

async function* events(run: Run): AsyncGenerator<AgentEvent, void, void> {
  const { input, ports, settings } = run;
  if (settings.session !== undefined && !input.session.state.started) {
    yield { type: 'session_start', ...settings.session, time: new Date(ports.clock.now()).toISOString() };
  }
  const { prompt, images = [], files = [] } = input;
  for (const file of files) yield { type: 'user_message', reminder: true, ...file };
  yield { type: 'user_message', text: prompt, ...(images.length > 0 && { images }) };
  while (run.turn < settings.maxIterations) {
    run.turn += 1;
    for (const text of input.takeMessages?.() ?? []) yield { type: 'user_message', text };
    yield { type: 'turn_start', turn: run.turn, model: ports.model.identity };
    const answer = yield* requestAnswer(run);
    yield* runCalls(answer, run);
    yield { type: 'turn_end', turn: run.turn };
    const final = finalOutcome(answer);
    if (final !== undefined) return yield end(run, final.outcome, final.error);
    if (run.answered) return yield end(run, 'done');
    if (input.signal.aborted) return yield end(run, 'aborted');
    if (run.deniedTwice) return yield end(run, 'denied');
    if (run.repetition.stuck) return yield end(run, 'stuck');
  }
  yield end(run, 'limit');
}

async function* requestAnswer(run: Run): AsyncGenerator<AgentEvent, TurnAnswer, void> {
  const answer = yield* collectTurn(run.turn, run.input, run.ports, run.settings);
  const finish = answer.type === 'answer' ? answer.finish : answer.type;
  if (answer.type === 'answer' || answer.message.content !== '') {
    yield { type: 'assistant_message', message: answer.message, finish };
  }
  return answer;
}

/** The outcome with which this answer ends the run, or `undefined` when there are calls to execute. */
function finalOutcome(answer: TurnAnswer): { readonly outcome: RunOutcome; readonly error?: RunError } | undefined {
  if (answer.type === 'aborted') return { outcome: 'aborted' };
  if (answer.type === 'failed') {
    return { outcome: answer.error.code === 'budget_spent' ? 'limit' : 'failed', error: answer.error };
  }
  if (answer.message.toolCalls.length > 0) return undefined;
  if (answer.finish === 'length') return { outcome: 'limit', error: ANSWER_CUT };
  if (answer.finish === 'content_filter') return { outcome: 'failed', error: FILTERED };
  return answer.message.content === '' ? { outcome: 'failed', error: EMPTY_ANSWER } : { outcome: 'done' };
}

async function* runCalls(answer: TurnAnswer, run: Run): AsyncGenerator<AgentEvent, void, void> {
  const calls = answer.message.toolCalls;
  const cut = answer.type === 'answer' && answer.finish === 'length' ? calls.at(-1) : undefined;
  for await (const step of executeCalls(calls, cut, run)) {
    if (step.type === 'settled') yield* report(step, run);
    else yield step;
  }
}

/** Reports a finished call. Warns the model once when it repeats its calls. */
function* report(settled: SettledCall, run: Run): Generator<AgentEvent, void, void> {
  const { type: _type, call, toolName, outcome, comparable, tasks, answer, unanswered, ...told } = settled;
  run.unanswered ??= unanswered;
  const signature = signatureOf({ name: toolName, arguments: call.arguments, result: outcome });
  run.deniedTwice ||= run.denied.has(signature);
  if (outcome === 'denied') run.denied.add(signature);
  const result = comparable ?? told.content;
  const cycle = run.repetition.add({ name: toolName, arguments: call.arguments, result }, run.turn);
  const note = cycle === undefined ? undefined : repetitionNote(cycle);
  const content = note === undefined ? told.content : `${told.content}\n\n${note}`;
  yield { type: 'tool_result', callId: call.id, toolName, outcome, ...told, content };
  if (tasks !== undefined) yield { type: 'tasks', tasks };
  run.answered ||= answer !== undefined;
  if (answer !== undefined) yield { type: 'answer', value: answer };
  if (note !== undefined) yield { type: 'warning', code: 'repetition', message: note };
}

function end({ unanswered, settings }: Run, outcome: RunOutcome, error?: RunError): AgentEvent {
  const isUnfinished = unanswered !== undefined && outcome !== 'aborted' && outcome !== 'failed';
  if (isUnfinished) return { type: 'run_end', outcome: 'denied', message: unanswered };
  const ended = { type: 'run_end', outcome, message: endOfRun(outcome, settings.maxIterations, error) } as const;
  return error === undefined ? ended : { ...ended, error };
}
