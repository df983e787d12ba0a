import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

describe('ybs record', () => {
  it('writes nothing if a file of the workspace holds a secret', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'config/.env': 'TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n' });
    const { code, stderr } = await runMain(['record', 'hello', 'hello world', '--provider', 'mock'], { directory });
    expect(code).toBe(1);
    expect(stderr).toContain('it still holds a GitHub token (workspace/config/.env)');
    expect(existsSync(path.join(directory, 'scenarios'))).toBe(false);
  });

  it.each(['/review hello world', '!hello world', 'say @agent:none hello world'])(
    'rejects a prompt that a story would not type literally: %s',
    async (prompt) => {
      const directory = temporaryDirectory();
      const { code, stderr } = await runMain(['record', 'hello', prompt, '--provider', 'mock'], { directory });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('types its prompts in the chat') });
      expect(existsSync(path.join(directory, 'scenarios'))).toBe(false);
    },
  );

  it('writes a run as a story that ybs test plays, and never replaces a story unless told to', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { '.gitignore': 'secret.txt\n', 'secret.txt': 'sk-1234567890abcdefghij' });
    const prompt = 'Say hello in hello.txt';
    const args = ['record', 'hi', prompt, '--provider', 'mock', '--permission-mode', 'full-access', '--no-sandbox'];
    const recorded = await runMain(args, { directory });
    expect(recorded).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Play it with: ybs test scenarios/hi'),
    });
    const story = path.join(directory, 'scenarios/hi');
    const read = (file: string) => readFileSync(path.join(story, file), 'utf8');
    expect(JSON.parse(read('scenario.json'))).toMatchObject({
      scenarios: [{ name: 'say-hello-in-hello-txt', trigger: prompt }],
      story: { prompts: [prompt], permission_mode: 'full-access' },
    });
    expect(read('expected/hello.txt').toLowerCase()).toContain('hello');
    expect(existsSync(path.join(story, 'workspace/hello.txt'))).toBe(false);
    expect(existsSync(path.join(story, 'workspace/secret.txt'))).toBe(false);
    expect(recorded.stdout).toMatch(/\npassed hi .*\n {2}wrote .*prompt\.lock\.json\n[\s\S]*1 passed, 0 failed\n$/);
    expect(read('prompt.lock.json')).toContain('"agent": "ybs"');

    const played = await runMain(['test', 'scenarios/hi', '--drift', 'fail'], { directory });
    expect(played).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') });

    writeFileSync(path.join(story, 'note.txt'), 'mine');
    expect(await runMain(args, { directory })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists already. Choose another name, or replace it with --force.'),
    });
    expect(read('note.txt')).toBe('mine');
    expect(await runMain([...args, '--force'], { directory })).toMatchObject({ code: 0 });
    expect(existsSync(path.join(story, 'note.txt'))).toBe(false);
  });

  it.each(['.', 'src', 'repository'])('never replaces a directory that is not a story: %s', async (out) => {
    const directory = temporaryDirectory();
    const files = {
      'a.txt': 'mine',
      'src/a.txt': 'mine',
      'repository/.git/HEAD': '',
      'repository/scenario.json': '{}',
    };
    writeFiles(directory, files);
    const args = ['record', 'hi', 'hello world', '--provider', 'mock', '--out', out, '--force'];
    expect(await runMain(args, { directory })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a story, so --force does not replace it. Choose another directory.'),
    });
    for (const file of Object.keys(files)) expect(existsSync(path.join(directory, file))).toBe(true);
  });
});
