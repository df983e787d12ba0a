import { PERMISSION_LEVELS, type PermissionLevel, type PermissionMode } from '../agent/ports/approver.ts';
import { ownEntry } from '../text/json/own-entry.ts';

/** The limits of the policy of an administrator during a session, whatever the user changes in it. */
export interface PolicyLimits {
  readonly file: string;
  /** No less strict mode is possible. */
  readonly mode?: PermissionMode;
  /** No less strict level of these tools is possible. */
  readonly levels: Readonly<Partial<Record<string, PermissionLevel>>>;
  /** The entries that lists of the configuration may have, as JSON, by the name of the key. */
  readonly keeps: Readonly<Record<string, readonly string[]>>;
  /** No answer of the user may hold in later sessions. */
  readonly keepsNoApproval?: true;
}

/**
 * The answers that hold in later sessions: all that may (`true`), or those with which the user says so (`false`). With
 * `undefined`, none may: the policy forbids to keep them, or says itself which commands run without a question. Pure.
 */
export function keptApprovals(persists: boolean, limits: PolicyLimits | undefined): boolean | undefined {
  if (limits?.keepsNoApproval === true || limits?.keeps['safety.allowed_commands'] !== undefined) return undefined;
  return persists;
}

/** The part of the settings of a session that the user can change while it runs. */
interface ChangingSettings {
  readonly mode: PermissionMode;
  readonly levels: Readonly<Partial<Record<string, PermissionLevel>>>;
}

/** Creates a function that makes settings as strict as a policy wants them. Pure. */
export function limitBy(
  limits: PolicyLimits | undefined,
): <Settings extends ChangingSettings>(of: Settings) => Settings {
  if (limits === undefined) return (settings) => settings;
  return (settings) => {
    const strict = Object.entries(limits.levels).map(([tool, level]) => {
      return [tool, stricterLevel(ownEntry(settings.levels, tool), level)];
    });
    const levels = { ...settings.levels, ...Object.fromEntries(strict) };
    return { ...settings, mode: stricterMode(settings.mode, limits.mode), levels };
  };
}

/** The permission modes, the strictest one first. */
const STRICTNESS: readonly PermissionMode[] = ['read-only', 'plan', 'ask', 'accept-edits', 'full-access'];

/** The stricter of two modes, or the one that is given. */
export function stricterMode<Mode extends PermissionMode | undefined>(
  one: Mode,
  other: PermissionMode | undefined,
): Mode | PermissionMode {
  if (one === undefined || other === undefined) return one ?? other ?? one;
  return STRICTNESS.indexOf(one) <= STRICTNESS.indexOf(other) ? one : other;
}

/** The stricter of two levels, or the one that is given. */
export function stricterLevel<Level extends PermissionLevel | undefined>(
  one: Level,
  other: PermissionLevel | undefined,
): Level | PermissionLevel {
  if (one === undefined || other === undefined) return one ?? other ?? one;
  return PERMISSION_LEVELS.indexOf(one) >= PERMISSION_LEVELS.indexOf(other) ? one : other;
}
