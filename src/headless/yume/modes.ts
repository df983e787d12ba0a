import type { PermissionMode } from '../../ports/approver.ts';

/** The permission modes of Yume, and those of ybs that they mean. Hosts may also use the names of ybs. */
const YUME_MODES: ReadonlyMap<string, PermissionMode> = new Map([
  ['default', 'ask'],
  ['interactive', 'ask'],
  ['auto', 'full-access'],
  ['deny', 'read-only'],
  ['ask', 'ask'],
  ['accept-edits', 'accept-edits'],
  ['acceptEdits', 'accept-edits'],
  ['read-only', 'read-only'],
  ['full-access', 'full-access'],
]);

/** The names of the modes that a host may ask for. */
export const YUME_MODE_NAMES: readonly string[] = [...YUME_MODES.keys()];

/** The permission mode that a host means; undefined if there is none of this name. */
export function modeOfYume(name: string): PermissionMode | undefined {
  return YUME_MODES.get(name);
}

/** The first name of a mode in the words of Yume. */
export function yumeModeOf(mode: string): string {
  return [...YUME_MODES].find(([, own]) => own === mode)?.[0] ?? 'default';
}
