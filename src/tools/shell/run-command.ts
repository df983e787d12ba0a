import type { FileSystem } from '../../ports/file-system.ts';
import type { Shell, ShellCommand, ShellExit } from '../../ports/shell.ts';
import type { ToolProgress } from '../../ports/tool.ts';
import { type BoundedText, BoundedTextCollector } from '../bounded-text.ts';
import { type ShellLog, ShellLogWriter } from './shell-log.ts';
import { ShellTranscript } from './shell-transcript.ts';

/** The ports of running a command. */
export interface CommandPorts {
  readonly shell: Shell;
  readonly fileSystem: FileSystem;
  /** Absolute path of this session's own directory for full command logs; need not exist yet. */
  readonly outputDirectory: string;
  /** The environment that commands start from, provider keys already removed. */
  readonly environment: Readonly<Record<string, string>>;
  /** How much of a command's output the model is shown, in characters. */
  readonly maxOutputChars: number;
}

/** A command, and the name of its log. */
export interface CommandRequest extends Pick<ShellCommand, 'command' | 'workingDirectory' | 'timeoutMs'> {
  readonly logName: string;
}

/** How a command went. `output` is clean text of both streams; the log is there when `output` leaves something out. */
export interface CommandReport {
  readonly exit: ShellExit;
  readonly output: BoundedText;
  readonly log: ShellLog;
}

/** Runs one command, yielding its raw output as it comes. Memory is bounded whatever the command prints. */
export async function* runCommand(
  ports: CommandPorts,
  request: CommandRequest,
  signal: AbortSignal,
): AsyncGenerator<ToolProgress, CommandReport, void> {
  const { logName, ...command } = request;
  const transcript = new ShellTranscript();
  const output = new BoundedTextCollector(ports.maxOutputChars);
  const log = new ShellLogWriter(ports.fileSystem, ports.outputDirectory, logName);
  const record = async (text: string): Promise<void> => {
    const before = output.whole;
    output.add(text);
    if (output.whole === undefined) await log.append((before ?? '') + text);
  };

  let exit: ShellExit | undefined;
  for await (const event of ports.shell.run({ ...command, environment: ports.environment }, signal)) {
    if (event.type === 'exit') {
      exit = event;
      break;
    }
    await record(transcript.add(event));
    yield { stream: event.stream, text: event.text };
  }
  await record(transcript.end());
  if (exit === undefined) throw new Error('The shell ended without saying how the command ended.');
  return { exit, output: output.take(), log: log.state };
}
