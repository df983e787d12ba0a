import { describe, expect, it } from 'vitest';
import { mutantsOf, mutate } from '../../../../tooling/mutation/mutants.ts';

/** The changed lines of all mutants of a kind. */
function changes(source: string, kind: 'row' | 'operator'): readonly string[] {
  return mutantsOf(source)
    .filter((mutant) => mutant.kind === kind)
    .map((mutant) => mutate(source, mutant));
}

describe('the rows of a table', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['a list', "const A = ['a', 'b'];", ["const A = ['b'];", "const A = ['a'];"]],
    ['a set', "const A = new Set(['a']);", ['const A = new Set([]);']],
    ['a record', 'const A = { a: x, b: y };', ['const A = { b: y };', 'const A = { a: x };']],
    ['spread rows', 'const A = [...X, ...Y];', ['const A = [...Y];', 'const A = [...X];']],
    [
      'a nested table',
      'const A = { a: [x, y] };',
      ['const A = {  };', 'const A = { a: [y] };', 'const A = { a: [x] };'],
    ],
    [
      'the alternatives of an expression',
      'const A = /^(?:a|bc|d)$/;',
      ['const A = /^(?:bc|d)$/;', 'const A = /^(?:a|d)$/;', 'const A = /^(?:a|bc)$/;'],
    ],
    [
      'words in a function',
      "function f(x) { return ['a', 'b'].includes(x); }",
      ["function f(x) { return ['b'].includes(x); }", "function f(x) { return ['a'].includes(x); }"],
    ],
    ['no values of a function', 'function f() { return { a: [x, y] }; }', []],
    ['no types', "type A = readonly ['a', 'b'];", []],
  ])('are %s', (_name, source, expected) => {
    expect(changes(source, 'row')).toEqual(expected);
  });
});

describe('the other mutants', () => {
  it.each<readonly [string, readonly string[]]>([
    ['const a = b === c;', ['const a = b !== c;']],
    ['const a = b < c;', ['const a = b <= c;']],
    ['const a = b && c;', ['const a = b || c;']],
    ['const a = b ?? c;', ['const a = b && c;']],
    ['const a = !b;', ['const a = b;']],
    ['const a = b ? c : d;', ['const a = true ? c : d;', 'const a = false ? c : d;']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['const a = true;', ['const a = false;']],
    ['const a = 1;', ['const a = 2;']],
    ["const a = 'b';", ["const a = '';"]],
    ["const a = '';", ["const a = 'mutated';"]],
    ['const a = b.some(c);', ['const a = b.every(c);']],
    ["import a from 'b';", []],
    ["const a: 'b' | 'c' = d;", []],
    ['const a = b as unknown;', []],
  ])('of %s', (source, expected) => {
    expect(changes(source, 'operator')).toEqual(expected);
  });

  it('have unique names that do not depend on other lines', () => {
    const source = 'function f(a) {\n  return a < 1 || a < 1;\n}\n';
    const names = mutantsOf(source).map(({ name }) => name);
    expect(names).toEqual([
      'f: a < 1 → a <= 1',
      'f: 1 → 2',
      'f: a < 1 || a < 1 → a < 1 && a < 1',
      'f: a < 1 → a <= 1 (2)',
      'f: 1 → 2 (2)',
    ]);
    expect(mutantsOf(`const x = y;\n\n${source}`).map(({ name }) => name)).toEqual(names);
  });
});
