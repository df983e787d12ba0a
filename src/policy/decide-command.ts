import type { PermissionDecision, PermissionRule } from '../agent/ports/approver.ts';
import { ASSUMPTIONS, type CallToDecide, type DecisionSettings, placesOf } from './decision-input.ts';
import { answerFor, displayPath, holdsSecrets } from './paths/path-policy.ts';
import { expandPath } from './paths/written-path.ts';
import { matchHost } from './sandbox/hosts.ts';
import { readOnlyUse } from './shell/read-only/read-only-command.ts';
import { viewOf } from './shell/read-only/viewed-command.ts';
import { findWrittenScript, mayBeCode, mayRunFiles } from './shell/written-scripts.ts';

/** The file written in this session that a command runs, and the number of session rules when it was last written. */
export function writtenScript(
  { effect: { command, workingDirectory } }: CallToDecide,
  { written, pathRules }: DecisionSettings,
): { readonly path: string; readonly rules: number } | undefined {
  if (command === undefined || written === undefined) return undefined;
  // The file that was written last comes first.
  const files = [...written].toSorted(([, one], [, other]) => other - one);
  const found = findWrittenScript(command, placesOf(pathRules, workingDirectory), files);
  return found && { path: displayPath(found[0], pathRules), rules: found[1] };
}

/** Of many files, the question names the ones written last. */
const MAX_NAMED = 3;

/**
 * The part of a question about code that the session has written: the file that the command runs, or the files that it may
 * run, because it runs more than programs that only read or change files.
 */
export function writtenNote(
  { effect: { command, workingDirectory } }: CallToDecide,
  { written, pathRules }: DecisionSettings,
  script: ReturnType<typeof writtenScript>,
): string {
  if (script !== undefined) return ` It runs code that the model wrote: ${script.path}.`;
  const code = [...(written?.keys() ?? [])].filter(mayBeCode).toReversed();
  if (command === undefined || code.length === 0 || !mayRunFiles(command, placesOf(pathRules, workingDirectory)))
    return '';
  const named = code.slice(0, MAX_NAMED).map((file) => displayPath(file, pathRules));
  const more = code.length > MAX_NAMED ? ` and ${code.length - MAX_NAMED} more` : '';
  return ` It may run code that the model wrote: ${named.join(', ')}${more}.`;
}

/** The part of a question about the files with secrets that the text of a command names. */
export function secretsNote(
  { effect: { command = '', workingDirectory } }: CallToDecide,
  { pathRules }: DecisionSettings,
): string {
  const places = { ...pathRules, workspace: workingDirectory ?? pathRules.workspace };
  const words = new Set(command.split(/[\s'"`=@,:;|&()<>]+/).filter((word) => word !== ''));
  const named = [...words].filter((word) => holdsSecrets(expandPath(word, places), pathRules)).slice(0, MAX_NAMED);
  return named.length === 0 ? '' : ` The command names ${named.join(', ')}, which may hold secrets.`;
}

/**
 * The question about a command or program that the sandbox does not limit, whatever the mode and the rules of the user
 * say: it may use the network, or there is no sandbox although the user has not turned it off.
 */
export function askAboutLimits(
  call: CallToDecide,
  settings: DecisionSettings,
  sessionRules: readonly PermissionRule[],
  script: ReturnType<typeof writtenScript>,
): { readonly rule: string; readonly reason: string; readonly beyond?: true } | undefined {
  const { command, program, network, hosts = [], localSockets } = call.effect;
  const { sandbox } = settings;
  if (sandbox === undefined || (command === undefined && program === undefined)) return undefined;
  const ask = (rule: string, reason: string) => ({
    rule,
    reason: `${reason}${secretsNote(call, settings)}${writtenNote(call, settings, script)}`,
  });
  if (sandbox.type === 'on') {
    if (network === true) return { ...ask('network', NETWORK_REASON), beyond: true };
    const granted = [...(sandbox.hosts ?? []), ...grantedHosts(sessionRules)];
    const isGranted = hosts.every((host) => matchHost(host, granted) !== 'none');
    if (!isGranted) return { ...ask('network', HOSTS_REASON), beyond: true };
    return localSockets === true ? { ...ask('local sockets', SOCKETS_REASON), beyond: true } : undefined;
  }
  if (sandbox.chosen === true) return undefined;
  const reason = `There is no sandbox (${sandbox.reason}), so every command asks, unless you start ybs with --no-sandbox.`;
  return ask('no sandbox', reason);
}

/** The servers that the rules of a session grant to commands in the sandbox. */
export function grantedHosts(rules: readonly PermissionRule[]): readonly string[] {
  return rules.flatMap((rule) => (rule.type === 'hosts' ? rule.hosts : []));
}

const HOSTS_REASON = 'It may reach these servers, and no others, and could send them what it reads.';
const NETWORK_REASON = 'It may use the network and could send what it reads, so it always needs your approval.';
const SOCKETS_REASON =
  'It may open sockets of this machine, so it could reach a server that appears while it runs, and always needs your approval.';

/** True for a command that the user has not listed, in a session in which all others are denied. */
export function isUnlisted(call: CallToDecide, settings: DecisionSettings): boolean {
  const { command, workingDirectory } = call.effect;
  if (settings.allowsUnlisted !== false || command === undefined) return false;
  const places = placesOf(settings.pathRules, workingDirectory);
  return allowedBeforehand(call, settings) === undefined && readOnlyUse(command, places).type === 'other';
}

/** The decision about such a command. */
export const UNLISTED: PermissionDecision = {
  type: 'deny',
  rule: 'safety.allow_unlisted_commands',
  reason: 'Only the commands in safety.allowed_commands and commands that only read may run. Use one of them.',
};

/** The rules of the user that allow a command of `run_shell`. */
export function allowedBeforehand(
  { toolName, effect: { command, workingDirectory } }: CallToDecide,
  { allowList, pathRules }: DecisionSettings,
): readonly string[] | undefined {
  if (toolName !== 'run_shell' || command === undefined) return undefined;
  return allowList?.find(command, placesOf(pathRules, workingDirectory));
}

function tooLarge(directory: string): string {
  return ` It searches ${directory}, which has too many directories to hide all files with secrets in it.`;
}

/**
 * Allows a command of which every program only reads, and only files that the rules let every tool read. Any other command
 * that may run in a view of the workspace is allowed in it.
 */
export function checkReadOnly(
  { toolName, effect }: CallToDecide,
  { assumptions, pathRules }: DecisionSettings,
):
  | { readonly type: 'allow'; readonly rule: string; readonly inView?: true }
  | { readonly type: 'unknown'; readonly reason: string; readonly namesSecret?: true }
  | undefined {
  const { command, workingDirectory, view, reads = [] } = effect;
  if (toolName !== 'run_shell' || command === undefined || effect.writes === true || effect.hosts !== undefined)
    return undefined;
  if (!ASSUMPTIONS.every((assumption) => assumptions?.includes(assumption))) return undefined;
  const places = placesOf(pathRules, workingDirectory);
  const use = readOnlyUse(command, places);
  const inView = { type: 'allow', rule: 'view of the workspace', inView: true } as const;
  if (use.type === 'other') {
    if (view !== undefined) return inView;
    const wider = viewOf(command, places, pathRules);
    const { reason, ...named } =
      wider.type === 'other' ? wider : { reason: 'it uses what a view of the workspace does not have' };
    return { ...named, type: 'unknown', reason: ` It may do more than read: ${reason}.` };
  }
  const realPaths = new Map(reads.map(({ requested, realPath }) => [requested, realPath]));
  const isReadable = (path: string | undefined): boolean =>
    path !== undefined && answerFor(path, 'read', pathRules) === 'mode';
  const refused =
    use.directories.find((path) => realPaths.get(path) !== path || !isReadable(path)) ??
    use.paths.find((path) => !isReadable(path) || !isReadable(realPaths.get(path)));
  if (refused === undefined) return { type: 'allow', rule: 'read-only command' };
  if (view !== undefined) return inView;
  const isResolved = realPaths.has(refused);
  if (!isResolved && use.trees.includes(refused)) return { type: 'unknown', reason: tooLarge(refused) };
  return { type: 'unknown', reason: ` It reads ${refused}, which needs your approval.` };
}
