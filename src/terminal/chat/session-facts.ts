import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { SandboxState } from '../../agent/ports/shell.ts';
import type { ContextUse } from '../../app/prompt/measure-context.ts';
import type { Agent } from '../../app/session.ts';
import { withSeparators } from '../../text/quantities.ts';
import { escapeLine } from '../output.ts';

/** Facts about a session for the last row of the screen. */
export interface SessionFacts {
  readonly model: string;
  /** Name of the agent that the user has chosen. */
  readonly agent?: string | undefined;
  readonly permissionMode: PermissionMode;
  readonly sandbox: SandboxState | undefined;
  /** The use of the context window; absent until it is known. */
  readonly context?: Pick<ContextUse, 'tokens' | 'window'>;
  /** Tokens of the whole session, as `/cost` counts them. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Of a longer name of a model, which may be the path of a file, only the provider and the last part are shown. */
const MAX_MODEL = 40;

/** The facts for one row, the most important ones first. Safe to print. */
export function describeFacts({
  model,
  agent,
  permissionMode,
  sandbox,
  context,
  ...tokens
}: SessionFacts): readonly string[] {
  const { inputTokens, outputTokens } = tokens;
  const used = inputTokens + outputTokens === 0 ? [] : [`${short(inputTokens)} tokens in, ${short(outputTokens)} out`];
  const share = context === undefined ? [] : [`context ${Math.round((100 * context.tokens) / context.window)} %`];
  const limits = sandbox?.type === 'on' ? ['sandbox on'] : [];
  // First, because a narrow screen has no room for what comes last.
  const warning = sandbox?.type === 'off' ? ['sandbox OFF'] : [];
  const shown = model.length > MAX_MODEL ? model.replace(/^([^/]*\/).*\//s, '$1…/') : model;
  const names = [shown, ...(agent === undefined ? [] : [`agent ${agent}`])].map(escapeLine);
  return [...warning, ...names, permissionMode, ...limits, ...share, ...used];
}

export function factsAfter(facts: SessionFacts, event: AgentEvent): SessionFacts {
  switch (event.type) {
    case 'usage': {
      const inputTokens = facts.inputTokens + event.inputTokens;
      return { ...facts, inputTokens, outputTokens: facts.outputTokens + event.outputTokens };
    }
    case 'permission_mode':
      return { ...facts, permissionMode: event.mode };
    default:
      return facts;
  }
}

/** Keeps the last row of the screen up to date. */
export interface FactsRow {
  /** Adds the facts of an event. */
  note(event: AgentEvent): void;
  /** Reads the agent between two runs, and measures its conversation in the background. */
  read(agent: Agent): void;
  /** Measures no more. */
  close(): void;
}

/** The facts with the tokens that the session of `record` had used when it was opened, and `since` then. */
function withTokensOf(
  { restored }: Agent['record'],
  facts: SessionFacts,
  since: Pick<SessionFacts, 'inputTokens' | 'outputTokens'>,
): SessionFacts {
  return {
    ...facts,
    inputTokens: (restored?.inputTokens ?? 0) + since.inputTokens,
    outputTokens: (restored?.outputTokens ?? 0) + since.outputTokens,
  };
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

/** Shows the facts, and shows them again after each change. */
export function createFactsRow(begun: SessionFacts, show: (facts: readonly string[]) => void): FactsRow {
  let facts = begun;
  let record: Agent['record'] | undefined;
  let measuring = new AbortController();
  const update = (next: SessionFacts): void => {
    facts = next;
    show(describeFacts(facts));
  };
  update(facts);
  return {
    note(event) {
      const next = factsAfter(facts, event);
      if (next !== facts) update(next);
    },
    read(agent) {
      const { model, permissionMode, sandbox = facts.sandbox } = agent;
      // Tokens that were counted before the first reading belong to the first session.
      if (agent.record !== record) {
        facts = withTokensOf(agent.record, facts, record === undefined ? facts : NO_TOKENS);
        record = agent.record;
      }
      update({ ...facts, model, agent: agent.chosen?.name, permissionMode, sandbox });
      measuring.abort();
      measuring = new AbortController();
      const { signal } = measuring;
      agent
        .measureContext(signal)
        .then((context) => (signal.aborted ? undefined : update({ ...facts, context })))
        .catch(() => undefined);
    },
    close() {
      measuring.abort();
    },
  };
}

function short(tokens: number): string {
  return tokens < 10_000 ? withSeparators(tokens) : `${Math.round(tokens / 1000)}k`;
}
