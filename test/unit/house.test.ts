import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../support/house/import-rules.ts';
import { projectFiles } from '../support/house/project-files.ts';
import { BEHAVIOURS, misnamedTests } from '../support/house/unit-tests.ts';

const root = path.join(import.meta.dirname, '../..');
const shipped = projectFiles('src', 'mock-llm-server');
const sources = new Map([...shipped, ...projectFiles('tooling', 'test')]);

/** All comments by which c8, istanbul, Node and vitest leave code out of the coverage. */
const ignoredCoverage = new RegExp(`\\b(?:v8|c8|istanbul|node:${'coverage'})\\s+(?:ignore|disable|enable)\\b`);

describe('sizes', () => {
  // The figures of README.md and src/agent/README.md.
  const way = ['agent-loop', 'turn/collect-turn', 'plan-call', 'permit-call', 'execute-call'];
  it.each([
    ['the loop and the execution of a call', ['agent-loop', 'execute-call'], 300],
    ['the whole path of a call', way, 450],
  ])('%s stays within its limit', (_name, names, max) => {
    const lines = names.map((name) => linesOf(`src/agent/${name}.ts`));
    expect(Math.min(...lines)).toBeGreaterThan(0);
    expect(sum(lines)).toBeLessThanOrEqual(max);
  });

  it.each([
    ['agent', /^src\/agent\//, 3_000],
    // With the port of the terminal, which hosts and stories share.
    ['app', /^src\/app\/[^/]+$/, 1_375],
  ])('the folders of %s stay within their limit', (_name, rooms, max) => {
    const files = [...shipped.keys()].filter((file) => rooms.test(file));
    expect(files.length).toBeGreaterThan(0);
    expect(sum(files.map((file) => linesOf(file)))).toBeLessThanOrEqual(max);
  });

  it('no file of the core is longer than 200 lines', () => {
    expect(
      longerThan(
        200,
        [...shipped.keys()].filter((file) => /^src\/agent\/[^/]+$/.test(file)),
      ),
    ).toEqual([]);
  });

  it('no folder of tests has more than 16 files', () => {
    const folders = globSync('test/**/*', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/fixtures|__screenshots__/.test(entry.parentPath))
      .map((entry) => path.relative(root, entry.parentPath));
    const counts = [...new Set(folders)].map((name) => [name, folders.filter((folder) => folder === name).length]);
    expect(counts.length).toBeGreaterThan(30);
    expect(counts.filter(([, count]) => Number(count) > 16)).toEqual([]);
  });

  it('no shipped file is longer than 300 lines', () => {
    expect(longerThan(300, [...shipped.keys()])).toEqual([]);
  });
});

it.each(['src/', 'mock-llm-server/'])('each exported name of %s is defined in one file', (root) => {
  const definition = /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/gm;
  const places = new Map<string, Set<string>>();
  for (const [file, source] of shipped) {
    // The scripts of the page are a program of their own.
    if (!file.startsWith(root) || file.startsWith('src/web/page/')) continue;
    for (const [, name = ''] of source.matchAll(definition)) {
      places.set(name, (places.get(name) ?? new Set()).add(file));
    }
  }
  expect(places.size).toBeGreaterThan(100);
  expect([...places].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
});

it.each([...Object.keys(AREAS).map((area) => `src/${area}`), 'mock-llm-server', 'tooling'])(
  '%s has a README of at most 30 lines',
  (area) => {
    const lines = readFileSync(path.join(root, area, 'README.md'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
  },
);

it('a unit test has the name of a source file or folder, or is in the list of behaviours', () => {
  const tests = [...sources.keys()].filter((file) => /^test\/unit\/.*\.test\.ts$/.test(file));
  const named = globSync('{src,mock-llm-server,tooling,desktop,test/support}/**/*.{ts,js,cjs,mjs}', { cwd: root });
  expect(misnamedTests(tests, named)).toEqual([]);
  expect(Object.keys(BEHAVIOURS).filter((name) => !tests.includes(`test/unit/${name}.test.ts`))).toEqual([]);
  expect(misnamedTests(['test/unit/agent/agent-loop.test.ts', 'test/unit/agent/other.test.ts'], named)).toEqual([
    'test/unit/agent/other.test.ts',
  ]);
});

describe('no file contains', () => {
  // The words are assembled, so that this file does not match its own patterns.
  const banned: readonly [name: string, files: ReadonlyMap<string, string>, pattern: RegExp, sample: string][] = [
    ['the type any', sources, /(?::|\bas|<|\|)\s*any\b(?=\s*[;,)>=|[\]{}]|$)/m, `let x: ${'any'};`],
    ['a silenced type error', sources, new RegExp(`@${'ts'}-(ignore|expect-error|nocheck)`), `// @${'ts'}-ignore`],
    ['a silenced lint rule', sources, new RegExp(`biome${'-'}ignore`), `// biome${'-'}ignore lint: x`],
    ['an ignored line of coverage', sources, ignoredCoverage, `/*\tnode:${'coverage'}  ignore file */`],
    ['a skipped or focused test', sources, /\b(it|test|describe|suite)\.(skip|only|todo)\b/, `it.${'skip'}('x')`],
    ['a mocked module', sources, new RegExp(`\\bvi\\.${'mock'}\\b`), `vi.${'mock'}('x')`],
    // It breaks the tests that run later in the same worker.
    ['another object as the environment', sources, /\bprocess\.env\s*=(?!=)/, `process.${'env'} = before`],
    ['unfinished work', sources, new RegExp(`\\b(TO${'DO'}|FIX${'ME'}|XX${'X'})\\b`), `// TO${'DO'}: x`],
    ['all languages of zod', shipped, /import \{[^}]*\bz\b[^}]*\} from 'zod'/, "import { z } from 'zod'"],
    // A request may contain more parts than a function takes arguments.
    [
      'a list of any length as arguments',
      new Map([...shipped].filter(([file]) => file.startsWith('mock-llm-server/'))),
      /\.(?:push|unshift)\(\.\.\./,
      'list.push(...parts)',
    ],
    [
      'an API that Node 20 lacks',
      shipped,
      /\bMap\.groupBy\b|\bPromise\.withResolvers\b|\bRegExp\.escape\b|\bnode:sqlite\b|\bnew WebSocket\b|^\s*(await )?using \w+ =/m,
      'Promise.withResolvers()',
    ],
  ];
  it.each(banned)('%s', (_name, files, pattern, sample) => {
    expect(pattern.test(sample)).toBe(true);
    expect([...files].filter(([, source]) => pattern.test(source)).map(([file]) => file)).toEqual([]);
  });
});

it.each([
  ...['v8', 'c8', 'istanbul', `node:${'coverage'}`].flatMap((tool) => [
    `/* ${tool} ignore next */`,
    `/*${tool}   ignore\tfile*/`,
    `// ${tool}\tignore start`,
  ]),
  `/* node:${'coverage'} disable */`,
])('recognizes %j as an ignored line of coverage', (comment) => {
  expect(ignoredCoverage.test(comment)).toBe(true);
});

function linesOf(file: string): number {
  return (sources.get(file) ?? '').split('\n').length - 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function longerThan(limit: number, files: readonly string[]): readonly string[] {
  return files.filter((file) => linesOf(file) > limit).map((file) => `${file}: ${linesOf(file)} lines`);
}
