import { describe, expect, it } from 'vitest';
import { convertScript } from '../../../../scripts/coverage/convert-script.ts';
import type { CoverageFile } from '../../../../scripts/coverage/coverage-file.ts';
import { mergeCoverage } from '../../../../scripts/coverage/merge-coverage.ts';

function range(line: number, column: number) {
  return { start: { line, column }, end: { line, column: column + 1 } };
}

function coverage(columns: number, hits: { s: number[]; f: number[]; b: number[][] }): CoverageFile {
  return {
    path: '/p/a.ts',
    statementMap: { 0: range(1, columns), 1: range(1, columns + 9), 2: range(2, columns) },
    fnMap: { 0: { loc: range(1, columns) }, 1: { loc: range(3, columns) } },
    branchMap: { 0: { loc: range(2, columns) } },
    s: Object.fromEntries(hits.s.entries()),
    f: Object.fromEntries(hits.f.entries()),
    b: Object.fromEntries(hits.b.entries()),
  };
}

describe('mergeCoverage', () => {
  it('matches ranges by line and order, regardless of their columns', () => {
    const base = coverage(0, { s: [1, 0, 0], f: [1, 0], b: [[0, 2]] });
    const extra = coverage(4, { s: [0, 5, 7], f: [2, 3], b: [[4, 0]] });
    expect(mergeCoverage({ '/p/a.ts': base }, { '/p/a.ts': extra })['/p/a.ts']).toEqual({
      ...base,
      s: { 0: 1, 1: 5, 2: 7 },
      f: { 0: 3, 1: 3 },
      b: { 0: [4, 2] },
    });
  });

  it('keeps a file that no process loaded, and adds no other files', () => {
    const base = coverage(0, { s: [1, 0, 0], f: [1, 0], b: [[0, 2]] });
    expect(mergeCoverage({ '/p/a.ts': base }, { '/p/other.ts': base })).toEqual({ '/p/a.ts': base });
  });

  it('ignores ranges that only the process has', () => {
    const base = coverage(0, { s: [0, 0, 0], f: [0, 0], b: [[0, 0]] });
    const extra = coverage(0, { s: [1, 1, 1], f: [1, 1], b: [[1, 1, 1]] });
    extra.statementMap['3'] = range(9, 0);
    extra.s['3'] = 1;
    const merged = mergeCoverage({ '/p/a.ts': base }, { '/p/a.ts': extra })['/p/a.ts'];
    expect(merged?.s).toEqual({ 0: 1, 1: 1, 2: 1 });
    expect(merged?.b).toEqual({ 0: [1, 1] });
  });
});

describe('convertScript', () => {
  it('counts executed and missed statements', async () => {
    const source = 'export function half(n: number): number {\n  if (n > 1) return n / 2;\n  return 0;\n}\n';
    const missed = source.indexOf('return n / 2');
    const file = await convertScript('/p/half.ts', source, {
      url: 'file:///p/half.ts',
      functions: [
        {
          functionName: '',
          isBlockCoverage: true,
          ranges: [{ startOffset: 0, endOffset: source.length, count: 1 }],
        },
        {
          functionName: 'half',
          isBlockCoverage: true,
          ranges: [
            { startOffset: 7, endOffset: source.length - 1, count: 3 },
            { startOffset: missed, endOffset: missed + 'return n / 2;'.length, count: 0 },
          ],
        },
      ],
    });
    expect(file.path).toBe('/p/half.ts');
    expect(Object.values(file.f)).toEqual([3]);
    expect(Object.values(file.s)).toEqual([3, 0, 3]);
    expect(Object.values(file.b)).toEqual([[0, 3]]);
  });
});
