import { existsSync, readFileSync } from 'node:fs';
import { createTextOutput } from '../adapters/terminal/output.ts';
import { readCurrentDirectory, readHome } from './process-paths.ts';
import type { World } from './world.ts';

/** The package's directory: above `dist` when built, above `src/cli` in a checkout. The nearest one is ours. */
const PACKAGE = ['../', '../../']
  .map((up) => new URL(up, import.meta.url))
  .find((directory) => existsSync(new URL('package.json', directory)));

/**
 * The `ybs` command. Sets `process.exitCode` and never calls `process.exit`, so that what has been written arrives.
 * Even the modules of Node.js are loaded where they are needed: `--version` and `--help` take milliseconds.
 */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  try {
    process.exitCode = await start(args);
  } catch (error) {
    const { reportFailure } = await import('./exit.ts');
    process.exitCode = await reportFailure(error, createTextOutput(process.stderr));
  }
}

async function start(args: readonly string[]): Promise<number> {
  const only = args.length === 1 ? args[0] : undefined;
  if (only === '--version' || only === '--help') {
    const text = only === '--help' ? (await import('./options.ts')).helpText() : `${readVersion()}\n`;
    await createTextOutput(process.stdout)(text);
    return 0;
  }
  const [{ parserOptions }, { obey }, { parseArgs }, world] = await Promise.all([
    import('./arguments.ts'),
    import('./command-line.ts'),
    import('node:util'),
    readWorld(),
  ]);
  const options = parserOptions();
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  return obey(tokens, world);
}

async function readWorld(): Promise<World> {
  const [os, path, { fileURLToPath }, { styleText }] = await Promise.all([
    import('node:os'),
    import('node:path'),
    import('node:url'),
    import('node:util'),
  ]);
  const { stdin, stdout } = process;
  const interactive = stdin.isTTY === true && stdout.isTTY === true;
  return {
    version: readVersion,
    environment: process.env,
    currentDirectory: readCurrentDirectory(process.cwd),
    home: readHome(os.homedir, path.isAbsolute),
    temporaryDirectory: os.tmpdir(),
    ...platforms(process.platform),
    exists: existsSync,
    newId: () => crypto.randomUUID(),
    random: Math.random,
    now: Date.now,
    stdout: createTextOutput(stdout),
    stderr: createTextOutput(process.stderr),
    outputIsTerminal: stdout.isTTY === true,
    interactive,
    palette: (colour) => (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text),
    async openTerminal() {
      if (!interactive) return (await import('../adapters/terminal/pipe.ts')).createPipeTerminal(stdin);
      const { createKeyboardTerminal } = await import('../adapters/terminal/keyboard.ts');
      return createKeyboardTerminal(stdin, stdout, process.env['TERM'] !== 'dumb');
    },
    onStop(listener) {
      const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      for (const name of names) process.on(name, listener);
      return () => {
        for (const name of names) process.off(name, listener);
      };
    },
    storyDisk: async () => (await import('../adapters/files/node-story-disk.ts')).nodeStoryDisk,
    storyFiles: {
      resolve: path.resolve,
      kindOf: async (file) => (await scenarioFiles()).kindOf(file),
      list: async (directory) => (await scenarioFiles()).list(directory),
      readFile: async (file) => (await scenarioFiles()).readFile(file),
      // The library is only loaded for a story that needs it.
      parseYaml: async (text) =>
        (await import('../../mock-llm-server/scenario/parse-yaml.ts')).parseYaml(text, 'story').value,
    },
    mockModel: {
      shippedStories: fileURLToPath(inPackage('scenarios')),
      async load(paths) {
        const { loadScenarioFiles } = await import('../../mock-llm-server/scenario/load.ts');
        return loadScenarioFiles(paths, await scenarioFiles());
      },
      async start(files) {
        const { createScenarioSet } = await import('../../mock-llm-server/scenario/prepare.ts');
        const scenarios = createScenarioSet(files);
        const { startMockServer } = await import('../../mock-llm-server/server/listen.ts');
        return startMockServer({ scenarios });
      },
    },
  };
}

async function scenarioFiles() {
  return (await import('../../mock-llm-server/scenario/load.ts')).nodeScenarioFiles;
}

function platforms(platform: NodeJS.Platform): Pick<World, 'platform' | 'pathPlatform'> {
  if (platform === 'win32') return { platform: 'windows', pathPlatform: 'windows' };
  return { platform: 'posix', pathPlatform: platform === 'darwin' ? 'darwin' : 'posix' };
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  return version;
}

function inPackage(name: string): URL {
  if (PACKAGE === undefined) throw new Error('The files of ybs are not complete: package.json is missing.');
  return new URL(name, PACKAGE);
}
