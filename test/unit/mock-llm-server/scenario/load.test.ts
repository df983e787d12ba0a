import { describe, expect, it } from 'vitest';
import { loadScenarioFiles, type ScenarioFiles } from '../../../../mock-llm-server/scenario/loading/load.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';

/** A tree of files by their paths; a value of null is a file that cannot be read. */
function memoryFiles(tree: Readonly<Record<string, string | null>>): ScenarioFiles {
  const names = Object.keys(tree);
  return {
    kindOf: async (path) => {
      if (path in tree) return 'file';
      return names.some((name) => name.startsWith(`${path}/`)) ? 'directory' : 'missing';
    },
    list: async (directory) => {
      const inside = names.filter((name) => name.startsWith(`${directory}/`));
      return [...new Set(inside.map((name) => name.slice(directory.length + 1).split('/')[0] ?? ''))].reverse();
    },
    // Understands `*` and `?` only.
    glob: async (pattern) => {
      const expression = new RegExp(
        `^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '[^/]')}$`,
      );
      const directories = names.flatMap((name) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index)));
      const matches = [...names, ...new Set(directories)].filter((name) => expression.test(name));
      return matches.map((name) => (name in tree ? name : `${name}/`)).reverse();
    },
    readFile: async (path) => {
      const text = tree[path];
      if (typeof text !== 'string') throw new Error('EACCES: permission denied');
      return text;
    },
  };
}

function file(name: string, defaultResponse?: string): string {
  const scenarios = [{ name, trigger: name, steps: [{ response: { content: name } }] }];
  return JSON.stringify({ scenarios, ...(defaultResponse && { default_response: { content: defaultResponse } }) });
}

/** The text that is read from a file saved as UTF-16. */
function utf16(text: string, marked: boolean): string {
  return Buffer.from(marked ? `\uFEFF${text}` : text, 'utf16le').toString('utf8');
}

function yaml(name: string): string {
  return `scenarios:\n  - name: ${name}\n    trigger: ${name}\n    steps:\n      - response: { content: ${name} }\n`;
}

const tree = {
  'stories/b/scenario.json': file('b', 'from b'),
  'stories/b/workspace/package.json': '{}',
  'stories/a/scenario.json': file('a'),
  'stories/a/workspace/scenario.json': file('never read'),
  'stories/a/story.json': '{}',
  'stories/c/readme.txt': '',
  'stories/plain.json': file('plain', 'from plain'),
  'stories/README.md': '#',
  'one.json': file('one', 'from one'),
  'mixed/b/scenario.yaml': yaml('b'),
  'mixed/c/scenario.yml': yaml('c'),
  'mixed/d/scenario.json': file('d'),
  'mixed/d/scenario.yaml': yaml('never read'),
  'mixed/a.yml': yaml('a'),
  'mixed/e.yaml': yaml('e'),
  'odd [1]*.json': file('odd'),
  'odd (a)/scenario.json': file('odd a'),
  'locked/a.json': file('locked a'),
  'locked/a.prompt.lock.json': lock('one'),
  'locked/b/scenario.yaml': yaml('b'),
  'locked/b/prompt.lock.json': lock('two'),
};

function lock(agent: string): string {
  return JSON.stringify({ version: 1, agent, volatile: [{ name: 'day', pattern: 'Monday' }], steps: [] });
}

const NO_MATCH =
  ': no scenario file and no story directory matches this glob\n  fix: correct the glob; it uses / on every system';
const UNREADABLE = ': cannot be read: EACCES: permission denied\n  fix: check that this user may read the file';

describe('loadScenarioFiles', () => {
  it.each([
    ['a file', ['one.json'], 'one', 'from one'],
    ['a story directory', ['stories/b'], 'b', 'from b'],
    ['a directory of stories, by name', ['stories'], 'a b plain', 'from b'],
    ['several paths, in their order', ['one.json', 'stories'], 'one a b plain', 'from one'],
    ['the same file only once', ['stories/a', 'stories'], 'a b plain', 'from b'],
    ['YAML beside JSON, which wins in a story directory', ['mixed'], 'a b c d e', undefined],
    ['a YAML file', ['mixed/a.yml'], 'a', undefined],
    ['no default response', ['stories/a'], 'a', undefined],
    ['a glob, by code point', ['mixed/*.y*ml'], 'a b c never read e', undefined],
    ['a glob that matches other files, too', ['stories/*'], 'a b plain', 'from b'],
    ['a glob without the workspaces of stories', ['stories/*.json'], 'a b plain', 'from b'],
    ['a glob of story directories', ['stories/?'], 'a b', 'from b'],
    ['a glob and a file that it matches', ['one.json', 'one*'], 'one', 'from one'],
    ['a file with the characters of a glob', ['odd [1]*.json'], 'odd', undefined],
    ['a directory with the characters of a glob', ['odd (a)'], 'odd a', undefined],
    ['a directory without its locks', ['locked'], 'locked a b', undefined],
    ['a glob that matches a lock', ['locked/*.json'], 'locked a', undefined],
  ])('loads %s', async (_name, paths, names, defaultResponse) => {
    const set = createScenarioSet(await loadScenarioFiles(paths, memoryFiles(tree)));
    expect(set.scenarios.map(({ name }) => name).join(' ')).toBe(names);
    expect(set.defaultResponse).toBe(defaultResponse);
  });

  it.each([
    [
      'nothing there',
      {},
      'x',
      'x: there is no such file or directory\n  fix: correct the path; a relative one starts at the working directory',
    ],
    ['a glob that matches nothing', { 'x/a.json': file('a') }, 'x/*.yaml', `x/*.yaml${NO_MATCH}`],
    ['a glob that matches no scenario file', { 'x/README.md': '' }, 'x/*', `x/*${NO_MATCH}`],
    [
      'a directory without scenarios',
      { 'x/README.md': '' },
      'x',
      'x: contains no scenarios: no scenario.json or scenario.yaml, no directories with one, no other .json or ' +
        '.yaml files\n  fix: name a file, or a directory that contains some',
    ],
    ['a file that cannot be read', { 'x.json': null }, 'x.json', `x.json${UNREADABLE}`],
    ...(['.json', '.yaml'] as const).flatMap((suffix) =>
      ([true, false] as const).map((marked): [string, Record<string, string>, string, string] => [
        `UTF-16${marked ? ' with its mark' : ''} in a ${suffix}`,
        { [`x${suffix}`]: utf16(file('a'), marked) },
        `x${suffix}`,
        `x${suffix}: is not UTF-8 text\n  fix: save it as UTF-8; in Windows PowerShell with Out-File -Encoding utf8 instead of >`,
      ]),
    ),
    [
      'two bad files: both are named',
      { 'x/a.json': '{}', 'x/b.json': '[]' },
      'x',
      expect.stringMatching(
        /^x\/a\.json: \$\.scenarios: is missing\n {2}fix: .*\nx\/b\.json: must be an object, not a list\n {2}fix: .*$/,
      ),
    ],
    [
      'a syntax error of YAML, with its line',
      { 'x.yaml': 'scenarios:\n  - name: "a\n' },
      'x.yaml',
      'x.yaml: line 3, column 1: not valid YAML: Missing closing "quote\n' +
        '  fix: correct the line; a text with one of : # { [ & * ! needs quotes',
    ],
    [
      'YAML with a mistake, with path and line',
      { 'x.yml': yaml('7').replace('trigger: 7', 'trigger: a') },
      'x.yml',
      'x.yml: $.scenarios[0].name (line 2): must be a string, not 7\n  fix: write the string "7"\n' +
        'x.yml: $.scenarios[0].steps[0].response.content (line 5): must be a string or a list, not 7\n  fix: write the string "7"',
    ],
    [
      'a name used twice',
      { 'x/a.json': file('same'), 'x/b.json': file('same') },
      'x',
      'x/b.json: $.scenarios[0].name: the name "same" is taken by a scenario in x/a.json\n  fix: give each scenario its own name',
    ],
    [
      'a lock with conflict markers',
      { 'x/scenario.json': file('a'), 'x/prompt.lock.json': '<<<<<<< ours' },
      'x',
      "x/prompt.lock.json: not valid JSON: Unexpected token '<' in JSON\n" +
        '  fix: delete the file and run ybs test --rebase, or correct it',
    ],
    [
      'a lock with mistakes, each with its path',
      {
        'x.json': file('a'),
        'x.prompt.lock.json': JSON.stringify({
          version: 1,
          agent: 'ybs',
          volatile: [{ name: 'A' }, { name: 'b', pattern: '(' }],
          steps: [{ scenario: 'a', step: 0, parts: [{ part: 'system', digest: 'x' }] }],
        }),
      },
      'x.json',
      expect.stringMatching(
        /^x\.prompt\.lock\.json: \$\.volatile\[0\]\.name: must be lower-case[\s\S]*volatile\[0\]: must have either[\s\S]*volatile\[1\]\.pattern: [\s\S]*steps\[0\]\.parts\[0\]\.digest: must be 32 hexadecimal digits\n.*$/,
      ),
    ],
    [
      'a lock that cannot be read',
      { 'x.json': file('a'), 'x.prompt.lock.json': null },
      'x.json',
      `x.prompt.lock.json${UNREADABLE}`,
    ],
  ])('refuses %s', async (_name, files, path, message) => {
    await expect(loadScenarioFiles([path], memoryFiles(files)).then(createScenarioSet)).rejects.toMatchObject({
      name: 'ScenarioError',
      message,
    });
  });

  it('reports a thrown string as the reason', async () => {
    const broken = { ...memoryFiles(tree), readFile: () => Promise.reject('odd') };
    await expect(loadScenarioFiles(['one.json'], broken)).rejects.toThrow('one.json: cannot be read: odd');
  });
});

it('loadScenarioFiles returns each file with its story', async () => {
  const content = { ...JSON.parse(file('s')), story: { prompts: ['s'] } };
  const files = memoryFiles({ 's/scenario.json': JSON.stringify(content) });
  expect(await loadScenarioFiles(['s'], files)).toEqual([{ file: 's/scenario.json', content }]);
});

it('loadScenarioFiles returns the lock beside a file, and the scenarios of the file have it', async () => {
  const files = await loadScenarioFiles(['locked'], memoryFiles(tree));
  const volatile = [{ name: 'day', pattern: 'Monday' }];
  expect(files.map(({ lock }) => lock)).toEqual([
    { version: 1, agent: 'one', volatile, steps: [] },
    { version: 1, agent: 'two', volatile, steps: [] },
  ]);
  expect(createScenarioSet(files).scenarios.map(({ lock }) => lock?.agent)).toEqual(['one', 'two']);
});
