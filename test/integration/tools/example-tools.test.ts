import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameFromFile, parseDescription, readDefinition } from '../../../src/tools/external-tool/definition.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { callTool, page, serve, TOOLS } from '../../support/tools/example-tools.ts';

// test/long/example-web-tools.test.ts has many more cases of the web tools.
// The tools are scripts with a first line for POSIX systems.
describe.skipIf(process.platform === 'win32')('an example tool', () => {
  it.each(readdirSync(TOOLS))('describes itself: %s', (file) => {
    const described = parseDescription(execFileSync(path.join(TOOLS, file), ['--schema'], { encoding: 'utf8' }));
    expect(readDefinition(described, 'unnamed').name).toBe(nameFromFile(file));
  });
});

describe.skipIf(process.platform === 'win32')('web-search', () => {
  it('returns titles, addresses and snippets of a SearXNG, and reports a missing one', async () => {
    const results = [{ title: 'A', url: 'https://a.example', content: 'About a.', engine: 'other' }];
    const server = await serve(page(JSON.stringify({ results })));
    const search = (address: string) =>
      callTool('web-search.mjs', { query: 'a' }, { environment: { SEARXNG_URL: address } });
    const [found, missing] = await Promise.all([search(`http://${server}`), search('http://127.0.0.1:9')]);
    expect(found).toMatchObject({ code: 0, results: [{ title: 'A', url: 'https://a.example', snippet: 'About a.' }] });
    expect(missing).toMatchObject({ code: 1, error: expect.stringContaining('Set SEARXNG_URL') });
  });
});

describe.skipIf(process.platform === 'win32')('web-fetch', () => {
  it('returns the text of an allowed page, and connects to no other private address', async () => {
    const allowed = await serve(page('<script>no</script><h1>Yes</h1>'));
    const redirect = await serve(page('', { location: 'http://127.0.0.2/' }, 302));
    const large = await serve(page('x'.repeat(2_200_000)));
    const environment = { WEB_FETCH_ALLOW: `${allowed}, ${redirect}, ${large}` };
    const answers = await Promise.all(
      [`http://${allowed}/`, `http://${redirect}/`, `http://${large}/`, 'http://localhost/', 'http://[::1]/'].map(
        async (url) => {
          const { result, error } = await callTool('web-fetch.mjs', { url }, { environment });
          return result + error;
        },
      ),
    );
    expect(answers).toEqual([
      `http://${allowed}/\n\n# Yes`,
      expect.stringMatching(/^127\.0\.0\.2 is not a public address/),
      'The page is larger than 2 MB.',
      expect.stringMatching(/^localhost \(.+\) is not a public address/),
      expect.stringMatching(/^::1 is not a public address/),
    ]);
  });
});

describe.skipIf(process.platform === 'win32')('git-status', () => {
  const git = (cwd: string, ...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd });

  it('prints the branch, the changes and the last commits', async () => {
    const cwd = temporaryDirectory();
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    for (const subject of ['first', 'a "quoted" \\ subject\twith a tab']) {
      git(cwd, 'commit', '--quiet', '--allow-empty', '--message', subject);
    }
    writeFiles(cwd, { 'new file.txt': '' });
    const { code, result } = await callTool('git-status.sh', { commits: 1 }, { cwd });
    expect(code).toBe(0);
    expect(result).toContain('## main\n?? "new file.txt"\n\nLast commits:\n');
    expect(result).toContain('a "quoted" \\ subject\twith a tab (Ada, ');
    expect(result).not.toContain('first');
    expect((await callTool('git-status.sh', {}, { cwd })).result).toContain('first');
  });

  it('runs no program that the repository names', async () => {
    const cwd = temporaryDirectory();
    git(cwd, 'init', '--quiet');
    writeFiles(cwd, { 'evil.sh': '#!/bin/sh\ntouch started\n', a: '' });
    execFileSync('chmod', ['+x', 'evil.sh'], { cwd });
    for (const key of ['core.fsmonitor', 'core.pager']) git(cwd, 'config', key, './evil.sh');
    await callTool('git-status.sh', {}, { cwd });
    expect(readdirSync(cwd)).not.toContain('started');
  });

  it('reports that there is no repository', async () => {
    const { code, error } = await callTool('git-status.sh', {});
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('is not in a Git repository.') });
  });
});

describe.skipIf(process.platform === 'win32')('run-tests', () => {
  it.each([
    ['passing tests', 'test:\n\t@printf "ok\\tall \\"good\\" \\\\o/\\n"\n', 0, 'ok\tall "good" \\o/'],
    ['failing tests, which are a result', 'test:\n\t@echo bad; exit 1\n', 2, 'bad'],
  ])('runs the tests of a project: %s', async (_name, makefile, exitCode, output) => {
    const cwd = temporaryDirectory();
    writeFiles(cwd, { Makefile: makefile });
    const answer = await callTool('run-tests.sh', {}, { cwd });
    expect(answer).toMatchObject({ code: 0, success: true, command: 'make test', exit_code: exitCode });
    expect(answer.output).toContain(output);
  });

  it('reports that it found no tests', async () => {
    expect(await callTool('run-tests.sh', {})).toMatchObject({
      code: 1,
      success: false,
      error: expect.stringMatching(/^No test/),
    });
  });
});
