import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Command, HELP, parseArguments } from './arguments.ts';
import type { CommandResult } from './run-validate.ts';

/** Both this source and the built file are one directory below the package. */
const PACKAGE_FILE = new URL('../package.json', import.meta.url);
const SHIPPED_STORIES = fileURLToPath(new URL('../scenarios', import.meta.url));

/** The `mock-llm-server` command: reads `process.argv`, sets `process.exitCode`, never calls `process.exit`. */
export async function main(): Promise<void> {
  const command = parseArguments(process.argv.slice(2));
  switch (command.type) {
    case 'help':
      process.stdout.write(HELP);
      return;
    case 'version': {
      const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
      process.stdout.write(`${version}\n`);
      return;
    }
    case 'usage_error':
      return fail(2, `${command.message}\nTry mock-llm-server --help.`);
    case 'serve':
      return serve(command);
    case 'explain':
      return explain(command);
    case 'validate': {
      const { runValidate } = await import('./run-validate.ts');
      print(await runValidate(command.paths));
      return;
    }
    default:
      command satisfies never;
  }
}

async function serve({ scenarios, ...command }: Extract<Command, { type: 'serve' }>): Promise<void> {
  // Imported here so that --help and --version load neither the HTTP nor the schema library.
  const { runServer } = await import('./run-server.ts');
  const paths = scenarios.length > 0 ? scenarios : [SHIPPED_STORIES];
  // An empty variable is how a shell says that there is none.
  const token = command.token ?? (process.env['MOCK_LLM_SERVER_TOKEN'] || undefined);
  const outcome = await runServer({ ...command, paths, token });
  if (outcome.type === 'failed') return fail(outcome.exitCode, outcome.message);
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: outcome.server.url })}\n`);
  const stop = () => {
    outcome.server.close().catch((error: unknown) => fail(1, String(error)));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

async function explain({ scenarios, protocol, ...command }: Extract<Command, { type: 'explain' }>): Promise<void> {
  const [{ runExplain }, { PROTOCOL_PATHS }] = await Promise.all([
    import('./run-explain.ts'),
    import('./guess-protocol.ts'),
  ]);
  const path = command.path ?? (protocol === undefined ? undefined : PROTOCOL_PATHS[protocol]);
  const paths = scenarios.length > 0 ? scenarios : [SHIPPED_STORIES];
  print(await runExplain({ ...command, scenarios: paths, path }));
}

/** What cannot be read is said on standard error. */
function print({ exitCode, text }: CommandResult): void {
  if (exitCode === 2) {
    fail(2, text);
    return;
  }
  process.stdout.write(`${text}\n`);
  process.exitCode = exitCode;
}

function fail(exitCode: 1 | 2, message: string): void {
  process.stderr.write(`mock-llm-server: ${message}\n`);
  process.exitCode = exitCode;
}

// `node mock-llm-server/main.ts` works too, without what bin.ts does before it.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
