import type { SandboxState } from '../../agent/ports/shell.ts';

/** The state of the sandbox in one line for people: `sandbox: OFF (bubblewrap is not installed) - every command will ask`. */
export function describeSandbox(sandbox: SandboxState): string {
  if (sandbox.type === 'on') return `sandbox: on (${sandbox.program}); commands have no network and write only here`;
  return `sandbox: OFF (${sandbox.reason})${sandbox.chosen === true ? '' : ' - every command will ask'}`;
}
