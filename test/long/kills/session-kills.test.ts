import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { systemProcesses } from '../../../src/node/processes.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { randomNumbers } from '../../support/kills/story-kills.ts';
import { ybsEntry } from '../../support/processes/entry.ts';
import { binEnvironment } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const KILLS = 200;
const CALLS = 40;
/** Milliseconds in which a run prints one or two lines on an idle machine. */
const MOST_DELAY_MS = 10;

/** A model that reads a file, runs a command and edits, again and again, and then answers. */
const SCENARIO = {
  scenarios: [
    {
      name: 'work',
      trigger: 'work',
      steps: [
        ...Array.from({ length: CALLS }, (_, index) => ({
          response: {
            content: `Step ${index}.`,
            tool_calls:
              index % 2 === 0
                ? [{ name: 'read_file', arguments: { path: 'a.txt', offset: index + 1 } }]
                : [{ name: 'run_shell', arguments: { command: `echo ${index}` } }],
          },
        })),
        { response: { content: 'Done.' } },
      ],
    },
  ],
};

describe.skipIf(process.platform === 'win32')('a session whose process is killed', () => {
  it(`at ${KILLS} random points loses no event that the user has seen`, async () => {
    const server = await startRecordingServer(SCENARIO);
    const random = randomNumbers(7);
    const hits = new Map<string, number>();
    let linesOfRun = 0;
    let complete = 0;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const home = temporaryDirectory();
      const directory = temporaryDirectory();
      writeFiles(directory, { 'a.txt': 'line\n'.repeat(CALLS + 1) });
      const child = spawn(
        process.execPath,
        [
          ybsEntry,
          '-p',
          'mock',
          '--endpoint',
          server.url,
          '--permission-mode',
          'full-access',
          '--output-format',
          'json',
          'work',
        ],
        {
          cwd: directory,
          env: binEnvironment({ HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') }),
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let output = '';
      let lines = 0;
      // The first process is not killed: the positive control, which also tells how many lines a run prints. The others
      // die a little after one of these lines, which does not depend on the speed of the machine.
      const after = kill === 0 ? Number.POSITIVE_INFINITY : linesOfRun * random.next().value;
      const delay = MOST_DELAY_MS * random.next().value;
      let timer: NodeJS.Timeout | undefined;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        lines += text.split('\n').length - 1;
        if (lines >= after) timer ??= setTimeout(() => child.kill('SIGKILL'), delay);
      });
      await once(child, 'close');
      clearTimeout(timer);
      if (kill === 0) linesOfRun = lines;

      const seen = output
        .slice(0, output.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .filter(({ type }) => !['text_delta', 'reasoning_delta', 'tool_output'].includes(type));
      const sessions = path.join(home, '.config/ybs/sessions');
      const log = readdirSync(sessions).find((name) => name.endsWith('.jsonl'));
      if (log === undefined) {
        expect(seen).toEqual([]);
        continue;
      }
      // The last event that the user saw, and everything before it, is in the log.
      const types = readFileSync(path.join(sessions, log), 'utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return [String(JSON.parse(line).type)];
          } catch {
            return [];
          }
        });
      const names: Readonly<Record<string, string>> = { user_message: 'user', assistant_message: 'assistant' };
      const stored = types.filter((type) => !['version', 'system', 'session_end'].includes(type));
      const expected = seen.map(({ type }) => names[type] ?? type);
      expect(stored.slice(0, expected.length), `kill ${kill}`).toEqual(expected);
      const last = seen.at(-1)?.type ?? 'none';
      hits.set(last, (hits.get(last) ?? 0) + 1);
      if (last === 'run_end') complete += 1;

      // The session opens, and its history has a result for every call that was running.
      const store = createTestStore(createNodeFileSystem(), { directory: sessions, processes: systemProcesses });
      const record = await store.open(log.slice(0, -'.jsonl'.length));
      expect(record.restored?.damage, `kill ${kill}`).toEqual([]);
      const results = seen.filter(({ type }) => type === 'tool_result').length;
      expect(record.restored?.state.messages.filter(({ role }) => role === 'tool').length).toBeGreaterThanOrEqual(
        results,
      );
      await record.close();
    }
    console.log(`last event before the kill: ${JSON.stringify(Object.fromEntries(hits))}`);
    // The control ended by itself, and kills have interrupted runs between events of several types.
    expect(complete).toBeGreaterThanOrEqual(1);
    expect(KILLS + 1 - complete).toBeGreaterThan(KILLS / 2);
    expect(hits.size).toBeGreaterThan(4);
  });
});
