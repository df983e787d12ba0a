import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { SandboxState, ShellCommand, ShellExit } from '../../agent/ports/shell.ts';
import { withGitSetting } from '../../policy/git.ts';
import { BRIDGE_DESCRIPTOR, bubblewrapArguments, type ConfinedProgram } from '../../policy/sandbox/bubblewrap.ts';
import { OFFLINE_VARIABLES, PROXY_VARIABLES } from '../../policy/sandbox/hosts.ts';
import { misplacedMount, planMounts } from '../../policy/sandbox/mounts.ts';
import { limitsProcesses } from '../../policy/sandbox/off-reasons.ts';
import { type SandboxRules, sandboxVariables } from '../../policy/sandbox/rules.ts';
import { seatbeltArguments } from '../../policy/sandbox/seatbelt.ts';
import { variablesOfView } from '../../policy/sandbox/view.ts';
import { filterOf, type ProbeResult, probeMachine } from '../shell/probe-sandbox.ts';
import type { MisplacedMount } from '../shell/sandbox-descriptors.ts';
import { gatherPlaces } from './gather-places.ts';
import { putBackGitFiles } from './git-watch.ts';
import {
  changesOf,
  createLookMemory,
  type GuardedState,
  type LookMemory,
  readGuarded,
  readGuardedFiles,
  separateNames,
} from './guarded-state.ts';
import type { HostProxy } from './network/host-proxy.ts';
import { readSmallFile, whileReopened } from './real-files.ts';
import { createSecretSearch } from './secret-search.ts';
import { moveUnnamed } from './unnamed-repositories.ts';

/** A command before it is confined. */
export type OpenProgram = Pick<ConfinedProgram, 'program' | 'args' | 'workingDirectory' | 'network'> & {
  readonly environment: Readonly<Record<string, string>>;
  /** The command may change nothing of the workspace. */
  readonly readOnly: boolean;
  /** The command may open sockets of this machine. */
  readonly localSockets: boolean;
  /** See `ShellCommand`. */
  readonly hosts?: readonly string[] | undefined;
  /** See `ShellCommand`. */
  readonly searched?: readonly string[] | undefined;
  /** See `ShellCommand`. */
  readonly view?: ShellCommand['view'] | undefined;
};

/** A command inside the sandbox. */
export interface ConfinedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The environment of the command, with the variables of the sandbox. */
  readonly environment: Readonly<Record<string, string>>;
  /** The first process of the command watches the sandbox, so a signal to it ends everything at once. */
  readonly hasMonitor: boolean;
  /** The filter of system calls, which the program reads from `FILTER_DESCRIPTOR`. */
  readonly filter?: Uint8Array | undefined;
  /**
   * The first mount that is not in its place, by the report of the sandbox before the command starts. Absent on macOS,
   * where nothing is mounted.
   */
  readonly misplaced?: MisplacedMount | undefined;
  /** The proxy of the command, which serves `BRIDGE_DESCRIPTOR`. Absent if it may reach no server. */
  readonly proxy?: HostProxy | undefined;
  /**
   * Looks after the end of the command for guarded files that are new or changed, and puts back what git would run or
   * follow.
   */
  check(): Promise<Pick<ShellExit, 'created' | 'changed' | 'putBack' | 'hosts'>>;
}

export interface Sandbox {
  /** Tries the sandbox once. Never throws. */
  probe(): Promise<SandboxState>;
  /** Prepares a command. Rejects if the sandbox is not available. */
  confine(command: OpenProgram, rules: SandboxRules): Promise<ConfinedCommand>;
  /** Watches the guarded files of the workspace. Each call returns the changes since the one before. */
  watch(rules: SandboxRules): Promise<() => Promise<Pick<ShellExit, 'created' | 'changed'>>>;
}

/** The number of arguments that every version of bubblewrap accepts. */
const MAX_ARGUMENTS = 9_000;
const TOO_MANY =
  'bubblewrap cannot cover so many files with secrets and guarded files. Start ybs in a part of the workspace.';

/** Creates the sandbox of this machine, whose programs of the user are those of `searchPath`. Starts nothing. */
export function createSandbox(shell: ConfinedProgram['shell'], searchPath: string): Sandbox {
  let probed: Promise<ProbeResult> | undefined;
  const probe = (): Promise<ProbeResult> => {
    probed ??= probeMachine(shell, searchPath);
    return probed;
  };
  const memory = createLookMemory();
  const search = createSecretSearch();
  const base = { shell, limitsProcesses: limitsProcesses(os.release()) };
  return {
    probe: async () => (await probe()).state,
    async confine({ readOnly, searched, view, localSockets, hosts, environment, ...command }, rules) {
      const found = await probe();
      if (!('program' in found)) throw new Error(`There is no sandbox: ${found.state.reason}`);
      const filter = filterOf(localSockets || rules.localSockets);
      // Before version 0.5.0, bubblewrap covers no socket.
      const coversSockets = found.version !== 'basic' || filter === undefined || localSockets || rules.localSockets;
      const isMac = process.platform === 'darwin';
      const mountTable = isMac ? '' : (readSmallFile('/proc/self/mountinfo') ?? '');
      const places = await gatherPlaces(
        rules,
        { program: command.program, readOnly, searched, view, coversSockets, mountTable },
        { ...memory, search },
      );
      const isWatched = searched === undefined && view === undefined;
      const readBefore = () => readGuarded(rules, memory);
      const before = isWatched ? await whileReopened(memory.reopened, readBefore) : undefined;
      const proxy = view === undefined ? await proxyFor({ ...command, searched, hosts }, rules, filter) : undefined;
      const bridge = proxy && { node: process.execPath, text: proxy.bridge };
      const program = { ...base, ...command, filtersCalls: filter !== undefined, bridge };
      const offline = command.network || proxy !== undefined ? {} : OFFLINE_VARIABLES;
      const own = {
        ...offline,
        ...places.variables,
        ...environment,
        ...sandboxVariables(rules),
        ...(proxy && PROXY_VARIABLES),
      };
      const inside = view === undefined ? own : variablesOfView(own, rules);
      const mounts = planMounts(places);
      const args = isMac ? seatbeltArguments(program, places) : bubblewrapArguments(program, mounts, found.version);
      if (!isMac && args.length > MAX_ARGUMENTS) throw new Error(TOO_MANY);
      return {
        program: found.program,
        args,
        environment:
          places.gitAttributes === undefined
            ? inside
            : withGitSetting(inside, 'core.attributesFile', places.gitAttributes),
        hasMonitor: !isMac,
        filter,
        misplaced: isMac ? undefined : (inside) => misplacedMount(mounts, inside, mountTable),
        proxy: proxy?.proxy,
        check: async () => {
          const hosts = proxy?.proxy.connections() ?? [];
          const changes = await whileReopened(memory.reopened, () => check(before, rules, memory));
          return { ...changes, ...(hosts.length > 0 && { hosts }) };
        },
      };
    },
    async watch(rules) {
      let before = await readGuardedFiles(rules, memory);
      return async () => {
        const after = await readGuardedFiles(rules, memory);
        const changes = changesOf(before, after);
        before = after;
        return changes;
      };
    },
  };
}

/** Compares the guarded files with those before a command. */
async function check(
  before: GuardedState | undefined,
  rules: SandboxRules,
  memory: LookMemory,
): Promise<Pick<ShellExit, 'created' | 'changed' | 'putBack'>> {
  if (before === undefined) return {};
  const found = await readGuarded(rules, memory, before);
  separateNames(before, found);
  const removed = path.join(path.dirname(rules.cacheDirectory), 'removed', path.basename(rules.cacheDirectory));
  const putBack = [
    ...putBackGitFiles(before.git, found.git, { roots: before.roots, removed }),
    ...moveUnnamed(before.unnamed, found.unnamed, removed),
  ];
  const isGone = new Set(putBack.map(({ file }) => file));
  const left = new Map([...found.guarded].filter(([file]) => !isGone.has(file)));
  return { ...changesOf(before.guarded, left), ...(putBack.length > 0 && { putBack }) };
}

/**
 * The proxy of a command that may reach some servers, and the text of its bridge. A command with the whole network, or one
 * that only reads, has none. Without a filter of system calls there is none, because a command could take its sockets.
 */
async function proxyFor(
  { network, searched, hosts: granted = [] }: Pick<OpenProgram, 'network' | 'searched' | 'hosts'>,
  rules: SandboxRules,
  filter: Uint8Array | undefined,
): Promise<{ readonly proxy: HostProxy; readonly bridge: string } | undefined> {
  const { hosts = [] } = rules;
  if (network || searched !== undefined || filter === undefined || hosts.length + granted.length === 0)
    return undefined;
  // Loaded on demand, because most users grant no host.
  const [{ createHostProxy }, { bridgeProgram }] = await Promise.all([
    import('./network/host-proxy.ts'),
    import('./network/bridge.ts'),
  ]);
  return { proxy: createHostProxy({ configured: hosts, granted }), bridge: bridgeProgram(BRIDGE_DESCRIPTOR) };
}
