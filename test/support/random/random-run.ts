import fc from 'fast-check';
import { runAgent } from '../../../src/agent/agent-loop.ts';
import { ModelError, ToolError } from '../../../src/agent/errors.ts';
import type { ApprovalDecision, Approver } from '../../../src/agent/ports/approver.ts';
import type { Clock } from '../../../src/agent/ports/clock.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FinishReason, LanguageModel, ModelRequest } from '../../../src/agent/ports/language-model.ts';
import type { Tool, ToolEffect, ToolProgress, ToolResult, ToolSet } from '../../../src/agent/ports/tool.ts';
import { type Decide, sendWholeHistory } from '../../../src/agent/run-input.ts';
import type { SessionState } from '../../../src/agent/session-state.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { SCRIPTED } from '../fakes/scripted-model.ts';

type Planning = 'plans' | 'refuses' | 'breaks' | 'breaks at once' | 'hangs';
type Running = 'ends' | 'fails' | 'refuses' | 'breaks' | 'breaks at once' | 'talks' | 'hangs' | 'stops';
type Permission = 'allow' | 'deny' | 'ask' | 'breaks';
type Approval = Exclude<ApprovalDecision['type'], 'edit' | 'change'> | 'all' | 'breaks' | 'breaks at once' | 'hangs';

/** The behaviour of one call, which is also the arguments of the call. */
interface CallScript {
  readonly label: string;
  readonly planning: Planning;
  readonly running: Running;
  readonly permission: Permission;
  readonly approval: Approval;
}

interface RandomCall extends Omit<CallScript, 'label'> {
  readonly id: string;
  readonly tool: string;
  /** Sent instead of valid arguments. */
  readonly garbage: string | undefined;
}

interface RandomAnswer {
  readonly text: string;
  readonly calls: readonly RandomCall[];
  readonly end: FinishReason | 'none' | 'breaks' | 'breaks at once' | 'model error' | 'hangs';
}

/** A random run. `stopAt`: the number of the event at which the user stops it. */
export interface RandomRun {
  readonly answers: readonly RandomAnswer[];
  readonly stopAt: number;
  readonly dryRun: boolean;
  readonly maxIterations: number;
}

/** The outcome of a run. `starts`: the calls whose tools ran, by label, with the state at that moment. */
export interface RandomOutcome {
  readonly events: readonly AgentEvent[];
  readonly state: SessionState;
  readonly requests: readonly ModelRequest[];
  readonly starts: readonly {
    readonly label: string;
    readonly stopped: boolean;
    readonly beside: readonly ToolEffect[];
  }[];
  readonly stopped: boolean;
  /** The labels of the tools that are running at this moment, except those that hang. */
  stillOpen(): readonly string[];
}

const EFFECTS: Readonly<Record<string, ToolEffect>> = { look: 'read', find: 'read', put: 'write', go: 'execute' };

/** Mostly `usual`, which lets the run continue, so that runs get long. */
function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );
}

const anyCall: fc.Arbitrary<RandomCall> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', ''),
  tool: fc.constantFrom('look', 'look', 'look', 'find', 'find', 'find', 'put', 'go', 'nothing'),
  garbage: mostly<string | undefined>(undefined, '', '{"label":', '[]', 'null'),
  planning: mostly<Planning>('plans', 'refuses', 'breaks', 'breaks at once', 'hangs'),
  running: fc.oneof(
    mostly<Running>('ends', 'fails', 'refuses', 'breaks', 'breaks at once', 'hangs', 'stops'),
    fc.constantFrom<Running[]>('ends', 'talks'),
  ),
  permission: fc.constantFrom<Permission[]>('allow', 'allow', 'allow', 'ask', 'ask', 'deny', 'breaks'),
  approval: mostly<Approval>('once', 'all', 'session', 'deny', 'unavailable', 'breaks', 'breaks at once', 'hangs'),
});

const anyAnswer: fc.Arbitrary<RandomAnswer> = fc.record({
  text: fc.constantFrom('', 'a text'),
  calls: fc.array(anyCall, { maxLength: 9 }),
  end: mostly<RandomAnswer['end']>(
    'tool_calls',
    'stop',
    'length',
    'content_filter',
    'unknown',
    'none',
    'breaks',
    'breaks at once',
    'model error',
    'hangs',
  ),
});

/** An arbitrary run. */
export const anyRun: fc.Arbitrary<RandomRun> = fc.record({
  answers: fc.array(anyAnswer, { minLength: 1, maxLength: 5 }),
  stopAt: mostly(Number.POSITIVE_INFINITY, ...Array.from({ length: 60 }, (_, position) => position)),
  dryRun: mostly(false, true),
  maxIterations: fc.integer({ min: 1, max: 6 }),
});

/**
 * Plays a run. When everything else is idle, the user stops it if something hangs. With `leaveAt`, the consumer stops
 * after that many events.
 */
export async function playRun(
  run: RandomRun,
  state: SessionState,
  leaveAt = Number.POSITIVE_INFINITY,
): Promise<RandomOutcome> {
  const stopper = new AbortController();
  const { signal } = stopper;
  const hang = (): Promise<never> => {
    setImmediate(() => stopper.abort());
    return new Promise<never>(() => {});
  };
  const requests: ModelRequest[] = [];
  const { tools, starts, stillOpen } = randomTools(signal, hang);
  const ports = {
    model: randomModel(run.answers, requests, hang),
    tools,
    approver: randomApprover(hang),
    clock: INSTANT_CLOCK,
    digest: computeDigest,
  };
  const settings = {
    system: '',
    maxIterations: run.maxIterations,
    dryRun: run.dryRun,
    decide,
    prepareRequest: sendWholeHistory,
    session: { sessionId: 's', model: 'm', workspace: '/w', permissionMode: 'ask' },
  };
  const events: AgentEvent[] = [];
  const session = { state };
  for await (const event of runAgent({ prompt: 'go', session, signal }, ports, settings)) {
    if (events.length === run.stopAt) stopper.abort();
    events.push(event);
    if (events.length === leaveAt) break;
  }
  return { events, state: session.state, requests, starts, stopped: signal.aborted, stillOpen };
}

/** The label in the arguments of a call; `undefined` for invalid arguments. */
export function labelOf(args: string): string | undefined {
  return args.startsWith('{"label":"') ? readScript(JSON.parse(args)).label : undefined;
}

/** A clock on which every wait ends as soon as nothing else is pending. */
const INSTANT_CLOCK: Clock = {
  now: () => 0,
  sleep: (_ms, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      setImmediate(resolve);
    }),
};

function randomModel(
  answers: readonly RandomAnswer[],
  requests: ModelRequest[],
  hang: () => Promise<never>,
): LanguageModel {
  return {
    identity: SCRIPTED,
    stream(request) {
      requests.push(structuredClone(request));
      const { text, calls, end } = answers[requests.length - 1] ?? { text: 'done', calls: [], end: 'stop' };
      if (end === 'breaks at once') throw new ModelError('auth', 'no key');
      const turn = requests.length;
      return (async function* () {
        if (text !== '') yield { type: 'text_delta', text };
        for (const [index, { id, tool, garbage, ...script }] of calls.entries()) {
          const args = garbage ?? JSON.stringify({ label: `${turn}.${index}`, ...script });
          yield { type: 'tool_call_delta', index, id, name: tool, arguments: args };
        }
        if (end === 'hangs') await hang();
        if (end === 'breaks') throw new Error('the wire broke');
        if (end === 'model error') throw new ModelError('network', 'no network');
        if (end !== 'none' && end !== 'hangs') yield { type: 'finish', reason: end };
      })();
    },
  };
}

function randomTools(
  signal: AbortSignal,
  hang: () => Promise<never>,
): { readonly tools: ToolSet } & Pick<RandomOutcome, 'starts' | 'stillOpen'> {
  const starts: { label: string; stopped: boolean; beside: ToolEffect[] }[] = [];
  const running = new Map<string, ToolEffect>();
  const hanging = new Set<string>();
  const tools = new Map<string, Tool>();
  for (const [name, effect] of Object.entries(EFFECTS)) {
    const definition = { name, description: name, parameters: {}, effect };
    tools.set(name, {
      definition,
      plan(args) {
        const script = readScript(args);
        if (script.planning === 'breaks at once') throw new Error('the plan broke');
        return (async () => {
          if (script.planning === 'hangs') await hang();
          if (script.planning === 'breaks') throw new Error('the plan broke');
          if (script.planning === 'refuses') throw new ToolError('not_found', 'There is no such file.');
          const run = (): AsyncGenerator<ToolProgress, ToolResult, void> => {
            starts.push({ label: script.label, stopped: signal.aborted, beside: [...running.values()] });
            if (script.running === 'breaks at once') throw new Error('the run broke');
            running.set(script.label, effect);
            if (script.running === 'hangs') hanging.add(script.label);
            return runScripted(script, signal, hang, () => running.delete(script.label));
          };
          return { effect: { summary: JSON.stringify(script), paths: [] }, run };
        })();
      },
    });
  }
  return {
    starts,
    stillOpen: () => [...running.keys()].filter((label) => !hanging.has(label)),
    tools: {
      definitions: [...tools.values()].map(({ definition }) => definition),
      find: (name) => tools.get(name),
      nearest: () => undefined,
    },
  };
}

async function* runScripted(
  { label, running }: CallScript,
  signal: AbortSignal,
  hang: () => Promise<never>,
  onEnd: () => void,
): AsyncGenerator<ToolProgress, ToolResult, void> {
  try {
    await Promise.resolve();
    if (running === 'refuses') throw new ToolError('io_error', 'The disk is gone.');
    if (running === 'breaks') throw new Error('the run broke');
    if (running === 'hangs') await hang();
    if (running === 'talks') yield { stream: 'stdout', text: label };
    if (running === 'stops') {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      void hang();
      if (!signal.aborted) await stopped;
    }
    return { content: `result of ${label}`, isError: running === 'fails', summary: label };
  } finally {
    onEnd();
  }
}

const decide: Decide = ({ effect }, rules) => {
  const { permission } = readScript(JSON.parse(effect.summary));
  if (permission === 'breaks') throw new Error('the rules broke');
  if (permission === 'deny') return { type: 'deny', rule: 'test', reason: 'because' };
  if (permission === 'allow' || rules.length > 0) return { type: 'allow', rule: 'test' };
  return { type: 'ask', rule: 'test', reason: 'why', offers: { type: 'edit_read_files' } };
};

function randomApprover(hang: () => Promise<never>): Approver {
  return {
    decide({ effect }) {
      const { approval } = readScript(JSON.parse(effect.summary));
      if (approval === 'breaks at once') throw new Error('the terminal broke');
      if (approval === 'breaks') return Promise.reject(new Error('the terminal broke'));
      if (approval === 'hangs') return hang();
      return Promise.resolve(approval === 'all' ? { type: 'once', all: true } : { type: approval });
    },
  };
}

const PLANNINGS: readonly Planning[] = ['plans', 'refuses', 'breaks', 'breaks at once', 'hangs'];

function readScript(args: unknown): CallScript {
  if (!isCallScript(args)) throw new ToolError('invalid_arguments', 'Send an object.');
  return args;
}

function isCallScript(args: unknown): args is CallScript {
  if (typeof args !== 'object' || args === null || !('planning' in args)) return false;
  return PLANNINGS.some((planning) => planning === args.planning);
}
