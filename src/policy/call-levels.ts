import type { PermissionLevel, PermissionMode } from '../agent/ports/approver.ts';
import type { SandboxOn } from '../agent/ports/shell.ts';
import type { PlannedEffect, ToolEffect } from '../agent/ports/tool.ts';
import { ownEntry } from '../text/json/own-entry.ts';
import type { CallToDecide, DecisionSettings } from './decision-input.ts';
import { changedPaths } from './permission-rules.ts';

/** `replace`: changes a file that exists and was not read in this session, or has changed since. */
export type CallKind = 'read' | 'write' | 'replace' | 'execute';

/** The levels in the modes, of which those that only read have the same. */
function levels(ask: PermissionLevel, edits: PermissionLevel, readOnly: PermissionLevel) {
  return { ask, 'accept-edits': edits, plan: readOnly, 'read-only': readOnly, 'full-access': 'automatic' } as const;
}

const MODE_LEVELS: Readonly<Record<CallKind, Readonly<Record<PermissionMode, PermissionLevel>>>> = {
  read: levels('automatic', 'automatic', 'automatic'),
  write: levels('ask_once', 'automatic', 'denied'),
  replace: levels('ask_once', 'ask_once', 'denied'),
  execute: levels('ask_once', 'ask_once', 'denied'),
};

/** The level of a call, and the setting that it comes from. */
export interface CallLevel {
  readonly level: PermissionLevel;
  readonly source: 'safety.permission_mode' | 'safety.permissions' | 'safety.require_confirmation';
}

/** The level of one kind of call of a tool, whatever its paths and its command are. Pure. */
export function levelOf(
  toolName: string,
  kind: CallKind,
  { mode, levels, confirmedTools }: Pick<DecisionSettings, 'mode' | 'levels' | 'confirmedTools'>,
): CallLevel {
  const own = ownEntry(levels, toolName);
  if (own === 'denied') return { level: own, source: 'safety.permissions' };
  const modeLevel = MODE_LEVELS[kind][mode];
  if (modeLevel === 'denied') return { level: modeLevel, source: 'safety.permission_mode' };
  if (confirmedTools.includes(toolName) && (own ?? 'automatic') === 'automatic') {
    return { level: 'ask_once', source: 'safety.require_confirmation' };
  }
  if (own !== undefined) return { level: own, source: 'safety.permissions' };
  return { level: modeLevel, source: 'safety.permission_mode' };
}

export function kindsOf(effect: ToolEffect): readonly CallKind[] {
  return effect === 'write' ? ['write', 'replace'] : [effect];
}

/** The kind of a call. An unknown tool is classified by its effect, and a call with a command is always `execute`. */
export function kindOf({ toolName, toolEffect, effect }: CallToDecide): CallKind {
  if (effect.command !== undefined) return 'execute';
  const writes = changedPaths(effect).length > 0;
  if (effect.unchanged === true && !writes) return 'read';
  const exists = effect.before !== undefined || toolName === 'edit_file';
  if (writes && exists && effect.readThisSession !== true) return 'replace';
  return toolEffect === 'read' && writes ? 'write' : toolEffect;
}

/** The name of the rule for people and scripts. */
export function ruleOf(source: CallLevel['source'], toolName: string, mode: PermissionMode): string {
  if (source === 'safety.permission_mode') return `permission mode ${mode}`;
  return source === 'safety.permissions' ? `${source}.${toolName}` : source;
}

/** A call that a setting denies. */
interface DeniedCall {
  readonly source: CallLevel['source'];
  readonly call: CallToDecide;
  readonly settings: DecisionSettings;
}

export function denialReason({ source, call, settings }: DeniedCall): string {
  const { mode, assumptions = [] } = settings;
  const { toolName, effect } = call;
  if (source === 'safety.permissions') return `The user has denied ${toolName}.`;
  const needsTrust = effect.command !== undefined && !assumptions.includes('trusted');
  const trust = needsTrust ? 'Commands that read run here once the user trusts the project with ybs trust. ' : '';
  const instead =
    mode === 'plan'
      ? `${trust}Only read, and call present_plan with what you would change and run.`
      : 'Only read files, and describe in your answer what you would change or run.';
  return `${toolName} is not allowed in permission mode ${mode}. ${instead}`;
}

export function questionReason(kind: CallKind, toolName: string, sandbox: DecisionSettings['sandbox']): string {
  switch (kind) {
    case 'execute':
      return sandbox?.type === 'on'
        ? `${toolName} runs a program. In the sandbox it can change the workspace and read ${readsIn(sandbox)}.`
        : `${toolName} runs a program, which can do anything that you can do.`;
    case 'replace':
      return 'The file was not read in this session, or it has changed since.';
    case 'read':
      return `Your configuration asks before every use of ${toolName}.`;
    default:
      return `${toolName} changes files.`;
  }
}

function readsIn({ hidesHome }: SandboxOn): string {
  return hidesHome === true
    ? 'the system, but of your home directory only programs and their libraries'
    : 'most of your files';
}

/** The question about a server that was not started before, or a tool that is another one than the user has allowed. */
export function askAboutServer(mcp: PlannedEffect['mcp']) {
  const ask = (rule: string, reason: string) => ({ type: 'ask', rule, reason }) as const;
  if (mcp?.start !== undefined)
    return ask('first start', 'A file of the project names this program or address, which you have not agreed to yet.');
  if (mcp?.changed === undefined) return undefined;
  return ask('changed tool', 'The server describes this tool in another way than when you allowed it.');
}

export function serverReason(server: string): string {
  return `The server ${server} gets these arguments, and can do all that it was given access to.`;
}
