import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'unbash';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../../src/policy/shell/parse/command-line.ts';
import { unrollLoops } from '../../../../src/policy/shell/parse/unrolled-loops.ts';
import { havePrefixes } from '../../../../src/policy/shell/prefix/command-prefix.ts';
import { checkCommand, parseBlockList } from '../../../../src/policy/shell/shell-policy.ts';

const PLACES = { workspace: '/tmp/w', workingDirectory: '/tmp/w', home: '/home/u', platform: 'posix' } as const;
const BLOCKED = parseBlockList(['rm -rf /', 'sudo', 'chmod 777']);
const SCRIPTS = 'lint typecheck test build test:core test:utils test:cli test:unit test:integration test:e2e';
/** The answers `p` of a user to questions about the bodies of the loops. */
const PREFIXES = [
  ...['npm test', 'mkdir', 'touch', 'git add', 'git commit', 'git mv', 'npx vitest', 'npx tsc', 'npx eslint'],
  ...['npx prettier', 'pytest', 'python -m pytest', 'cargo test', 'cargo clippy', 'go build', 'go test', 'mvn'],
  ...[...SCRIPTS.split(' '), ...['1:x', '1:y', '2:x', '2:y'].map((end) => `build:${end}`)].map(
    (name) => `npm run ${name}`,
  ),
  ...['make build', 'make test'],
].map((text) => text.split(' '));

/** The sections of the table. Those of attacks have what bash was seen to do outside of what is allowed. */
const [ALLOWED = [], FREE = [], KEPT = [], REMOVING = []] = readFileSync(
  path.join(import.meta.dirname, '../../../support/commands/loops.txt'),
  'utf8',
)
  .split(/^## .*\n/m)
  .slice(1)
  .map((section) => section.trim().replaceAll('␤', '\u0000').split('\n'))
  .map((rows) => rows.map((row) => row.replaceAll('\u0000', '\n')));

const isAllowed = (command: string): boolean => havePrefixes(command, PREFIXES, PLACES);
const verdict = (command: string): string => checkCommand(command, BLOCKED, PLACES).type;

describe('a loop over known words', () => {
  it('is allowed by the rules for its body, and runs in full access', () => {
    expect(ALLOWED.length).toBeGreaterThan(40);
    expect(ALLOWED.filter((command) => !isAllowed(command))).toEqual([]);
    expect([...ALLOWED, ...FREE].filter((command) => verdict(command) !== 'unlisted')).toEqual([]);
  });

  it('is judged as what bash runs, whatever changes its variable', () => {
    expect(KEPT.length + REMOVING.length).toBeGreaterThan(340);
    expect([...KEPT, ...REMOVING].filter(isAllowed)).toEqual([]);
    expect(REMOVING.filter((command) => verdict(command) === 'unlisted')).toEqual([]);
  });

  it('would be misjudged without the checks of what changes its variable', () => {
    const bodies = REMOVING.filter((command) => {
      const unrolled = unrollLoops(command, parse);
      return unrolled !== command && parseCommandLine(command).text === command && verdict(unrolled) === 'unlisted';
    });
    expect(bodies.length).toBeGreaterThan(15);
  });

  it.each([
    ['for f in a "b c"; do x $f "$f.x" y"$f"z; done', `x 'a' "a.x" y"a"z|x 'b' 'c' "b c.x" y"b c"z`],
    ['for f in {2..3} {x,y}/z; do x $f; done', "x '2'|x '3'|x 'x/z'|x 'y/z'"],
    ['for f in {3..2}; do x $f; done', "x '3'|x '2'"],
    [`for f in a.ts; do x "\${f%.ts}.js" \${f%b} "$(y "$f")"; done`, `x "a.js" 'a.ts' "$(y "a.ts")"`],
    [`for f in *.ts; do x "$f" "\${f%.ts}"; done`, 'x ""*.ts"" ""*""'],
    ['for f in a; do continue; done', 'for f in 1; do\ncontinue\ndone'],
    ['for f in a; do for g in b; do x $f$g > $f; done; done', "{ x 'a''b' > 'a'\n}"],
  ])('%s is %s', (command, bodies) => {
    expect(unrollLoops(command, parse)).toBe(`{ ${bodies.replaceAll('|', '\n')}\n}`);
  });

  it.each([
    `for f in a; do x "\${#f}"; done`,
    "for f in a; do x '$f'; done",
    'for f in *.ts; do x $f; done',
    `for f in *.ts; do x "\${f%.js}"; done`,
    `for f in *.ts; do x "\${f#a}"; done`,
    `for f in a; do x \${f%a}; done`,
    `for f in a; do x \${f%$y}; done`,
    `for f in a; do x \${f/a/b}; done`,
    'for f in "a b"; do x > $f; done',
    'for f in a; do for f in b; do x; done; done',
    'for f in "a\'b"; do x $f; done',
    'for f in .*; do x "$f"; done',
    'for F in a; do x $F; done',
    'for f in $x; do x $f; done',
    'for f; do x $f; done',
    'for f in a; do exec {f}> y; done',
    'for f in a; do f=b; done',
    `for f in a; do x \${f#a}; done`,
    'for f in a; do x',
    'select f in a; do x; done; for f in a; do x; done',
    'coproc f { x; }; for f in a; do x; done',
    'f() { x; }; for f in a; do x; done',
    `for f in {1..60}; do x ${'y'.repeat(300)}; done`,
    `for f in a; do x ${'y'.repeat(17_000)}; done`,
    `for f in ${'{1..999} '.repeat(7_000)}; do x; done`,
    `for f in a${'\n'.repeat(60_000)}# c\ndo x; done`,
    'for i in {01..02}; do x $i; done',
    'for f in "" a; do x "$f"; done',
    'for f in a; do x <(y $f); done',
    'f',
  ])('%s stays as it is', (command) => {
    expect(unrollLoops(command, parse)).toBe(command);
  });
});
