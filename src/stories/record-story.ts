import type { Story } from '../../mock-llm-server/scenario/format.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../agent/ports/approver.ts';
import type { AgentEvent, RunOutcome } from '../agent/ports/events.ts';
import type { Prompt } from '../app/session.ts';
import type { OpenSession, Settings } from '../app/settings.ts';
import { compareTrees, type FileTree } from './compare-trees.ts';

/** The settings that a story states. */
interface RunSettings {
  readonly config: {
    readonly safety: Pick<Settings['config']['safety'], 'permission_mode'>;
    readonly llm: Pick<Settings['config']['llm'], 'tool_protocol'>;
  };
  readonly dryRun: boolean;
}

/** Creates notes of what a user does in runs: the prompts, the approvals and the outcome. */
export function createRunNotes() {
  const prompts: string[] = [];
  const approvals: NonNullable<Story['approvals']> = [];
  let outcome: RunOutcome | undefined;
  const follow = async function* (events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, void, void> {
    for await (const event of events) {
      if (event.type === 'run_end') outcome = event.outcome;
      yield event;
    }
  };
  const addPrompt = (prompt: string): void => void prompts.push(prompt);
  return {
    /** Notes a prompt; `session` does it for every run. */
    addPrompt,
    /** An approver that notes the decisions of another one. */
    approver: ({ decide }: Approver): Approver => ({
      async decide(request, signal) {
        const decision = await decide(request, signal);
        const approval = approvalOf(decision, request);
        if (approval !== undefined) approvals.push(approval);
        return decision;
      },
    }),
    /** The session with an agent whose runs are noted. */
    session: ({ agent, close }: OpenSession): OpenSession => ({
      close,
      agent: new Proxy(agent, {
        get(target, key) {
          if (key !== 'run') return Reflect.get(target, key);
          return (prompt: string | Prompt, signal: AbortSignal) => {
            addPrompt(typeof prompt === 'string' ? prompt : prompt.text);
            return follow(target.run(prompt, signal));
          };
        },
      }),
    }),
    /** The outcome of the last run; undefined if none has ended. */
    outcome: () => outcome,
    /** The story of the runs. Undefined if there was none. */
    story({ config, dryRun }: RunSettings): Story | undefined {
      const { permission_mode: mode } = config.safety;
      const { tool_protocol: protocol } = config.llm;
      if (prompts.length === 0) return undefined;
      return {
        prompts,
        ...(approvals.length > 0 && { approvals }),
        ...(outcome !== undefined && outcome !== 'done' && { expected_outcome: outcome }),
        ...(mode !== 'ask' && { permission_mode: mode }),
        ...(protocol === 'xnl' && { tool_protocol: protocol }),
        ...(dryRun && { dry_run: true }),
      };
    },
  };
}

/** The answers of a story that add a rule which the user has chosen, by the type of the rule. */
const STORY_ANSWERS: Readonly<Record<string, 'workspace' | 'directory' | 'prefix' | 'sandbox' | 'hosts'>> = {
  file_operations: 'workspace',
  mcp: 'directory',
  command_prefix: 'prefix',
  sandboxed_commands: 'sandbox',
  hosts: 'hosts',
};

/** A story without approvals is played without a user, as it was recorded if there was none to ask. */
function approvalOf(
  decision: ApprovalDecision,
  { offersDirectory }: ApprovalRequest,
): NonNullable<Story['approvals']>[number] | undefined {
  switch (decision.type) {
    case 'once':
      return decision.all === true ? 'all' : 'once';
    case 'session':
      // The rule of the workspace is of the same type as that of a directory in it.
      if (JSON.stringify(decision.rule) === JSON.stringify(offersDirectory ?? null)) return 'directory';
      return STORY_ANSWERS[decision.rule?.type ?? ''] ?? 'session';
    case 'edit':
      return { edit: decision.command };
    case 'change':
      // A host has changed the call. A story has no hosts, and the question after it has an answer of its own.
      return undefined;
    case 'unavailable':
      return decision.afterSeconds === undefined ? undefined : 'timeout';
    case 'deny': {
      const { feedback = '' } = decision;
      return feedback.trim() === '' ? 'deny' : { deny: feedback };
    }
  }
}

/** The files after a run; undefined if they are those before it. */
export function changedTree(before: FileTree, after: FileTree): FileTree | undefined {
  return compareTrees(before, after).length === 0 ? undefined : after;
}
