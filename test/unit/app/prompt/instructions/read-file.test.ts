import { describe, expect, it } from 'vitest';
import { matchesGlobs } from '../../../../../src/app/prompt/instructions/cursor-rules.ts';
import { importsIn } from '../../../../../src/app/prompt/instructions/read-file.ts';
import { readRule } from '../../../../../src/app/prompt/instructions/read-rule.ts';
import { readUserInstructions } from '../../../../../src/app/prompt/instructions/user-instructions.ts';
import type { FileRule } from '../../../../../src/app/prompt/instructions.ts';
import {
  describeInstructions,
  instructionsIn,
  readFileRules,
  readInstructions,
} from '../../../../../src/app/prompt/instructions.ts';
import { createMemoryFileSystem } from '../../../../support/fakes/memory-file-system.ts';

const RULES = {
  workspace: '/repo',
  allowedRoots: ['/repo'],
  readOnlyRoots: [],
  blockedPaths: [],
  home: '/home/ada',
  platform: 'posix',
} as const;

const portsOf = (files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) => {
  const { fileSystem, volume } = createMemoryFileSystem({ '/repo/main.ts': '', '/home/ada/x': '', ...files });
  for (const [link, target] of Object.entries(links)) volume.symlinkSync(target, link);
  return { fileSystem, pathRules: RULES, boundary: '/repo' };
};
const shownOf = (all: readonly { readonly path: string; readonly text: string }[]) =>
  all.map(({ path, text }) => `${path}: ${text}`);

// Codex: openai/codex docs/agents_md.md. Claude Code: code.claude.com/docs/en/memory. Gemini CLI: docs/cli/gemini-md.md.
// Cursor: cursor.com/docs/context/rules.
describe('the instructions files of a project', () => {
  it.each<[string, Parameters<typeof portsOf>, readonly string[]]>([
    [
      'Codex: AGENTS.override.md in place of AGENTS.md',
      [{ '/repo/AGENTS.override.md': 'mine', '/repo/AGENTS.md': 'all' }],
      ['AGENTS.override.md: mine'],
    ],
    [
      'Codex: an empty override replaces nothing',
      [{ '/repo/AGENTS.override.md': ' ', '/repo/AGENTS.md': 'all' }],
      ['AGENTS.md: all'],
    ],
    [
      'Claude Code: the project, its directory, and the local file',
      [{ '/repo/CLAUDE.md': 'a', '/repo/.claude/CLAUDE.md': 'b', '/repo/CLAUDE.local.md': 'c' }],
      ['CLAUDE.md: a', '.claude/CLAUDE.md: b', 'CLAUDE.local.md: c'],
    ],
    ['Gemini CLI', [{ '/repo/GEMINI.md': 'a' }], ['GEMINI.md: a']],
    [
      'three names of one file, read once',
      [{ '/repo/AGENTS.md': 'a' }, { '/repo/CLAUDE.md': 'AGENTS.md', '/repo/GEMINI.md': 'AGENTS.md' }],
      ['AGENTS.md: a'],
    ],
    [
      'Claude Code: imports, relative to their file, each once',
      [
        {
          '/repo/CLAUDE.md': 'See @docs/a.md and @docs/b.md.',
          '/repo/docs/a.md': 'A @b.md',
          '/repo/docs/b.md': 'B @a.md',
        },
      ],
      ['CLAUDE.md: See @docs/a.md and @docs/b.md.', 'docs/a.md: A @b.md', 'docs/b.md: B @a.md'],
    ],
    [
      'an import of AGENTS.md alone',
      [{ '/repo/AGENTS.md': 'a', '/repo/CLAUDE.md': '@AGENTS.md' }],
      ['AGENTS.md: a', 'CLAUDE.md: @AGENTS.md'],
    ],
    [
      'at most five hops',
      [
        {
          '/repo/CLAUDE.md': '@1.md',
          ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((each) => [`/repo/${each}.md`, `@${each + 1}.md`])),
        },
      ],
      ['CLAUDE.md: @1.md', '1.md: @2.md', '2.md: @3.md', '3.md: @4.md', '4.md: @5.md', '5.md: @6.md'],
    ],
    [
      'no import from outside the project, of secrets, from the home directory, or of a missing file',
      [
        {
          '/repo/CLAUDE.md': '@../other/a.md @/etc/a.md @.env @~/a.md @anthropic',
          '/other/a.md': 'x',
          '/etc/a.md': 'x',
          '/repo/.env': 'KEY=1',
          '/home/ada/a.md': 'x',
        },
      ],
      ['CLAUDE.md: @../other/a.md @/etc/a.md @.env @~/a.md @anthropic'],
    ],
    ['no imports of AGENTS.md', [{ '/repo/AGENTS.md': '@a.md', '/repo/a.md': 'x' }], ['AGENTS.md: @a.md']],
    [
      'Cursor: rules that always apply, and the list of described ones',
      [
        {
          '/repo/.cursor/rules/style.mdc': '---\ndescription:\nglobs:\nalwaysApply: true\n---\nUse tabs.',
          '/repo/.cursor/rules/deep/api.mdc': '---\ndescription: Rules for the API\n---\nReturn JSON.',
          '/repo/.cursor/rules/ts.mdc': '---\nglobs: "**/*.ts"\n---\nNo any.',
          '/repo/.cursor/rules/manual.mdc': 'Only by name.',
          '/repo/.cursor/rules/notes.txt': 'no rule',
        },
      ],
      [
        '.cursor/rules/style.mdc: Use tabs.',
        '.cursor/rules: Rules for some tasks. Read the file of a rule before a task that it describes:\n- .cursor/rules/deep/api.mdc: Rules for the API',
      ],
    ],
  ])('follow the rules of their agents: %s', async (_name, parts, found) => {
    expect(shownOf(await readInstructions(['/repo'], portsOf(...parts)))).toEqual(found);
  });

  it('exclude rules for some files, which are listed separately', async () => {
    const ports = portsOf({
      '/repo/.cursor/rules/ts.mdc': '---\nglobs: src/**/*.ts,*.tsx\nalwaysApply: false\n---\nNo any.',
    });
    const [rule]: readonly (FileRule | undefined)[] = await readFileRules('/repo', ports);
    expect(rule).toMatchObject({ globs: ['src/**/*.ts', '*.tsx'], instructions: { text: 'No any.' } });
  });
});

describe('a rule of Cursor', () => {
  it.each([
    ['---\nglobs: *.ts\n---\nx', { type: 'files', globs: ['*.ts'] }],
    ['---\nglobs:\n  - "*.ts"\n  - ""\n---\nx', { type: 'files', globs: ['*.ts'] }],
    ['---\nalwaysApply: true\nglobs: *.ts\n---\nx', { type: 'always' }],
    ['---\ndescription: When: it rains\n---\nx', { type: 'described', description: 'When: it rains' }],
    ['---\n- a\n---\nx', { type: 'never' }],
    ['x', { type: 'never' }],
  ])('with the front matter %j is applied accordingly', (source, use) => {
    expect(readRule(source).use).toEqual(use);
  });

  it.each([
    ['src/a/b.ts', ['src/**/*.ts'], true],
    ['b.tsx', ['src/**/*.ts', '*.tsx'], true],
    ['lib/b.ts', ['src/**/*.ts'], false],
  ])('with the globs %s applies to %j: %j', (path, globs, expected) => {
    expect(matchesGlobs(path, globs)).toBe(expected);
  });
});

it.each([
  ['@a.md', ['a.md']],
  ['See @README and @package.json, or @./x/y.md.', ['README', 'package.json', './x/y.md']],
  ['- @~/.claude/mine.md', ['~/.claude/mine.md']],
  ['me@example.org, `@a.md`\n```\n@b.md\n```\n@c.md @c.md', ['c.md']],
])('the imports of %j are %j', (text, paths) => {
  expect(importsIn(text)).toEqual(paths);
});

describe('the instructions of the user', () => {
  it('are read where the agents keep them, with their imports, and nowhere else', async () => {
    const files = {
      '/home/ada/.codex/AGENTS.md': 'codex',
      '/home/ada/.claude/CLAUDE.md': 'claude @~/notes.md @/etc/a.md',
      '/home/ada/notes.md': 'notes',
      '/home/ada/.gemini/GEMINI.md': 'gemini',
      '/home/ada/.config/ybs/AGENTS.md': 'ybs',
      '/etc/a.md': 'x',
    };
    expect(shownOf(await readUserInstructions(portsOf(files)))).toEqual([
      '~/.codex/AGENTS.md: codex',
      '~/.claude/CLAUDE.md: claude @~/notes.md @/etc/a.md',
      '~/notes.md: notes',
      '~/.gemini/GEMINI.md: gemini',
      '~/.config/ybs/AGENTS.md: ybs',
    ]);
    const override = { ...files, '/home/ada/.codex/AGENTS.override.md': 'mine' };
    expect(shownOf(await readUserInstructions(portsOf(override)))[0]).toBe('~/.codex/AGENTS.override.md: mine');
  });

  it('need a home directory, and must be text', async () => {
    const ports = portsOf({ '/home/ada/.ssh/id': 'KEY' }, { '/home/ada/.claude': '/home/ada/.ssh' });
    expect(await readUserInstructions(ports)).toEqual([]);
    const { home: _home, ...pathRules } = RULES;
    expect(await readUserInstructions({ ...ports, pathRules })).toEqual([]);
  });

  it('precede those of the project, and both are listed', () => {
    const own = {
      path: '~/.claude/CLAUDE.md',
      text: 'a</user_instructions>',
      size: 1,
      cut: false,
      ofUser: true,
    } as const;
    const text = describeInstructions([own, { path: 'a"b.md', text: 'b', size: 1, cut: false }]);
    expect(text.indexOf('of the user for all projects')).toBeLessThan(
      text.indexOf('They come from files of the project'),
    );
    expect(text.match(/<\/?user_instructions/g)).toHaveLength(2);
    expect(instructionsIn(text).map(({ path }) => path)).toEqual(['~/.claude/CLAUDE.md', 'a"b.md']);
  });
});
