import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recoverStory } from '../../../mock-llm-server/record/story-directory.ts';
import { parsePromptLock } from '../../../mock-llm-server/scenario/lock/parse-lock.ts';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { ybsEntry } from '../processes/entry.ts';
import { binEnvironment, runBin } from '../processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import { randomNumbers } from './story-kills.ts';

/** A command that changes a story, and the state that kills of it left behind. */
export type ChangingCommand = 'rebase' | 'from-drift';

/** State that kills of a command that changes a story left behind. */
export interface ChangeReport {
  /** The story was as before. */
  readonly old: number;
  /** The change was complete. */
  readonly changed: number;
  /** One line for each story that is neither. */
  readonly problems: readonly string[];
}

/** A scenario that reads `seed.txt` and writes `text` to `a.txt`. */
const scenario = (name: string, text: string) => ({
  name,
  trigger: 'write it',
  steps: [
    { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'seed.txt' } }] } },
    { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: text } }] } },
    { response: { content: `Wrote ${text}` } },
  ],
});

/**
 * Kills commands that change a story whose prompt has drifted, each at a random point: half of them anywhere, half
 * shortly after the first change of a file. Checks that the story is as before, or as after the whole command. `preload`
 * is a module that the command loads before all others.
 */
export async function killChanges(
  command: ChangingCommand,
  kills: number,
  seed: number,
  preload?: string,
): Promise<ChangeReport> {
  await using live = await startMockLlm({ scenarios: [scenario('live', 'second')] });
  const template = temporaryDirectory();
  const story = { prompts: ['write it'], approvals: ['once'] };
  writeFiles(template, {
    'stories/one/scenario.json': JSON.stringify({ scenarios: [scenario('one', 'first')], story }),
    'stories/one/workspace/seed.txt': '1\n',
    'stories/one/expected/seed.txt': '1\n',
    'stories/one/expected/a.txt': 'first',
    'config.json': '{"agent":{"retry_attempts":0}}',
  });
  await runBin(['test', '--rebase', 'stories/one'], { directory: template });
  writeFiles(template, { 'stories/one/workspace/seed.txt': '2\n', 'stories/one/expected/seed.txt': '2\n' });
  const words =
    command === 'rebase'
      ? ['test', '--rebase', 'stories/one']
      : [
          'record',
          '--from-drift',
          'stories/one',
          '-c',
          'config.json',
          '--provider',
          'mock',
          '--endpoint',
          `${live.url}/v1`,
        ];

  const whole = copyOf(template);
  const started = performance.now();
  const { code, stderr } = await runBin(words, { directory: whole });
  const takesMs = performance.now() - started;
  const [before, after] = [template, whole].map((directory) => contentOf(path.join(directory, 'stories/one')));
  if (code !== 0 || before === after) throw new Error(`the command did not change the story: ${stderr}`);

  const random = randomNumbers(seed);
  const report = { old: 0, changed: 0, problems: [] as string[] };
  for (let kill = 0; kill < kills; kill++) {
    const directory = copyOf(template);
    const args = preload === undefined ? [ybsEntry, ...words] : ['--require', preload, ybsEntry, ...words];
    const child = spawn(process.execPath, args, { cwd: directory, env: binEnvironment(), stdio: 'ignore' });
    const stories = path.join(directory, 'stories');
    const chance = random.next().value;
    const spanMs = preload === undefined ? 15 : TEARING_MS[command];
    await killSoon(child, stories, kill % 2 === 0 ? takesMs : undefined, chance, spanMs);
    const one = path.join(stories, 'one');
    await recoverStory(one);
    const found = contentOf(one);
    const others = readdirSync(stories).filter((name) => name !== 'one' && !name.startsWith('.'));
    if (others.length > 0) report.problems.push(`kill ${kill}: left ${others.join(', ')}, which looks like a story`);
    else if (found === before) report.old++;
    else if (found === after) report.changed++;
    else report.problems.push(`kill ${kill}: ${found}`);
    rmSync(directory, { recursive: true, force: true });
  }
  return report;
}

/** About the time that torn renames take: the rename of one file, and the renames of all files away and back. */
const TEARING_MS: Readonly<Record<ChangingCommand, number>> = { rebase: 75, 'from-drift': 1000 };

/** Kills a command at a random point of the time that it takes, or shortly after it has changed a file of the stories. */
async function killSoon(
  child: ChildProcess,
  stories: string,
  takesMs: number | undefined,
  chance: number,
  spanMs: number,
): Promise<void> {
  const closed = once(child, 'close');
  if (takesMs === undefined) {
    const watchers = [stories, path.join(stories, 'one')].map((directory) => watch(directory));
    await Promise.race([closed, ...watchers.map((watcher) => once(watcher, 'change'))]);
    for (const watcher of watchers) watcher.close();
    await sleep(chance * spanMs);
  } else {
    await Promise.race([closed, sleep(chance * takesMs * 0.9)]);
  }
  child.kill('SIGKILL');
  await closed;
}

function copyOf(template: string): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'command-kills-'));
  cpSync(template, directory, { recursive: true });
  return directory;
}

/** The files of a story as one text, without times, which differ between two runs. */
function contentOf(directory: string): string {
  if (!existsSync(directory)) return 'the story is gone';
  const names = readdirSync(directory, { recursive: true }).map(String).toSorted();
  const files = names.filter(
    (name) => !/(^|\/)\.|\.new-\d+$/.test(name) && statSync(path.join(directory, name)).isFile(),
  );
  try {
    return files.map((name) => `${name}:\n${textOf(path.join(directory, name))}\n`).join('');
  } catch (error) {
    return String(error);
  }
}

function textOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.lock.json')) return JSON.stringify(parsePromptLock(text, file));
  if (!file.endsWith('.jsonl')) return text;
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).outcome).join(' ');
}
