import { runAgent } from './agent-loop.ts';
import type { Approver } from './ports/approver.ts';
import type { LanguageModel } from './ports/language-model.ts';
import type { Message } from './ports/messages.ts';
import type { Tool, ToolSet } from './ports/tool.ts';
import {
  type AgentPorts,
  type AgentSettings,
  type Decide,
  type EventStream,
  type RunInput,
  sendWholeHistory,
} from './run-input.ts';
import { EMPTY_SESSION, type SessionState } from './session-state.ts';

/** The parts of an agent: its ports, as values, and its settings. */
export interface LoopOptions extends Pick<AgentPorts, 'clock' | 'digest'>, Partial<Omit<AgentSettings, 'system'>> {
  readonly model: LanguageModel;
  readonly tools: readonly Tool[];
  /** The system prompt. */
  readonly system: string;
  /** Decides on every planned call. Required: nothing is allowed by default. */
  readonly decide: Decide;
  /** Answers the questions of `decide`. Without it, each question denies its call. */
  readonly approver?: Approver | undefined;
  /** Writes the summaries of long conversations, instead of `model`. */
  readonly smallModel?: LanguageModel | undefined;
}

/** A conversation with a model. Its runs continue each other, one at a time. */
export interface LoopAgent {
  /**
   * Runs one request of the user and yields everything that happens; the last event is `run_end`. Aborting `signal`
   * stops the run. Does not throw, unless another run of this agent has not ended.
   */
  run(prompt: string | Omit<RunInput, 'session' | 'signal'>, signal?: AbortSignal): EventStream;
  /** The messages of the conversation, without the system prompt. */
  readonly history: readonly Message[];
  /**
   * Folded from all events. May be replaced at any time, and the next request is made from it: by the fold of a stored
   * log to resume it, by `EMPTY_SESSION` to start over, or by `applyEvent(state, event)` to add a message.
   */
  state: SessionState;
}

/** Requests to the model in one run, unless `maxIterations` says otherwise. */
const MAX_ITERATIONS = 25;

/** Denies each call that needs an approval. */
const NOBODY: Approver = { decide: async () => ({ type: 'unavailable' }) };

/**
 * Creates an agent from its parts. It reads no configuration, stores no session and has no rules: `decide` alone says
 * what may happen. Throws a `TypeError` without it, for callers in JavaScript.
 */
export function createAgent(options: LoopOptions): LoopAgent {
  const { model, smallModel, tools, approver = NOBODY, clock, digest, decide } = options;
  if (typeof decide !== 'function')
    throw new TypeError('createAgent needs decide, a function that decides on each call.');
  const ports: AgentPorts = { model, smallModel, tools: toolSet(tools), approver, clock, digest };
  const settings: AgentSettings = {
    system: options.system,
    maxIterations: options.maxIterations ?? MAX_ITERATIONS,
    dryRun: options.dryRun ?? false,
    decide,
    prepareRequest: options.prepareRequest ?? sendWholeHistory,
    session: options.session,
  };
  const session = { state: EMPTY_SESSION };
  let isRunning = false;
  return {
    async *run(prompt, signal = new AbortController().signal) {
      if (isRunning) throw new Error('The agent is running. Wait for run_end before the next run.');
      isRunning = true;
      try {
        yield* runAgent({ ...(typeof prompt === 'string' ? { prompt } : prompt), session, signal }, ports, settings);
      } finally {
        isRunning = false;
      }
    },
    get history() {
      return session.state.messages;
    },
    get state() {
      return session.state;
    },
    set state(state) {
      session.state = state;
    },
  };
}

/** The tools of a fixed list. */
function toolSet(tools: readonly Tool[]): ToolSet {
  return {
    definitions: tools.map(({ definition }) => definition),
    find: (name) => tools.find(({ definition }) => definition.name === name),
    nearest: () => undefined,
  };
}
