import { describe, expect, it } from 'vitest';
import { createStatusLine } from '../../../src/adapters/terminal/status-line.ts';

const ERASE = '\r\u001b[K';

function create(columns = 80) {
  const written: string[] = [];
  const ticks = new Set<() => void>();
  let time = 0;
  const line = createStatusLine({
    async write(text) {
      written.push(text);
      return true;
    },
    columns: () => columns,
    now: () => time,
    repeat(tick) {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  });
  const tick = (ms: number) => {
    time += ms;
    for (const listener of ticks) listener();
  };
  return { ...line, tick, ticks, written };
}

describe('a status line', () => {
  it('moves, counts the seconds, and makes room for text', async () => {
    const { showStatus, tick, write, written } = create();
    showStatus({ label: 'thinking' });
    expect(written).toEqual([]);
    tick(120);
    tick(2_000);
    await write('Hello.\n');
    tick(120);
    expect(written).toEqual([
      `${ERASE}⠙ thinking 0 s (Ctrl-C stops)`,
      `${ERASE}⠹ thinking 2 s (Ctrl-C stops)`,
      `${ERASE}Hello.\n`,
      `${ERASE}⠸ thinking 2 s (Ctrl-C stops)`,
    ]);
  });

  it('is not drawn into a line that is being written', async () => {
    const { showStatus, tick, write, written } = create();
    showStatus({ label: 'thinking' });
    await write('Hel');
    await write('');
    tick(120);
    await write('lo\n');
    expect(written).toEqual(['Hel', '', 'lo\n']);
  });

  it('is erased and stops at the end, and counts from zero for another label', () => {
    const { showStatus, tick, ticks, written } = create();
    showStatus({ label: 'thinking' });
    tick(5_000);
    showStatus({ label: 'running', detail: '40%' });
    tick(1_000);
    showStatus({ label: 'running', detail: '50%' });
    tick(1_000);
    showStatus(undefined);
    showStatus(undefined);
    expect(ticks.size).toBe(0);
    expect(written.slice(1)).toEqual([
      `${ERASE}⠹ running 1 s (Ctrl-C stops)  40%`,
      `${ERASE}⠸ running 2 s (Ctrl-C stops)  50%`,
      ERASE,
    ]);
  });

  it('never wraps, because only one line is erased', () => {
    const { showStatus, tick, written } = create(40);
    showStatus({ label: 'running', detail: '日本'.repeat(50) });
    tick(0);
    expect(written).toEqual([`${ERASE}⠙ running 0 s (Ctrl-C stops)  日本日本`]);
  });

  it('does not throw when the screen is gone', async () => {
    const ticks: (() => void)[] = [];
    const { showStatus } = createStatusLine({
      write: () => Promise.reject(new Error('gone')),
      columns: () => 80,
      now: () => 0,
      repeat(tick) {
        ticks.push(tick);
        return () => {};
      },
    });
    showStatus({ label: 'thinking' });
    for (const tick of ticks) tick();
    showStatus(undefined);
    await new Promise(setImmediate);
  });
});
