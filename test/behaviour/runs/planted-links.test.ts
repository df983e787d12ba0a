import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { mockServerEntry } from '../../support/processes/entry.ts';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { writeWritingStory } from '../../support/stories/writing-story.ts';

/** A link that a repository contains, and the command of the user that writes there. */
const LINKED: readonly { readonly args: string; readonly link: string; readonly program?: string }[] = [
  { args: 'test --html report.html one', link: 'report.html' },
  { args: 'test --html out/report.html one', link: 'out' },
  { args: 'eval --provider mock --runs 1 --html out/report.html one', link: 'out' },
  { args: 'test --update one', link: 'one/expected' },
  { args: 'record --provider mock --out out/two two hello', link: 'out' },
  { args: 'weights one --out model', link: 'model/config.json', program: mockServerEntry },
  { args: 'weights one --out out/model', link: 'out', program: mockServerEntry },
];

// > docs/security.md: Where you let ybs write a report or a story (`--html`, `--out`, `--update`, `--rebase`), or `mock-llm-server` a story or a model (`--out`), a link in the current directory that leads out of it is refused.
describe.skipIf(process.platform === 'win32')('what a command writes through a link', () => {
  it.each(LINKED)('$args: nothing outside of the current directory, but inside (control)', async (row) => {
    const { args, link, program } = row;
    const isFile = path.extname(link) !== '';
    const play = async (place: 'outside' | 'inside') => {
      const root = temporaryDirectory();
      const directory = path.join(root, 'clone');
      cpSync(writeWritingStory('new\n', { 'one/expected/a.txt': 'old\n' }), directory, { recursive: true });
      const target = path.join(place === 'inside' ? directory : root, 'target');
      if (isFile) writeFiles(path.dirname(target), { target: '' });
      else mkdirSync(target);
      rmSync(path.join(directory, link), { recursive: true, force: true });
      mkdirSync(path.join(directory, path.dirname(link)), { recursive: true });
      symlinkSync(target, path.join(directory, link));
      const { stderr } =
        program === undefined
          ? await runBin(args.split(' '), { directory })
          : await execa(process.execPath, [program, ...args.split(' ')], { cwd: directory, reject: false });
      const written = isFile ? readFileSync(target, 'utf8') !== '' : readdirSync(target).length > 0;
      return { written, stderr };
    };
    expect(await play('outside')).toEqual({ written: false, stderr: expect.stringContaining('leads out of this') });
    expect(await play('inside')).toMatchObject({ written: true });
  });

  it('mock-llm-server record refuses such a place before it listens', async () => {
    const directory = temporaryDirectory();
    symlinkSync(temporaryDirectory(), path.join(directory, 'out'));
    const args = [mockServerEntry, 'record', '--upstream', 'http://127.0.0.1:9', '--port', '0', '--out', 'out/rec'];
    const { stderr, exitCode } = await execa(process.execPath, args, { cwd: directory, reject: false });
    expect([stderr, exitCode]).toEqual([expect.stringContaining('leads out of this'), 1]);
  });
});
