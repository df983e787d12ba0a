import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeFileSystem } from '../../src/adapters/files/node-file-system.ts';
import { systemProcesses } from '../../src/adapters/processes.ts';
import { createTestStore } from './session-store.ts';
import { randomNumbers } from './story-kills.ts';
import { undo } from './write-runs.ts';

/** State that the kills left behind. */
export interface UndoKillReport {
  /** Kills in the middle of a write of the session. */
  readonly open: number;
  /** One line for each file that is mixed, log that is damaged or undo that does not put everything back. */
  readonly problems: readonly string[];
}

const ORIGINAL = 'original\n'.repeat(10_000);

/**
 * Kills sessions that write and undo, each at a random point within `spanMs`; the next process undoes everything. A
 * control, which must have a problem, ends with the first one.
 */
export async function killSessions(
  mode: 'replace' | 'in_place',
  kills: number,
  seed: number,
  { spanMs = 150, isControl = false } = {},
): Promise<UndoKillReport> {
  const random = randomNumbers(seed);
  const problems: string[] = [];
  let open = 0;
  for (let kill = 0; kill < kills && !(isControl && problems.length > 0); kill += 1) {
    const home = mkdtempSync(path.join(os.tmpdir(), 'undo-kills-'));
    const [sessions, workspace] = [path.join(home, 'sessions'), path.join(home, 'w')];
    mkdirSync(workspace);
    writeFileSync(path.join(workspace, 'known'), ORIGINAL);
    const program = path.join(import.meta.dirname, 'write-session.ts');
    const child = spawn(process.execPath, [program, mode, sessions, workspace], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    await sleep(random.next().value * spanMs);
    child.kill('SIGKILL');
    await closed;
    const note = (problem: string): unknown => problems.push(`kill ${kill}: ${problem}`);
    for (const name of ['known', 'new/deep/file']) {
      const file = path.join(workspace, name);
      if (existsSync(file) && !isWhole(readFileSync(file, 'utf8'))) note(`${name} is mixed`);
    }
    try {
      const store = createTestStore(createNodeFileSystem(), { directory: sessions, processes: systemProcesses });
      const [log = ''] = readdirSync(sessions).filter((name) => name.endsWith('.jsonl'));
      const record = await store.open(path.basename(log, '.jsonl'));
      for (const { line, reason } of record.restored?.damage ?? []) note(`line ${line}: ${reason}`);
      const last = (await record.writes.checkpoints()).at(-1);
      if ([...(last?.writes.values() ?? [])].some(({ after }) => after === undefined)) open += 1;
      const report = await undo(record, 1);
      if (readFileSync(path.join(workspace, 'known'), 'utf8') !== ORIGINAL) note(report);
      if (existsSync(path.join(workspace, 'new/deep/file'))) note(report);
      await record.close();
    } catch (error) {
      note(String(error));
    }
    rmSync(home, { recursive: true, force: true });
  }
  return { open, problems };
}

/** True for the original and for each content that the session writes. */
function isWhole(content: string): boolean {
  if (content === ORIGINAL || content === 'x') return true;
  return content === `${content.slice(0, content.indexOf('\n'))}\n`.repeat(20_000);
}
