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

/** A permission mode in the words of the Claude Agent SDK. */
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
