import { messageOf } from '../../../src/agent/errors.ts';
import type { JsonObject } from '../../../src/agent/ports/json.ts';
import type { SandboxState } from '../../../src/agent/ports/shell.ts';
import type { Machine } from '../../../src/app/settings.ts';
import { createWiring, type Wiring } from '../../../src/app/wiring.ts';
import type { CommandLineOptions } from '../../../src/cli/command-line/options.ts';
import { runPrompt } from '../../../src/cli/run-prompt.ts';
import { computeDigest } from '../../../src/node/system.ts';
import type { SandboxRules } from '../../../src/policy/sandbox/rules.ts';
import type { Fetch } from '../../../src/providers/http/fetch-stream.ts';
import type { RunGit } from '../../../src/session/git/git-command.ts';
import type { Bell } from '../../../src/terminal/editor/screen.ts';
import { NO_SCREEN, PLAIN, type UserConsole } from '../../../src/terminal/output.ts';
import { createInProcessTextSearch } from '../fakes/in-process-text-search.ts';
import { createManualClock, type ManualClock } from '../fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../fakes/memory-file-system.ts';
import { createScriptedGit } from '../fakes/scripted-git.ts';
import type { ScriptedAnswer } from '../fakes/scripted-model.ts';
import { createScriptedShell, type ScriptedCommand } from '../fakes/scripted-shell.ts';
import { createScriptedTerminal } from '../fakes/scripted-terminal.ts';
import { wireAnswer } from '../wires/chat-completion-wire.ts';
import { responsesAnswer } from '../wires/responses-wire.ts';
import { fakeProcesses } from './session-store.ts';

/** A machine on which `ybs` runs one prompt. */
export interface RunScript {
  /** The user's configuration file, `/home/ada/.ybs.json`. */
  readonly config?: object;
  /** More files, by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Executable files, in directories that only their owner may change. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The state of the sandbox; absent on a machine without one, by choice. */
  readonly sandbox?: SandboxState;
  readonly options?: Partial<CommandLineOptions>;
  readonly prompt?: string;
  /** The answers of the model, one per request; the last one is repeated. */
  readonly answers?: readonly ScriptedAnswer[];
  /** Answers every request, instead of `answers` and `models`. */
  readonly fetch?: Fetch;
  /** The models that the provider lists, in the form of Chat Completions; by default the list cannot be read. */
  readonly models?: readonly { readonly id: string }[];
  /** The commands that are expected, in order. */
  readonly commands?: readonly ScriptedCommand[];
  /** Lines that the user types at the questions; without them, no question is asked. */
  readonly typed?: readonly string[];
  /** A path whose real path takes a minute to find. */
  readonly slowPath?: string;
  /** Time passes while the run waits. */
  readonly timePasses?: boolean;
  readonly runGit?: RunGit;
  /** Changes the files before the run, for example with links. */
  readonly prepare?: (volume: ReturnType<typeof createMemoryFileSystem>['volume']) => void;
  /** The lines of standard input. */
  readonly lines?: readonly string[];
  /** Runs instead of one prompt. */
  readonly run?: (wiring: Wiring, user: UserConsole, options: CommandLineOptions, machine: Machine) => Promise<unknown>;
}

/** A request to the model. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Everything that can be observed of a run. */
export interface ObservedRun {
  /** The exit code, or the message of the error that ended ybs. */
  readonly outcome: number | string;
  /** Standard output; colours are written as `<style>`. */
  readonly screen: string;
  /** The pieces of standard output, as they were written. */
  readonly written: readonly string[];
  readonly warnings: readonly string[];
  readonly requests: readonly SentRequest[];
  /** The settings with which connections were opened. */
  readonly connections: readonly object[];
  /** The rules of the sandbox, of each shell that was opened in it. */
  readonly sandboxRules: readonly SandboxRules[];
  /** The environment of each shell that was opened. */
  readonly commandEnvironments: readonly Readonly<Record<string, string>>[];
  /** Time that each command had, in milliseconds. */
  readonly commandTimes: readonly number[];
  /** The facts about the session that were shown, and when and how the bell rings. */
  readonly facts: readonly string[];
  readonly bell: Bell | undefined;
  /** The use of Enter during a run. */
  readonly enter: string | undefined;
  /** The titles of the window; `undefined` if the previous one was restored. */
  readonly titles: readonly (string | undefined)[];
  /** The arguments of each git command. */
  readonly gitCommands: readonly string[];
  /** The file names below `directory`, recursively. */
  listFiles(directory: string): readonly string[];
  readFile(file: string): string;
}

/** A connection to a model that `fetch` of the test answers. */
export const MODEL = { provider: 'openai-compatible', endpoint: 'http://127.0.0.1:9/v1', model: 'm' };

/** Runs `ybs` with one prompt as the command does, on a machine in memory. */
export async function configuredRun(script: RunScript): Promise<ObservedRun> {
  const {
    config = {},
    files = {},
    programs = {},
    environment = {},
    answers = [{ text: 'Done.' }],
    typed,
    sandbox,
  } = script;
  const clock = createManualClock();
  const shell = createScriptedShell(clock, ...(script.commands ?? []));
  const { fileSystem, volume } = createMemoryFileSystem({
    '/work/README.md': 'A shop.\n',
    '/home/ada/.ybs.json': JSON.stringify(config),
    ...files,
    ...programs,
  });
  script.prepare?.(volume);
  for (const program of Object.keys(programs)) {
    for (const path of [program, program.slice(0, program.lastIndexOf('/'))]) volume.chmodSync(path, 0o755);
  }
  const git = createScriptedGit();
  /** The number of requests that consumed an answer. */
  let answered = 0;
  const requests: SentRequest[] = [];
  const connections: object[] = [];
  const warnings: string[] = [];
  const sandboxRules: SandboxRules[] = [];
  const commandEnvironments: Readonly<Record<string, string>>[] = [];
  const machine: Machine = {
    platform: 'posix',
    environment: { PATH: '/bin', ...environment },
    home: '/home/ada',
    temporaryDirectory: '/tmp',
    resolvePath: (path) => (path.startsWith('/') ? path : `/work/${path}`.replace(/\/\.$/, '')),
    newId: () => 'id',
    random: () => 0,
    clock,
    digest: computeDigest,
    fileSystem: {
      ...fileSystem,
      async realPath(path) {
        if (path === script.slowPath) await clock.sleep(60_000, new AbortController().signal);
        return fileSystem.realPath(path);
      },
    },
    processes: fakeProcesses(),
    runGit: git.runGit,
    loadSessionAdapters: async () => ({
      openShell(commandEnvironment, rules) {
        commandEnvironments.push(commandEnvironment);
        sandboxRules.push(...(rules === undefined ? [] : [rules]));
        return { shell, name: 'bash' };
      },
      openTextSearch: () => ({ ...createInProcessTextSearch(), dispose: async () => {} }),
    }),
    startMockModel: () => Promise.reject(new Error('the embedded model is not used here')),
    async openFetch(settings) {
      connections.push(settings);
      if (script.fetch !== undefined) return script.fetch;
      return async (url, { method, headers = {}, body = '{}' }) => {
        // The facts about a model are requested before its first answer.
        if (method !== 'POST' && script.models === undefined) return new Response('', { status: 404 });
        requests.push({ url, headers, body: JSON.parse(body) });
        if (method !== 'POST') return Response.json({ data: script.models });
        const answer = answers[Math.min(answered, answers.length - 1)] ?? {};
        answered += 1;
        return url.endsWith('/responses') ? responsesAnswer(answer) : wireAnswer(answer);
      };
    },
    ...(script.runGit !== undefined && { runGit: script.runGit }),
    ...(sandbox !== undefined && { probeSandbox: async () => sandbox }),
    warn: async (message) => warnings.push(message),
  };
  const written: string[] = [];
  const facts: string[] = [];
  const titles: (string | undefined)[] = [];
  let bell: Bell | undefined;
  let enter: string | undefined;
  const terminal = createScriptedTerminal(typed ?? []);
  const user: UserConsole = {
    interactive: typed !== undefined,
    columns: () => 80,
    palette: (allowed) => (allowed ? (style, text) => `<${style}>${text}</${style}>` : PLAIN),
    ...NO_SCREEN,
    showFacts: (shown) => facts.push(shown.join(' · ')),
    setBell(set) {
      bell = set;
    },
    setTitle: (title) => titles.push(title),
    warn: async () => {},
    openTerminal: async () => ({
      ...terminal,
      steerWith: (steering) => {
        enter = steering?.enter ?? enter;
      },
    }),
    typesInput: true,
    readInput: () => Promise.reject(new Error('standard input is a terminal')),
    async *readLines() {
      yield* script.lines ?? [];
    },
    onStop: () => () => {},
    async write(text) {
      if (text !== '') written.push(text);
      return true;
    },
  };
  const wiring = createWiring(machine);
  const options: CommandLineOptions = { outputFormat: 'text', dryRun: false, ...script.options };
  const { run = () => runPrompt(script.prompt ?? 'go', options, wiring, user) } = script;
  const running = run(wiring, user, options, machine).then(
    (code) => (typeof code === 'number' ? code : 0),
    (error: unknown) => messageOf(error),
  );
  const outcome = await (script.timePasses === true ? passTime(running, clock) : running);
  return {
    outcome,
    screen: written.join(''),
    written,
    facts,
    bell,
    enter,
    titles,
    warnings,
    requests,
    connections,
    sandboxRules,
    commandEnvironments,
    commandTimes: shell.commands.map(({ timeoutMs }) => timeoutMs),
    gitCommands: git.commands,
    listFiles: (directory) =>
      volume.existsSync(directory) ? volume.readdirSync(directory, { recursive: true }).map(String).toSorted() : [],
    readFile: (file) => String(volume.readFileSync(file)),
  };
}

/** Advances the clock to the next timer whenever the run has been idle for a while, until it has ended. */
async function passTime<Result>(running: Promise<Result>, clock: ManualClock): Promise<Result> {
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  running.then(end, end);
  while (!ended) {
    for (let turn = 0; turn < 100 && !ended; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const [next] = clock.pending;
    if (!ended && next !== undefined) await clock.advance(next);
  }
  return running;
}
