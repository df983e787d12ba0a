import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../../src/tools/search/match-text.ts';
import { scopeOfGlob } from '../../../../src/tools/search/walk-files.ts';
import { propertySettings } from '../../../support/random/property.ts';

const ANY = Number.POSITIVE_INFINITY;

describe('the scope of a glob', () => {
  it.each([
    ['*.ts', [], 1],
    ['src/*.ts', ['src'], 2],
    ['src/deep/a.ts', ['src', 'deep', 'a.ts'], 3],
    ['src/**/*.ts', ['src'], ANY],
    ['**', [], ANY],
    ['src/{a/b,c}', ['src'], ANY],
    ['src/[ab]/c', ['src'], 3],
    ['src\\/a', [], ANY],
    ['src/*/', ['src'], 2],
    ['@(a|b)/c', [], ANY],
  ])('is computed for %s', (glob, leading, maxDepth) => {
    expect(scopeOfGlob(glob)).toEqual({ leading, maxDepth });
  });

  it('contains every path that the glob matches', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'ab', '.a'), { minLength: 1, maxLength: 4 });
    const parts = fc.array(fc.constantFrom('a', 'b', '*', '**', '/', '?', '{a,b/a}', '[ab]', '+(a|b)', '\\a', '.'), {
      minLength: 1,
      maxLength: 7,
    });
    let matched = 0;
    fc.assert(
      fc.property(names, parts, (path, glob) => {
        if (!compileGlob(glob.join(''))(path.join('/'))) return;
        matched++;
        const { leading, maxDepth } = scopeOfGlob(glob.join(''));
        expect(path.length).toBeLessThanOrEqual(maxDepth);
        expect(path.slice(0, leading.length)).toEqual(leading);
      }),
      propertySettings(500),
    );
    expect(matched).toBeGreaterThan(20);
  });
});
