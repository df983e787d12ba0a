import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mockServerEntry, ybsEntry } from '../../support/processes/entry.ts';
import { binEnvironment } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { LONG } from '../../support/random/property.ts';
import { type PageStep, readSteps, withoutDetails } from '../../support/stories/page-steps.ts';

const root = path.join(import.meta.dirname, '../../..');
const steps = readSteps(readFileSync(path.join(root, 'docs/your-agent.md'), 'utf8'));
const files = Object.fromEntries(steps.flatMap((step) => (step.type === 'file' ? [[step.name, step.content]] : [])));
const commands = steps.flatMap((step) => (step.type === 'command' ? [step] : []));

/** A project with the files of the page, the installed package, and the sample agent as `my-agent` on the PATH. */
function createProject(): { readonly directory: string; readonly environment: Record<string, string> } {
  const directory = temporaryDirectory();
  const program = (...words: readonly string[]) =>
    `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`;
  const programs = {
    'bin/my-agent': program(process.execPath, path.join(root, 'test/support/stories/sample-agent.mjs')),
    'bin/npx-ybs': program(process.execPath, ybsEntry),
    'node_modules/.bin/mock-llm-server': program(process.execPath, mockServerEntry),
  };
  writeFiles(directory, { ...files, ...programs });
  for (const name of Object.keys(programs)) chmodSync(path.join(directory, name), 0o755);
  mkdirSync(path.join(directory, 'node_modules'), { recursive: true });
  symlinkSync(root, path.join(directory, 'node_modules/ybs'));
  const places = [path.join(directory, 'bin'), path.dirname(process.execPath), process.env['PATH']];
  return {
    directory,
    environment: binEnvironment({
      PATH: places.join(path.delimiter),
      TMPDIR: temporaryDirectory(),
      // Without the plugins of this machine, which take most of the processor time of pytest.
      PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
    }),
  };
}

/** Runs words of the page in a new project, in which some files may differ; `npx ybs` is the command under test. */
function runWords(
  words: readonly string[],
  changed: Readonly<Record<string, string>> = {},
): { readonly code: number | null; readonly output: string } {
  const { directory, environment } = createProject();
  writeFiles(directory, changed);
  const [program = '', ...args] = words[0] === 'npx' ? ['npx-ybs', ...words.slice(2)] : words;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: directory, env: environment, encoding: 'utf8' });
  return { code: status, output: `${stdout}${status === 0 ? '' : stderr}` };
}

/** Runs lines of Python with the fixture of the page as `mock_model`, as pytest would. */
function pythonCall(...lines: readonly string[]): readonly string[] {
  const script = [
    'import sys, types',
    'sys.modules["pytest"] = types.SimpleNamespace(fixture=lambda function: function)',
    'import conftest',
    'models = conftest.mock_model()',
    'mock_model = next(models)',
    'try:',
    ...lines.map((line) => `    ${line}`),
    'finally:',
    '    next(models, None)',
  ];
  return ['python3', '-c', script.join('\n')];
}

const pythonTest = pythonCall(
  'import pathlib, tempfile, test_greeting',
  'test_greeting.test_the_agent_writes_a_greeting(mock_model, pathlib.Path(tempfile.mkdtemp()))',
  'print("1 passed")',
);

function commandOf(start: string): Extract<PageStep, { type: 'command' }> {
  const found = commands.find(({ words }) => words.join(' ').startsWith(start));
  if (found === undefined) throw new Error(`the page has no command that starts with ${start}`);
  return found;
}

const canRun = (words: readonly string[]) => spawnSync(words[0] ?? '', words.slice(1)).status === 0;
const hasPython = canRun(['python3', '--version']);

describe('docs/your-agent.md', () => {
  it('has these files and commands, each of which is tested below', () => {
    expect(Object.keys(files)).toEqual([
      'greeting/scenario.json',
      'greeting/expected/hello.txt',
      'greeting.test.mts',
      'conftest.py',
      'test_greeting.py',
      'greeting.sh',
    ]);
    expect(commands.map(({ words }) => words.slice(0, 2).join(' '))).toEqual([
      'npx ybs',
      'node --test',
      'python3 -m',
      'sh greeting.sh',
    ]);
  });

  it('shows the report of ybs test', () => {
    const { words, output } = commandOf('npx ybs test');
    const result = runWords(words);
    expect(withoutDetails(result.output)).toBe(withoutDetails(output ?? ''));
    expect(result.code).toBe(0);
  });

  it('has a test in TypeScript that passes in a project that npm init made', () => {
    const project = { 'package.json': JSON.stringify({ type: 'commonjs' }) };
    const { code, output } = runWords(commandOf('node --test').words, project);
    expect(output).toMatch(/^# pass 1$|^ℹ pass 1$/m);
    expect(code, output).toBe(0);
  });

  it('has a script that passes', () => {
    const { words, output } = commandOf('sh');
    expect(runWords(words)).toEqual({ code: 0, output });
  });

  it('has a test in Python that passes, under pytest if it is installed', (context) => {
    const { words } = commandOf('python3 -m pytest');
    if (!hasPython) context.skip('python3 is not installed');
    const pytest = runWords(words);
    const { code, output } = pytest.output.includes('No module named pytest') ? runWords(pythonTest) : pytest;
    expect(output).toMatch(/^1 passed/m);
    expect(code, output).toBe(0);
  });

  it('has a server for tests in Python that rejects requests like the named service', (context) => {
    if (!hasPython) context.skip('python3 is not installed');
    const words = pythonCall(
      'import json, urllib.error, urllib.request',
      'body = {"model": "deepseek-chat", "messages": [{"role": "developer", "content": "Write a greeting."}]}',
      'model = mock_model("greeting", service="deepseek")',
      'try:',
      '    urllib.request.urlopen(f"{model}/v1/chat/completions", json.dumps(body).encode())',
      'except urllib.error.HTTPError as error:',
      '    print(error.code, error.read().decode())',
    );
    expect(runWords(words).output).toMatch(/^400 .*unknown variant `developer`/);
  });

  const failing = [
    ['the script', commandOf('sh').words],
    ['TypeScript', commandOf('node --test').words],
    ['Python', pythonTest],
  ] as const;
  it.for(LONG ? failing : failing.slice(0, 1))(
    'has a test in %s that fails when the agent does something else',
    ([language, words], { skip }) => {
      if (language === 'Python' && !hasPython) skip('python3 is not installed');
      const scenario = files['greeting/scenario.json']?.replace('Hello!', 'Bye!') ?? '';
      const { code, output } = runWords(words, { 'greeting/scenario.json': scenario });
      expect(code).not.toBe(0);
      expect(output).toMatch(/Hello!/);
    },
  );
});
