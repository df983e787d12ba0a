import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MockScenario } from '../../../mock-llm-server/testing.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { systemProcesses } from '../../../src/node/processes.ts';
import { createTestStore } from '../agent/session-store.ts';
import { waitUntil } from '../processes/process-state.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import type { HostBin } from './host-bin.ts';
import { type HostFormatName, type HostLanguage, hostLanguage } from './host-languages.ts';

const CALLS = 30;

/**
 * The answers of the model: a short one, one after many calls, and two that fill the output, in pieces of one word or
 * five.
 */
export const HOST_SCENARIOS: readonly MockScenario[] = [
  {
    name: 'work',
    trigger: 'work',
    steps: [
      ...Array.from({ length: CALLS }, (_, index) => ({
        response: {
          content: `Step ${index}.`,
          tool_calls:
            index % 2 === 0
              ? [{ name: 'Read', arguments: { file_path: 'a.txt', offset: index + 1 } }]
              : [{ name: 'Write', arguments: { file_path: `b${index}.txt`, content: 'one\n' } }],
        },
      })),
      // The killed run may have ended, or have stopped at any step.
      { waits_for: 'say hello', response: { content: 'Hello.' } },
      { response: { content: 'Done.' } },
    ],
  },
  { name: 'print', trigger: 'print much', steps: [{ response: { content: 'much '.repeat(20_000) } }] },
  {
    name: 'book',
    trigger: 'print a book',
    steps: [{ response: { content: 'much '.repeat(20_000) }, timing: { chunk: { by: 'words', size: 5 } } }],
  },
  { name: 'hello', trigger: 'say hello', steps: [{ response: { content: 'Hello.' } }] },
];

/** The stored session after a conversation, and how the next process continues it. */
export interface Aftermath {
  /** Faults of the log and of the next process. */
  readonly problems: readonly string[];
  /** The result of a prompt in the same session. */
  readonly next: unknown;
}

/** A directory and a home with sessions that several processes share. */
export interface HostPlace extends Pick<HostLanguage, 'user' | 'isStart' | 'isResult' | 'isCallResult'> {
  /** Starts ybs for many messages; with `partial`, it prints the pieces of answers. */
  start(options?: { readonly partial?: boolean }): Promise<HostBin>;
  /** Starts a host in a separate process, which starts ybs for many messages. */
  startRelayed(): Promise<HostBin>;
  /** The file of the stored session. */
  log(): string;
  /** Opens the stored session. Faults of the log, and lines that the host saw and that are not in it. */
  logProblems(bin: HostBin): Promise<readonly string[]>;
  /** Opens the stored session, and resumes it with the prompt "say hello". */
  aftermath(bin: HostBin): Promise<Aftermath>;
}

/** Creates the directories for a host that uses this format. */
export function hostPlace(format: HostFormatName, url: string): HostPlace {
  const home = temporaryDirectory();
  const directory = temporaryDirectory();
  writeFiles(directory, { 'a.txt': 'line\n'.repeat(CALLS + 1) });
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const options = { directory, environment };
  const sessions = path.join(home, '.config/ybs/sessions');
  const logs = (): readonly string[] => readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
  const log = (): string => path.join(sessions, logs()[0] ?? 'missing');
  const language = hostLanguage(format, url);
  const logProblems: HostPlace['logProblems'] = async ({ lines }) => {
    const store = createTestStore(createNodeFileSystem(), { directory: sessions, processes: systemProcesses });
    const record = await store.open(path.basename(log(), '.jsonl'));
    const { damage = [], state } = record.restored ?? {};
    const stored = state?.messages.filter(({ role }) => role === 'tool').length ?? 0;
    await record.close();
    const seen = lines.filter(language.isCallResult).length;
    return [
      ...damage.map((problem) => `damaged: ${JSON.stringify(problem)}`),
      ...(logs().length === 1 ? [] : [`${logs().length} logs`]),
      ...(seen > stored ? [`${seen} results seen, ${stored} stored`] : []),
    ];
  };
  return {
    ...language,
    start: ({ partial = false } = {}) => language.start(options, partial),
    startRelayed: () => language.start({ ...options, relayed: true }, false),
    log,
    logProblems,
    async aftermath(bin) {
      const logged = await logProblems(bin);
      const { problems, next } = await language.resume(bin.lines, options);
      return { problems: [...logged, ...problems], next };
    },
  };
}

/** The highest memory of a process so far, in megabytes. Linux only. */
export function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Waits until a running process is blocked, because its output is not read. Linux only. */
export async function waitUntilIdle(pid: number): Promise<void> {
  let before = '';
  let idle = 0;
  await waitUntil(() => {
    const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const now = `${user} ${system}`;
    idle = now === before ? idle + 1 : 0;
    before = now;
    return idle === IDLE_POLLS;
  }, 'an idle process');
}

const IDLE_POLLS = 100;
