import { PERMISSION_MODES, type PermissionMode } from '../../agent/ports/approver.ts';

/** The permission modes of other agents, and those of ybs that they mean. */
export const HOST_MODES: ReadonlyMap<string, PermissionMode> = new Map([
  ...PERMISSION_MODES.map((mode) => [mode, mode] as const),
  ['default', 'ask'],
  ['interactive', 'ask'],
  ['acceptEdits', 'accept-edits'],
  ['auto', 'full-access'],
  ['bypassPermissions', 'full-access'],
  ['deny', 'read-only'],
  ['dontAsk', 'read-only'],
]);

/** The permission mode that a host means; undefined if there is none of this name. */
export function permissionModeOf(name: string): PermissionMode | undefined {
  return HOST_MODES.get(name);
}

/** A permission mode as the Claude Agent SDK names it. */
export function hostModeOf(mode: string): string {
  return HOST_NAMES.get(mode) ?? 'default';
}

const HOST_NAMES: ReadonlyMap<string, string> = new Map([
  ['ask', 'default'],
  ['accept-edits', 'acceptEdits'],
  ['full-access', 'bypassPermissions'],
  ['read-only', 'dontAsk'],
  ['plan', 'plan'],
]);

/** The permission modes that Yume has its own names for; the others have the names of ybs. */
const YUME_WORDS: ReadonlyMap<string, string> = new Map([
  ['ask', 'default'],
  ['full-access', 'auto'],
  ['read-only', 'deny'],
]);

/** A permission mode as Yume names it. */
export function yumeModeOf(mode: string): string {
  return YUME_WORDS.get(mode) ?? mode;
}
