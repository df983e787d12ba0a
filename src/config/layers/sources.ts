import { FileSystemError, UsageError } from '../../agent/errors.ts';
import type { PermissionMode } from '../../agent/ports/approver.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { SandboxState } from '../../agent/ports/shell.ts';
import type { ToolDialect } from '../../agent/ports/tool.ts';
import type { SafetySettings } from '../../policy/decision-settings.ts';
import { contains, type PathPlatform } from '../../policy/paths/path-policy.ts';
import { withSettings } from '../../policy/sandbox/describe-sandbox.ts';
import type { SandboxSettings } from '../../policy/sandbox/rules.ts';
import { secretVariable } from '../../policy/sandbox/view.ts';
import { escapeLine } from '../../text/escape.ts';
import { blockedCommands } from '../blocked-commands.ts';
import type { ModelVariables } from '../environment.ts';
import type { HostOptions } from '../host-options.ts';
import type { ConfigSources } from '../load.ts';
import { configDirectory, placesOfUser } from '../places.ts';
import type { Config } from '../schema.ts';
import type { ProjectTrust } from '../trust/project-trust.ts';

/** Options of the command line that replace values of files, and the file that they name. */
export interface ConfigOptions extends Pick<HostOptions, 'persist' | 'maxTurns'> {
  readonly config?: string | undefined;
  /** File of the variant that is evaluated. */
  readonly variant?: string | undefined;
  readonly provider?: string | undefined;
  /** Replaces `models.active`. */
  readonly profile?: string | undefined;
  readonly model?: string | undefined;
  readonly endpoint?: string | undefined;
  /** Replaces the whole connection: the keys of `CONNECTION_KEYS` have these values, or none. */
  readonly connection?: Readonly<Record<string, string | undefined>> | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly toolProtocol?: 'native' | 'xnl' | undefined;
  readonly toolsDialect?: ToolDialect | undefined;
  readonly noSandbox?: boolean | undefined;
}

/** The part of the machine that the configuration depends on. */
interface ConfigMachine extends Pick<ConfigSources, 'home'> {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly resolvePath: (path: string) => string;
}

/** The sources of the configuration of a session in `workspace`. */
export function configSources(
  options: ConfigOptions,
  workspace: string,
  machine: ConfigMachine,
  known: {
    readonly modelVariables: (environment: ConfigMachine['environment']) => ModelVariables;
    readonly keys: ConfigSources['keys'];
  },
): ConfigSources {
  const { environment, resolvePath } = machine;
  return {
    ...placesOfUser(machine),
    workspace,
    configFile: options.config === undefined ? undefined : resolvePath(options.config),
    variantFile: options.variant === undefined ? undefined : resolvePath(options.variant),
    overrides: {
      'models.active': options.profile,
      'llm.provider': options.provider,
      'llm.model': options.model,
      'llm.endpoint': options.endpoint,
      'llm.tool_protocol': options.toolProtocol,
      'tools.dialect': options.toolsDialect,
      'safety.permission_mode': options.permissionMode,
      'safety.sandbox_enabled': options.noSandbox === true ? false : undefined,
      'session.auto_save': options.persist === false ? false : undefined,
      'agent.max_iterations': options.maxTurns,
      ...options.connection,
    },
    // Whoever asks for the mock model means the embedded one, whose commands are known, and not a configured server.
    replacesConnection: options.connection !== undefined || options.provider === 'mock',
    variables: known.modelVariables(environment),
    keys: known.keys,
  };
}

/** The settings that decide which calls run. */
export function safetySettings({ safety }: Config): SafetySettings {
  return {
    permissionMode: safety.permission_mode,
    permissionLevels: safety.permissions,
    confirmedTools: safety.require_confirmation,
    persistApprovals: safety.persist_approvals,
    allowedPaths: safety.sandbox_allowed_paths,
    blockedPaths: safety.sandbox_blocked_paths,
    blockedCommands: blockedCommands(safety).map(ruleOf),
    restrictsToProject: safety.restrict_to_project_directory,
    asksOutside: safety.require_approval_outside_project,
    allowsUnlisted: safety.allow_unlisted_commands,
    allowedCommands: safety.allowed_commands.map(ruleOf),
  };
}

/** The sandbox that the user turned off, on the command line or in a file; `undefined` if it is on. A project cannot. */
function sandboxOff({ safety }: Config, origins?: ReadonlyMap<string, string>): SandboxState | undefined {
  if (safety.sandbox_enabled) return undefined;
  const isOption = origins?.get('safety.sandbox_enabled') === 'command line';
  return { type: 'off', reason: isOption ? '--no-sandbox' : 'safety.sandbox_enabled', chosen: true };
}

/** The servers that the settings grant to commands, and whether they hide the home directory, which not all can. */
export function shownToCommands(
  { safety }: Config,
  workspace: string,
  { home, platform }: { readonly home: string; readonly platform: PathPlatform },
): { readonly hosts: readonly string[]; readonly hidesHome: boolean } {
  const isInside = contains(workspace, home, platform) || safety.sandbox_allowed_paths.includes('~');
  return { hosts: safety.sandbox_hosts, hidesHome: safety.sandbox_home === 'hidden' && !isInside };
}

/**
 * The sandbox of the commands in a workspace, with what the settings grant to them; `undefined` if this machine has none.
 * Tries it with its first use. `origins`: see `sandboxOff`.
 */
export async function findSandbox(
  { config, origins }: { readonly config: Config; readonly origins?: ReadonlyMap<string, string> | undefined },
  workspace: string,
  machine: {
    readonly home: string;
    readonly platform: PathPlatform;
    readonly probeSandbox?: (workspace: string) => Promise<SandboxState>;
  },
): Promise<SandboxState | undefined> {
  const off = sandboxOff(config, origins);
  return off ?? withSettings(await machine.probeSandbox?.(workspace), shownToCommands(config, workspace, machine));
}

/** The settings of the sandbox, for a project with this trust. */
export function sandboxSettings(
  { config, trust }: { readonly config: Config; readonly trust: Pick<ProjectTrust, 'verdict'> },
  machine: OwnPlaces,
): SandboxSettings {
  const { safety } = config;
  const guardedPaths = [...config.tools.search_paths, ...config.tools.external.map(({ path }) => path)];
  return {
    allowedPaths: ['.', ...safety.sandbox_allowed_paths],
    blockedPaths: safety.sandbox_blocked_paths,
    ownDirectories: ownDirectories(config, machine),
    guardedPaths,
    homeMode: safety.sandbox_home,
    readablePaths: safety.sandbox_readable_paths,
    localSockets: safety.sandbox_local_sockets,
    secretVariables: safety.environment.flatMap((entry) => secretVariable(entry) ?? []),
    hosts: safety.sandbox_hosts,
    isTrusted: trust.verdict.type === 'trusted',
  };
}

/** A command of a list, without its examples. */
function ruleOf(entry: Config['safety']['blocked_commands'][number]): string {
  return typeof entry === 'string' ? entry : entry.rule;
}

/** The part of the machine that decides where ybs keeps its own files. */
type OwnPlaces = Pick<ConfigMachine, 'platform' | 'home' | 'environment'>;

/** Directories in which ybs keeps its own files, which no tool may use. */
export function ownDirectories({ session }: Config, machine: OwnPlaces): readonly string[] {
  return ['~/.config/ybs', configDirectory(placesOfUser(machine)), session.storage_path];
}

/** Real path of the directory to work in, which joins `projects`. Throws `UsageError` if there is none. */
export async function workspaceOf(
  { cwd = '.' }: { readonly cwd?: string | undefined },
  {
    fileSystem,
    resolvePath,
    projects,
  }: Pick<ConfigMachine, 'resolvePath'> & { readonly fileSystem: FileSystem; readonly projects?: Set<string> },
): Promise<string> {
  const directory = resolvePath(cwd);
  try {
    const real = await fileSystem.realPath(directory);
    for (const project of [directory, real]) projects?.add(project);
    if ((await fileSystem.stat(real)).kind === 'directory') return real;
    throw new UsageError(`${escapeLine(directory)} is a file. Choose a directory to work in.`);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
  }
  // The runtime reads bytes of a name that are not UTF-8 as replacement characters, with which no file can be found.
  const advice = directory.includes('\u{FFFD}') ? 'Its name is not UTF-8: rename it.' : 'Check the path.';
  throw new UsageError(`There is no directory ${escapeLine(directory)}. ${advice}`);
}
