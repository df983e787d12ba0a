import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { createScenarioSet } from '../../../mock-llm-server/scenario/prepare.ts';
import { runMockMain } from '../../support/processes/run-main.ts';
import { writeFiles } from '../../support/processes/temporary-directory.ts';

let root: string;

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'mock-globs-')));
  const names = ['a', 'b/c', 'b/🙂', 'b/\uFF5E', 'b/d/e', '.hidden/f', 'other/g', 'odd [1]'];
  const files = names.map((name) => {
    const scenarios = [{ name, trigger: name, steps: [{ response: { content: name } }] }];
    return [`mocks/${name}.json`, JSON.stringify({ scenarios })];
  });
  const story = (name: string) =>
    JSON.stringify({ scenarios: [{ name, trigger: name, steps: [{ response: { content: name } }] }] });
  const stories = {
    'stories/one/scenario.json': story('one'),
    'stories/one/workspace/scenario.json': story('file of the workspace'),
    'stories/two/scenario.json': story('two'),
    'stories/empty/README.md': '#',
  };
  writeFiles(root, { ...Object.fromEntries(files), ...stories, 'mocks/b/README.md': '#' });
  symlinkSync(path.join(root, 'mocks/other'), path.join(root, 'mocks/b/linked'), 'junction');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function namesIn(...patterns: readonly string[]): Promise<readonly string[]> {
  const directory = root.replaceAll('\\', '/');
  const { scenarios } = createScenarioSet(
    await loadScenarioFiles(
      patterns.map((pattern) => `${directory}/${pattern}`),
      nodeScenarioFiles,
    ),
  );
  return scenarios.map(({ name }) => name);
}

it.each<readonly [string, readonly string[]]>([
  ['mocks/*.json', ['a', 'odd [1]']],
  ['mocks/b/*', ['b/c', 'b/\uFF5E', 'b/🙂']],
  ['mocks/b/**', ['b/c', 'b/d/e', 'b/\uFF5E', 'b/🙂']],
  ['mocks/**/*.{json,yaml}', ['a', 'b/c', 'b/d/e', 'b/\uFF5E', 'b/🙂', 'odd [1]', 'other/g']],
  ['mocks/b/../*.json', ['a', 'odd [1]']],
  ['mocks/odd [1].json', ['odd [1]']],
  ['stories/*', ['one', 'two']],
  ['stories/t*', ['two']],
  ['stories/**', ['one', 'two']],
])('the glob %s matches %j', async (pattern, expected) => {
  expect(await namesIn(pattern)).toEqual(expected);
});

it('a glob relative to the working directory matches as an absolute one does', async () => {
  const relative = path.relative(process.cwd(), root).replaceAll('\\', '/');
  const { scenarios } = createScenarioSet(await loadScenarioFiles([`${relative}/mocks/*.json`], nodeScenarioFiles));
  expect(scenarios.map(({ name }) => name)).toEqual(['a', 'odd [1]']);
});

it.skipIf(process.platform === 'win32')(
  'a glob matches links to files, such as those in volumes of Kubernetes',
  async () => {
    symlinkSync(path.join(root, 'mocks/a.json'), path.join(root, 'link.json'));
    expect(await namesIn('*.json')).toEqual(['a']);
  },
);

it('a file that two arguments name differently is loaded once', async () => {
  expect(await namesIn('mocks/a.json', 'mocks/../mocks/*.json')).toEqual(['a', 'odd [1]']);
});

it('the command matches globs', async () => {
  const { stdout } = await runMockMain(['validate', 'mocks/*.json'], { directory: root });
  expect(stdout).toBe('2 scenarios in 2 files, 0 warnings\n');
});

it('the error for a glob without a match names the glob', async () => {
  await expect(namesIn('mocks/**/*.yml')).rejects.toThrow(
    '/mocks/**/*.yml: no scenario file and no story directory matches',
  );
  await expect(namesIn('nowhere/*.json')).rejects.toThrow(
    '/nowhere/*.json: no scenario file and no story directory matches',
  );
});
