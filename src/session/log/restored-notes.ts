import type { PermissionMode } from '../../agent/ports/approver.ts';
import { escapeLine } from '../../text/escape.ts';
import { truncateText } from '../../text/truncate.ts';
import type { LogReading } from './read-log.ts';

/** A session, which may be a stored one that is continued. */
export interface ResumedSession {
  readonly record: { readonly name: string; readonly restored: LogReading | undefined };
  readonly workspace: string;
  readonly permissionMode: PermissionMode;
  /** The agent that the user has chosen. */
  readonly chosen: object | undefined;
}

/**
 * Unusual facts about a stored session that is continued: damage, an interrupted run, another workspace or permission
 * mode, no agent.
 */
export function restoredNotes({ record, workspace, permissionMode, chosen }: ResumedSession): readonly string[] {
  const { name, restored } = record;
  if (restored === undefined) return [];
  const { damage, stopped, running, isRestComplete, ending, start, state } = restored;
  const hasLostAgent = chosen === undefined && (state.agent ?? '') !== '';
  const lines = damage.map(({ line, reason }) => `line ${line} (${reason})`);
  return [
    ...(damage.length === 0 ? [] : [`Skipped damaged lines: ${listOf(lines)}.`]),
    ...(ending.rest.length === 0 || isRestComplete
      ? []
      : [`Cut an incomplete last line; it is kept in ${name}.jsonl.torn.`]),
    ...(running.length > 0
      ? [
          `Interrupted in the last run, effects possible: ${listOf(running.map((call) => truncateText(call, MAX_LENGTH)))}.`,
        ]
      : stopped === undefined
        ? []
        : [`The last run was interrupted ${stopped}.`]),
    ...(start === undefined || start.workspace === workspace
      ? []
      : [`This session began in ${start.workspace}; the tools now work in ${workspace}.`]),
    ...(restored.permissionMode === undefined || restored.permissionMode === permissionMode
      ? []
      : [`The permission mode is ${permissionMode} now; it was ${restored.permissionMode}.`]),
    ...(hasLostAgent ? [`The agent ${state.agent} no longer exists, so the session continues without it.`] : []),
  ].map(escapeLine);
}

const MAX_SHOWN = 5;
/** Maximum length of the text for a call, in characters. */
const MAX_LENGTH = 200;

function listOf(items: readonly string[]): string {
  const more = items.length > MAX_SHOWN ? ` and ${items.length - MAX_SHOWN} more` : '';
  return `${items.slice(0, MAX_SHOWN).join(', ')}${more}`;
}
