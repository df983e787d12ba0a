import type { SandboxOn, SandboxState } from '../../agent/ports/shell.ts';

/** The result of an attempt to break an invariant of the sandbox on this machine. */
export interface SandboxTrial {
  readonly invariant: string;
  readonly result: 'held' | 'broken' | 'untried' | 'unavailable';
  /** The reason why nothing was tried. */
  readonly reason?: string;
}

/** The attempts on this machine, and its sandbox. */
export interface SandboxTrials {
  readonly state: SandboxState;
  readonly trials: readonly SandboxTrial[];
}

/** The state of the sandbox in one line for people: `sandbox: OFF (bubblewrap is not installed) - every command will ask`. */
export function describeSandbox(sandbox: SandboxState): string {
  if (sandbox.type === 'on') {
    const lacks = (sandbox.lacks ?? []).map((each) => `; without ${each}`).join('');
    const network = describeNetwork(sandbox, {});
    const home = sandbox.hidesHome === true ? ', and see of your home directory only programs' : '';
    const write = home === '' ? ' and write only here' : ', write only here';
    return `sandbox: on (${sandbox.program}); commands have ${network}${write}${home}${lacks}`;
  }
  return `sandbox: OFF (${sandbox.reason})${sandbox.chosen === true ? '' : ' - every command will ask'}`;
}

/** Maximum number of hosts that are named. */
const MAX_HOSTS = 3;

/** The network of a command in the sandbox: `WITH NETWORK`, `no network`, or `no network but example.org`. Pure. */
export function describeNetwork(
  { hosts = [] }: SandboxOn,
  { network, hosts: wanted = [] }: { readonly network?: boolean; readonly hosts?: readonly string[] },
): string {
  if (network === true) return 'WITH NETWORK';
  if (wanted.length > 0) return `WITH THE NETWORK OF ${wanted.join(', ')}`;
  return hosts.length === 0 ? 'no network' : `no network but ${listHosts(hosts)}`;
}

/** The hosts of a list for people and for the model; of many, the first ones and the number of the others. Pure. */
export function listHosts(hosts: readonly string[]): string {
  const named = hosts.slice(0, MAX_HOSTS).join(', ');
  return hosts.length > MAX_HOSTS ? `${named} and ${hosts.length - MAX_HOSTS} more` : named;
}

/** True if the sandbox can let commands reach some servers: on Linux, with the filter of system calls. Pure. */
export function mayGrantHosts({ program, lacks = [] }: SandboxOn): boolean {
  return program === 'bubblewrap' && !lacks.some((each) => each.includes('filter'));
}

/**
 * The state with what the settings of the user show and grant to commands. Without a filter of system calls, and on macOS,
 * no host can be granted. Pure.
 */
export function withSettings(
  state: SandboxState | undefined,
  { hosts, hidesHome }: { readonly hosts: readonly string[]; readonly hidesHome: boolean },
): SandboxState | undefined {
  if (state?.type !== 'on') return state;
  return { ...state, ...(mayGrantHosts(state) && hosts.length > 0 && { hosts }), ...(hidesHome && { hidesHome }) };
}
