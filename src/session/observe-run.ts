import type { SessionPermissions } from './approvals/session-permissions.ts';
import type { WrittenFiles } from './approvals/written-files.ts';
import { type DecisionFacts, observeDecisions } from './audit/observe-decisions.ts';
import type { UserActions } from './audit/user-actions.ts';
import type { RunObserver } from './observe-events.ts';
import type { SessionRecord } from './session-record.ts';
import { type GitLossPorts, observeGitLosses } from './writes/git-losses.ts';
import { observeReceipt, type TestPartOf } from './writes/run-receipt.ts';

/** Facts about a run for its observers. */
export interface RunFacts extends DecisionFacts {
  /** In a dry run, nothing is written or run. */
  readonly dryRun: boolean;
  readonly testPartOf: TestPartOf;
  /** Absent: there is no git. */
  readonly gitLosses?: GitLossPorts | undefined;
}

/**
 * The observers of the next run of a session: they report its decisions, keep what it writes and what the user allows,
 * and sum up its work.
 */
export function observeRun(
  { writes, messageCount }: SessionRecord,
  facts: RunFacts,
  permissions: Pick<SessionPermissions, 'observe'>,
  actions: Pick<UserActions, 'observe'>,
  written?: Pick<WrittenFiles, 'observe'>,
): readonly RunObserver[] {
  const audit = [actions.observe(), observeDecisions(facts)];
  if (facts.dryRun) return audit;
  const receipt = observeReceipt(writes, messageCount, facts.testPartOf);
  const kept = written === undefined ? [] : [written.observe()];
  const losses = facts.gitLosses === undefined ? [] : [observeGitLosses(writes, messageCount, facts.gitLosses)];
  return [...audit, writes.observe(messageCount), ...losses, receipt, permissions.observe(), ...kept];
}
