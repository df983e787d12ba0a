import { closeSync, existsSync, readFileSync } from 'node:fs';
import { isatty, type WriteStream } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';
import type { Machine } from '../app/settings.ts';
import type { WriteText } from '../app/terminal.ts';
import type { Wiring } from '../app/wiring.ts';
import { CHARSET, createTextOutput } from '../node/terminal/output.ts';
import type { Screen } from '../terminal/editor/screen.ts';
import type { UserConsole } from '../terminal/output.ts';
import type { Invocation } from './command-line/arguments.ts';
import type { TestOptions } from './command-line/options.ts';
import type { HostArguments } from './host/host-arguments.ts';
import { recording } from './recording.ts';
import type { StoryAdapters } from './subcommands/subcommand.ts';

/** The package's directory, the nearest with a package.json: above `dist` when built, above `src/cli` in a checkout. */
const PACKAGE = ['../', '../../']
  .map((up) => new URL(up, import.meta.url))
  .find((directory) => existsSync(new URL('package.json', directory)));

/** Time after which ybs reports that it waits for standard input, which may be a pipe that nobody closes. */
const INPUT_HINT_MS = 2_000;

/** See `Machine`. */
const projects = new Set<string>();

/**
 * The `ybs` command. Sets `process.exitCode` and never calls `process.exit`, so that all output is flushed. Loads
 * nearly everything on demand, so that `--version` and `--help` take milliseconds.
 */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  try {
    process.exitCode = await start(args);
  } catch (error) {
    const { reportFailure } = await import('../app/exit.ts');
    process.exitCode = await reportFailure(error, createTextOutput(process.stderr));
  }
  // Node 20 restores the terminal when it exits, and crashes if the terminal has been closed.
  for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
}

async function start(args: readonly string[]): Promise<number> {
  const only = args.length === 1 ? args[0] : undefined;
  if (only === '--version') return dispatch({ type: 'version' });
  if (only === '--help' || only === '-h') return dispatch({ type: 'help' });
  if (args[0] === 'start') {
    const { isStartCommandLine, readStartArguments } = await import('./host/host-arguments.ts');
    if (isStartCommandLine(args)) return runForHost('yume-json', args, () => readStartArguments(args));
  }
  if (args.some((word) => word.endsWith('stream-json') || word.endsWith('yume-json'))) {
    const { hostFormatOf, isHostCommandLine, readHostArguments } = await import('./host/host-arguments.ts');
    if (isHostCommandLine(args)) return runForHost(hostFormatOf(args), args, () => readHostArguments(args));
  }
  const { completeArguments, parserOptions, readInvocation } = await import('./command-line/arguments.ts');
  const options = parserOptions();
  const complete = completeArguments(args);
  const { tokens } = parseArgs({ args: complete, options, strict: false, allowPositionals: true, tokens: true });
  const invocation = readInvocation(tokens);
  if (invocation.type !== 'prompt' || invocation.nearWords === undefined) return dispatch(invocation);
  const words = tokens.filter((token) => token.kind === 'positional');
  const [{ askForCommand }, user] = await Promise.all([import('./near-command.ts'), openConsole()]);
  const meant = await askForCommand(args, words, invocation.nearWords, user);
  if (meant === undefined) return (await import('../app/exit.ts')).EXIT_CODES.aborted;
  return meant === args ? dispatch(invocation) : start(meant);
}

/** Dispatches the command line and returns the exit code. Rejects with an error for `reportFailure`. */
async function dispatch(invocation: Invocation): Promise<number> {
  switch (invocation.type) {
    case 'help':
      await createTextOutput(process.stdout)((await import('./command-line/help.ts')).helpText(process.stdout.columns));
      return 0;
    case 'version':
      await createTextOutput(process.stdout)(`${readVersion()}\n`);
      return 0;
    case 'usage_error': {
      const { UsageError } = await import('../agent/errors.ts');
      throw new UsageError(invocation.message);
    }
    case 'chat': {
      const opening = openConsole(invocation.options);
      const warnUser = async (message: string) => warnInChat(await opening, message);
      const [{ wiring }, user] = await Promise.all([wire(warnUser), opening]);
      if (!user.interactive)
        return (await import('./run-prompt.ts')).runPrompt(undefined, invocation.options, wiring, user);
      return (await import('./run-chat.ts')).runChat(invocation.options, wiring, user, listPrompts);
    }
    case 'prompt': {
      const [{ runPrompt }, { wiring }, user] = await Promise.all([
        import('./run-prompt.ts'),
        wire(),
        openConsole(invocation.options),
      ]);
      return runPrompt(invocation.prompt, invocation.options, wiring, user);
    }
    case 'subcommand': {
      const [run, built, user] = await Promise.all([invocation.subcommand.load(), wire(), openConsole()]);
      const more = { openInput, version: readVersion(), keepMemorySmall };
      return run(invocation, { ...built, user, recording, loadStories, testStories, ...more });
    }
    case 'test':
      return testStories(invocation.stories, invocation.options);
    default:
      return invocation satisfies never;
  }
}

async function testStories(stories: readonly string[], options: TestOptions): Promise<number> {
  const user = await openConsole();
  const enter = async () =>
    (await import('../node/network-namespace.ts')).enterNetworkNamespace(user.onStop, options.endpoint);
  const network = options.agent === undefined ? undefined : await enter();
  if (network?.type === 'ended') return network.exitCode;
  const relay = network?.type === 'isolated' ? network.relay : undefined;
  const reachable = network?.type === 'reachable' ? network.reason : undefined;
  const [
    { runStories },
    { createRunCheck, createTrustCheck },
    { mockModel },
    { EXIT_CODES },
    { nodeStoryDisk: disk },
    { runProgram },
    built,
  ] = await Promise.all([
    import('../stories/run-stories.ts'),
    import('../stories/play/run-check.ts'),
    import('./mock-model.ts'),
    import('../app/exit.ts'),
    import('../node/files/node-story-disk.ts'),
    import('../node/shell/node-shell.ts'),
    wire(),
  ]);
  const { wiring, machine } = built;
  const { clock, environment } = machine;
  const runCheck = createRunCheck(machine, async () => (await wiring.readConfig(options)).config);
  const more = { runCheck, isTrusted: createTrustCheck(machine, wiring, options) };
  const ports = { wiring, user, disk, mockModel, runProgram, environment, clock, ...more };
  const reached = relay === undefined ? options : { ...options, endpoint: relay.address };
  try {
    return EXIT_CODES[await runStories(stories, reached, { ...ports, ...(reachable !== undefined && { reachable }) })];
  } finally {
    await relay?.close();
  }
}

async function loadStories(): Promise<StoryAdapters> {
  const [{ nodeStoryDisk: disk }, { mockModel }] = await Promise.all([
    import('../node/files/node-story-disk.ts'),
    import('./mock-model.ts'),
  ]);
  return { mockModel, disk };
}

async function runForHost(
  format: HostArguments['format'],
  args: readonly string[],
  read: () => HostArguments,
): Promise<number> {
  const [{ checkHostArguments }, { runHost }, { readPipedBytes }, built, user] = await Promise.all([
    import('./host/host-arguments.ts'),
    import('./host/run-host.ts'),
    import('../node/terminal/piped-input.ts'),
    wire(),
    openConsole(),
  ]);
  const openInput = (signal: AbortSignal) => readPipedBytes(process.stdin, signal);
  const more = { openInput, version: readVersion(), keepMemorySmall };
  return runHost(checkHostArguments(format, args, read), { ...built, user, ...more });
}

const keepMemorySmall = async () => (await import('../node/memory.ts')).keepMemorySmall();

const openInput = async () => (await import('../node/terminal/piped-input.ts')).inputStream(process.stdin);

async function wire(warnUser = warn): Promise<{ readonly machine: Machine; readonly wiring: Wiring }> {
  const [{ createWiring }, { readMachine }] = await Promise.all([
    import('../app/wiring.ts'),
    import('../node/machine.ts'),
  ]);
  const machine = await readMachine({
    startMockModel: async () => {
      const { mockModel } = await import('./mock-model.ts');
      return mockModel.start(await mockModel.load([shippedStories()]));
    },
    warn: warnUser,
    projects,
  });
  const named = { ...machine, version: readVersion() };
  return { machine: named, wiring: createWiring(named) };
}

let writeError: ReturnType<typeof createTextOutput> | undefined;

async function warn(message: string): Promise<unknown> {
  const { escapeForTerminal } = await import('../text/escape.ts');
  writeError ??= createTextOutput(process.stderr);
  return writeError(`ybs: ${escapeForTerminal(message)}\n`);
}

/** Shows a warning like every line of ybs in a chat. Its colours are not known yet. */
async function warnInChat(user: UserConsole, message: string): Promise<unknown> {
  if (!user.interactive) return warn(message);
  const [{ markLines, PLAIN }, { escapeForTerminal }] = await Promise.all([
    import('../terminal/output.ts'),
    import('../text/escape.ts'),
  ]);
  return user.write(markLines(`! ${escapeForTerminal(message)}\n`, PLAIN));
}

async function openConsole({ screenReader = false }: { screenReader?: boolean } = {}): Promise<UserConsole> {
  const { NO_SCREEN, PLAIN, wantsColour } = await import('../terminal/output.ts');
  const { programIn } = await import('./resume-hint.ts');
  const { env, stdin, stdout } = process;
  const interactive = stdin.isTTY === true && stdout.isTTY === true;
  const write = createTextOutput(stdout);
  const columns = () => stdout.columns || 80;
  // Node.js edits the line without control sequences where it finds this in the environment.
  if (screenReader) env['TERM'] = 'dumb';
  const screen = stdout.isTTY === true && env['TERM'] !== 'dumb' ? await openScreen(write, stdout) : undefined;
  const { plainRows } = await import('../terminal/editor/wrap-marked.ts');
  const writeRows: WriteText = async (text) => write(plainRows(text, columns(), CHARSET));
  return {
    ...(screen ?? { write: stdout.isTTY === true ? writeRows : write, ...NO_SCREEN }),
    warn,
    writeAside: stdout.isTTY === true ? undefined : createTextOutput(process.stderr),
    ...{ interactive, columns, program: programIn(env) },
    palette(allowed) {
      if (!wantsColour(allowed, stdout.isTTY === true, env)) return PLAIN;
      return (style, text) => styleText(style, text, { validateStream: false });
    },
    typesInput: stdin.isTTY === true,
    async readInput(signal) {
      const { readPipedInput } = await import('../node/terminal/piped-input.ts');
      const hint = 'ybs: reading standard input to its end; if there is none, add < /dev/null\n';
      const timer = setTimeout(() => process.stderr.write(hint), INPUT_HINT_MS);
      return readPipedInput(stdin, signal).finally(() => clearTimeout(timer));
    },
    async *readLines(signal, onWait) {
      yield* (await import('../node/terminal/piped-input.ts')).readPipedLines(stdin, signal, onWait);
    },
    async openTerminal(chat) {
      const { openKeyboard } = await import('../node/terminal/open-keyboard.ts');
      return openKeyboard({ stdin, stdout, screen, projects }, chat);
    },
    onStop(listener) {
      const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
      for (const name of names) process.on(name, listener);
      return () => {
        // A closed terminal can end the input before its signal arrives. Without a listener the signal would end ybs.
        process.on('SIGHUP', () => {});
        for (const name of names) process.off(name, listener);
      };
    },
  };
}

async function openScreen(write: WriteText, stdout: WriteStream): Promise<Screen> {
  const { createScreen } = await import('../terminal/editor/screen.ts');
  const { multiplexerIn } = await import('../terminal/editor/clipboard.ts');
  const { legibleIn } = await import('../text/bytes/charset.ts');
  const size = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const screen = createScreen({
    ...{ write, size, legible: (text) => legibleIn(CHARSET, text), now: () => performance.now(), repeat: repeatUnref },
    multiplexer: multiplexerIn(process.env),
  });
  stdout.on('resize', screen.refresh);
  return screen;
}

function repeatUnref(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs).unref();
  return () => clearInterval(timer);
}

async function listPrompts(workspace: string): Promise<readonly string[]> {
  const [{ listStoryPrompts }, { storyListing }] = await Promise.all([
    import('../stories/play/story-prompts.ts'),
    import('../node/files/story-listing.ts'),
  ]);
  // The YAML library is only loaded for a story that needs it.
  const parseYaml = async (text: string): Promise<unknown> =>
    (await import('../../mock-llm-server/scenario/loading/parse-yaml.ts')).parseYaml(text, 'story').value;
  return listStoryPrompts(shippedStories(), workspace, { ...storyListing, parseYaml });
}

function shippedStories(): string {
  return fileURLToPath(inPackage('scenarios'));
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  return version;
}

function inPackage(name: string): URL {
  if (PACKAGE === undefined) throw new Error('The installation of ybs is incomplete: package.json is missing.');
  return new URL(name, PACKAGE);
}
