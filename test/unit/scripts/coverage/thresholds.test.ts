import { describe, expect, it } from 'vitest';
import type { CoverageFile, CoverageFiles } from '../../../../scripts/coverage/coverage-file.ts';
import { shortfalls, thresholds } from '../../../../scripts/coverage/thresholds.ts';
import { projectFiles } from '../../../support/project-files.ts';

/** Ten lines with a branch of two ways and a function; so many of the lines, ways and functions were reached. */
function file(lines: number, ways = 2, functions = 1): CoverageFile {
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const loc = { start: { line: 1, column: 0 }, end: { line: 1, column: 9 } };
  return {
    path: '',
    statementMap: Object.fromEntries(
      numbers.map((line) => [line, { start: { line: line + 1, column: 0 }, end: { line: line + 1, column: 9 } }]),
    ),
    fnMap: { 0: { name: 'f', decl: loc, loc } },
    branchMap: { 0: { type: 'if', loc, locations: [loc, loc] } },
    s: Object.fromEntries(numbers.map((line) => [line, line < lines ? 1 : 0])),
    f: { 0: functions },
    b: { 0: [ways > 0 ? 1 : 0, ways > 1 ? 1 : 0] },
  };
}

function files(entries: Readonly<Record<string, CoverageFile>>): CoverageFiles {
  return Object.fromEntries(
    Object.entries(entries).map(([path, coverage]) => [`/p/${path}`, { ...coverage, path: `/p/${path}` }]),
  );
}

const limits = { overall: 80, complete: ['src/core/**'] };

describe('what is enough', () => {
  const core = file(10);
  const cases: readonly [name: string, tests: CoverageFiles, all: CoverageFiles, expected: readonly string[]][] = [
    ['everything', files({ 'src/core/a.ts': core }), files({ 'src/core/a.ts': core }), []],
    [
      '80 % and not less',
      files({ 'src/core/a.ts': core }),
      files({ 'src/core/a.ts': core, 'src/b.ts': core, 'src/c.ts': core, 'src/d.ts': core, 'src/e.ts': file(0, 0) }),
      [],
    ],
    [
      'too few lines',
      files({ 'src/core/a.ts': core }),
      files({ 'src/core/a.ts': core, 'src/b.ts': file(5) }),
      ['lines of all files: 15 of 20, less than 80 %'],
    ],
    [
      'too few branches',
      files({ 'src/core/a.ts': core }),
      files({ 'src/core/a.ts': core, 'src/b.ts': file(10, 1) }),
      ['branches of all files: 3 of 4, less than 80 %'],
    ],
    [
      'a line of the core that only a spawned process reached',
      files({ 'src/core/deep/a.ts': file(8) }),
      files({ 'src/core/deep/a.ts': core }),
      ['src/core/deep/a.ts: lines 8 of 10, branches 2 of 2, functions 1 of 1; lines never reached: 9, 10'],
    ],
    [
      'a branch of the core',
      files({ 'src/core/a.ts': file(10, 1) }),
      files({ 'src/core/a.ts': core }),
      ['src/core/a.ts: lines 10 of 10, branches 1 of 2, functions 1 of 1'],
    ],
    [
      'a function of the core',
      files({ 'src/core/a.ts': file(10, 2, 0) }),
      files({ 'src/core/a.ts': core }),
      ['src/core/a.ts: lines 10 of 10, branches 2 of 2, functions 0 of 1'],
    ],
    [
      'a glob that matches nothing',
      files({ 'src/corelike/a.ts': core }),
      files({ 'src/corelike/a.ts': core }),
      ['src/core/** matches no file'],
    ],
    [
      'nothing counted',
      files({}),
      files({}),
      ['src/core/** matches no file', 'no lines were counted', 'no branches were counted'],
    ],
  ];
  it.each(cases)('%s', (_name, tests, all, expected) => {
    expect(shortfalls('/p', tests, all, limits)).toEqual(expected);
  });

  it('every glob of the project guards files that exist', () => {
    const sources = files(Object.fromEntries([...projectFiles('src').keys()].map((name) => [name, file(10)])));
    expect(shortfalls('/p', sources, sources, thresholds)).toEqual([]);
  });
});
