import { expect, it } from 'vitest';
import { relatedTests } from '../../../../tooling/mutation/related-tests.ts';

const files = new Map([
  ['src/agent/a.ts', ''],
  ['src/agent/b.ts', "import './a.ts';"],
  ['src/app/c.ts', "import '../agent/b.ts';"],
  ['test/support/helper.ts', "import '../../src/agent/a.ts';"],
  ['test/unit/agent/b.test.ts', "import '../../../src/agent/b.ts';"],
  ['test/unit/agent/a.test.ts', "import '../../../src/agent/a.ts';"],
  ['test/unit/app/c.test.ts', "import '../../../src/app/c.ts';"],
  ['test/unit/app/helped.test.ts', "import '../../support/helper.ts';"],
  ['test/unit/app/other.test.ts', "import '../../../src/app/other.ts';"],
  ['test/integration/a.test.ts', "import '../../src/agent/a.ts';"],
]);

it('the related tests are the unit tests that import a source through other files, those of its folder first, then by distance', () => {
  expect(relatedTests('src/agent/a.ts', files)).toEqual([
    'test/unit/agent/a.test.ts',
    'test/unit/agent/b.test.ts',
    'test/unit/app/helped.test.ts',
    'test/unit/app/c.test.ts',
  ]);
  expect(relatedTests('src/app/c.ts', files)).toEqual(['test/unit/app/c.test.ts']);
});
