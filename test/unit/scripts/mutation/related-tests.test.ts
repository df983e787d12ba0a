import { expect, it } from 'vitest';
import { relatedTests } from '../../../../scripts/mutation/related-tests.ts';

const files = new Map([
  ['src/core/a.ts', ''],
  ['src/core/b.ts', "import './a.ts';"],
  ['src/app/c.ts', "import '../core/b.ts';"],
  ['test/support/helper.ts', "import '../../src/core/a.ts';"],
  ['test/unit/core/b.test.ts', "import '../../../src/core/b.ts';"],
  ['test/unit/core/a.test.ts', "import '../../../src/core/a.ts';"],
  ['test/unit/app/c.test.ts', "import '../../../src/app/c.ts';"],
  ['test/unit/app/helped.test.ts', "import '../../support/helper.ts';"],
  ['test/unit/app/other.test.ts', "import '../../../src/app/other.ts';"],
  ['test/integration/a.test.ts', "import '../../src/core/a.ts';"],
]);

it('finds the unit tests that import a source through other files, those of its folder first, then by distance', () => {
  expect(relatedTests('src/core/a.ts', files)).toEqual([
    'test/unit/core/a.test.ts',
    'test/unit/core/b.test.ts',
    'test/unit/app/helped.test.ts',
    'test/unit/app/c.test.ts',
  ]);
  expect(relatedTests('src/app/c.ts', files)).toEqual(['test/unit/app/c.test.ts']);
});
