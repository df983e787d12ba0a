import { describe, expect, it } from 'vitest';
import type { CoverageFile, CoverageFiles } from '../../../../scripts/coverage/coverage-file.ts';
import { shortfalls, thresholds } from '../../../../scripts/coverage/thresholds.ts';
import { projectFiles } from '../../../support/project-files.ts';

/** Coverage of a file with ten lines, a branch of two paths and a function, and the number of reached ones. */
function file(lines: number, paths = 2, functions = 1): CoverageFile {
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
    b: { 0: [paths > 0 ? 1 : 0, paths > 1 ? 1 : 0] },
  };
}

function files(entries: Readonly<Record<string, CoverageFile>>): CoverageFiles {
  return Object.fromEntries(
    Object.entries(entries).map(([path, coverage]) => [`/p/${path}`, { ...coverage, path: `/p/${path}` }]),
  );
}

const limits = { overall: 80, complete: ['src/core/**'] };

describe('shortfalls', () => {
  const core = file(10);
  const cases: readonly [name: string, tests: CoverageFiles, all: CoverageFiles, expected: readonly string[]][] = [
    ['complete coverage', files({ 'src/core/a.ts': core }), files({ 'src/core/a.ts': core }), []],
    [
      'exactly 80 %',
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
      'a missed branch of the core',
      files({ 'src/core/a.ts': file(10, 1) }),
      files({ 'src/core/a.ts': core }),
      ['src/core/a.ts: lines 10 of 10, branches 1 of 2, functions 1 of 1'],
    ],
    [
      'a missed function of the core',
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
      'no files',
      files({}),
      files({}),
      ['src/core/** matches no file', 'no lines were counted', 'no branches were counted'],
    ],
  ];
  it.each(cases)('describes the shortfalls for %s', (_name, tests, all, expected) => {
    expect(shortfalls('/p', tests, all, limits)).toEqual(expected);
  });

  it('finds files for every glob of the project', () => {
    const sources = files(Object.fromEntries([...projectFiles('src').keys()].map((name) => [name, file(10)])));
    expect(shortfalls('/p', sources, sources, thresholds)).toEqual([]);
  });
});
