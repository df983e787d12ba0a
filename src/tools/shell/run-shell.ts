import * as z from 'zod';
import { FileSystemError, ToolError } from '../../core/errors.ts';
import type { PlannedEffect, Tool } from '../../ports/tool.ts';
import type { PathRules } from '../../safety/paths/path-policy.ts';
import { defineTool, describeTool, variant } from '../define-tool.ts';
import { resolvePath } from '../files/resolve-path.ts';
import { comparableReport, describeReport, summarizeExit } from './command-report.ts';
import { COMMAND_SECONDS, type CommandPorts, runCommand } from './run-command.ts';

const MAX_SUMMARY_CHARACTERS = 100;

/** The plan of a `run_shell` call: the model's command, a real directory and a time limit. */
interface RunShellPlan extends PlannedEffect {
  readonly command: string;
  readonly workingDirectory: string;
  /** Display path of the working directory. */
  readonly directory: string;
  readonly timeoutMs: number;
}

const schema = z.object({
  command: z
    .string()
    .refine((command) => command.trim() !== '', 'The command is empty.')
    .refine(
      (command) => !/[\0\p{Surrogate}]/u.test(command),
      'The command contains a NUL or a lone surrogate, which no program can receive.',
    )
    .describe('The command line, for the shell named in the system prompt'),
  working_dir: z.string().optional().describe('Directory to run in, inside the workspace; default: the workspace'),
  timeout: z
    .int()
    .min(1)
    .max(600)
    .optional()
    .describe('Timeout in seconds; default: 60, unless the user has set another'),
});

const millisecondsSchema = schema.omit({ timeout: true }).extend({ timeoutMs: z.int().min(1_000).max(600_000) });

const DESCRIPTION = `Run a shell command and return its exit code, duration and output (stderr marked, in order of arrival). A non-zero exit code is a result, not a failure of the tool.
Standard input is closed and there is no terminal: use flags such as --yes instead of answering questions. Every call starts a new shell, so cd and variables do not persist: use working_dir. Background processes are ended with the command, except those that detach from it (setsid, daemons); do not start any. Long output is truncated in the middle; the result names a file with the full output.
Prefer read_file, list_files and search_files for reading and finding files.`;

type ShellPorts = CommandPorts & { readonly pathRules: PathRules };

/** The description of `run_shell`. */
export const RUN_SHELL = describeTool({ name: 'run_shell', description: DESCRIPTION, effect: 'execute', schema });

/** Creates `run_shell`. A command that cannot be started causes a `ToolError`; one that fails yields a result. */
export function createRunShell(ports: ShellPorts): Tool {
  const { fileSystem } = ports;
  return defineTool<z.infer<typeof schema>, RunShellPlan>(RUN_SHELL, {
    variants: [
      variant(
        (args) => 'timeoutMs' in args,
        millisecondsSchema,
        ({ timeoutMs, ...command }) => planCommand({ ...command, timeoutMs }, ports),
      ),
    ],
    plan: ({ timeout = ports.commandSeconds ?? COMMAND_SECONDS, ...command }) =>
      planCommand({ ...command, timeoutMs: timeout * 1000 }, ports),
    async *run(plan, { callId, signal }) {
      const { command, workingDirectory, directory, timeoutMs } = plan;
      if ((await resultOrUndefined(() => fileSystem.realPath(workingDirectory))) !== workingDirectory) {
        throw new ToolError(
          'file_changed',
          `${directory} was replaced after this call was planned. Check it with list_files.`,
        );
      }
      const request = { command, workingDirectory, timeoutMs, logName: callId };
      const report = yield* runCommand(ports, request, signal);
      if (report.exit.cause === 'failed_to_start') {
        throw new ToolError('io_error', `The command could not be started: ${report.exit.reason ?? 'unknown reason'}.`);
      }
      return {
        content: describeReport(report, { directory, timeoutMs }),
        comparable: comparableReport(report, { directory, timeoutMs }),
        isError: report.exit.cause === 'timed_out' || report.exit.cause === 'aborted',
        summary: summarizeExit(report.exit),
      };
    },
  });
}

async function planCommand(
  {
    command,
    working_dir: requested = '.',
    timeoutMs,
  }: { readonly command: string; readonly working_dir?: string | undefined; readonly timeoutMs: number },
  ports: ShellPorts,
): Promise<RunShellPlan> {
  // A command may write to the directory it runs in.
  const { use, realPath, exists, display } = await resolvePath(requested, 'write', ports);
  if (!exists) {
    throw new ToolError('not_found', `The directory ${requested} does not exist. Use list_files to find it.`);
  }
  if ((await resultOrUndefined(() => ports.fileSystem.stat(realPath)))?.kind !== 'directory') {
    throw new ToolError('not_a_directory', `${requested} is not a directory. Use the directory that contains it.`);
  }
  const summary = summarize(command, display);
  return { summary, command, workingDirectory: realPath, paths: [use], directory: display, timeoutMs };
}

/** The result of a file-system operation; `undefined` if it failed with a `FileSystemError`. */
async function resultOrUndefined<Result>(operation: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

function summarize(command: string, directory: string): string {
  const [line = '', ...more] = command.trim().split('\n');
  const characters = [...line];
  const isCut = more.length > 0 || characters.length > MAX_SUMMARY_CHARACTERS;
  const shown = characters.slice(0, MAX_SUMMARY_CHARACTERS).join('').trimEnd();
  return `run ${shown}${isCut ? ' …' : ''}${directory === '.' ? '' : ` in ${directory}`}`;
}
