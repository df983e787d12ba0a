import { describe, expect, it } from 'vitest';
import { replaceVolatile } from '../../../../mock-llm-server/drift/replace-volatile.ts';
import { proposeVolatile, replaceDirectory } from '../../../../mock-llm-server/drift/volatile.ts';
import type { VolatileText } from '../../../../mock-llm-server/scenario/lock/prompt-lock.ts';

describe('replaceVolatile', () => {
  const entries: readonly VolatileText[] = [
    { name: 'date', pattern: String.raw`\d{4}-\d\d-\d\d` },
    { name: 'price', text: 'US$ 5', part: 'tool result' },
    { name: 'host', text: 'ci-7', part: 'system' },
    { name: 'nothing' },
  ];
  it.each([
    ['every match of a pattern', 'user 1', '2026-01-02 to 2026-01-03', '<date> to <date>'],
    ['a text in all parts of its kind', 'tool result 12', 'It costs US$ 5.', 'It costs <price>.'],
    ['nothing in parts of another kind', 'tool results', 'It costs US$ 5.', 'It costs US$ 5.'],
    ['a text in its part', 'system', 'on ci-7', 'on <host>'],
    ['nothing in another part', 'user 1', 'on ci-7', 'on ci-7'],
  ])('replaces %s', (_what, part, text, expected) => {
    expect(replaceVolatile(entries)(text, part)).toBe(expected);
  });

  it('takes $ in the name of a pattern for a character', () => {
    expect(replaceVolatile([{ name: 'a', pattern: '^b$' }])('x\nb\nb', 'system')).toBe('x\n<a>\n<a>');
  });

  it('ends a pattern that takes too long, names it, and does not run it again', () => {
    const replace = replaceVolatile([{ name: 'trap', pattern: '(a+)+$', part: 'system' }], 50);
    const problem =
      'The volatile pattern "trap", (a+)+$, took more than 0.05 s in system. Write one without nested repetitions, or ' +
      'a "text", into prompt.lock.json.';
    expect(() => replace(`${'a'.repeat(60)}!`, 'system')).toThrow(problem);
    expect(() => replace('a', 'system')).toThrow(problem);
  });
});

describe('replaceDirectory', () => {
  it.each([
    ['/work/app', 'in /work/app, in /work/app/src', 'in <directory>, in <directory>/src'],
    ['/work/app', '/work/application /my/work/app', '/work/application /my/work/app'],
    ['C:\\work (1)', 'C:\\work (1)\\src', '<directory>\\src'],
    ['/', '/work', '/work'],
    [undefined, '/work', '/work'],
  ])('replaces %s in %s', (directory, text, expected) => {
    expect(replaceDirectory(directory)(text)).toBe(expected);
  });
});

describe('proposeVolatile', () => {
  const cases: readonly [what: string, first: string, second: string, names: readonly string[]][] = [
    ['a timestamp', 'at 2026-01-02T03:04:05.678Z.', 'at 2026-01-02T03:04:06.1Z.', ['timestamp']],
    ['a date', 'Today is 2026-01-02.', 'Today is 2026-01-03.', ['date']],
    ['a time', 'Started 9:15.', 'Started 10:02.', ['time']],
    ['a temporary path', 'in /tmp/run-1a/x', 'in /tmp/run-9z/x', ['temporary-path']],
    ['a duration', 'ok (0.35 ms)', 'ok (1.2 ms)', ['duration']],
    ['a UUID', 'id 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'id 3f2504e0-4f89-11d3-9a0c-0305e82c3302', ['uuid']],
    ['a digest', 'commit 1f2e3d4c', 'commit 9a8b7c6d', ['id']],
    ['a number after a word', '# duration_ms 71.1', '# duration_ms 8', ['number']],
    ['a number at the start of a line', '71 files', '8 files', ['number']],
    ['a word', 'host: alpha!', 'host: beta!', ['word']],
    ['two kinds in one line', '2026-01-02 took 3 ms', '2026-01-03 took 5 ms', ['date', 'duration']],
    ['the frames of a stack', 'x\n    at a (b:1:2)\n    at c (d:3:4)\ny', 'x\n    at a (b:1:2)\ny', ['stack-trace']],
    ['nothing', 'same', 'same', []],
  ];
  it.each(cases)('makes two runs equal that differ in %s', (_what, first, second, names) => {
    const { entries, unexplained } = proposeVolatile([{ part: 'tool result 1', first, second }]);
    expect(entries.map(({ name }) => name)).toEqual(names);
    expect(unexplained).toEqual([]);
    const replace = replaceVolatile(entries);
    expect(replace(first, 'tool result 1')).toBe(replace(second, 'tool result 1'));
  });

  it('does not call a number volatile that precedes the same word elsewhere', () => {
    const { entries } = proposeVolatile([{ part: 'system', first: 'tests 7\npid 12', second: 'tests 7\npid 13' }]);
    expect(replaceVolatile(entries)('tests 7\npid 99', 'system')).toBe('tests 7\npid <number>');
  });

  it.each([
    ['one line\ntwo', 'one line', 'system: 2 lines, then 1'],
    ['a\nthis is one sentence', 'a\nand that another', 'system, line 2'],
  ])('names the place of a difference that it cannot explain', (first, second, place) => {
    expect(proposeVolatile([{ part: 'system', first, second }])).toEqual({ entries: [], unexplained: [place] });
  });

  it('proposes one entry for what differs in several parts', () => {
    const pairs = (...parts: readonly string[]) =>
      parts.map((part) => ({ part, first: 'took 3 ms', second: 'took 4 ms' }));
    const partOf = (...parts: readonly string[]) =>
      proposeVolatile(pairs(...parts)).entries.map(({ name, part }) => [name, part]);
    expect(partOf('tool result 1', 'tool result 4')).toEqual([['duration', 'tool result']]);
    expect(partOf('tool result 1', 'system')).toEqual([['duration', undefined]]);
    expect(partOf('tool result 1', 'system', 'user 1')).toEqual([['duration', undefined]]);
  });

  it('ends on long lines that differ in everything', () => {
    const pair = { part: 'system', first: `${'ab '.repeat(20_000)}`, second: `${'cd '.repeat(20_000)}` };
    expect(proposeVolatile([pair]).unexplained).toEqual(['system, line 1']);
  });
});
