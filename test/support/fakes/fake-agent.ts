import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import type { Extensions } from '../../../src/app/extensions/extensions.ts';
import type { Agent, UserCommandResult } from '../../../src/app/session.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { SessionPermissions } from '../../../src/session/approvals/session-permissions.ts';
import type { LogReading } from '../../../src/session/log/read-log.ts';
import { WriteJournal } from '../../../src/session/writes/write-journal.ts';
import { rememberedWrites } from '../../../src/session/writes/write-storage.ts';
import { configOf } from '../agent/config-of.ts';
import { createTestStore } from '../agent/session-store.ts';
import { createFakeSessionFiles } from './fake-session-files.ts';
import { createMemoryFileSystem } from './memory-file-system.ts';

/** The events of one run of a fake agent; `hang` waits for the abort and then ends as aborted. */
export type FakeRun = readonly (AgentEvent | 'hang')[];

/** An agent that plays scripted runs and records its inputs. */
export interface FakeAgent extends Agent {
  /** Prompts, `!commands` with their directory, `/compact` and `/clear`, in order. */
  readonly inputs: readonly string[];
}

/** No agent and no command in a Markdown file. */
export const NO_EXTENSIONS: Extensions = {
  agents: [],
  commands: [],
  unusedCommands: new Map(),
  problems: [],
};
/** The end of an aborted run. */
export const STOPPED: AgentEvent = { type: 'run_end', outcome: 'aborted', message: 'Stopped.' };
/** The end of a complete run. */
export const DONE: AgentEvent = { type: 'run_end', outcome: 'done', message: 'Done.' };

/** The content of a log without events. */
export const EMPTY_READING: LogReading = {
  state: EMPTY_SESSION,
  files: new Map(),
  start: undefined,
  permissionMode: undefined,
  interrupted: [],
  running: [],
  stopped: undefined,
  damage: [],
  ending: { size: 0, rest: new Uint8Array() },
  isRestComplete: false,
  messageCount: 0,
  promptCount: 0,
  inputTokens: 0,
  outputTokens: 0,
};

/** The record of a new session that stores nothing. */
const FAKE_RECORD: Agent['record'] = {
  id: 'id',
  name: 'session-fake',
  file: undefined,
  serverTools: undefined,
  files: createFakeSessionFiles(),
  writes: new WriteJournal({
    fileSystem: createMemoryFileSystem().fileSystem,
    digest: computeDigest,
    storage: rememberedWrites(),
  }),
  redact: (text) => text,
  outputDirectories: [],
  restored: undefined,
  messageCount: 0,
  promptCount: 0,
  append: async () => {},
  announce: async () => {},
  async *lines() {},
  close: async () => {},
};

/** The events of a run with this answer. */
export function answers(text: string): FakeRun {
  const message = { role: 'assistant', content: text, toolCalls: [] } as const;
  return [{ type: 'text_delta', text }, { type: 'assistant_message', message, finish: 'stop' }, DONE];
}

/**
 * Plays `runs` in order; an extra run is an error that names the prompt. `commands` has the output of `!commands`,
 * `compactions` the events of each `/compact`.
 */
export function createFakeAgent(
  runs: readonly FakeRun[],
  commands: Readonly<Record<string, { readonly output: readonly string[] } & Partial<UserCommandResult>>> = {},
  compactions: FakeRun[] = [],
): FakeAgent {
  const remaining = [...runs];
  const inputs: string[] = [];
  return {
    inputs,
    model: 'mock/scripted',
    workspace: '/work',
    permissionMode: 'ask',
    sandbox: undefined,
    mcpServers: [],
    skills: { skills: [], problems: [], list: { text: '' } },
    setPermissionMode(mode) {
      inputs.push(`mode ${mode}`);
      return mode;
    },
    configuration: { config: configOf(), origins: new Map([['ui.color', 'default']]) },
    tools: [{ name: 'read_file', description: 'Reads a file.', parameters: {}, effect: 'read' }],
    externalTools: [],
    async reloadTools() {
      inputs.push('/reload-tools');
    },
    permissions: new SessionPermissions({ state: EMPTY_SESSION }, 'ask', { note: async () => {} }),
    promptParts: [],
    tasks: [],
    async *run(prompt, signal) {
      inputs.push(typeof prompt === 'string' ? prompt : prompt.text);
      if (typeof prompt !== 'string') inputs.push(...(prompt.files ?? []).map(({ file }) => `  @file:${file}`));
      const events = remaining.shift();
      if (events === undefined) throw new Error(`unexpected run: ${JSON.stringify(prompt)}`);
      for (const event of events) {
        if (event === 'hang') await aborted(signal);
        if (signal.aborted) return yield STOPPED;
        if (event !== 'hang') yield event;
      }
    },
    extensions: async () => NO_EXTENSIONS,
    chosen: undefined,
    async choose(agent) {
      inputs.push(`/agent ${agent?.name ?? 'none'}`);
    },
    listNames: async () => [{ name: 'a.md', kind: 'file' }],
    mayAttach: async () => true,
    attach: async (path) => ({ file: path, text: `@file:${path}\ncontent`, summary: '1 line, 7 bytes' }),
    async *runUserCommand(command, workingDirectory, signal) {
      inputs.push(`!${command} in ${workingDirectory}`);
      const answer = commands[command];
      if (answer === undefined) throw new Error(`unexpected command: ${JSON.stringify(command)}`);
      for (const text of answer.output) {
        if (text === 'hang') await aborted(signal);
        else yield { stream: 'stdout', text };
      }
      const { report, summary = 'exit code 0 after 0.1 s' } = answer;
      return report === undefined ? { summary } : { report, summary };
    },
    async *compact(signal) {
      inputs.push('/compact');
      for (const event of compactions.shift() ?? []) {
        if (event === 'hang') await aborted(signal);
        if (event !== 'hang' && !signal.aborted) yield event;
      }
    },
    record: FAKE_RECORD,
    sessions: createTestStore(createMemoryFileSystem().fileSystem),
    async clear() {
      inputs.push('/clear');
    },
    async load(name) {
      inputs.push(`/load ${name}`);
    },
    effort: undefined,
    async setEffort(effort) {
      inputs.push(`/effort ${effort}`);
    },
    measureContext: async () => ({
      parts: [{ name: 'tools', tokens: 20 }],
      tokens: 1_234,
      window: 32_000,
      limit: 26_000,
    }),
    useModel(_model, name) {
      inputs.push(`model ${name}`);
    },
    messages: [],
    async tell(event) {
      inputs.push(`tell ${event.type}`);
    },
    async undo(from) {
      inputs.push(`/undo ${from ?? ''}`.trim());
      return { from: from ?? 1, number: 2, restored: [], kept: [], commands: [] };
    },
    close: async () => {},
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
