import type { Mount } from './mounts.ts';

/**
 * The abilities of bubblewrap: `basic` before 0.8.0, which limits neither namespaces nor sizes; `nestable` where it cannot set
 * the limit of namespaces, as in a container that keeps it from its own.
 */
export type BubblewrapVersion = 'full' | 'nestable' | 'basic';

/** A program to run inside the sandbox, without a shell. */
export interface ConfinedProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** Real path of a directory that the mounts leave visible. */
  readonly workingDirectory: string;
  /** The command may use the network of the machine. */
  readonly network: boolean;
  /** The shell that sets the limits, as `program ...args <command line>`. */
  readonly shell: { readonly program: string; readonly args: readonly string[] };
  /** Sets a limit on the number of processes. Linux before 5.14 counts all processes of the user, so it has none there. */
  readonly limitsProcesses: boolean;
  /** The program gets a filter of system calls on `FILTER_DESCRIPTOR`. */
  readonly filtersCalls: boolean;
  /** Passes the connections of the program on to `BRIDGE_DESCRIPTOR`: a program text, and what runs it with `-e`. */
  readonly bridge?: { readonly node: string; readonly text: string } | undefined;
}

/**
 * The descriptor on which the sandbox reports its mounts, then waits for a line before it starts the program, and reports
 * what the program left behind.
 */
export const REPORT_DESCRIPTOR = 3;

/** The descriptor of the connection to the proxy, which only the bridge inherits. */
export const BRIDGE_DESCRIPTOR = 5;

/** The descriptor on which bubblewrap reads the filter of system calls. It closes it before the command starts. */
export const FILTER_DESCRIPTOR = 4;

/** The maximum size of each directory of temporary files, in bytes. They take memory. */
const TEMPORARY_BYTES = 1024 ** 3;

/** The maximum number of processes and threads inside, which a fork bomb reaches at once and a test run never does. */
const MAX_PROCESSES = 1_024;

/** The maximum size of a file that a command writes, in KB. */
const MAX_FILE_KB = 8 * 1024 ** 2;

/** The directories of name servers, to which `/etc/resolv.conf` may be a link. */
const NAME_SERVERS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager'];

/**
 * The arguments of `bwrap` that run a program behind these mounts, without the network, without capabilities and with
 * its own processes: when it or ybs ends, every process that it started ends. Pure. Each value is one argument, so no
 * text is ever parsed. The environment is not an argument, because `/proc/1/environ` would still show the one of bwrap.
 */
export function bubblewrapArguments(
  { program, args, workingDirectory, network, shell, filtersCalls, bridge, ...limits }: ConfinedProgram,
  mounts: readonly Mount[],
  version: BubblewrapVersion,
): readonly string[] {
  return [
    '--unshare-user',
    ...(version === 'full' ? ['--disable-userns'] : []),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(filtersCalls ? ['--seccomp', String(FILTER_DESCRIPTOR)] : []),
    // The settings of the kernel, such as the program for crashes, belong to root, whom a new `/proc` lets change them.
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc'],
    ...mounts.flatMap(({ type, path, source = path }) => MOUNT_ARGUMENTS[type](path, version, source)),
    ...(network ? NAME_SERVERS.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...['--chdir', workingDirectory, '--'],
    ...[shell.program, ...shell.args, runScript(limits, bridge !== undefined), 'ybs'],
    ...(bridge === undefined ? [] : [bridge.node, bridge.text]),
    ...[program, ...args],
  ];
}

const MOUNT_ARGUMENTS: Readonly<
  Record<Mount['type'], (path: string, version: BubblewrapVersion, source: string) => readonly string[]>
> = {
  writable: (path) => ['--bind', path, path],
  read_only: (path, _version, source) => ['--ro-bind', source, path],
  link: (path, _version, target) => ['--symlink', target, path],
  empty: (path, version) => [...(version !== 'basic' ? ['--size', String(TEMPORARY_BYTES)] : []), '--tmpfs', path],
  // A device on a mount without devices: even root cannot open it, and the failure has a clear name. The first mount
  // fails if the file has vanished, for which the second one would create an empty file.
  unreadable: (path) => ['--ro-bind', path, path, '--ro-bind', '/dev/null', path],
};

/**
 * Script that sets the limits of the sandbox and runs its arguments. It reports on `REPORT_DESCRIPTOR` that it has started,
 * and whether the command left processes behind. These get a moment to end, like the `tee` of `> >(tee log)`, before the end
 * of this script ends them. A limit set outside the sandbox would count all processes of the user.
 */
function runScript({ limitsProcesses }: Pick<ConfinedProgram, 'limitsProcesses'>, hasBridge: boolean): string {
  const kept = hasBridge ? ` || [ "$fd" = ${BRIDGE_DESCRIPTOR} ]` : '';
  return [
    // For each line, the `read` of Bash lets the kernel write the whole table anew.
    'if [ "$BASH_VERSION" ]',
    `then eval 'mapfile mounts; printf %s "\${mounts[@]}"'`,
    'else while read -r line; do printf "%s\\n" "$line"; done',
    'fi < /proc/self/mountinfo >&3',
    'echo started >&3',
    'read -r line <&3 || exit 1',
    // A program that uses ybs as a library may hold descriptors that its children get. Other shells cannot close them.
    '[ "$BASH_VERSION" ] && for fd in /proc/self/fd/*',
    `do fd=\${fd##*/}; [ "$fd" -le 3 ]${kept} || eval "exec $fd>&-"; done`,
    ...(hasBridge
      ? [
          // It closes its output when it listens, which ends the substitution.
          'bridge=$(env -i "$1" -e "$2" 2>/dev/null 3>&- & echo $!)',
          `shift 2; exec ${BRIDGE_DESCRIPTOR}>&-`,
        ]
      : []),
    'ulimit -c 0',
    lowerLimit('f', MAX_FILE_KB),
    ...(limitsProcesses ? [lowerLimit('u', MAX_PROCESSES)] : []),
    // The command gets the signal, too, and may take its time.
    'trap : TERM',
    // The shell must not print how a command was ended.
    'exec 9>&2 2>/dev/null',
    '"$@" 2>&9 3>&- 9>&-',
    'status=$? tries=0',
    ...(hasBridge ? ['kill -s KILL $bridge', 'while kill -s 0 $bridge; do sleep 0.005; done'] : []),
    'while kill -s 0 -- -1',
    'do if [ $tries = 3 ]; then echo left >&3; break; fi; tries=$((tries + 1)); sleep 0.05',
    'done',
    'exit $status',
  ].join('\n');
}

/** Sets a limit of the shell, unless the one that ybs was started with is at most as high, and may be fixed. */
function lowerLimit(option: string, limit: number): string {
  return `[ "$(ulimit -${option})" -le ${limit} ] 2>/dev/null || ulimit -${option} ${limit}`;
}
