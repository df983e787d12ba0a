import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pathWithQuickNpm } from '../../support/processes/quick-npm.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

/** A story whose model writes `a.txt`. */
function writeStory(directory: string, name: string, story: object, expected: Record<string, string>): void {
  const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'new\n' } };
  const steps = [{ response: { tool_calls: [call] } }, { response: { content: 'Written.' } }];
  const file = { scenarios: [{ name, trigger: 'write', steps }], story: { prompts: ['write it'], ...story } };
  writeFiles(path.join(directory, name), {
    'scenario.json': JSON.stringify(file),
    ...Object.fromEntries(Object.entries(expected).map(([key, text]) => [`expected/${key}`, text])),
  });
}

describe('ybs test', () => {
  it('passes stories with the tool names of Claude Code', async () => {
    const names = ['edit-and-run-tests', 'edit-not-found-then-correct', 'list-and-search', 'write-new-file'];
    const stories = names.map((name) => path.join(import.meta.dirname, '../../../scenarios', name));
    const environment = { PATH: pathWithQuickNpm() };
    const { stdout } = await runMain(['test', '--tools-dialect', 'claude', ...stories], { environment });
    expect(stdout.replaceAll(/ \(.*\)$/gm, '')).toBe(
      `${names.map((name) => `passed ${name}\n`).join('')}4 passed, 0 failed\n`,
    );
  });

  it('plays the stories that a glob matches, including a dry run and one without a terminal, but no files in their workspaces', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'stories/two', { approvals: ['once'] }, { 'a.txt': 'new\n', 'scenario.json': '{}' });
    writeStory(directory, 'stories/deep/one', { approvals: ['once'] }, { 'a.txt': 'new\n' });
    writeStory(directory, 'stories/dry', { dry_run: true, expected_result_contains: ['Dry run'] }, {});
    writeStory(directory, 'stories/nobody', { expected_outcome: 'denied' }, {});
    writeFiles(directory, { 'stories/two/workspace/scenario.json': '{}', 'stories/README.md': '' });
    const { code, stdout, stderr } = await runMain(['test', 'stories/**'], { directory });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replaceAll(/ \(.*\)$/gm, '')).toBe(
      'passed one\npassed dry\npassed nobody\npassed two\n4 passed, 0 failed\n',
    );
  });

  it('fails with a diff or without an answer, keeps the files of failed stories, and continues', async () => {
    const directory = temporaryDirectory();
    writeStory(directory, 'one', { approvals: ['once'] }, { 'a.txt': 'old\n' });
    writeStory(directory, 'silent', {}, {});
    writeStory(directory, 'two', { approvals: ['once'] }, { 'a.txt': 'new\n' });
    const { code, stdout } = await runMain(['test', '.'], { directory });
    const kept = [...stdout.matchAll(/the files are kept in (.*)/g)].map(([, place = '']) => place);
    onTestFinished(async () => {
      for (const place of kept) await rm(place, { recursive: true, force: true });
    });
    expect(stdout).toContain('FAILED one');
    expect(stdout).toContain('  a.txt differs (- expected, + found):\n');
    expect(stdout).toContain('\n  -old\n  +new\n');
    expect(stdout).toMatch(/\nFAILED silent .*\n(?:.*\n)*.*story\.approvals has no answer for write_file: /);
    expect(stdout).toMatch(/\npassed two .*\n1 passed, 2 failed\n$/);
    expect(code).toBe(1);
    expect(existsSync(path.join(kept[0] ?? '', 'a.txt'))).toBe(true);
  });

  it.each([
    ['an invalid file', 'bad', /^ybs: .*scenario\.json: \$\.story\.prompts: /],
    [
      'a glob that matches nothing',
      'x*',
      /^ybs: x\*: no scenario file and no story directory matches this glob\n {2}fix: .*\n$/,
    ],
  ])('rejects %s with exit code 2', async (_name, name, message) => {
    const directory = temporaryDirectory();
    const scenario = { name: 'n', trigger: 't', steps: [{ response: { content: 'c' } }] };
    writeFiles(directory, {
      'bad/scenario.json': JSON.stringify({ scenarios: [scenario], story: { prompts: 'x' } }),
    });
    const { code, stdout, stderr } = await runMain(['test', name], { directory });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
