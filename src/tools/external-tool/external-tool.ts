import { ToolError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { PlannedEffect, ProgramUse, Tool, ToolContext, ToolProgress, ToolResult } from '../../agent/ports/tool.ts';
import type { PathRules } from '../../policy/paths/path-policy.ts';
import { NOTHING_SECRET } from '../../policy/redaction/redact.ts';
import { isJsonObject } from '../../text/json/json.ts';
import { truncateText } from '../../text/truncate.ts';
import { coerceArguments } from '../read-arguments.ts';
import { BoundedTextCollector } from '../shell/bounded-text.ts';
import { commandEnd, describeOutput, formatDuration, noteChanges, summarizeChanges } from '../shell/command-report.ts';
import type { CommandPorts } from '../shell/run-command.ts';
import { ShellLogWriter } from '../shell/shell-log.ts';
import { createOutputCleaner } from '../shell/shell-output.ts';
import { readAnswer } from './answer.ts';
import type { ExternalDefinition } from './definition.ts';
import { findArgumentProblem } from './parameters.ts';
import { collectProgram, describeProgramEnd, type ProgramRun } from './run-program.ts';

/** The maximum length of a tool's standard output, in characters. All of it is read as one JSON. */
const MAX_OUTPUT = 2 * 1024 * 1024;

/** The maximum length of an input that is an argument; Linux allows 128 KB. */
const MAX_ARGUMENT = 100_000;

const MAX_SUMMARY = 100;

export type ExternalToolPorts = CommandPorts & {
  readonly pathRules: PathRules;
  /** Without it, no program of a project is the one that was trusted. */
  readonly digest?: ComputeDigest;
};

/** The executable of a tool. `check` returns its real path, or throws `ToolError` if it may not be started any more. */
export interface ToolExecutable {
  readonly realPath: string;
  check(): Promise<string>;
}

/** Creates a tool that runs a program. A failure of the program is a result for the model that says why. */
export function createExternalTool(
  definition: ExternalDefinition,
  executable: ToolExecutable,
  ports: ExternalToolPorts,
): Tool {
  const { name, description, parameters } = definition;
  const limits = definition.network === true && ports.sandboxed === true ? ({ network: true } as const) : {};
  return {
    definition: { name, description, parameters, effect: 'execute' },
    async plan(args, context) {
      const input = inputOf(args, definition);
      const summary = `run ${name} with ${truncateText(input, MAX_SUMMARY)}`;
      const program = { path: executable.realPath, input };
      const effect: PlannedEffect = {
        ...{ summary, paths: [], program, ...limits },
        workingDirectory: ports.pathRules.workspace,
      };
      return { effect, run: () => runTool(definition, program, executable, ports, context) };
    },
  };
}

/** The JSON for the tool. Throws `ToolError` for arguments that do not fit its schema. */
function inputOf(args: unknown, { name, parameters, input }: ExternalDefinition): string {
  const given = coerceArguments(args, parameters);
  const problem = isJsonObject(given) ? findArgumentProblem(given, parameters) : 'they must be an object';
  if (problem !== undefined) {
    throw new ToolError('invalid_arguments', `The arguments of ${name} do not fit its schema: ${problem}.`);
  }
  const text = JSON.stringify(given);
  if (input === 'argument' && text.length > MAX_ARGUMENT) {
    throw new ToolError('invalid_arguments', `${name} takes at most ${MAX_ARGUMENT} characters. Send less.`);
  }
  return text;
}

async function* runTool(
  definition: ExternalDefinition,
  program: ProgramUse,
  executable: ToolExecutable,
  ports: ExternalToolPorts,
  { callId, signal }: ToolContext,
): AsyncGenerator<ToolProgress, ToolResult, void> {
  const { name, input, timeoutSeconds } = definition;
  if ((await executable.check()) !== program.path) {
    throw new ToolError('file_changed', `The program of ${name} was replaced. Ask the user to run /reload-tools.`);
  }
  const timeoutMs = timeoutSeconds * 1000;
  const command = {
    program: program.path,
    args: input === 'stdin' || program.input.length > MAX_ARGUMENT ? [] : [program.input],
    ...(input === 'argument' ? {} : { input: program.input }),
    workingDirectory: ports.pathRules.workspace,
    environment: ports.environment,
    timeoutMs,
    ...(definition.network && { network: true }),
  };
  const log = logOf(`${callId}-stderr`, ports);
  const record = (text: string): Promise<void> => log.append(text);
  const run = yield* collectProgram(ports.shell, command, { maxOutput: MAX_OUTPUT, record }, signal);
  await log.end();
  const reason = describeProgramEnd(run.end, timeoutMs);
  const changes = noteChanges(run.end);
  const answer = run.stdout === '' && reason !== undefined ? undefined : readAnswer(run.stdout);
  const said = answer === undefined ? '' : await shortenOutput(answer.text, callId, ports);
  if (reason === undefined && answer?.isFailure !== true) {
    const content = [...(said === '' ? [] : [said]), ...changes].join('\n');
    return { content, isError: false, summary: `done${timeOf(run)}${summarizeChanges(run.end)}`, ...exitOf(run) };
  }
  const stderr = run.stderr.lines === 0 ? [] : [`[stderr]\n${describeOutput(run.stderr, log.state)}`];
  const headline = `${name} failed${reason === undefined ? '' : `: ${reason}`}.`;
  const content = [headline, ...(said === '' ? [] : [said]), ...stderr, ...changes].join('\n');
  return {
    content,
    isError: true,
    summary: `${reason ?? 'failed'}${timeOf(run)}${summarizeChanges(run.end)}`,
    ...exitOf(run),
  };
}

function exitOf({ end }: ProgramRun): Pick<ToolResult, 'exit'> {
  return end.cause === 'too_long' ? {} : { exit: commandEnd(end) };
}

/** A tool of a server or of the caller whose results have the limit of the output of a command. */
export function withOutputLimit(tool: Tool, ports: ExternalToolPorts): Tool {
  return {
    ...tool,
    async plan(args, context) {
      const { effect, run } = await tool.plan(args, context);
      return {
        effect,
        async *run(limits) {
          const result = yield* run(limits);
          if (result.content === '') return result;
          return { ...result, content: await shortenOutput(result.content, context.callId, ports) };
        },
      };
    },
  };
}

/** The text without escape sequences and within the limit for the model; the whole text goes to a file if it exceeds it. */
async function shortenOutput(text: string, logName: string, ports: ExternalToolPorts): Promise<string> {
  const cleaner = createOutputCleaner();
  const clean = cleaner.push(text) + cleaner.flush();
  const output = new BoundedTextCollector(ports.maxOutputChars);
  output.add(clean);
  const log = logOf(logName, ports);
  if (output.whole === undefined) await log.append(clean);
  await log.end();
  return describeOutput(output.take(), log.state);
}

function logOf(name: string, { fileSystem, outputDirectory, redactor = NOTHING_SECRET }: CommandPorts): ShellLogWriter {
  return new ShellLogWriter(fileSystem, outputDirectory, name, redactor);
}

function timeOf({ end }: ProgramRun): string {
  return 'durationMs' in end ? ` after ${formatDuration(end.durationMs)}` : '';
}
