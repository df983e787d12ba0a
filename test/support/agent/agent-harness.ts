import { runAgent } from '../../../src/agent/agent-loop.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { LanguageModel } from '../../../src/agent/ports/language-model.ts';
import type { ToolSet } from '../../../src/agent/ports/tool.ts';
import {
  type AgentSettings,
  type Decide,
  type PrepareRequest,
  sendWholeHistory,
} from '../../../src/agent/run-input.ts';
import { EMPTY_SESSION, type SessionState } from '../../../src/agent/session-state.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { createManualClock, type ManualClock } from '../fakes/manual-clock.ts';
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from '../fakes/scripted-model.ts';
import { scriptedTools } from '../fakes/scripted-tools.ts';
import { prefixProblems } from './byte-prefix.ts';

/** The script of a loop test. By default, the session allows everything. */
export interface HarnessScript {
  readonly answers: readonly ScriptedAnswer[];
  readonly tools?: ToolSet;
  readonly decide?: Decide;
  readonly prepareRequest?: PrepareRequest;
  /** Writes summaries. */
  readonly smallModel?: LanguageModel;
  /** Parts that replace those of the scripted model. */
  readonly model?: Partial<Pick<LanguageModel, 'identity' | 'contextWindow'>>;
  /** Answers in the order of the questions; a missing answer fails the test, `hang` waits for the abort. */
  readonly approvals?: readonly (ApprovalDecision | 'hang')[];
  readonly maxIterations?: number;
  readonly dryRun?: boolean;
  readonly state?: SessionState;
  readonly prompt?: string;
  /** See `RunInput`. */
  readonly takeMessages?: () => readonly string[];
  /** Called with each event before the run continues; tests abort here to stop a run at a certain event. */
  readonly onEvent?: (event: AgentEvent, stop: () => void, clock: ManualClock) => void | Promise<void>;
}

/** The result of a scripted run. */
export interface HarnessRun {
  readonly events: readonly AgentEvent[];
  readonly state: SessionState;
  readonly model: ScriptedModel;
  readonly clock: ManualClock;
  readonly questions: readonly ApprovalRequest[];
}

/** Allows every call. */
export const allowAll: Decide = () => ({ type: 'allow', rule: 'test' });

const SYSTEM = 'You are under test.';
const SESSION = { sessionId: 'session', model: 'scripted', workspace: '/work', permissionMode: 'ask' };

/** Runs one user request to its end. Checks that each request continues the previous one, except after a compaction. */
export async function runHarness(script: HarnessScript): Promise<HarnessRun> {
  const model = { ...createScriptedModel(...script.answers), ...script.model };
  const clock = createManualClock();
  const stopper = new AbortController();
  const questions: ApprovalRequest[] = [];
  const { approver, assertAllAsked } = scriptedApprover(script.approvals ?? [], questions);
  const settings: AgentSettings = {
    system: SYSTEM,
    maxIterations: script.maxIterations ?? 25,
    dryRun: script.dryRun ?? false,
    decide: script.decide ?? allowAll,
    prepareRequest: script.prepareRequest ?? sendWholeHistory,
    session: SESSION,
  };
  const ports = {
    model,
    smallModel: script.smallModel,
    clock,
    digest: computeDigest,
    approver,
    tools: script.tools ?? scriptedTools({}),
  };
  const session = { state: script.state ?? EMPTY_SESSION };
  const { prompt = 'go', takeMessages } = script;
  const input = { prompt, takeMessages, session, signal: stopper.signal };
  const events: AgentEvent[] = [];
  const requestsOfTurns = () => model.requests.filter(({ system }) => system === SYSTEM);
  const restarts = new Set<number>();
  for await (const event of runAgent(input, ports, settings)) {
    events.push(event);
    if (event.type === 'compaction') restarts.add(requestsOfTurns().length);
    await script.onEvent?.(event, () => stopper.abort(), clock);
  }
  const problems = prefixProblems(requestsOfTurns(), restarts);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (!stopper.signal.aborted) {
    model.assertExhausted();
    assertAllAsked();
  }
  return { events, state: session.state, model, clock, questions };
}

/** The last event of a run. */
export function outcomeOf(run: HarnessRun): Extract<AgentEvent, { type: 'run_end' }> {
  const last = run.events.at(-1);
  if (last?.type !== 'run_end') throw new Error(`the last event is ${JSON.stringify(last)}, expected run_end`);
  return last;
}

/** The events of one type, in order. */
export function eventsOf<Type extends AgentEvent['type']>(
  run: HarnessRun,
  type: Type,
): readonly Extract<AgentEvent, { type: Type }>[] {
  return run.events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

function scriptedApprover(
  approvals: readonly (ApprovalDecision | 'hang')[],
  questions: ApprovalRequest[],
): { readonly approver: Approver; assertAllAsked(): void } {
  const remaining = [...approvals];
  const approver: Approver = {
    async decide(request) {
      questions.push(request);
      const answer = remaining.shift();
      if (answer === undefined) throw new Error(`unexpected question: ${JSON.stringify(request)}`);
      return answer === 'hang' ? new Promise<never>(() => {}) : answer;
    },
  };
  return {
    approver,
    assertAllAsked() {
      if (remaining.length > 0) throw new Error(`unused answers: ${JSON.stringify(remaining)}`);
    },
  };
}
