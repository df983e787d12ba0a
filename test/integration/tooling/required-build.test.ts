import path from 'node:path';
import { expect, it } from 'vitest';
import { requireBuild } from '../../../tooling/bench/measure.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

it('a bench names the missing parts of a build, even outside its directory', () => {
  const root = temporaryDirectory();
  const build = path.join(root, 'dist');
  const help = 'Give the dist directory of a clone in which npm run build has run.';
  expect(() => requireBuild(build)).toThrow(`${path.join(build, 'ybs.js')} is missing. ${help}`);
  writeFiles(root, { 'dist/ybs.js': '' });
  expect(() => requireBuild(build)).toThrow(`${path.join(root, 'package.json')} is missing. ${help}`);
  writeFiles(root, { 'package.json': '{}' });
  expect(() => requireBuild(build)).toThrow(`${path.join(root, 'scenarios')} is missing. ${help}`);
  writeFiles(root, { 'scenarios/README.md': '' });
  expect(requireBuild(build)).toBe(build);
  expect(requireBuild(path.relative('.', build))).toBe(build);
});
