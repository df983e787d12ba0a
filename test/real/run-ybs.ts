import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Address } from '../../tooling/real/real-server.ts';

const BIN = path.join(import.meta.dirname, '../../dist/ybs.js');

const CallSchema = z.looseObject({ id: z.string(), name: z.string(), arguments: z.string() });

/** The events of a run that the checks look at; others have only a type. */
const EventSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  message: z
    .union([
      z.string(),
      z.looseObject({ content: z.string(), toolCalls: z.array(CallSchema), reasoning: z.unknown().optional() }),
    ])
    .optional(),
  finish: z.string().optional(),
  call: CallSchema.optional(),
  toolName: z.string().optional(),
  content: z.string().optional(),
  outcome: z.string().optional(),
  code: z.string().optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cachedTokens: z.number().optional(),
});
export type RunEvent = z.infer<typeof EventSchema>;

/** A finished command of ybs. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The events of a run; empty for a command that prints none. */
  readonly events: readonly RunEvent[];
}

/** Home and workspace of a user, for one or several commands. */
export interface Desk {
  readonly home: string;
  readonly workspace: string;
}

/** A running command. */
export interface RunningYbs {
  /** Resolves when standard output contains the text; rejects when the command ends before. */
  waitFor(text: string): Promise<void>;
  interrupt(): void;
  readonly ended: Promise<Ended>;
}

/** Creates an empty home and a workspace with these files. */
export async function createDesk(parent: string, files: Readonly<Record<string, string>> = {}): Promise<Desk> {
  const root = await realpath(await mkdtemp(path.join(parent, 'desk-')));
  const desk = { home: path.join(root, 'home'), workspace: path.join(root, 'workspace') };
  await mkdir(desk.home);
  await mkdir(desk.workspace);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(desk.workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return desk;
}

/** Options of a command besides its words. */
export interface YbsOptions {
  readonly desk: Desk;
  readonly address: Address;
  /** Sections of the configuration, besides the profile of the address. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Keys of the profile that replace those of the address; `undefined` removes one. */
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** Settings for an answer that a server may refuse each time: the waits between more attempts take long. */
export const ONE_RETRY = { agent: { retry_attempts: 1 } };

/** The command of the built `ybs` with a profile for this address. Everything that is not blocked may run unasked. */
export async function ybsCommand(words: readonly string[], { desk, address, settings = {}, profile = {} }: YbsOptions) {
  const config = path.join(desk.home, 'config.json');
  const { wire, endpoint, model } = address;
  const connection = { name: 'real', apiKind: wire, endpoint, model, ...profile };
  await writeFile(config, JSON.stringify({ models: { profiles: [connection] }, ...settings }));
  return {
    file: process.execPath,
    args: [BIN, '--config', config, '--permission-mode', 'full-access', ...words],
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: desk.home,
      TMPDIR: desk.home,
      // No server here reads a key.
      OPENAI_API_KEY: 'unused',
      ANTHROPIC_API_KEY: 'unused',
      XDG_CONFIG_HOME: path.join(desk.home, '.config'),
      NO_COLOR: '1',
    },
  } as const;
}

/** The commands that have not ended, with their workspaces. */
const running = new Map<ChildProcess, string>();

/** Kills the commands beneath a directory, which a check has left because it failed or took too long. */
export function killLeftCommands(directory: string): void {
  for (const [child, workspace] of running) if (workspace.startsWith(directory + path.sep)) child.kill('SIGKILL');
}

/** Starts a command. */
export async function startYbs(words: readonly string[], options: YbsOptions): Promise<RunningYbs> {
  const { file, args, environment } = await ybsCommand(words, options);
  const child = spawn(file, args, {
    cwd: options.desk.workspace,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.set(child, options.desk.workspace);
  let stdout = '';
  let stderr = '';
  let exited = false;
  let wake = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      exited = true;
      running.delete(child);
      wake();
      resolve({ code, stdout, stderr, events: eventsOf(stdout) });
    });
  });
  return {
    ended,
    interrupt: () => {
      child.kill('SIGINT');
    },
    async waitFor(text) {
      while (!stdout.includes(text)) {
        if (exited) throw new Error(`ybs ended without ${JSON.stringify(text)}:\n${stdout}\n${stderr}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** Runs a command to its end. */
export async function runYbs(words: readonly string[], options: YbsOptions): Promise<Ended> {
  return (await startYbs(words, options)).ended;
}

/** Runs a prompt to its end, with its events. */
export function runPrompt(prompt: string, options: YbsOptions, ...words: readonly string[]): Promise<Ended> {
  return runYbs([...words, '--output-format', 'json', prompt], options);
}

function eventsOf(stdout: string): readonly RunEvent[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"type":'));
  return lines.map((line) => EventSchema.parse(JSON.parse(line)));
}
