import { getCompileCacheDir } from 'node:module';
import { execa } from 'execa';
import { expect, it } from 'vitest';

it('a command of a test starts with compiled code, which the worker does not cache', async () => {
  expect(getCompileCacheDir()).toBeUndefined();
  const print = "console.log(require('node:module').getCompileCacheDir())";
  const { stdout } = await execa(process.execPath, ['--eval', print], { stdin: 'ignore' });
  // Coverage needs code that Node has compiled itself.
  const isCounted = process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined;
  expect(stdout).toMatch(isCounted ? /^undefined$/ : /[\\/]node_modules[\\/]\.cache[\\/]compiled[\\/]/);
});
