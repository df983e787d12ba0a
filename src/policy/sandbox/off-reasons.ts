import type { SandboxState } from '../../agent/ports/shell.ts';
import type { BubblewrapVersion } from './bubblewrap.ts';

/** The failure of a probe, and the facts of the machine that explain it. */
export interface FailedProbe {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  /** Release of the kernel. */
  readonly release: string;
  /** Absent: the program of the sandbox was not found. */
  readonly stderr?: string;
  readonly inContainer: boolean;
  /** The program did not start in time. */
  readonly isLate?: true;
  /** AppArmor restricts user namespaces: `kernel.apparmor_restrict_unprivileged_userns` is 1. */
  readonly appArmor: boolean;
  /** The kernel allows ordinary users no namespaces at all. */
  readonly namespacesForbidden: boolean;
}

/** One known cause. The first whose `applies` is true counts. */
interface Cause {
  readonly applies: (probe: FailedProbe) => boolean;
  /** A function gets the error output of the program. */
  readonly reason: string | ((stderr: string) => string);
  readonly advice?: string;
}

const CAUSES: readonly Cause[] = [
  {
    applies: ({ isLate }) => isLate === true,
    reason: 'this machine is too busy: the sandbox did not start within 35 s',
    advice: 'Start ybs again when the machine is less busy.',
  },
  {
    applies: ({ platform }) => platform === 'win32',
    reason: 'ybs has none for Windows',
    advice: 'Use ybs in WSL 2.',
  },
  {
    applies: ({ platform }) => platform === 'other',
    reason: 'ybs has none for this system',
  },
  {
    applies: ({ platform, stderr }) => platform === 'darwin' && stderr === undefined,
    reason: '/usr/bin/sandbox-exec is missing',
  },
  {
    applies: ({ platform }) => platform === 'darwin',
    reason: (stderr) => `sandbox-exec failed: ${firstLine(stderr)}`,
  },
  {
    applies: ({ release }) => /-microsoft$/i.test(release),
    reason: 'WSL 1 has no namespaces',
    advice: 'Convert the distribution: wsl --set-version <name> 2.',
  },
  {
    applies: ({ stderr }) => stderr === undefined,
    reason: 'bubblewrap is not installed',
    advice: 'Install it, for example with: sudo apt install bubblewrap',
  },
  {
    applies: failsWith(/namespace failed: (?:No space left|nesting depth)/),
    reason: 'all user namespaces that the kernel allows are in use',
    advice: 'Allow more: sudo sysctl user.max_user_namespaces=10000',
  },
  {
    applies: inContainerWith(/mount proc/),
    reason: 'the container hides parts of /proc',
    advice: 'Start it with --security-opt systempaths=unconfined (Podman: unmask=ALL), or use ybs outside it.',
  },
  {
    applies: inContainerWith(/Failed to (?:re)?mount|Failed to make|pivot_root/),
    reason: 'the container does not allow mounts',
    advice:
      'Start it with --security-opt seccomp=unconfined and apparmor=unconfined (SELinux: label=disable), or use ybs outside it.',
  },
  {
    applies: inContainerWith(/namespace|uid map|RTM_NEWADDR/),
    reason: 'the container does not allow namespaces',
    advice: 'Start it with --security-opt seccomp=unconfined, or use ybs outside it.',
  },
  {
    applies: ({ appArmor }) => appArmor,
    reason: 'AppArmor does not allow user namespaces',
    advice: 'Load the profile bwrap-userns-restrict; see docs/sandbox.md.',
  },
  {
    applies: (probe) => probe.namespacesForbidden || failsWith(/does not (?:allow|support) .*user namespaces/)(probe),
    reason: 'the kernel does not allow user namespaces',
    advice: 'Allow them: sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000',
  },
];

function failsWith(form: RegExp): Cause['applies'] {
  return ({ stderr = '' }) => form.test(stderr);
}

function inContainerWith(form: RegExp): Cause['applies'] {
  return (probe) => probe.inContainer && failsWith(form)(probe);
}

/** Every other cause. */
const UNKNOWN: Omit<Cause, 'applies'> = {
  reason: (stderr) => `bwrap failed: ${firstLine(stderr)}`,
  advice: 'See docs/sandbox.md.',
};

/** The reason why there is no sandbox, from the table of known causes, with what to do about it. Pure. */
export function whyOff(probe: FailedProbe): Extract<SandboxState, { readonly type: 'off' }> {
  const { reason, advice }: Omit<Cause, 'applies'> = CAUSES.find(({ applies }) => applies(probe)) ?? UNKNOWN;
  const { stderr = '' } = probe;
  const text = typeof reason === 'string' ? reason : reason(stderr);
  return { type: 'off', reason: text, ...(advice !== undefined && { advice }) };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.replace(/^bwrap: /, '').slice(0, 200) || 'it printed no reason';
}

/** The first version of Linux that counts the processes of a namespace alone. */
const COUNTS_NAMESPACES = [5, 14] as const;

/** True for a kernel with which the processes of a command can be limited. Pure. */
export function limitsProcesses(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  const [wantedMajor, wantedMinor] = COUNTS_NAMESPACES;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** The limits of docs/sandbox.md that a sandbox of bubblewrap on this machine does not have, with the reasons. Pure. */
export function missingLimits({
  version,
  release,
  hasFilter,
}: {
  readonly version: BubblewrapVersion;
  readonly release: string;
  readonly hasFilter: boolean;
}): readonly string[] {
  return [
    ...(version === 'basic' ? ['a limit of temporary files (bubblewrap is older than 0.8.0; update it)'] : []),
    // The filter also refuses new namespaces.
    ...(version === 'full' || hasFilter ? [] : ['a limit of namespaces (bubblewrap cannot set it)']),
    ...(limitsProcesses(release) ? [] : ['a limit of processes (the kernel is older than 5.14)']),
    ...(hasFilter ? [] : ['a filter of system calls (there is none for this processor)']),
  ];
}
