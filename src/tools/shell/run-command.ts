import type { PermissionRule } from '../../agent/ports/approver.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { SandboxState, Shell, ShellCommand, ShellExit } from '../../agent/ports/shell.ts';
import type { ToolProgress } from '../../agent/ports/tool.ts';
import { grantedHosts } from '../../policy/decide-command.ts';
import { NOTHING_SECRET, type Redactor } from '../../policy/redaction/redact.ts';
import { mayGrantHosts } from '../../policy/sandbox/describe-sandbox.ts';
import { USER_COMMAND_HEADERS } from '../../text/user-command.ts';
import { BoundedTextCollector } from './bounded-text.ts';
import {
  type CommandReport,
  describeReport,
  homeSummary,
  type ReportContext,
  summarizeExit,
} from './command-report.ts';
import { ShellLogWriter } from './shell-log.ts';
import { createEscapeRemover, ShellTranscript } from './shell-output.ts';

export interface CommandPorts {
  readonly shell: Shell;
  readonly fileSystem: FileSystem;
  /** Absolute path of this session's directory for full command logs. It need not exist. */
  readonly outputDirectory: string;
  /** Commands run in the sandbox. */
  readonly sandboxed?: boolean;
  /** The servers that all commands in the sandbox may reach. */
  readonly grantedHosts?: readonly string[] | undefined;
  /** Hosts can be granted to commands at questions. */
  readonly grantsHosts?: boolean | undefined;
  /** The servers that the user has granted at questions of this session. */
  readonly sessionHosts?: (() => readonly string[]) | undefined;
  /** Absolute path of the home directory, if commands in the sandbox see only programs in it. */
  readonly hiddenHome?: string | undefined;
  /** The environment of commands, without provider keys. */
  readonly environment: Readonly<Record<string, string>>;
  /** The maximum length of output that the model is shown, in characters. */
  readonly maxOutputChars: number;
  /** Time limit of a command without its own, in seconds; 60 when absent. */
  readonly commandSeconds?: number | undefined;
  /** Replaces the secrets in the log. */
  readonly redactor?: Redactor | undefined;
}

/** A command and the name of its log. */
export interface CommandRequest
  extends Pick<
    ShellCommand,
    'command' | 'workingDirectory' | 'timeoutMs' | 'network' | 'hosts' | 'localSockets' | 'searched' | 'view' | 'callId'
  > {
  readonly logName: string;
}

/** Runs one command and yields its raw output as it arrives. Uses bounded memory however much the command prints. */
export async function* runCommand(
  ports: CommandPorts,
  request: CommandRequest,
  signal: AbortSignal,
): AsyncGenerator<ToolProgress, CommandReport, void> {
  const { logName, hosts: wanted = [], ...command } = request;
  const hosts = [...wanted, ...(ports.sessionHosts?.() ?? [])];
  const transcript = new ShellTranscript();
  const output = new BoundedTextCollector(ports.maxOutputChars);
  const log = new ShellLogWriter(ports.fileSystem, ports.outputDirectory, logName, ports.redactor ?? NOTHING_SECRET);
  const record = async (text: string): Promise<void> => {
    const before = output.whole;
    output.add(text);
    if (output.whole === undefined) await log.append((before ?? '') + text);
  };

  let exit: ShellExit | undefined;
  for await (const event of ports.shell.run(
    { ...command, ...(hosts.length > 0 && { hosts }), environment: ports.environment },
    signal,
  )) {
    if (event.type === 'exit') {
      exit = event;
      break;
    }
    await record(transcript.add(event));
    yield { stream: event.stream, text: event.text };
  }
  await record(transcript.end());
  await log.end();
  if (exit === undefined) throw new Error('The shell ended without an exit event.');
  return { exit, output: output.take(), log: log.state };
}

/** The ports of commands that follow from the state of the sandbox. */
export function sandboxOfCommands(
  sandbox: SandboxState | undefined,
  home: string,
  session: { readonly state: { readonly rules: readonly PermissionRule[] } },
): Pick<CommandPorts, 'sandboxed' | 'grantedHosts' | 'hiddenHome' | 'grantsHosts' | 'sessionHosts'> {
  if (sandbox?.type !== 'on') return { sandboxed: false };
  const hiddenHome = sandbox.hidesHome === true ? home : undefined;
  const facts = { sandboxed: true, grantedHosts: sandbox.hosts, hiddenHome, grantsHosts: mayGrantHosts(sandbox) };
  return { ...facts, sessionHosts: () => grantedHosts(session.state.rules) };
}

/** The limits of a command that its report names. */
export function reportedLimits(
  { grantedHosts: configured = [], sessionHosts, grantsHosts = false, hiddenHome }: CommandPorts,
  workspace: string,
): Pick<ReportContext, 'grantedHosts' | 'grantsHosts' | 'hiddenHome'> {
  return {
    grantedHosts: [...configured, ...(sessionHosts?.() ?? [])],
    grantsHosts,
    ...(hiddenHome !== undefined && { hiddenHome: { home: hiddenHome, workspace } }),
  };
}

/** Time limit of a command without its own, in seconds, if the settings have none. */
export const COMMAND_SECONDS = 60;

/** The result of a command that the user typed. */
export interface UserCommandReport {
  readonly report: string;
  /** One line for the user: `exit code 1 after 0.3 s`. */
  readonly summary: string;
}

/**
 * Runs a command that the user typed, in the real directory `workingDirectory`. Yields its output as it arrives, without
 * escape sequences, and returns a report, even if the command could not be started. Needs no approval.
 */
export async function* runUserCommand(
  ports: CommandPorts,
  command: string,
  workingDirectory: string,
  signal: AbortSignal,
): AsyncGenerator<ToolProgress, UserCommandReport, void> {
  const timeoutMs = (ports.commandSeconds ?? COMMAND_SECONDS) * 1000;
  const request = { command, workingDirectory, timeoutMs, logName: 'user-command' };
  const shown = { stdout: createEscapeRemover(), stderr: createEscapeRemover() };
  const output = runCommand(ports, request, signal);
  let step = await output.next();
  for (; step.done !== true; step = await output.next()) {
    const { stream, text } = step.value;
    yield { stream, text: shown[stream].push(text) };
  }
  const ended = step.value;
  const limits = {
    ...reportedLimits(ports, workingDirectory),
    command,
    ...(ports.sandboxed && { sandbox: 'offline' as const }),
  };
  const text = describeReport(ended, { directory: workingDirectory, timeoutMs, ...limits });
  const header = USER_COMMAND_HEADERS[ended.exit.cause === 'failed_to_start' ? 'notStarted' : 'ended'];
  return {
    report: `${header}\nCommand: ${command}\n${text}`,
    summary: `${summarizeExit(ended.exit)}${homeSummary(ended, limits)}`,
  };
}
