import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { systemProcesses } from '../../../src/node/processes.ts';
import { createTestStore } from '../agent/session-store.ts';
import { undo } from '../agent/write-runs.ts';
import { randomNumbers } from './story-kills.ts';

/** State that the kills left behind. */
export interface UndoKillReport {
  /** Kills in the middle of a write of the session. */
  readonly open: number;
  /** One line for each mixed file, damaged log, or undo that does not restore everything. */
  readonly problems: readonly string[];
}

const ORIGINAL = 'original\n'.repeat(10_000);

/** The way in which a session writes its files; `in_place` is not safe and must be detected. */
type SessionWriteMode = 'replace' | 'in_place';

/** Kills sessions that write and undo, each at a random point within 150 ms; the next process undoes everything. */
export async function killSessions(mode: SessionWriteMode, kills: number, seed: number): Promise<UndoKillReport> {
  const random = randomNumbers(seed);
  const report = { open: 0, problems: [] as string[] };
  for (let kill = 0; kill < kills; kill += 1) {
    const { home, child, closed } = startSession(mode);
    await once(child.stdout, 'data');
    await sleep(random.next().value * 150);
    child.kill('SIGKILL');
    await closed;
    await inspect(home, `kill ${kill}`, report);
  }
  return report;
}

/** Lets a session end itself in the middle of its write with this number, from 1; the next process undoes everything. */
export async function killSessionAtWrite(mode: SessionWriteMode, write: number): Promise<UndoKillReport> {
  const report = { open: 0, problems: [] as string[] };
  const { home, child, closed } = startSession(mode, String(write));
  child.stdout.resume();
  await closed;
  await inspect(home, `write ${write}`, report);
  return report;
}

function startSession(mode: SessionWriteMode, ...killAt: readonly string[]) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'undo-kills-'));
  const workspace = path.join(home, 'w');
  mkdirSync(workspace);
  writeFileSync(path.join(workspace, 'known'), ORIGINAL);
  const program = path.join(import.meta.dirname, 'write-session.ts');
  const child = spawn(process.execPath, [program, mode, path.join(home, 'sessions'), workspace, ...killAt], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { home, child, closed: once(child, 'close') };
}

async function inspect(home: string, name: string, report: { open: number; problems: string[] }): Promise<void> {
  const [sessions, workspace] = [path.join(home, 'sessions'), path.join(home, 'w')];
  const note = (problem: string): unknown => report.problems.push(`${name}: ${problem}`);
  for (const written of ['known', 'new/deep/file']) {
    const file = path.join(workspace, written);
    if (existsSync(file) && !isWhole(readFileSync(file, 'utf8'))) note(`${written} is mixed`);
  }
  try {
    const store = createTestStore(createNodeFileSystem(), { directory: sessions, processes: systemProcesses });
    const [log = ''] = readdirSync(sessions).filter((each) => each.endsWith('.jsonl'));
    const record = await store.open(path.basename(log, '.jsonl'));
    try {
      for (const { line, reason } of record.restored?.damage ?? []) note(`line ${line}: ${reason}`);
      const last = (await record.writes.checkpoints()).at(-1);
      if ([...(last?.writes.values() ?? [])].some(({ after }) => after === undefined)) report.open += 1;
      const undone = await undo(record, 1);
      const known = path.join(workspace, 'known');
      if (!existsSync(known) || readFileSync(known, 'utf8') !== ORIGINAL) note(undone);
      if (existsSync(path.join(workspace, 'new/deep/file'))) note(undone);
    } finally {
      await record.close();
    }
  } catch (error) {
    note(String(error));
  }
  rmSync(home, { recursive: true, force: true });
}

/** True for the original and for each content that the session writes. */
function isWhole(content: string): boolean {
  if (content === ORIGINAL || content === 'x') return true;
  return content === `${content.slice(0, content.indexOf('\n'))}\n`.repeat(20_000);
}
