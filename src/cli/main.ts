import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';
import { createTextOutput } from '../adapters/terminal-output.ts';
import type { WriteText } from '../ports/terminal.ts';
import { escapeForTerminal } from '../text/escape.ts';
import { type Invocation, parserOptions, readArguments } from './arguments.ts';
import { EXIT_CODES, USAGE_ERROR } from './exit-codes.ts';
import { PLAIN } from './palette.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** The package's directory: above `src/cli` in a checkout, above `dist` when built. */
const PACKAGE = ['../..', '..']
  .map((up) => fileURLToPath(new URL(up, import.meta.url)))
  .find((directory) => existsSync(path.join(directory, 'package.json')));

/**
 * The `ybs` command. Sets `process.exitCode` and never calls `process.exit`, so that what has been written arrives.
 * Answers `--help` and `--version` before anything large is loaded.
 */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  const stdout = createTextOutput(process.stdout);
  const stderr = createTextOutput(process.stderr);
  try {
    process.exitCode = await obey(readCommandLine(args), stdout, stderr);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await stderr(`ybs: ${escapeForTerminal(message)}\n`);
    process.exitCode = error instanceof UsageError ? USAGE_ERROR : EXIT_CODES.failed;
  }
}

function readCommandLine(args: readonly string[]): Invocation {
  const options = parserOptions();
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  return readArguments(tokens);
}

async function obey(invocation: Invocation, stdout: WriteText, stderr: WriteText): Promise<number> {
  switch (invocation.type) {
    case 'help':
      await stdout((await import('./help.ts')).helpText());
      return EXIT_CODES.done;
    case 'version':
      await stdout(`${readVersion()}\n`);
      return EXIT_CODES.done;
    case 'usage_error':
      await stderr(`ybs: ${escapeForTerminal(invocation.message)}\n`);
      return USAGE_ERROR;
    case 'chat':
      return (await import('./run-chat.ts')).runChat(invocation.options, readWorld(stdout, stderr));
    case 'prompt': {
      const { runPrompt } = await import('./run-prompt.ts');
      return runPrompt(invocation.prompt, invocation.options, readWorld(stdout, stderr));
    }
    case 'test': {
      const { runStories } = await import('./run-stories.ts');
      return runStories(invocation.stories, invocation.options, readWorld(stdout, stderr));
    }
    default:
      return invocation satisfies never;
  }
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  return version;
}

function inPackage(name: string): string {
  if (PACKAGE === undefined) throw new Error('The files of ybs are not complete: package.json is missing.');
  return path.join(PACKAGE, name);
}

function readWorld(stdout: WriteText, stderr: WriteText): World {
  const { stdin, stdout: screen } = process;
  const interactive = stdin.isTTY === true && screen.isTTY === true;
  return {
    environment: process.env,
    currentDirectory: process.cwd(),
    home: os.homedir(),
    temporaryDirectory: os.tmpdir(),
    ...platforms(process.platform),
    exists: existsSync,
    newId: randomUUID,
    random: Math.random,
    now: Date.now,
    stdout,
    stderr,
    outputIsTerminal: screen.isTTY === true,
    interactive,
    palette: (colour) => (colour ? (style, text) => styleText(style, text, { validateStream: false }) : PLAIN),
    async openTerminal() {
      if (!interactive) return (await import('../adapters/terminal-pipe.ts')).createPipeTerminal(stdin);
      return (await import('../adapters/terminal-keyboard.ts')).createKeyboardTerminal(stdin, screen);
    },
    onStop(listener) {
      const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      for (const name of names) process.on(name, listener);
      return () => {
        for (const name of names) process.off(name, listener);
      };
    },
    storyDisk: async () => (await import('../adapters/node-story-disk.ts')).nodeStoryDisk,
    storyFiles: {
      resolve: path.resolve,
      kindOf: async (file) => (await scenarioFiles()).kindOf(file),
      readFile: async (file) => (await scenarioFiles()).readFile(file),
    },
    mockModel: {
      shippedStories: inPackage('scenarios'),
      async load(paths) {
        const [{ loadScenarioFiles }, files] = await Promise.all([
          import('../../mock-llm-server/load.ts'),
          scenarioFiles(),
        ]);
        return orUsageError(() => loadScenarioFiles(paths, files));
      },
      async start(files) {
        const [{ createScenarioSet }, { startMockServer }] = await Promise.all([
          import('../../mock-llm-server/scenario-set.ts'),
          import('../../mock-llm-server/start-server.ts'),
        ]);
        return orUsageError(() => startMockServer({ scenarios: createScenarioSet(files) }));
      },
    },
  };
}

function platforms(platform: NodeJS.Platform): Pick<World, 'platform' | 'pathPlatform'> {
  if (platform === 'win32') return { platform: 'windows', pathPlatform: 'windows' };
  return { platform: 'posix', pathPlatform: platform === 'darwin' ? 'darwin' : 'posix' };
}

async function scenarioFiles() {
  return (await import('../../mock-llm-server/node-scenario-files.ts')).nodeScenarioFiles;
}

/** Scenarios that cannot be used are the user's to repair. */
async function orUsageError<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'ScenarioError') throw new UsageError(error.message);
    throw error;
  }
}
