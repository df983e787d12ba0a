import { describe, expect, it } from 'vitest';
import {
  descendantsOf,
  isRunning,
  type ProcessEntry,
  parseProcessStat,
} from '../../../../src/node/shell/process-tree.ts';

const REST = '77 77 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 98765 3000';

describe('the process table', () => {
  it.each([
    ['a plain name', `42 (sleep) S 1 ${REST}`, { pid: 42, parent: 1, group: 77, state: 'S', started: '98765' }],
    [
      'a name with parentheses',
      `42 (a) R 9 (b) Z 1 ${REST}`,
      { pid: 42, parent: 1, group: 77, state: 'Z', started: '98765' },
    ],
    ['an incomplete line', '42 (sleep) S 1', undefined],
    ['an empty line', '', undefined],
  ])('reads %s', (_, line, expected) => {
    expect(parseProcessStat(line)).toEqual(expected);
  });

  it.each([
    ['S', true],
    ['R', true],
    ['T', true],
    ['Z', false],
    ['X', false],
  ])('treats state %s as running: %s', (state, expected) => {
    expect(isRunning({ pid: 1, parent: 0, group: 1, state, started: '0' })).toBe(expected);
  });

  it('finds all descendants, regardless of their group', () => {
    const process = (pid: number, parent: number): ProcessEntry => ({
      pid,
      parent,
      group: pid,
      state: 'S',
      started: '0',
    });
    const table = [process(1, 0), process(10, 1), process(11, 10), process(12, 11), process(13, 10), process(20, 1)];
    expect(
      descendantsOf(10, table)
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([11, 12, 13]);
    expect(descendantsOf(99, table)).toEqual([]);
    expect(descendantsOf(5, [process(5, 6), process(6, 5)]).map(({ pid }) => pid)).toEqual([6]);
  });
});
