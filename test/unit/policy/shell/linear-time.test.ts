import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Places } from '../../../../src/policy/shell/directories.ts';
import { parseCommandLine } from '../../../../src/policy/shell/parse/command-line.ts';
import { StepBudget } from '../../../../src/policy/shell/parse/step-budget.ts';
import { ProtectedMatcher } from '../../../../src/policy/shell/removal/match-protected.ts';
import { checkCommand, parseBlockList } from '../../../../src/policy/shell/shell-policy.ts';
import { LONG, propertySettings } from '../../../support/random/property.ts';

const PLACES: Places = { workspace: '/w/app', workingDirectory: '/w/app', home: '/home/u', platform: 'posix' };
const BLOCK_LIST = parseBlockList(['rm -rf /', 'sudo', 'chmod 777']);

function stepsOf(command: string, blockList = BLOCK_LIST): number {
  const budget = new StepBudget(Number.POSITIVE_INFINITY);
  checkCommand(command, blockList, PLACES, budget);
  return budget.used;
}

/** The length of a command, and its ratio to that of a longer one with which it is compared. */
const [LENGTH, FACTOR] = LONG ? [1_000, 8] : [600, 2];

/** Commands of any length: `open` repeated, `middle`, and `close` as often. */
const SHAPES: readonly [open: string, middle?: string, close?: string][] = [
  // programs that run programs
  ['find . -exec '],
  ['find . -exec ', 'ls', ' {} +'],
  ['find . -exec ls {} + -exec ', 'ls', ' \\;'],
  ['find -exec $X '],
  ['find \\( ! -name x -o '],
  ['fd -x '],
  ['fd -x ls \\; -x '],
  ['git bisect run '],
  ['git submodule foreach '],
  ['git rebase --exec '],
  ['git -c alias.x=!'],
  ['git -C .. '],
  ['git config alias.x '],
  ['git grep -O'],
  ['parallel '],
  ['parallel ls \\; '],
  ['parallel ::: '],
  ['entr '],
  ['corepack '],
  ['mv -t '],
  ['chmod u=g,'],
  ['env '],
  ['env A=1 '],
  ['env -S ls '],
  ['npx '],
  ['npx -c '],
  ['npm exec -- '],
  ['setarch x86_64 '],
  ['runuser -u x '],
  ['timeout 5 '],
  ['watch '],
  ['xargs '],
  ['sh -c '],
  ['flock x -c '],
  ['eval '],
  ["eval '"],
  ['command '],
  ['trap '],
  ['alias x='],
  ['sudo -x '],
  ['$X '],
  ['a$IFS'],
  ['ls$X'],
  // syntax
  ['a $(', 'b', ')'],
  ['$(('],
  ["'[$(' "],
  ['a[', '1', ']'],
  ['"$(', 'b', ')"'],
  ['`'],
  ['a <(', 'b', ')'],
  [`\${x:-`, 'y', '}'],
  ['(', 'a', ')'],
  ['{ ', 'a', '; }'],
  ['a {b,', 'c', '}'],
  ['f() { ', 'f|f', '; }; '],
  ['if a; then ', 'b', '; fi'],
  ['if cd a; then cd b; fi; '],
  ['case a in a) ', 'b', ';; esac'],
  ['for x in a; do ', 'b', '; done'],
  ['while cd a; do cd b; done; '],
  ['for x in a; do cd b; ', 'c', '; done'],
  ['for x in a; do (cd b; ', 'c', '); cd d; done'],
  ['f() { cd a; }; f; '],
  ['f() { ', 'cd a; f', '; }; f'],
  ['cd a; f() { f; f; }; f; '],
  ['cd a && '],
  ['cd a || '],
  ['cd a; '],
  ['a | '],
  ['a & '],
  ['! '],
  ['sh <<E\n', 'ls', '\nE\n'],
  ['find . -exec sh \\; '],
  ['sh <<< '],
  ['((', '1', '))'],
  ['[[ ( ', 'a', ' ) ]]'],
  ['# '],
  ["'"],
  ['"'],
  ['\\'],
  ['$'],
  // words that are compared
  ['rm -rf '],
  ['rm -rf * '],
  ['rm -rf a*; '],
  ['rm -rf [a]*'],
  ['rm -rf "$X"/../'],
  ['rm -rf '.padEnd(60, '*a')],
  ['rm -r ', 'x'],
  ['chmod u+rwx,'],
  ['systemctl $X '],
  ['>$X '],
  ['echo '],
];

describe('the number of steps to check a command', () => {
  it.each(SHAPES)('grows with the length for %j', (open, middle = '', close = '') => {
    const stepsFor = (length: number): number => {
      const count = Math.ceil(length / (open.length + close.length));
      return stepsOf(open.repeat(count) + middle + close.repeat(count));
    };
    const short = stepsFor(LENGTH);
    expect(short).toBeGreaterThan(0);
    expect(stepsFor(LENGTH * FACTOR)).toBeLessThanOrEqual(1.2 * FACTOR * short);
  });

  it('is at most proportional to the length for random commands', () => {
    const pieces = fc.constantFrom(...SHAPES.flatMap(([open, middle = 'ls ', close = ' ']) => [open, middle, close]));
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 20, maxLength: 400 }), (parts) => {
        const command = parts.join('').slice(0, 4_000);
        expect(stepsOf(command)).toBeLessThanOrEqual(100 * command.length);
      }),
      propertySettings(60),
    );
  });

  it('does not depend on the number of calls of a function', () => {
    const body = 'ls; '.repeat(100);
    const steps = [20, 40].map((count) =>
      stepsOf(`f() { ${body}}; g() { ${'f; '.repeat(count)}}; ${'g; '.repeat(count)}`),
    );
    expect(steps[1]).toBeLessThan(1.5 * (steps[0] ?? 0));
  });

  it('does not depend on the number of directories in which a function is called', () => {
    const body = 'ls; '.repeat(100);
    const steps = [20, 40].map((count) => stepsOf(`f() { ${body}}; ${'cd a && f; '.repeat(count)}`));
    expect(steps[1]).toBeLessThan(1.5 * (steps[0] ?? 0));
  });

  it('does not depend on how often another function is redefined between the calls of one', () => {
    const functions = `f() { ${'ls; '.repeat(100)}}; g() { h() { ls; }; }; `;
    const steps = [2, 6].map((count) => {
      const calls = Array.from({ length: count }, (_, index) => `f; (cd a${index} && g); `);
      return stepsOf(functions + calls.join(''));
    });
    expect(steps[1]).toBeLessThan(1.5 * (steps[0] ?? 0));
  });

  it('does not depend on the number of inner commands that get a here-document', () => {
    const script = 'ls; '.repeat(200);
    const steps = [20, 40].map((count) => stepsOf(`find .${' -exec sh \\;'.repeat(count)} <<E\n${script}\nE`));
    expect(steps[1]).toBeLessThan(1.5 * (steps[0] ?? 0));
  });

  it('is the same for a line of the block list that nests commands', () => {
    const lines = parseBlockList([`${'find -exec '.repeat(30)}rm`]);
    expect(stepsOf('ls', lines)).toBe(stepsOf('ls'));
    expect(lines.lines[0]?.rule).toBeUndefined();
  });
});

describe('the steps of a command', () => {
  it.each([
    ['the nodes of the syntax', '(ls)', 'lsls', 3],
    ['the words of each inner command', 'nice nice nice ls', 'echo nice nice ls', 3 + 2 + 1],
    ['the length of the file that is written', `ls >${'x'.repeat(32)}`, `ls <${'x'.repeat(32)}`, 1 + 32 / 16],
    ['the operands of a link', 'ln -s x y', 'lx -s x y', 3],
    ['the operands of a link in each directory', 'cd a || cd b; ln x y', 'cd a || cd b; lx x y', 3 * 2],
  ])('count %s', (_name, command, other, steps) => {
    expect(stepsOf(command, parseBlockList([])) - stepsOf(other, parseBlockList([]))).toBe(steps);
  });
});

describe('the steps of a comparison', () => {
  it.each([
    ['the flags and operands of a command', 'rm -a -b x y z', 'rm -c -d v w', 1 + 2 * 2 + 2 * 3],
    ['redirects', 'ls >x >y', '>z', 2],
  ])('count %s', (_name, command, line, steps) => {
    expect(stepsOf(command, parseBlockList([line])) - stepsOf(command, parseBlockList([]))).toBe(steps);
  });

  it.each([
    ['the characters of a path', 'rm -r /a', [], 2],
    ['the names below a directory for each part of a pattern', 'rm -r /*[ab]', ['/a', '/b', '/c', '/c/d'], 6 + 3 * 2],
    ['the protected directories for a path with a computed part', 'rm -r "/$X"', ['/a', '/b', '/c', '/c/d'], 3 + 4],
  ])('with protected directories count %s', (_name, command, paths, steps) => {
    const directories = paths.map((path) => ({ path, name: path, contents: 'kept' as const }));
    const budget = new StepBudget(Number.POSITIVE_INFINITY);
    const matcher = new ProtectedMatcher({ directories, parents: [], workspace: '/w' }, 'posix', budget);
    for (const word of parseCommandLine(command).commands.flatMap(({ words }) => words.slice(2))) matcher.match(word);
    expect(budget.used).toBe(steps);
  });

  it('have a documented limit', () => {
    const budget = new StepBudget();
    budget.spend(500_000);
    expect(() => budget.spend(1)).toThrow('Checking the command takes too many steps.');
  });
});

describe('a command that takes too many steps', () => {
  // A part of the documented limit, for inputs that are as much shorter.
  const check = (command: string) => checkCommand(command, BLOCK_LIST, PLACES, new StepBudget(500_000 / 40));

  it.each([
    ['many here-documents in one line', `cat ${'<<E '.repeat(3_000)}`],
    ['a long script in many shells', `${'eval '.repeat(16)}${'a '.repeat(800)}`],
    ['many alternatives of a long word', `echo {${'a,'.repeat(220)}b}${'x'.repeat(220)}`],
    ['many patterns to remove', `cd a || cd b; rm -rf ${'a* '.repeat(540)}`],
  ])('is blocked, such as %s', (_name, command) => {
    expect(check(command)).toEqual({
      type: 'blocked',
      rule: 'maximum command complexity',
      reason: 'Checking this command takes too many steps. Split it into several simpler commands.',
    });
  });

  it.each([
    ['words', `echo ${'a '.repeat(800)}`],
    ['commands', 'true;'.repeat(320)],
    ['files to remove', `rm -rf ${'a '.repeat(100)}`],
    ['nested substitutions', `${'a $('.repeat(16)}b${')'.repeat(16)}`],
    ['lines of a here-document', `cat > x <<'E'\n${'cout << "text" << x;\n'.repeat(50)}E`],
  ])('is not a command with many %s', (_name, command) => {
    expect(check(command)).toEqual({ type: 'unlisted' });
  });

  // Time that is quadratic in the length would exceed the limit of a test by far.
  it.each([
    ['brackets without an end', `echo ${'['.repeat(60_000)}`, 'unlisted'],
    ['brackets without an end in the workspace', `rm -rf a${'['.repeat(60_000)}`, 'unlisted'],
    ['brackets without an end at the root', `rm -rf /${'['.repeat(60_000)}`, 'blocked'],
    ['brackets without an end below a pattern', `rm -rf /*${'[a*'.repeat(20_000)}`, 'blocked'],
    ['brackets in several directories', `${'cd a || '.repeat(12)}rm -rf /x*${'['.repeat(55_000)}`, 'blocked'],
    ['empty brackets', `rm -rf /${'[]'.repeat(30_000)}`, 'blocked'],
    ['stars', `rm -rf /x${'*'.repeat(60_000)}y`, 'blocked'],
    ['patterns in the workspace', `rm -rf a${'[b]*'.repeat(15_000)}`, 'unlisted'],
    ['directories', `rm -rf build${'/a'.repeat(30_000)}`, 'unlisted'],
    ['separators after a computed part', `rm -rf "$X"${'/'.repeat(60_000)}x`, 'unlisted'],
    ['dots after a computed part', `rm -rf "$X"${'/.'.repeat(30_000)}x`, 'unlisted'],
    ['names of a link', `ln -s x y; rm -rf y${'/a'.repeat(30_000)}/*`, 'unlisted'],
  ])('is checked with a word of many %s', (_name, command, type) => {
    expect(checkCommand(command, BLOCK_LIST, PLACES).type).toBe(type);
  });

  it('is ignored as a line of the block list', () => {
    expect(parseBlockList([`cat ${'<<E '.repeat(16_000)}`]).lines[0]?.rule).toBeUndefined();
  });
});
