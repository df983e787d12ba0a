import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../../mock-llm-server/cli/arguments.ts';
import { runExplain } from '../../../mock-llm-server/cli/explain.ts';
import { runValidate } from '../../../mock-llm-server/cli/validate.ts';
import { ScenarioError } from '../../../mock-llm-server/scenario/problems.ts';
import { runMockMain } from '../../support/processes/run-main.ts';

const root = path.join(import.meta.dirname, '../../..');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'mock-subcommands-'));
  const steps = [{ response: { content: 'done' } }];
  const story = { name: 'poem', trigger: 'write a poem', steps };
  const files = {
    'good.json': { scenarios: [story] },
    'warning.json': { scenarios: [story, { name: 'long', trigger: 'write a poem now', steps }] },
    'broken.json': { scenarios: [{ name: 'broken', trigger: ' ', steps }] },
    'chat.json': { model: 'm', messages: [{ role: 'user', content: 'Write a poem, please' }] },
    'short.json': { model: 'm', messages: [{ role: 'user', content: 'write a poem' }], stop: 'n' },
    'miss.json': { model: 'm', messages: [{ role: 'user', content: 'Write a peom' }] },
    'gemini.json': { contents: [{ role: 'user', parts: [{ text: 'write a poem' }] }] },
    'title.json': { model: 'm', messages: [{ role: 'user', content: 'Suggest a title for this chat: "hi there"' }] },
    'anthropic.json': { model: 'claude', system: 'You code.', messages: [{ role: 'user', content: 'write a poem' }] },
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(directory, name), JSON.stringify(content));
  }
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Runs a subcommand without the command around it. File names are relative to the directory. */
async function run(args: readonly string[]) {
  const command = await parseArguments(args);
  const inside = (name: string) => path.resolve(directory, name);
  if (command.type === 'validate') return runValidate(command.paths.map(inside));
  if (command.type !== 'explain') throw new Error(`${args.join(' ')} is ${command.type}`);
  const { request, scenarios } = command;
  return runExplain({ ...command, request: inside(request), scenarios: scenarios.map(inside) });
}

/** Exit code and error of a command that cannot read its input; `main` prints the error after its name. */
async function failure(args: readonly string[]): Promise<readonly [number, string]> {
  try {
    const { exitCode, text } = await run(args);
    return [exitCode, text];
  } catch (error) {
    if (error instanceof ScenarioError) return [2, error.message];
    throw error;
  }
}

const ANTHROPIC = ['--protocol', 'anthropic-messages'];

describe('validate', () => {
  it('reports files without warnings', async () => {
    expect(await run(['validate', 'good.json', path.join(root, 'scenarios')])).toEqual({
      exitCode: 0,
      text: expect.stringMatching(/^\d+ scenarios in \d+ files, 0 warnings$/),
    });
  });

  it('names file, path, reason and fix of a warning', async () => {
    const { exitCode, text } = await run(['validate', 'warning.json']);
    expect({ exitCode, text: text.replaceAll(`${directory}${path.sep}`, '') }).toEqual({
      exitCode: 1,
      text:
        'warning.json: $.scenarios[1].trigger: "write a poem now" can never start it: the trigger "write a poem" of ' +
        '"poem" in warning.json comes first and matches as well\n' +
        '  fix: move this scenario before "poem", or make one of the two triggers narrower\n' +
        '2 scenarios in 1 file, 1 warning',
    });
  });

  it('exits with 2 for a broken file', async () => {
    expect(await runMockMain(['validate', 'broken.json'], { directory })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'mock-llm-server: broken.json: $.scenarios[0].trigger: must not be blank\n  fix: write some text\n',
    });
  });

  it('exits with 2 for a missing file', async () => {
    expect(await failure(['validate', 'nowhere'])).toEqual([
      2,
      expect.stringMatching(/nowhere: there is no such file or directory\n {2}fix: correct the path; a relative one /),
    ]);
  });

  it('needs a file or a directory', async () => {
    const message = 'validate needs at least one file or directory';
    expect(await parseArguments(['validate'])).toEqual({ type: 'usage_error', message });
  });
});

describe('explain', () => {
  it('prints the answering step and its answer', async () => {
    const { exitCode, text } = await run(['explain', 'chat.json', '--scenarios', 'good.json']);
    const [request, answer, body = ''] = text.split('\n');
    expect({ exitCode, request, answer }).toEqual({
      exitCode: 0,
      request: '/v1/chat/completions as openai-chat, model m, no tools',
      answer: '200 scenario "poem", step 0',
    });
    expect(JSON.parse(body)).toMatchObject({ choices: [{ message: { content: 'done' } }] });
  });

  it('prints the error of a request that no scenario matches', async () => {
    const { exitCode, text } = await run(['explain', 'miss.json', '--scenarios', 'good.json']);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^400 refused$/m);
    expect(text).toContain('From the trigger to the text: Write a [-poem-]{+peom+}.');
    expect(text).toMatch(/^\{"name":"write-a-peom","trigger":"Write a peom",/m);
  });

  it.each([
    [
      'a lint mode',
      ['anthropic.json', ...ANTHROPIC, '--lint', 'warn'],
      /^\/v1\/messages as .*\n200 .*\nlint: max_tokens/,
    ],
    ['a 400 of the linter', ['anthropic.json', ...ANTHROPIC], /^\/v1\/messages as .*\n400 refused\nlint: max_tokens/],
    [
      'the protocol of Gemini',
      ['gemini.json', '--protocol', 'gemini'],
      /^\/v1beta\/models\/mock-model:generateContent as .*\n200 scenario "poem"/,
    ],
    ['a protocol', ['chat.json', '--protocol', 'anthropic-messages', '--lint', 'off'], /^\/v1\/messages as .*\n200/],
    ['a path', ['chat.json', '--path', '/chat/completions'], /^\/chat\/completions as openai-chat/],
    ['a header', ['chat.json', '--header', 'x-mock-scenario: pome'], /There is no scenario "pome"/],
    ['an unknown path', ['chat.json', '--path', '/nope'], /Unknown request URL: POST \/nope/],
    ['a limit', ['short.json'], /\n200 .*\nnote: ended at stop "n"\n.*"content":"do"/],
    ['a mode for limits', ['short.json', '--limits', 'ignore'], /\n200 .*\n\{.*"content":"done"/],
    ['a title', ['title.json'], /\n200 auxiliary request: title\n/],
  ])('accepts %s', async (_name, args, expected) => {
    expect((await run(['explain', ...args, '--scenarios', 'good.json'])).text).toMatch(expected);
  });

  it('reads standard input', async () => {
    const input = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'write a poem' }] });
    const { code, stdout } = await runMockMain(['explain', '-', '--scenarios', 'good.json'], { directory, input });
    expect([code, stdout]).toEqual([0, expect.stringContaining('200 scenario "poem", step 0')]);
  });

  it.each([
    ['a missing request file', ['nowhere.json', '--scenarios', 'good.json'], /cannot read .*nowhere.json: /],
    ['broken scenarios', ['chat.json', '--scenarios', 'broken.json'], /must not be blank/],
    [
      'a path that is not for answers',
      ['anthropic.json', '--scenarios', 'good.json', '--path', '/v1/messages/count_tokens'],
      /count_tokens does not give answers of the model: \{"input_tokens"/,
    ],
  ])('exits with 2 for %s', async (_name, args, expected) => {
    expect(await failure(['explain', ...args])).toEqual([2, expect.stringMatching(expected)]);
  });
});
