import type { ToolProgress } from '../../ports/tool.ts';
import { describeReport } from './command-report.ts';
import { type CommandPorts, runCommand } from './run-command.ts';

/** The user can stop a command at any time; this only keeps a forgotten one from running for ever. */
const TIMEOUT_MS = 600_000;

/**
 * Runs a command the user typed, in a real directory of the user's choice. Yields its output as it comes and returns
 * the text that tells the model about it, also when the command could not be started. Nothing is checked or asked.
 */
export async function* runUserCommand(
  ports: CommandPorts,
  command: string,
  workingDirectory: string,
  signal: AbortSignal,
): AsyncGenerator<ToolProgress, string, void> {
  const request = { command, workingDirectory, timeoutMs: TIMEOUT_MS, logName: 'user-command' };
  const report = yield* runCommand(ports, request, signal);
  const text = describeReport(report, { directory: workingDirectory, timeoutMs: TIMEOUT_MS });
  return `I ran this command myself:\n$ ${command}\n\n${text}`;
}
