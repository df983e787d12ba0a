import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createRepository } from '../support/processes/git-repository.ts';
import { startBin } from '../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';

it('a commit that another git process prevents is reported, and leaves branch and index unchanged', async () => {
  const repository = createRepository({ 'staged.js': '1\n' });
  repository.write({ 'staged.js': '2\n', '.git/index.lock': '' });
  const home = temporaryDirectory();
  writeFiles(home, { '.config/ybs/config.json': JSON.stringify({ git: { auto_commit: true } }) });
  const environment = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  await startBin(['trust', repository.directory], { environment }).ended;
  const run = async () => {
    const options = ['-p', 'mock', '--permission-mode', 'full-access', '--no-sandbox'];
    const { code, stdout, stderr } = await startBin([...options, 'write a short greeting'], {
      directory: repository.directory,
      environment,
    }).ended;
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const state = () => [repository.git('log', '--format=%s'), repository.git('diff', '--cached', '--name-only')];
  const before = state();
  expect(await run()).toMatch(/The changes are not committed: git update-index: .*index\.lock/);
  expect(state()).toEqual(before);
  rmSync(path.join(repository.directory, '.git/index.lock'));
  const [name = ''] = repository.git('ls-files', '--others').trim().split('\n');
  rmSync(path.join(repository.directory, name));
  expect(await run()).not.toContain('not committed');
  expect(repository.git('log', '-1', '--format=', '--name-only').trim()).toBe(name);
  expect(repository.git('status', '--porcelain')).toBe(' M staged.js\n');
});
