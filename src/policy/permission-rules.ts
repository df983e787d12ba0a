import type { PermissionRule, QuestionFacts } from '../agent/ports/approver.ts';
import type { PathUse, PlannedEffect, ToolEffect } from '../agent/ports/tool.ts';
import { type DecisionSettings, placesOf } from './decision-input.ts';
import { answerFor, classOfPath, contains, type PathRules, pathFlavour } from './paths/path-policy.ts';
import { destructiveEffect } from './shell/destructive/destructive.ts';
import { namesGuarded } from './shell/guarded-names.ts';
import { havePrefixes, prefixOf, prefixProblem } from './shell/prefix/command-prefix.ts';
import { prefixesOf } from './shell/prefix/prefix-words.ts';

export interface PlannedToolCall {
  readonly toolName: string;
  /** The strongest effect that the tool can have. */
  readonly toolEffect: ToolEffect;
  readonly effect: PlannedEffect;
}

/** The facts besides the call on which a rule may depend. */
export interface RuleContext {
  readonly pathRules: PathRules;
  /** Commands run in the sandbox. Absent: no. */
  readonly isSandboxed?: boolean;
  /** The rules that allow the parts of a command together. Absent: the rule alone. */
  readonly rules?: readonly PermissionRule[];
}

/** The context of these rules in a session. */
export function contextOf({ pathRules, sandbox }: DecisionSettings, rules: readonly PermissionRule[]) {
  return { pathRules, isSandboxed: sandbox?.type === 'on', rules } satisfies RuleContext;
}

/** True if a rule of this session allows the call. No rule allows what needs an approval each time. */
export function ruleAllows(rule: PermissionRule, call: PlannedToolCall, context: RuleContext): boolean {
  const { pathRules } = context;
  const { toolName, effect } = call;
  const writes = changedPaths(effect);
  const isSpecial = ({ realPath, access }: PathUse): boolean => answerFor(realPath, access, pathRules) !== 'mode';
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
    case 'command_prefix':
      return toolName === 'run_shell' && prefixesAllow(rule.words, effect, context);
    case 'sandboxed_commands':
      return toolName === 'run_shell' && sandboxAllows(effect, context);
    case 'hosts':
      // The call is judged like any other that needs no server.
      return false;
    case 'reads_of_tool':
      return (
        toolName === rule.toolName && call.toolEffect === 'read' && effect.command === undefined && writes.length === 0
      );
    case 'mcp':
      return effect.mcp?.server === rule.server && (rule.tool === undefined || rule.tool === effect.mcp.tool);
    case 'file_operations':
      return (
        effect.command === undefined &&
        effect.program === undefined &&
        call.toolEffect === 'write' &&
        writes.length > 0 &&
        writes.every((realPath) => contains(rule.directory, realPath, pathRules.platform))
      );
    default:
      // A rule that a newer version wrote allows nothing.
      rule satisfies never;
      return false;
  }
}

/** True if the command begins with the words, and each other part of it with those of another rule. */
function prefixesAllow(
  words: readonly string[],
  effect: PlannedEffect,
  { pathRules, rules = [] }: RuleContext,
): boolean {
  const { command, workingDirectory, network, localSockets } = effect;
  if (command === undefined || network === true || localSockets === true) return false;
  const places = placesOf(pathRules, workingDirectory);
  return (
    havePrefixes(command, [...prefixesOf(words), ...prefixesIn(rules)], places) &&
    destructiveEffect(effect) === undefined &&
    !namesGuarded(command, places, pathRules)
  );
}

/** The words of the rules for commands that begin with them. */
function prefixesIn(rules: readonly PermissionRule[]): readonly (readonly string[])[] {
  return rules.flatMap((rule) => (rule.type === 'command_prefix' ? prefixesOf(rule.words) : []));
}

/**
 * True for a command that the sandbox limits: it has no network, names nothing that is guarded and no secret, and is not
 * known to destroy what nothing can put back.
 */
function sandboxAllows(effect: PlannedEffect, { pathRules, isSandboxed = false }: RuleContext): boolean {
  const { command, workingDirectory, network, localSockets } = effect;
  if (!isSandboxed || command === undefined || network === true || localSockets === true) return false;
  return (
    destructiveEffect(effect) === undefined && !namesGuarded(command, placesOf(pathRules, workingDirectory), pathRules)
  );
}

/** The rules that would allow this call and similar ones; none if no rule can, as for a guarded path. */
export function offerRules(call: PlannedToolCall, context: RuleContext): QuestionFacts {
  const { pathRules, rules = [] } = context;
  const { command, workingDirectory } = call.effect;
  const offers = offerRule(call, context);
  const offersDirectory = offerDirectory(call, context);
  const places = placesOf(pathRules, workingDirectory);
  const words = command === undefined ? undefined : prefixOf(command, places, prefixesIn(rules));
  const more: readonly PermissionRule[] = [
    ...(words === undefined ? [] : [{ type: 'command_prefix', words } as const]),
    { type: 'sandboxed_commands' },
    ...(offersDirectory?.type === 'file_operations' && offersDirectory.directory === pathRules.workspace
      ? []
      : [{ type: 'file_operations', directory: pathRules.workspace } as const]),
  ];
  const offersMore = more.filter((rule) => ruleAllows(rule, call, context));
  return {
    ...(offers !== undefined && { offers }),
    ...(offersDirectory !== undefined && { offersDirectory }),
    ...(offersMore.length > 0 && { offersMore }),
  };
}

function offerRule(call: PlannedToolCall, context: RuleContext): PermissionRule | undefined {
  const { pathRules } = context;
  const { toolName, toolEffect, effect } = call;
  const [written, ...others] = changedPaths(effect);
  const rule = ((): PermissionRule | undefined => {
    if (effect.command !== undefined && effect.workingDirectory !== undefined) {
      return { type: 'exact_command', command: effect.command, workingDirectory: effect.workingDirectory };
    }
    if (effect.mcp !== undefined) return { type: 'mcp', server: effect.mcp.server, ...toolOf(effect.mcp) };
    if (toolName === 'edit_file') return { type: 'edit_read_files' };
    if (toolEffect === 'read') return { type: 'reads_of_tool', toolName };
    const directory = others.length > 0 ? undefined : workspaceDirectory(written, pathRules);
    return directory === undefined ? undefined : { type: 'write_directory', directory };
  })();
  return rule !== undefined && ruleAllows(rule, call, context) ? rule : undefined;
}

const toolOf = ({ tool }: { readonly tool?: string }) => (tool === undefined ? {} : { tool });

function offerDirectory(call: PlannedToolCall, context: RuleContext): PermissionRule | undefined {
  const { pathRules } = context;
  const { mcp } = call.effect;
  if (mcp !== undefined) return mcp.tool === undefined ? undefined : { type: 'mcp', server: mcp.server };
  const directory = workspaceDirectory(changedPaths(call.effect)[0], pathRules);
  if (directory === undefined) return undefined;
  const rule = { type: 'file_operations', directory } as const;
  return ruleAllows(rule, call, context) ? rule : undefined;
}

/** The directory of a file, if it is in the workspace. */
function workspaceDirectory(file: string | undefined, { workspace, platform }: PathRules): string | undefined {
  const directory = file === undefined ? undefined : pathFlavour(platform).dirname(file);
  return directory !== undefined && contains(workspace, directory, platform) ? directory : undefined;
}

/** True for a rule that may hold in later sessions: its directory is an ordinary one of the workspace. */
export function mayKeepRule(rule: PermissionRule, pathRules: PathRules): boolean {
  switch (rule.type) {
    case 'edit_read_files':
    case 'reads_of_tool':
    case 'mcp':
      return true;
    case 'command_prefix':
      return prefixProblem(rule.words) === undefined;
    case 'sandboxed_commands':
    case 'hosts':
      // For this session only: what runs later is not known.
      return false;
    case 'exact_command':
      return isOrdinaryDirectory(rule.workingDirectory, pathRules);
    case 'write_directory':
    case 'file_operations':
      return isOrdinaryDirectory(rule.directory, pathRules);
  }
}

/** True for a rule that may hold in every directory, because it names none and limits what it allows by itself. */
export function mayKeepEverywhere(rule: PermissionRule): boolean {
  return rule.type === 'command_prefix' && prefixProblem(rule.words) === undefined;
}

/** True for a rule that lets calls change files or run commands without a question. */
export function allowsChanges({ type }: PermissionRule): boolean {
  return type !== 'reads_of_tool';
}

function isOrdinaryDirectory(directory: string, pathRules: PathRules): boolean {
  const { workspace, platform } = pathRules;
  return contains(workspace, directory, platform) && classOfPath(directory, pathRules) === 'ordinary';
}

/** The real paths that a planned call changes. */
export function changedPaths(effect: PlannedEffect): readonly string[] {
  return effect.paths.filter((use) => use.access === 'write').map((use) => use.realPath);
}
