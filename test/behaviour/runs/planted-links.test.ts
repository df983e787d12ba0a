import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { writeWritingStory } from '../../support/stories/writing-story.ts';

/** A link that a repository contains, and the command of the user that writes there. */
const LINKED: readonly (readonly [args: string, link: string])[] = [
  ['test --html report.html one', 'report.html'],
  ['test --html out/report.html one', 'out'],
  ['eval --provider mock --runs 1 --html out/report.html one', 'out'],
  ['test --update one', 'one/expected'],
  ['record --provider mock --out out/two two hello', 'out'],
];

// > docs/security.md: Where you let ybs write a report or a story (`--html`, `--out`, `--update`, `--rebase`), a link in the current directory that leads out of it is refused.
describe.skipIf(process.platform === 'win32')('what a command writes through a link', () => {
  it.each(LINKED)('ybs %s: nothing outside of the current directory, but inside (control)', async (args, link) => {
    const isFile = path.extname(link) !== '';
    const play = async (place: 'outside' | 'inside') => {
      const root = temporaryDirectory();
      const directory = path.join(root, 'clone');
      cpSync(writeWritingStory('new\n', { 'one/expected/a.txt': 'old\n' }), directory, { recursive: true });
      const target = path.join(place === 'inside' ? directory : root, 'target');
      if (isFile) writeFiles(path.dirname(target), { target: '' });
      else mkdirSync(target);
      rmSync(path.join(directory, link), { recursive: true, force: true });
      symlinkSync(target, path.join(directory, link));
      const { stderr } = await runBin(args.split(' '), { directory });
      const written = isFile ? readFileSync(target, 'utf8') !== '' : readdirSync(target).length > 0;
      return { written, stderr };
    };
    expect(await play('outside')).toEqual({ written: false, stderr: expect.stringContaining('leads out of this') });
    expect(await play('inside')).toMatchObject({ written: true });
  });
});
