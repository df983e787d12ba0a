import { ToolError, unlessFileError } from '../../agent/errors.ts';
import type { PlannedEffect, Tool } from '../../agent/ports/tool.ts';
import { foldHost } from '../../policy/sandbox/hosts.ts';
import { defineTool, type ToolPlan, variant } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS } from '../definitions.data.ts';
import { resolvePath } from '../files/resolve-path.ts';
import { commandEnd, comparableReport, describeReport, homeSummary, summarizeReport } from './command-report.ts';
import { lookBefore, recordMade } from './made-files.ts';
import { createViewLimit, type NamedReads, type NamingPorts, resolveNamedPaths } from './named-paths.ts';
import { findOverwritten, type OverwritingPorts, recordOwnVersions } from './overwritten-files.ts';
import { resolveRemovedLinks } from './removed-links.ts';
import { COMMAND_SECONDS, type CommandPorts, reportedLimits, runCommand } from './run-command.ts';

const MAX_SUMMARY_CHARACTERS = 100;

/** The plan of a `run_shell` call: the model's command, a real directory and a time limit. */
interface RunShellPlan extends ToolPlan {
  readonly effect: PlannedEffect & { readonly command: string; readonly workingDirectory: string };
  /** Display path of the working directory. */
  readonly directory: string;
  readonly timeoutMs: number;
  /** See `ShellCommand`. */
  readonly searched?: readonly string[];
  /** Real paths of the files that it overwrites without a loss. */
  readonly kept: readonly string[];
  /** The places to which it moves something. */
  readonly received: readonly string[];
}

type ShellPorts = CommandPorts & OverwritingPorts;

/** Creates `run_shell`. A command that cannot be started causes a `ToolError`; one that fails yields a result. */
export function createRunShell(shellPorts: ShellPorts): Tool {
  const { fileSystem } = shellPorts;
  const ports = shellPorts.sandboxed === true ? { ...shellPorts, hasViews: createViewLimit(shellPorts) } : shellPorts;
  return defineTool(TOOL_DEFINITIONS.run_shell, ARGUMENT_SCHEMAS.run_shell, {
    variants: [
      variant(
        (args) => 'network' in args || 'hosts' in args || 'local_sockets' in args || 'writes' in args,
        ARGUMENT_SCHEMAS.run_with_limits,
        ({ timeout = ports.commandSeconds ?? COMMAND_SECONDS, ...command }) =>
          planCommand({ ...command, timeoutMs: timeout * 1000 }, ports),
      ),
      variant(
        (args) => 'timeoutMs' in args,
        ARGUMENT_SCHEMAS.run_milliseconds,
        ({ timeoutMs, ...command }) => planCommand({ ...command, timeoutMs }, ports),
      ),
    ],
    plan: ({ timeout = ports.commandSeconds ?? COMMAND_SECONDS, ...command }) =>
      planCommand({ ...command, timeoutMs: timeout * 1000 }, ports),
    async *run(plan, { callId, signal, limits: { inView } }) {
      const { effect, directory, timeoutMs, searched } = plan;
      const { command, workingDirectory, network, hosts, localSockets } = effect;
      const view = inView === true ? effect.view : undefined;
      if ((await unlessFileError(fileSystem.realPath(workingDirectory))) !== workingDirectory) {
        throw new ToolError(
          'file_changed',
          `${directory} was replaced after this call was planned. Check it with list_files.`,
        );
      }
      const limits = {
        ...(network && { network }),
        ...(hosts && { hosts }),
        ...(localSockets && { localSockets }),
        ...(searched && { searched }),
        ...(view && { view }),
      };
      const request = { command, workingDirectory, timeoutMs, callId, logName: callId, ...limits };
      ports.ledger.recordMoves(plan.received);
      const before =
        view === undefined && searched === undefined ? await lookBefore(command, ports, signal) : undefined;
      const report = yield* runCommand(ports, request, signal);
      await recordOwnVersions(plan.kept, ports);
      if (before !== undefined) await recordMade(command, before, report.exit.durationMs, ports);
      if (report.exit.cause === 'failed_to_start') {
        throw new ToolError('io_error', `The command could not be started: ${report.exit.reason ?? 'unknown reason'}.`);
      }
      const sandbox = ports.sandboxed !== true ? undefined : network === true ? 'online' : 'offline';
      const readOnly = view !== undefined ? 'view' : searched !== undefined ? 'searched' : undefined;
      const named = reportedLimits(ports, ports.pathRules.workspace);
      const context = { directory, timeoutMs, sandbox, readOnly, command, ...named } as const;
      return {
        content: describeReport(report, context),
        comparable: comparableReport(report, context),
        isError: report.exit.cause === 'timed_out' || report.exit.cause === 'aborted',
        ...(report.exit.cause === 'timed_out' && { code: 'timed_out' as const }),
        summary: `${summarizeReport(report)}${homeSummary(report, context)}`,
        exit: commandEnd(report.exit),
      };
    },
  });
}

async function planCommand(
  {
    command,
    working_dir: requested = '.',
    timeoutMs,
    network = false,
    hosts = [],
    local_sockets: localSockets = false,
    writes = false,
  }: {
    readonly command: string;
    readonly working_dir?: string | undefined;
    readonly timeoutMs: number;
    readonly network?: boolean;
    readonly hosts?: readonly string[] | undefined;
    readonly local_sockets?: boolean;
    readonly writes?: boolean;
  },
  ports: ShellPorts & NamingPorts,
): Promise<RunShellPlan> {
  if (command.trim() === '') throw new ToolError('invalid_arguments', 'The command is empty.');
  if (command.includes('\0'))
    throw new ToolError('invalid_arguments', 'The command contains a NUL, which no program can receive.');
  // A command may write to the directory it runs in.
  const { use, realPath, exists, display } = await resolvePath(requested, 'write', ports);
  if (!exists) {
    throw new ToolError('not_found', `The directory ${requested} does not exist. Use list_files to find it.`);
  }
  if ((await unlessFileError(ports.fileSystem.stat(realPath)))?.kind !== 'directory') {
    throw new ToolError('not_a_directory', `${requested} is not a directory. Use the directory that contains it.`);
  }
  const summary = summarize(command, display);
  const { searched, ...named }: NamedReads = writes
    ? await resolveRemovedLinks(command, realPath, ports)
    : await resolveNamedPaths(command, realPath, ports);
  // If no single host can be granted, the command needs the whole network.
  const isWhole = network || (hosts.length > 0 && ports.grantsHosts !== true);
  const limits = ports.sandboxed === true && {
    ...(isWhole && { network: true as const }),
    ...(!isWhole && hosts.length > 0 && { hosts: [...new Set(hosts.map(foldHost))] }),
    ...(localSockets && { localSockets }),
    ...(writes && { writes }),
  };
  const { lost, kept, removes, received } = await findOverwritten(command, realPath, ports);
  const overwrites = (removes || lost.length > 0) && { overwrites: lost };
  const effect = { summary, command, workingDirectory: realPath, paths: [use], ...named, ...limits, ...overwrites };
  return { effect, directory: display, timeoutMs, kept, received, ...(searched && { searched }) };
}

function summarize(command: string, directory: string): string {
  const [line = '', ...more] = command.trim().split('\n');
  const characters = [...line];
  const isCut = more.length > 0 || characters.length > MAX_SUMMARY_CHARACTERS;
  const shown = characters.slice(0, MAX_SUMMARY_CHARACTERS).join('').trimEnd();
  return `run ${shown}${isCut ? ' …' : ''}${directory === '.' ? '' : ` in ${directory}`}`;
}
