// Checks style and format of the files that git knows or would add, unless they are those of the last check that passed.
// The arguments are passed on to Biome.
import path from 'node:path';
import { ExecaError, execa } from 'execa';
import { runUnlessUnchanged } from './unchanged.ts';

const args = process.argv.slice(2);
const root = path.join(import.meta.dirname, '../..');
const tracked = await execa('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });

try {
  await runUnlessUnchanged({
    root,
    record: 'node_modules/.cache/lint.txt',
    inputs: [...tracked.stdout.split('\0').filter((name) => name !== ''), 'node_modules/@biomejs/biome/package.json'],
    outputs: [],
    versions: args,
    run: async () => {
      await execa('biome', ['check', '.', ...args], { cwd: root, preferLocal: true, stdio: 'inherit' });
    },
  });
} catch (error) {
  if (!(error instanceof ExecaError)) throw error;
  console.error(error.shortMessage);
  process.exitCode = 1;
}
