import { RepetitionDetector } from './detect-loop.ts';
import { executeCalls } from './execute-call.ts';
import type { SettledCall } from './permit-call.ts';
import type { AgentEvent, RunError, RunOutcome } from './ports/index.ts';
import type { AgentPorts, AgentSettings, EventStream, RunContext, RunInput } from './run-input.ts';
import { EMPTY_ANSWER, END_OF_ANSWER, endOfRun, notSaved, repetitionTexts, STOPPED } from './run-texts.ts';
import { applyEvent } from './session-state.ts';
import { collectTurn, type TurnResult } from './turn/collect-turn.ts';

/** A run in progress. */
interface Run extends RunContext {
  readonly repetition: RepetitionDetector;
  /** Message for the end of a run in which nobody answered a question. */
  unanswered?: string | undefined;
  /** True if a tool has returned the structured answer that a host asked for. */
  hasStructuredAnswer: boolean;
  /** True if the last result tells the model that the user stopped the run. */
  tellsStop?: boolean;
}

/**
 * Runs one user request: asks the model and executes its calls until it answers without a call. Yields everything that
 * happens; the last event is `run_end`. Never throws. The history of `input.session` is valid whenever a consumer sees
 * an event. A consumer that cannot store an event throws its error into the generator, which then ends the run.
 */
export async function* runAgent(input: RunInput, ports: AgentPorts, settings: AgentSettings): EventStream {
  const run: Run = { input, ports, settings, repetition: new RepetitionDetector(), hasStructuredAnswer: false };
  try {
    for await (const event of events(run)) {
      input.session.state = applyEvent(input.session.state, event);
      yield event;
    }
  } catch (error) {
    yield notSaved(error);
  }
}

async function* events(run: Run): EventStream {
  const { input, ports, settings } = run;
  if (settings.session !== undefined && !input.session.state.started) {
    yield { type: 'session_start', ...settings.session, time: new Date(ports.clock.now()).toISOString() };
  }
  const { prompt, images = [], files = [] } = input;
  for (const file of files) yield { type: 'user_message', reminder: true, ...file };
  yield { type: 'user_message', text: prompt, ...(images.length > 0 && { images }) };
  for (let turn = 1; turn <= settings.maxIterations; turn += 1) {
    for (const text of input.takeMessages?.() ?? []) yield { type: 'user_message', text, steered: true };
    yield { type: 'turn_start', turn, model: ports.model.identity };
    const result = yield* collectTurn(turn, run);
    const { message, finish } = result;
    if (message.partial !== true || message.content !== '') yield { type: 'assistant_message', message, finish };
    for await (const step of executeCalls(message.toolCalls, finish === 'length' || finish === 'window', run)) {
      if (step.type === 'settled') yield* report(step, turn, run);
      else yield step;
    }
    yield { type: 'turn_end', turn };
    const [outcome, error] = outcomeOf(result, run);
    if (outcome === 'aborted' && input.session.state.messages.at(-1)?.role === 'tool' && !run.tellsStop) yield STOPPED;
    if (outcome !== undefined) return yield end(run, outcome, error);
  }
  yield end(run, 'limit');
}

/** The outcome with which the run ends after this turn; `undefined` if the model is to be asked again. */
function outcomeOf(
  { message, finish, error }: TurnResult,
  run: Run,
): readonly [outcome: RunOutcome | undefined, error?: RunError] {
  if (finish === 'aborted') return ['aborted'];
  if (error !== undefined) return [error.code === 'budget_spent' ? 'limit' : 'failed', error];
  if (message.toolCalls.length > 0) {
    if (run.hasStructuredAnswer) return ['done'];
    return [run.input.signal.aborted ? 'aborted' : run.repetition.outcome];
  }
  if (END_OF_ANSWER[finish] !== undefined) return END_OF_ANSWER[finish];
  return message.content === '' ? ['failed', EMPTY_ANSWER] : ['done'];
}

/** Reports a finished call. Warns the model once when it repeats its calls. */
function* report(settled: SettledCall, turn: number, run: Run): Generator<AgentEvent, void, void> {
  const { type: _type, call, toolName, outcome, comparable, tasks, answer, unanswered, ...shown } = settled;
  run.unanswered ??= unanswered;
  run.hasStructuredAnswer ||= answer !== undefined;
  run.tellsStop = settled.code === 'not_started' || settled.code === 'interrupted' || shown.exit?.cause === 'aborted';
  const record = { name: toolName, arguments: call.arguments, outcome, result: comparable ?? shown.content };
  const cycle = run.repetition.add(record, turn);
  const texts = cycle === undefined ? undefined : repetitionTexts(cycle);
  const content = texts === undefined ? shown.content : `${shown.content}\n\n${texts.note}`;
  yield { type: 'tool_result', callId: call.id, toolName, outcome, ...shown, content };
  if (tasks !== undefined) yield { type: 'tasks', tasks };
  if (answer !== undefined) yield { type: 'answer', value: answer };
  if (texts !== undefined) yield { type: 'warning', code: 'repetition', message: texts.warning };
}

function end({ unanswered, settings }: Run, outcome: RunOutcome, error?: RunError): AgentEvent {
  const isUnfinished = unanswered !== undefined && outcome !== 'aborted' && outcome !== 'failed';
  if (isUnfinished) return { type: 'run_end', outcome: 'denied', message: unanswered };
  const message = endOfRun(outcome, settings.maxIterations, error);
  return { type: 'run_end', outcome, message, ...(error !== undefined && { error }) };
}
