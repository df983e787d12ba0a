import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const root = path.join(import.meta.dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/library.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

/** Creates a project with the package installed and the examples of docs/library.md; returns its directory. */
function project(): string {
  const directory = temporaryDirectory();
  mkdirSync(path.join(directory, 'node_modules'));
  symlinkSync(root, path.join(directory, 'node_modules/ybs'), 'junction');
  writeFileSync(path.join(directory, 'package.json'), '{"version":"1.2.3"}\n');
  for (const [index, example] of examples.entries()) writeFileSync(path.join(directory, `${index}.mts`), example);
  return directory;
}

// test/package/package.test.ts compiles them.
it.each([
  ['complete example', 0, ['read_file: lines 1–1 of 1', 'The version is in package.json.', 'done']],
  ['example of a custom tool', 1, ['It is 12:00.']],
  ['example of the loop alone', 2, ['You said: Hello.', '2 messages']],
])('the %s of docs/library.md runs', async (_name, index, lines) => {
  const options = { cwd: project(), preferLocal: true, localDir: root };
  const { stdout } = await execa('node', ['--no-warnings', `${index}.mts`], options);
  expect(stdout.split('\n')).toEqual(lines);
});
