import type { SandboxState } from '../../agent/ports/shell.ts';

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
    return `sandbox: on (${sandbox.program}); commands have no network and write only here${lacks}`;
  }
  return `sandbox: OFF (${sandbox.reason})${sandbox.chosen === true ? '' : ' - every command will ask'}`;
}
