import type { PermissionRule } from '../ports/approver.ts';
import type { PathUse, PlannedEffect, ToolEffect } from '../ports/tool.ts';
import { CLASS_ANSWERS, classOfPath, contains, displayPath, type PathRules, pathFlavour } from './paths/path-policy.ts';

/** A planned call of a tool. */
export interface PlannedToolCall {
  readonly toolName: string;
  /** The strongest effect that the tool can have. */
  readonly toolEffect: ToolEffect;
  readonly effect: PlannedEffect;
}

/** True if a rule of this session allows the call. No rule allows what needs an approval each time. */
export function ruleAllows(rule: PermissionRule, call: PlannedToolCall, pathRules: PathRules): boolean {
  const { toolName, effect } = call;
  const writes = writtenPaths(effect);
  const isSpecial = ({ realPath, access }: PathUse): boolean =>
    CLASS_ANSWERS[classOfPath(realPath, pathRules)][access] !== 'mode';
  if (effect.paths.some(isSpecial)) return false;
  switch (rule.type) {
    case 'edit_read_files':
      return toolName === 'edit_file' && effect.readThisSession === true;
    case 'write_directory':
      return (
        toolName === 'write_file' &&
        writes.length > 0 &&
        (effect.before === undefined || effect.readThisSession === true) &&
        writes.every((realPath) => contains(rule.directory, realPath, pathRules.platform))
      );
    case 'exact_command':
      return (
        toolName === 'run_shell' && effect.command === rule.command && effect.workingDirectory === rule.workingDirectory
      );
    case 'reads_of_tool':
      return (
        toolName === rule.toolName && call.toolEffect === 'read' && effect.command === undefined && writes.length === 0
      );
    default:
      // A rule that a newer version wrote allows nothing.
      rule satisfies never;
      return false;
  }
}

/** The rule that would allow this call and similar ones; `undefined` if no rule can, as for a guarded path. */
export function offerRule(call: PlannedToolCall, pathRules: PathRules): PermissionRule | undefined {
  const { toolName, toolEffect, effect } = call;
  const [written, ...others] = writtenPaths(effect);
  const rule = ((): PermissionRule | undefined => {
    if (effect.command !== undefined && effect.workingDirectory !== undefined) {
      return { type: 'exact_command', command: effect.command, workingDirectory: effect.workingDirectory };
    }
    if (toolName === 'edit_file') return { type: 'edit_read_files' };
    if (written === undefined && toolEffect === 'read') return { type: 'reads_of_tool', toolName };
    if (written === undefined || others.length > 0) return undefined;
    const directory = pathFlavour(pathRules.platform).dirname(written);
    const inWorkspace = contains(pathRules.workspace, directory, pathRules.platform);
    return inWorkspace ? { type: 'write_directory', directory } : undefined;
  })();
  return rule !== undefined && ruleAllows(rule, call, pathRules) ? rule : undefined;
}

/** Describes a rule in prompts and results: `run_shell: npm test (in src/)`. Not escaped for a terminal. */
export function describeRule(rule: PermissionRule, pathRules?: Pick<PathRules, 'workspace' | 'platform'>): string {
  switch (rule.type) {
    case 'edit_read_files':
      return 'edit_file: files read in this session and unchanged since';
    case 'write_directory':
      return `write_file: new files and files read in this session, in ${showDirectory(rule.directory, pathRules)}`;
    case 'exact_command':
      return `run_shell: ${rule.command} (in ${showDirectory(rule.workingDirectory, pathRules)})`;
    case 'reads_of_tool':
      return `${rule.toolName}: every call that only reads`;
    default:
      return rule satisfies never;
  }
}

/** The real paths that a planned call changes. */
export function writtenPaths(effect: PlannedEffect): readonly string[] {
  return effect.paths.filter((use) => use.access === 'write').map((use) => use.realPath);
}

function showDirectory(directory: string, pathRules: Pick<PathRules, 'workspace' | 'platform'> | undefined): string {
  if (pathRules === undefined) return directory;
  const shown = displayPath(directory, pathRules);
  return shown === '.' ? 'the workspace' : `${shown}/`;
}
