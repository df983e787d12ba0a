import type { SandboxState } from '../../../agent/ports/shell.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import type { SandboxTrial, SandboxTrials } from '../../../policy/sandbox/describe-sandbox.ts';
import { escapeLine, rowWidth } from '../../../terminal/output.ts';
import { fillRows } from '../../../text/fill-rows.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';

type TrialPorts = Uses<{ machine: 'trySandbox' | 'resolvePath'; user: 'write' | 'columns' | 'interactive' }>;

const RESULTS: Readonly<Record<SandboxTrial['result'], string>> = {
  held: '✓ held',
  broken: '✗ BROKEN',
  untried: '! not tried',
  unavailable: '! not available',
};

/** These also hold without a sandbox. */
const WITHOUT =
  'Without the sandbox, every command asks, and only your answer protects you. Its environment is built, and blocked commands and paths are denied.';

/**
 * `ybs doctor --sandbox`: tries to break each invariant of docs/security.md on this machine, and prints a line for each.
 * Returns the exit code of a failure if one is broken, or if there is no sandbox.
 */
export async function doctorSandbox(
  request: Pick<SubcommandRequest, 'options' | 'ownOptions'>,
  ports: TrialPorts,
): Promise<number> {
  const { trials, state } = (await ports.machine.trySandbox?.()) ?? NONE;
  const isHeld = state.type === 'on' && trials.every(({ result }) => result !== 'broken');
  const width = Math.max(...Object.values(RESULTS).map((text) => text.length));
  const columns = rowWidth(ports.user);
  const rows = trials.map(({ invariant, result, reason }) => {
    const text = reason === undefined || result === 'unavailable' ? invariant : `${invariant}: ${reason}`;
    return fillRows(escapeLine(text), columns, `${RESULTS[result].padEnd(width)}  `);
  });
  const code = isHeld ? EXIT_CODES.done : EXIT_CODES.failed;
  const text = () => [...stateLines(state).map((line) => fillRows(escapeLine(line), columns, '')), ...rows].join('\n');
  return report(request, ports, { json: () => ({ ok: isHeld, sandbox: state, invariants: trials }), text }, code);
}

const NONE: SandboxTrials = {
  state: { type: 'off', reason: 'ybs has none for this system' },
  trials: [],
};

function stateLines(state: SandboxState): readonly string[] {
  if (state.type === 'off') {
    const advice = state.advice === undefined ? '' : ` ${state.advice}`;
    return [`sandbox: OFF (${state.reason}).${advice}`, WITHOUT];
  }
  return [`sandbox: ${state.program}${(state.lacks ?? []).map((each) => `, without ${each}`).join('')}`];
}
