import { median } from '../measure.ts';

/** The values of both servers, one per round; empty on systems that do not report them. */
export interface Values {
  readonly own: readonly number[];
  /** Absent if aimock is not measured. */
  readonly aimock?: readonly number[];
}

/** One figure of the bench with the target of its median. */
export interface Row extends Values {
  readonly name: string;
  /** Follows every value. */
  readonly unit: '' | '×' | ' MB' | ' ms';
  readonly better: 'less' | 'more';
  readonly target?: number | undefined;
  /** CPU time per request of mock-llm-server, in microseconds. */
  readonly microseconds?: readonly number[];
  /** The same ratio in wall time, if the figure is one of CPU time. */
  readonly wall?: Values;
}

const HEAD = ['', 'µs', 'mock-llm-server', 'aimock', 'target', '', 'wall', 'aimock'];

/** The rows as an aligned table: the medians and ranges of both servers, the target and its result, and wall times. */
export function formatTable(rows: readonly Row[]): string {
  const table = [HEAD, ...rows.map((row) => cells(row))];
  const widths = HEAD.map((_cell, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const aligned = table.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return aligned.map((line) => line.trimEnd()).join('\n');
}

/** The rows for programs, with medians instead of lists. */
export function summarize(rows: readonly Row[]): readonly object[] {
  return rows.map((row) => ({
    name: row.name,
    unit: row.unit.trim(),
    own: middle(row.own),
    range: row.own.length === 0 ? null : [Math.min(...row.own), Math.max(...row.own)],
    aimock: middle(row.aimock),
    microseconds: middle(row.microseconds),
    wall: { own: middle(row.wall?.own), aimock: middle(row.wall?.aimock) },
    better: row.better,
    target: row.target ?? null,
    met: isMet(row) ?? null,
  }));
}

/** JSON has no NaN. */
function middle(values: readonly number[] = []): number | null {
  return values.length === 0 ? null : median(values);
}

function cells(row: Row): readonly string[] {
  const { name, unit, own, aimock, better, target, microseconds, wall } = row;
  const value = (values: readonly number[]) =>
    values.length === 0 ? 'n/a' : `${figure(median(values))}${unit}${rangeOf(values)}`;
  const optional = (values: readonly number[] | undefined) => (values === undefined ? '' : value(values));
  const met = isMet(row);
  return [
    name,
    microseconds === undefined || microseconds.length === 0 ? '' : median(microseconds).toFixed(0),
    value(own),
    optional(aimock),
    target === undefined ? '' : `${better === 'less' ? '≤' : '≥'} ${target}${unit}`,
    met === undefined ? '' : met ? 'met' : 'MISSED',
    optional(wall?.own),
    optional(wall?.aimock),
  ];
}

function isMet({ own, better, target }: Row): boolean | undefined {
  if (target === undefined || own.length === 0) return undefined;
  return better === 'less' ? median(own) <= target : median(own) >= target;
}

function rangeOf(values: readonly number[]): string {
  return values.length < 2 ? '' : ` (${figure(Math.min(...values))}–${figure(Math.max(...values))})`;
}

function figure(value: number): string {
  return value >= 20 ? value.toFixed(0) : value.toFixed(2);
}
