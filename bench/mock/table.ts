import { median } from '../median.ts';

/** One figure of the bench with its target. */
export interface Row {
  readonly name: string;
  readonly own: readonly number[];
  readonly aimock: readonly number[];
  readonly better: 'less' | 'more';
  /** What our median is to reach; nothing where nothing is asked. */
  readonly target: number | undefined;
  readonly unit: string;
}

/** The rows as an aligned table: median and range of ours, aimock's median, the target, and whether it is met. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ name, own, aimock, better, target, unit }) => {
    const value = median(own);
    const peer = median(aimock);
    const sign = better === 'less' ? '≤' : '≥';
    const ahead = aimock.length === 0 ? '' : (better === 'less' ? value < peer : value > peer) ? 'ahead' : 'BEHIND';
    const range = `(${figure(Math.min(...own))}–${figure(Math.max(...own))})`;
    const peerText = aimock.length === 0 ? '–' : figure(peer);
    return [
      name,
      `${figure(value)} ${range}${unit}`,
      peerText,
      target === undefined ? '–' : `${sign} ${target}${unit}`,
      verdict(value, better, target),
      ahead,
    ];
  });
  const table = [['', 'mock-llm-server', 'aimock', 'target', '', ''], ...lines];
  const widths = table[0]?.map((_cell, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figure(value: number): string {
  return value >= 20 ? value.toFixed(0) : value.toFixed(2);
}

function verdict(value: number, better: Row['better'], target: number | undefined): string {
  if (target === undefined) return '';
  return (better === 'less' ? value <= target : value >= target) ? 'met' : 'MISSED';
}
