import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { reportFailure } from '../../../src/app/exit.ts';
import { createWiring } from '../../../src/app/wiring.ts';
import { readMachine } from '../../../src/node/machine.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

/** Starts ybs as an ordinary user who may not read one file or directory; resolves to its output. */
async function start(closed: string, config?: string) {
  const root = temporaryDirectory();
  const [home, workspace] = [path.join(root, 'home'), path.join(root, 'work')];
  writeFiles(home, { '.ybs.json': '{}', '.config/ybs/config.json': '{}', '.ybs/tools/x': '' });
  writeFiles(workspace, { '.ybs.json': '{}', 'mine.json': '{}' });
  for (const directory of [root, home, workspace]) chmodSync(directory, 0o755);
  chmodSync(path.join(root, closed), 0o000);
  const warnings: string[] = [];
  const machine = await readMachine({
    startMockModel: () => Promise.reject(new Error('not used here')),
    warn: async (message) => warnings.push(message.replaceAll(root, '')),
  });
  const wiring = createWiring({ ...machine, home, environment: {} });
  const options = { dryRun: false, cwd: workspace, ...(config !== undefined && { config: path.join(root, config) }) };
  let shown = '';
  const exitCode = await asOrdinaryUser(() => wiring.readConfig(options)).then(
    () => 0,
    (error: unknown) =>
      reportFailure(error, async (text) => {
        shown += text.replaceAll(root, '');
        return true;
      }),
  );
  chmodSync(path.join(root, closed), 0o755);
  return { exitCode, shown, warnings };
}

it.runIf(process.platform !== 'win32').each([
  ['home/.ybs.json', '/home/.ybs.json', undefined],
  ['home/.config/ybs/config.json', '/home/.config/ybs/config.json', undefined],
  ['home/.config/ybs', '/home/.config/ybs/config.json', undefined],
  ['work/mine.json', '/work/mine.json', 'work/mine.json'],
])('ybs names a configuration file that it may not read, and ends with 2: %s', async (closed, file, config) => {
  expect(await start(closed, config)).toMatchObject({
    exitCode: 2,
    shown: `ybs: ${file}: the file cannot be read: permission denied. Make it readable or remove it.\n`,
  });
});

it('ybs warns about a project file that it may not read', async () => {
  const shown = await start('work/.ybs.json');
  expect(shown).toMatchObject({ exitCode: 0, shown: '' });
  expect(shown.warnings).toEqual([
    '/work/.ybs.json: the file cannot be read: permission denied. Make it readable or remove it. It is ignored, because the project is not trusted.',
  ]);
});

it('ybs does not need directories of tools to read its configuration', async () => {
  expect(await start('home/.ybs/tools')).toMatchObject({ exitCode: 0, shown: '' });
});
