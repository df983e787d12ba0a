import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { WorkerTextSearch } from '../../../src/node/search/worker-text-search.ts';
import type { PathPlatform } from '../../../src/policy/paths/path-policy.ts';
import { compareCodePoints } from '../../../src/text/compare-code-points.ts';
import { createListFiles } from '../../../src/tools/search/list-files.ts';
import { createSearchFiles } from '../../../src/tools/search/search-files.ts';
import type { TextSearch } from '../../../src/tools/search/text-search.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { LONG } from '../../support/random/property.ts';
import { call } from '../../support/tools/file-tools.ts';
import { type SearchPorts, workspaceRules } from '../../support/tools/search-workspace.ts';

const PLATFORMS: Partial<Record<NodeJS.Platform, PathPlatform>> = { win32: 'windows', darwin: 'darwin' };
const PLATFORM = PLATFORMS[process.platform] ?? 'posix';

const textSearch = new WorkerTextSearch();
afterAll(() => textSearch.dispose());

function portsOf(workspace: string, search: TextSearch = textSearch): SearchPorts {
  return {
    fileSystem: createNodeFileSystem(),
    textSearch: search,
    pathRules: workspaceRules({ workspace, allowedRoots: [workspace], platform: PLATFORM }),
  };
}

/** The paths of a listing, without its heading and notes. */
function pathsIn(listing: string): readonly string[] {
  const [, ...lines] = (listing.split('\n\n')[0] ?? '').split('\n');
  return lines;
}

describe('searching a real disk', () => {
  it('finds all of 400 files and all matches in them', async () => {
    const workspace = temporaryDirectory();
    const files: Record<string, string> = {};
    for (let index = 0; index < 400; index++) {
      const extension = index % 4 === 0 ? 'ts' : 'md';
      files[`d${index % 7}/e${index % 50}/f${index}.${extension}`] = `line\nnumber ${index}\nhit ${index % 10}\n`;
    }
    writeFiles(workspace, files);
    const ports = portsOf(workspace);

    const wanted = Object.keys(files).filter((name) => name.endsWith('.ts'));
    const listing = await call(createListFiles(ports), { pattern: '**/*.ts', max_results: 1000 });
    expect(listing.split('\n')[0]).toBe('100 matches for **/*.ts in the workspace:');
    expect(pathsIn(listing)).toEqual(wanted.sort(compareCodePoints));

    const search = createSearchFiles(ports);
    const all = await call(search, { pattern: '^hit 3$', max_results: 1 });
    expect(all).toMatch(/^Showing the first 1 of 40 matching lines in 40 files .*, 400 files searched:/);
    const some = await call(search, { pattern: 'number \\d{2,3}$', file_pattern: '*.ts', context_lines: 0 });
    expect(some).toMatch(/^Showing the first 50 of 97 matching lines in 97 files .*, 100 files searched:/);
    expect(some).toContain('\n\nd0/e12/f112.ts\n2: number 112\n');
  });

  it('names the glob whose braces expand to too many patterns', async () => {
    const workspace = temporaryDirectory();
    writeFiles(workspace, { a: 'aaa\n' });
    const search = createSearchFiles(portsOf(workspace));
    const bomb = await call(search, { pattern: 'a', file_pattern: '{a,b}'.repeat(60) });
    expect(bomb).toMatch(
      /^No line that matches .* was found so far\.\nStopped .*its braces expand to more than 1000 patterns/,
    );
  });

  // Windows has no permission bits for directories.
  it.skipIf(process.platform === 'win32')('names the files that an ordinary user may not read', async () => {
    const workspace = temporaryDirectory();
    writeFiles(workspace, { 'open/a.txt': 'hit', 'closed/b.txt': 'hit', 'open/c.txt': 'hit' });
    chmodSync(workspace, 0o755);
    chmodSync(nodePath.join(workspace, 'closed'), 0);
    chmodSync(nodePath.join(workspace, 'open', 'c.txt'), 0);
    try {
      const search = createSearchFiles(portsOf(workspace));
      expect(await asOrdinaryUser(() => call(search, { pattern: 'hit' }))).toBe(
        [
          '1 matching line in 1 file for /hit/ in the workspace, 1 file searched:',
          '',
          'open/a.txt',
          '1: hit',
          '',
          'Skipped: 2 unreadable (closed, open/c.txt).',
        ].join('\n'),
      );
    } finally {
      chmodSync(nodePath.join(workspace, 'closed'), 0o755);
    }
  });

  it.skipIf(process.platform !== 'linux')('counts files whose names are not UTF-8', async () => {
    const workspace = temporaryDirectory();
    writeFiles(workspace, { 'a.txt': 'hit', '\ufffd.txt': 'hit' });
    writeFileSync(Buffer.concat([Buffer.from(`${workspace}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'hit');
    expect(await call(createSearchFiles(portsOf(workspace)), { pattern: 'hit' })).toMatch(
      /^2 matching lines in 2 files [\s\S]*Skipped: 1 entry whose name is not UTF-8\.$/,
    );
    expect(await call(createListFiles(portsOf(workspace)), { pattern: '*' })).toBe(
      '2 matches for * in the workspace:\na.txt\n\ufffd.txt\n\nSkipped: 1 entry whose name is not UTF-8.',
    );
  });

  it('ignores exactly what git ignores', async () => {
    const name = fc.constantFrom('a', 'b', 'a.log', 'build', '#c', 'd e', 'f[1]');
    const rule = fc.constantFrom(
      ...['a', '*.log', '!*.log', 'build/', '!build/', '/a', '!/a', 'a/b', '**/b', 'b/**', '*', '!b', '# x', '\\#c'],
      ...['a/*', '!a/b', 'd e', 'd\\ e', 'f[1]', 'f\\[1\\]', '?', '[!a]', '/*', '!/b/', 'a  ', '**/build/a'],
    );
    const rules = fc.array(rule, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
    const tree = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 10 });
    let ignored = 0;
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.array(fc.tuple(fc.nat(), rules), { minLength: 1, maxLength: 3 }),
        async (paths, files) => {
          const workspace = temporaryDirectory();
          const contents: Record<string, string> = {};
          for (const parts of paths) {
            // A name cannot be a file and a directory at the same time.
            const names = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
            const path = parts.join('/');
            const clashes =
              names.some((name) => name in contents) ||
              Object.keys(contents).some((other) => other.startsWith(`${path}/`));
            if (!clashes) contents[path] = '';
          }
          const directories = ['', ...Object.keys(contents).map((name) => name.slice(0, name.lastIndexOf('/') + 1))];
          for (const [index, text] of files)
            contents[`${directories[index % directories.length] ?? ''}.gitignore`] = text;
          writeFiles(workspace, contents);
          const environment = {
            PATH: process.env['PATH'],
            GIT_CONFIG_GLOBAL: '/dev/null',
            GIT_CONFIG_SYSTEM: '/dev/null',
            LC_ALL: 'C',
          };
          const git = (...args: readonly string[]): string =>
            execFileSync('git', args, { cwd: workspace, encoding: 'utf8', env: environment });
          git('init', '--quiet', '.');
          const expected = git('ls-files', '-z', '--others', '--exclude-standard')
            .split('\0')
            .filter((line) => line !== '');
          const listing = await call(createListFiles(portsOf(workspace)), { pattern: '**', max_results: 1000 });
          if (listing.includes('ignored by')) ignored++;
          expect(pathsIn(listing).filter(() => !listing.startsWith('Nothing'))).toEqual(
            expected.sort(compareCodePoints),
          );
        },
      ),
      { seed: 20261120, numRuns: LONG ? 1_000 : 12 },
    );
    expect(ignored).toBeGreaterThan(2);
  });
});
