import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathUse, PlannedEffect } from '../../../src/agent/ports/tool.ts';
import { decide } from '../../../src/policy/decide.ts';
import { ASSUMPTIONS, type DecisionSettings, placesOf } from '../../../src/policy/decision-input.ts';
import { readPlainCommands } from '../../../src/policy/shell/plain-commands.ts';
import { readOnlyUse } from '../../../src/policy/shell/read-only/read-only-command.ts';
import { viewOf } from '../../../src/policy/shell/read-only/viewed-command.ts';
import { parseBlockList } from '../../../src/policy/shell/shell-policy.ts';
import { propertySettings, verdictSettings } from '../../support/random/property.ts';

const RULES = {
  workspace: '/home/u/app',
  home: '/home/u',
  allowedRoots: ['/home/u/app'],
  readOnlyRoots: [],
  blockedPaths: ['/home/u/.ssh', '/home/u/.aws', '/home/u/.config', '/home/u/.netrc'],
  platform: 'posix',
} as const;
const SETTINGS = {
  mode: 'ask',
  pathRules: RULES,
  blockList: parseBlockList(['rm -rf /', 'sudo', 'chmod 777']),
  levels: {},
  confirmedTools: [],
} as const satisfies DecisionSettings;

/** The three ways to judge each command: as a new user, in a trusted workspace with the sandbox on, in full access. */
const WAYS: readonly DecisionSettings[] = [
  SETTINGS,
  { ...SETTINGS, assumptions: ASSUMPTIONS },
  { ...SETTINGS, mode: 'full-access' },
];

type Verdict = 'allow' | 'ask' | 'deny';

/** The paths that a command reads, if it only reads, with the links of the workspace resolved. */
function readsOf(command: string): readonly PathUse[] {
  const use = readOnlyUse(command, placesOf(RULES, RULES.workspace));
  const paths = use.type === 'read_only' ? [...use.paths, ...use.directories] : [];
  return paths.map((requested) => {
    const realPath = requested.replace(/^\/home\/u\/app\/(?:leak|lib)\b/, '/home/u/other');
    return { requested, realPath, access: 'read' } as const;
  });
}

/**
 * The view that a command may run in, as a plan finds it, with the links of the workspace resolved. `isAsGitReads`: hashes
 * are those of commits, and paths after a pattern those of files. Otherwise, nobody knows.
 */
function viewIn(command: string, isAsGitReads = false): PlannedEffect['view'] {
  const use = viewOf(command, placesOf(RULES, RULES.workspace), RULES);
  if (
    use.type === 'other' ||
    (use.git !== undefined && !isAsGitReads) ||
    use.paths.some((each) => /^\/home\/u\/app\/(?:leak|lib)\b/.test(each))
  )
    return undefined;
  return use.view;
}

/** The decisions in the three ways. In the workspace, `leak` and `lib` are links out of it. */
function verdictsOf(command: string, isAsGitReads?: boolean): readonly Verdict[] {
  let reads: readonly PathUse[] | undefined;
  const view = viewIn(command, isAsGitReads);
  const effect: PlannedEffect = {
    summary: 'a command',
    paths: [],
    command,
    workingDirectory: RULES.workspace,
    ...(view !== undefined && { view }),
    // Most decisions do not need them.
    get reads() {
      reads ??= readsOf(command);
      return reads;
    },
  };
  return WAYS.map((settings) => decide({ toolName: 'run_shell', toolEffect: 'execute', effect }, settings, []).type);
}

/** The commands of a table, one a line; `␤` stands for a line end. */
function table(name: string): readonly string[] {
  const file = path.join(import.meta.dirname, '../../support/commands', `${name}.txt`);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll('␤', '\n'));
}

const [DENIED, READ_ONLY, VIEWED, ASKED, UNCLEAR, EVERYDAY = []] = [
  ...['denied', 'read-only', 'viewed', 'asked', 'unclear', 'everyday'],
].map(table);
/** Characters that a table of readable text cannot show. */
const HIDDEN = [
  'ls \r',
  'cat a\u200b',
  'ls\u00a0-la',
  'ls\u2003-la',
  'ls \u202e',
  'ls \u{e0041}',
  'ls\u3164',
  'ls \u001b[0m',
];

const TABLES: readonly (readonly [string, readonly string[] | undefined, readonly Verdict[]])[] = [
  ['is denied in every mode', DENIED, ['deny', 'deny', 'deny']],
  ['runs in a trusted workspace with the sandbox on, because it only reads', READ_ONLY, ['ask', 'allow', 'allow']],
  ['runs in a trusted workspace in a view, because it can only read', VIEWED, ['ask', 'allow', 'allow']],
  ['asks, and runs in full access', ASKED, ['ask', 'ask', 'allow']],
  ['asks even in full access, because it hides what it runs', UNCLEAR, ['ask', 'ask', 'ask']],
  ['asks, because it contains a hidden character', HIDDEN, ['ask', 'ask', 'ask']],
  ['is denied with a NUL', ['ls\0', 'echo a\0b'], ['deny', 'deny', 'deny']],
  ['asks without a command', ['# ls', ' '], ['ask', 'ask', 'allow']],
];

describe('each command of the corpus', () => {
  it('runs without a question in a trusted workspace with the sandbox on, if it is an everyday command', () => {
    expect(EVERYDAY.length).toBeGreaterThan(300);
    expect(EVERYDAY.filter((command) => verdictsOf(command)[1] !== 'allow')).toEqual([]);
  });

  it('runs without a question there, if it comes from documentation', () => {
    const documented = table('everyday-documented').filter((line) => !line.startsWith('## '));
    expect(documented.length).toBeGreaterThan(350);
    expect(documented.filter((command) => verdictsOf(command, true)[1] !== 'allow')).toEqual([]);
  });

  it.each(TABLES)('%s', (_name, commands = [], wanted) => {
    const others = commands.map((command) => ({ command, verdicts: verdictsOf(command) }));
    expect(others.filter(({ verdicts }) => verdicts.join() !== wanted.join())).toEqual([]);
  });

  it('is unique among more than three thousand', () => {
    const all = TABLES.flatMap(([, commands = []]) => commands);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(3_000);
  });
});

const STRENGTH: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };

function isWeaker(one: readonly Verdict[], other: readonly Verdict[]): boolean {
  return one.some((verdict, index) => STRENGTH[verdict] < STRENGTH[other[index] ?? 'allow']);
}

/** The commands of the tables that are one line with an end of its own. */
const PARTS = [DENIED, READ_ONLY, VIEWED, ASKED]
  .flatMap((commands) => commands ?? [])
  .filter((command) => !/[#\n]|<<|\\$|^\s*&|&\s*$|^;|;\s*$|\|\s*$/.test(command));

/** Ways to run two commands, each in a shell of its own, so that the first changes nothing for the second. */
const JOINS: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `( ${one} ); ( ${other} )`,
  (one, other) => `( ${one} ) && ${other}`,
  (one, other) => `( ${one} ) || ${other}`,
  (one, other) => `( ${one} ) | ( ${other} )`,
  (one, other) => `( ${one} ) & ${other}`,
  (one, other) => `${other}\n( ${one} )`,
  (one, other) => `echo "$( ${one} )" <( ${other} )`,
  (one, other) => `if ( ${one} ); then ( ${other} ); fi`,
  (one, other) => `f() { ( ${one} ); }; for i in a; do ( ${other} ); done`,
];

describe('the decision about commands, as properties', () => {
  const part = fc.constantFrom(...PARTS);

  function weakensJoined(judge: typeof verdictsOf): boolean {
    const property = fc.property(part, part, fc.constantFrom(...JOINS), (one, other, join) => {
      const joined = judge(join(one, other));
      return !isWeaker(joined, judge(one)) && !isWeaker(joined, judge(other));
    });
    return fc.check(property, verdictSettings(100)).failed;
  }

  it('is never weaker for two commands than for one of them', () => {
    fc.assert(
      fc.property(part, part, fc.constantFrom(...JOINS), (one, other, join) => {
        const joined = verdictsOf(join(one, other));
        expect({ joined: join(one, other), isWeaker: isWeaker(joined, verdictsOf(one)) }).toMatchObject({
          isWeaker: false,
        });
        expect({ joined: join(one, other), isWeaker: isWeaker(joined, verdictsOf(other)) }).toMatchObject({
          isWeaker: false,
        });
      }),
      propertySettings(100),
    );
  });

  it('is weaker if only the first command is checked', () => {
    expect(weakensJoined((command) => verdictsOf(command.split(/[;&|\n]/)[0] ?? ''))).toBe(true);
  });

  const DISGUISES: readonly ((word: string) => string)[] = [
    (word) => word,
    (word) => `'${word}'`,
    (word) => `"${word}"`,
    (word) => `$'${word}'`,
    (word) => `''${word}""`,
    (word) => `\\${word}`,
    (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
    (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  ];
  const plain = PARTS.filter(
    (command) => /^[\w ./:=@,+-]+$/.test(command) && readPlainCommands(command).type === 'plain',
  );

  it('is not weakened by quotes, blanks and comments', () => {
    const blank = fc.constantFrom(' ', '  ', '\t', ' \\\n ');
    const disguise = fc.tuple(fc.constantFrom(...DISGUISES), blank);
    const end = fc.constantFrom('', ' # a comment', '\n', ' ;');
    expect(plain.length).toBeGreaterThan(500);
    fc.assert(
      fc.property(
        fc.constantFrom(...plain),
        fc.array(disguise, { minLength: 12, maxLength: 12 }),
        end,
        (command, hidden, last) => {
          const words = command.split(' ').filter((word) => word !== '');
          const text = words.map((word, index) => {
            const [hide, space] = hidden[index % hidden.length] ?? [String, ' '];
            return hide(word) + space;
          });
          const disguised = text.join('') + last;
          expect({ disguised, isWeaker: isWeaker(verdictsOf(disguised), verdictsOf(command)) }).toMatchObject({
            isWeaker: false,
          });
        },
      ),
      propertySettings(100),
    );
  });
});
