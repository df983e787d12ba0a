import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Command, type ExplainCommand, parseArguments, type ServeCommand } from './cli/arguments.ts';
import { HELP } from './cli/help.ts';
import { createCommandOutput } from './cli/output.ts';
import type { RecordCommand } from './cli/record-arguments.ts';
import type { CommandResult } from './cli/validate.ts';
import { errorText } from './text.ts';

/** This source and the built file are both one directory below the package. */
const PACKAGE_FILE = new URL('../package.json', import.meta.url);
const SHIPPED_STORIES = fileURLToPath(new URL('../scenarios', import.meta.url));

const writeOutput = createCommandOutput(process.stdout);
const writeMessage = createCommandOutput(process.stderr);

/** The `mock-llm-server` command. Sets `process.exitCode`, never calls `process.exit`, never rejects. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  try {
    await dispatch(await parseArguments(args));
  } catch (error) {
    const { ScenarioError } = await import('./scenario/problems.ts');
    await fail(error instanceof ScenarioError ? 2 : 1, errorText(error));
  }
}

async function dispatch(command: Command): Promise<void> {
  switch (command.type) {
    case 'help':
      return writeOutput(HELP);
    case 'version': {
      const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
      return writeOutput(`${version}\n`);
    }
    case 'usage_error':
      return fail(2, `${command.message}\nTry mock-llm-server --help.`);
    case 'serve':
      return serve(command);
    case 'explain':
      return explain(command);
    case 'record':
      return record(command);
    case 'validate': {
      const { runValidate } = await import('./cli/validate.ts');
      return print(await runValidate(command.paths));
    }
    case 'verify': {
      const { runVerify } = await import('./cli/verify.ts');
      return print(await runVerify(command, command.token ?? (process.env['MOCK_LLM_SERVER_TOKEN'] || undefined)));
    }
    case 'weights': {
      const { runWeights } = await import('./cli/weights.ts');
      return print(await runWeights(command));
    }
    default:
      command satisfies never;
  }
}

async function serve({ scenarios, ...command }: ServeCommand): Promise<void> {
  // Imported here so that --help and --version load neither the HTTP nor the schema library.
  const { runServer } = await import('./cli/serve.ts');
  const paths = scenarios.length > 0 ? scenarios : [SHIPPED_STORIES];
  // An empty variable counts as unset.
  const token = command.token ?? (process.env['MOCK_LLM_SERVER_TOKEN'] || undefined);
  return runUntilStopped(await runServer({ ...command, paths, token, writeLog }));
}

async function record({ upstreamKeyEnv, ...command }: RecordCommand): Promise<void> {
  const key = upstreamKeyEnv === undefined ? undefined : process.env[upstreamKeyEnv];
  if (upstreamKeyEnv !== undefined && !key) {
    throw new Error(`the variable ${upstreamKeyEnv} is not set or empty; set it to the API key for the upstream`);
  }
  const [{ openLog }, { startRecording }] = await Promise.all([
    import('./cli/serve.ts'),
    import('./record/record-session.ts'),
  ]);
  return runUntilStopped(await startRecording({ ...command, key, log: openLog(writeLog).add }));
}

/** A server that decides on the exit code when it is stopped. */
interface StoppableServer {
  readonly url: string;
  close(): Promise<{ readonly exitCode: number }>;
}

/** Prints the address of a server, which a signal stops. */
async function runUntilStopped({ url, close }: StoppableServer): Promise<void> {
  const stop = () => {
    close().then(
      ({ exitCode }) => {
        process.exitCode = exitCode;
      },
      (error: unknown) => fail(1, errorText(error)),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    await writeOutput(`${JSON.stringify({ event: 'listening', url })}\n`);
  } catch (error) {
    writeLog(`${errorText(error)}; the server listens at ${url}\n`);
  }
}

/** Writes to the log. Lines that cannot be written are lost. */
function writeLog(text: string): void {
  writeMessage(text).catch(() => {});
}

async function explain({ scenarios, ...command }: ExplainCommand): Promise<void> {
  const { runExplain } = await import('./cli/explain.ts');
  return print(await runExplain({ ...command, scenarios: scenarios.length > 0 ? scenarios : [SHIPPED_STORIES] }));
}

/** Prints the output of a command, on standard error if it could not read its input. */
async function print({ exitCode, text }: CommandResult): Promise<void> {
  if (exitCode === 2) return fail(2, text);
  process.exitCode = exitCode;
  await writeOutput(`${text}\n`);
}

/** Sets the exit code, which reports the failure even if the message cannot be written. */
async function fail(exitCode: 1 | 2, message: string): Promise<void> {
  process.exitCode = exitCode;
  await writeMessage(`mock-llm-server: ${message}\n`).catch(() => {});
}

// Runs when this file is started directly: `node mock-llm-server/main.ts`.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) void main();
