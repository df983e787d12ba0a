import { expect, it } from 'vitest';
import { packageDirectory } from '../../../tooling/build/notices.ts';

it.each([
  ['/p/node_modules/zod/v4/index.js', '/p/node_modules/zod'],
  ['/p/node_modules/@hono/node-server/dist/index.mjs', '/p/node_modules/@hono/node-server'],
  ['/p/node_modules/a/node_modules/b/index.js', '/p/node_modules/a/node_modules/b'],
  ['C:\\p\\node_modules\\zod\\index.js', 'C:/p/node_modules/zod'],
  ['/p/src/cli/main.ts', undefined],
  ['\0rolldown/runtime.js', undefined],
])('the file %s belongs to the package %s', (moduleId, expected) => {
  expect(packageDirectory(moduleId)).toBe(expected);
});
