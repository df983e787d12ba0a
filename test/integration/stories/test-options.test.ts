import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { writeFiles } from '../../support/processes/temporary-directory.ts';
import { writeWritingStory, writingScenario } from '../../support/stories/writing-story.ts';

const read = (directory: string, name: string) => readFileSync(path.join(directory, name, 'expected/a.txt'), 'utf8');

describe('ybs test --update and --reporter junit', () => {
  it('write the expected files only of stories that had none or left different files', async () => {
    const directory = writeWritingStory('new\n', { 'one/expected/a.txt': 'old\n', 'one/expected/gone.txt': '' });
    const wrong = writingScenario('new\n').replace('"full-access"', '"full-access","expected_outcome":"limit"');
    writeFiles(directory, {
      'created/scenario.json': writingScenario('new\n'),
      'wrong/scenario.json': wrong,
      'wrong/expected/a.txt': 'old\n',
    });
    const { code, stdout } = await runMain(['test', '--update', 'one', 'created', 'wrong'], { directory });
    onTestFinished(() => rm(/kept in (.*)/.exec(stdout)?.[1] ?? 'nowhere', { recursive: true, force: true }));
    expect(stdout).toMatch(
      /^passed one \(.*\), wrote .*one[\\/]expected\npassed created \(.*\), wrote .*created[\\/]expected\n/,
    );
    expect(stdout).toMatch(/\nFAILED wrong .*\n[\s\S]*\n2 passed, 1 failed\n$/);
    expect(code).toBe(1);
    expect(['one', 'created', 'wrong'].map((name) => read(directory, name))).toEqual(['new\n', 'new\n', 'old\n']);
    const played = await runMain(['test', '--reporter', 'junit', 'one'], { directory });
    expect(played.stdout).toMatch(
      /^<\?xml [\s\S]*<testcase classname="ybs" name="one" time="\d+\.\d+"\/>[\s\S]*<\/testsuites>\n$/,
    );
    expect(played.code).toBe(0);
  });
});

it('ybs test --html writes the report as a page, also that of several shards', async () => {
  const directory = writeWritingStory('new\n', { 'one/expected/a.txt': 'new\n' });
  const page = (name: string) => readFileSync(path.join(directory, name), 'utf8');
  const played = await runMain(['test', 'one', '--html', 'page.html', '--shard', '1/1', '--reporter', 'json'], {
    directory,
  });
  expect(JSON.parse(played.stdout)).toMatchObject({ passed: 1 });
  expect(page('page.html')).toMatch(
    /<h1>Stories played by ybs, part 1 of 1<\/h1>\n<p class="good">1 passed, 0 failed<\/p>/,
  );
  writeFiles(directory, { 'report.json': played.stdout });
  const merged = await runMain(['test', 'report.json', '--merge', '--html', 'merged.html'], { directory });
  expect(merged.stdout).toMatch(/\n1 passed, 0 failed\n$/);
  expect(page('merged.html')).toContain('<td>one</td><td>passed</td>');
});

describe('ybs test --rebase and --drift', () => {
  it('lock the prompt of a story, report drift from it, and accept it', async () => {
    const directory = writeWritingStory('new\n', {
      'one/expected/a.txt': 'new\n',
      'config.json': JSON.stringify({ prompt: { append: 'Answer in one sentence.' } }),
    });
    const lockOf = () => readFileSync(path.join(directory, 'one/prompt.lock.json'), 'utf8');
    const play = (...args: readonly string[]) => runMain(['test', ...args, 'one'], { directory });
    const created = await play('--rebase');
    expect(created.stdout).toMatch(/^passed one .*\n {2}wrote .*prompt\.lock\.json\n1 passed, 0 failed\n$/);
    const first = lockOf();
    expect(first).toContain('"part": "tool result 1"');
    expect((await play('--drift', 'fail')).stdout).toMatch(/^passed one .*\n1 passed, 0 failed\n$/);
    const drifted = await play('-c', 'config.json');
    expect(drifted.stdout).toMatch(
      /^passed one .*\n {2}drift: step 0, system: \+2 −0 lines\n[\s\S]* {4}\+Answer in one sentence\.\n[\s\S]*\nprompts differ .*\n1 passed, 0 failed\n$/,
    );
    expect(drifted.code).toBe(0);
    const failed = await play('-c', 'config.json', '--drift', 'fail', '--reporter', 'json');
    const report = JSON.parse(failed.stdout);
    onTestFinished(() => rm(report.stories[0].kept ?? 'nowhere', { recursive: true, force: true }));
    expect(report).toMatchObject({ failed: 1, stories: [{ drift: [{ step: 0, part: 'system' }] }] });
    expect(failed.code).toBe(1);
    expect(lockOf()).toBe(first);
    expect((await play('-c', 'config.json', '--rebase')).stdout).toContain('  accepted: step 0, system: +2 −0 lines\n');
    expect(lockOf()).toContain('"Answer in one sentence."');
    expect((await play('-c', 'config.json', '--drift', 'fail')).code).toBe(0);
  });

  it('keep the lock of a story that fails', async () => {
    const directory = writeWritingStory('new\n', { 'one/expected/a.txt': 'other\n' });
    const { code, stdout } = await runMain(['test', '--rebase', 'one'], { directory });
    onTestFinished(() => rm(/kept in (.*)/.exec(stdout)?.[1] ?? 'nowhere', { recursive: true, force: true }));
    expect(code).toBe(1);
    expect(() => readFileSync(path.join(directory, 'one/prompt.lock.json'))).toThrow('ENOENT');
  });
});

describe('ybs test --reporter json', () => {
  it('writes one line and nothing else', async () => {
    const directory = writeWritingStory('new\n', { 'one/expected/a.txt': 'old\n' });
    const { code, stdout } = await runMain(['test', '--reporter', 'json', 'one'], { directory });
    const report = JSON.parse(stdout);
    onTestFinished(() => rm(report.stories[0].kept ?? 'nowhere', { recursive: true, force: true }));
    expect(report).toMatchObject({ passed: 0, failed: 1, skipped: 0, stories: [{ type: 'failed', name: 'one' }] });
    expect(report.stories[0].problems[0]).toContain('a.txt differs');
    expect(code).toBe(1);
  });
});
