import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { trustedEnvironment } from '../../../src/node/system.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

it.skipIf(process.platform === 'win32').each([
  ['a directory of the project', 'project/lib', false],
  ['a directory behind a link to the project', 'link/lib', false],
  ['a link to a directory of the project', 'lib', false],
  ['another directory, and one of the project behind a link', 'other:link/lib', false],
  ['another directory (control)', 'other', true],
])('the environment of programs of ybs keeps a variable that names %s: %s is %s', (_name, value, isKept) => {
  const home = temporaryDirectory();
  for (const name of ['project/lib', 'other']) mkdirSync(path.join(home, name), { recursive: true });
  symlinkSync(path.join(home, 'project'), path.join(home, 'link'));
  symlinkSync(path.join(home, 'project/lib'), path.join(home, 'lib'));
  const named = value.split(':').map((each) => path.join(home, each));
  const environment = { PYTHONPATH: named.join(':'), PATH: '/usr/bin' };
  const trusted = trustedEnvironment(new Set([path.join(home, 'project')]), environment);
  expect(trusted).toEqual({ ...(isKept && { PYTHONPATH: environment.PYTHONPATH }), PATH: '/usr/bin' });
});
