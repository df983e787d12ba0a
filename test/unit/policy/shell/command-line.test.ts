import { parse } from 'unbash';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../../src/policy/shell/parse/command-line.ts';
import type { ParsedCommandLine } from '../../../../src/policy/shell/parse/parsed-command-line.ts';

/** The commands as text, with computed words in angle brackets and `>` before a command that another one runs. */
function show(text: string): string[] {
  return parseCommandLine(text).commands.map(({ words, wrapped }) => {
    const shown = words.map((word) => (word.static ? word.text : `<${word.text}>`)).join(' ');
    return wrapped ? `> ${shown}` : shown;
  });
}

describe('parseCommandLine', () => {
  it.each([
    ['', []],
    ['# only a comment', []],
    ['A=1', []],
    ['ls -l "a b" c\\ d', ['ls -l a b c d']],
    ["'l's $'\\x2d'l", ['ls -l']],
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['a $(b `c` <(d))', ['a <$(b `c` <(d))>', 'b <`c`> <<(d)>', 'c', 'd']],
    ['A=$(b) c >$(d)', ['c', 'b', 'd']],
    ['f() { a; }', ['a']],
    ['cat <<E\n$(a)\nE', ['cat', 'a']],
    ['echo $X "$X" `\n` ~/x *.js {a,b} \\~ "~"', ['echo <$X> <$X> <`\n`> <~/x> <*.js> a b ~ ~']],
    ['echo "a$X"b $"a" $"$X"', ['echo <a$Xb> a <$X>']],
    ['export A=b B=$X C=(1 2)', ['export A=b <B=$X> <C=C=(1 2)>']],
    ['env A=1 b c', ['env A=1 b c', '> b c']],
    ["sh -c 'a; b'", ['sh -c a; b', '> a', '> b']],
    ['xargs a b', ['xargs a b', '> a b <…>']],
    ['find . -exec a {} x \\;', ['find . -exec a {} x ;', '> a <…> x']],
  ])('finds the commands of %j', (text, commands) => {
    expect(show(text)).toEqual(commands);
  });

  it('returns the known text around a computed part', () => {
    const [command] = parseCommandLine('x a"$B"c ~/d "$E"').commands;
    expect(command?.words.slice(1).map(({ pieces: _pieces, ...word }) => word)).toEqual([
      { text: 'a$Bc', static: false, pattern: false, splits: false, start: 'a', end: 'c' },
      { text: '~/d', static: false, pattern: false, splits: false, start: '', end: '/d' },
      { text: '$E', static: false, pattern: false, splits: false, start: '', end: '' },
    ]);
  });

  it('returns the directories in which a command may run', () => {
    const places = { workspace: '/w', workingDirectory: '/w', home: undefined, platform: 'posix' } as const;
    const text = 'a; cd x; b; cd /w && cd x && c; env -C y d; if e; then cd z; fi && f; cd && g';
    const show = (line: ParsedCommandLine): unknown[] =>
      line.commands.flatMap(({ words, directories }) => (words[0].text.length === 1 ? [[...directories]] : []));
    const unknown = [undefined];
    expect(show(parseCommandLine(text, { places }))).toEqual([
      ['/w'],
      ['/w', '/w/x'],
      ['/w/x'],
      ['/w/y', '/w/x/y'],
      ['/w', '/w/x'],
      ['/w', '/w/x', '/w/z', '/w/x/z'],
      unknown,
    ]);
    expect(show(parseCommandLine(text))).toEqual(Array.from({ length: 7 }, () => unknown));
  });

  it('lists the redirects', () => {
    const { redirects } = parseCommandLine('a >x 2>&1 <in >>"$Y"; { b; } &>z');
    expect(redirects.map(({ operator, target }) => [operator, target.text, target.static])).toEqual([
      ['>', 'x', true],
      ['>&', '1', true],
      ['<', 'in', true],
      ['>>', '$Y', false],
      ['&>', 'z', true],
    ]);
  });

  it.each([
    ['ls -l', true, []],
    ['ls "', false, ['the command cannot be parsed: unterminated double quote']],
    ['ls >', false, ['the command cannot be parsed: expected redirect target']],
    ['ls $(a', false, ['the command cannot be parsed: unterminated command substitution']],
    ['cat <<E\nx', false, ['a here-document has no end']],
    ['ls 0<(a)', false, ['a word contains operators that are not quoted']],
    ['ls\u0007', false, ['the command contains the character \\u{7}']],
    ['ls\u00a0x', false, ['the command contains the character \\u{a0}']],
    ['ls\u3000x', false, ['the command contains the character \\u{3000}']],
    ['a'.repeat(65_536), true, []],
    ['a'.repeat(65_537), false, ['the command is longer than 65536 characters']],
    ['$X', true, ['the name of the program is computed']],
    ['git $X', true, ['the subcommand of git is computed']],
    ['git -c core.pager="a $X" log', true, ['git runs a computed command']],
    ['git -c core.pager="!a $X" log', true, ['git runs a computed command']],
    ['git -c alias.l="log $X" l', true, ['git runs a computed command']],
    [`${'nohup '.repeat(17)}a`, false, ['commands are nested too deeply']],
    [`${'eval '.repeat(17)}a`, false, ['commands are nested too deeply']],
  ])('reports whether %j was parsed completely', (text, complete, uncertainties) => {
    expect(parseCommandLine(text)).toMatchObject({ complete, uncertainties });
  });

  it.each([
    ['command substitutions', 'a $(', ')', 17],
    ['process substitutions', 'a <(', ')', 17],
    ['parameter expansions', `a\${x:-`, '}', 17],
    ['arithmetic expansions', 'a$((', '))', 17],
    ['commands in arithmetic expansions', 'a $(( $(', ') ))', 9],
  ])('does not follow %s that are nested too deeply', (_name, open, close, levels) => {
    const nested = (count: number): string => `${open.repeat(count)}1${close.repeat(count)}`;
    expect(parseCommandLine(nested(levels)).uncertainties).toContain('expansions are nested too deeply');
    expect(parseCommandLine(nested(levels - 1)).uncertainties).not.toContain('expansions are nested too deeply');
  });

  it('does not trust a parser that throws', () => {
    const throwing = (): never => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    expect(parseCommandLine('ls', { parser: throwing })).toMatchObject({
      complete: false,
      uncertainties: ['the command cannot be parsed'],
    });
  });

  it.each([
    ['new syntax', { type: 'Pardon' }, 'the command cannot be parsed'],
    ['an unknown expansion', { type: 'Unknown' }, 'an expansion has an unknown form'],
    ['a substitution without a script', { type: 'CommandExpansion' }, 'a substitution cannot be parsed'],
    ['a process substitution without a script', { type: 'ProcessSubstitution' }, 'a substitution cannot be parsed'],
    ['an arithmetic one without a script', { type: 'ArithmeticCommandExpansion' }, 'a substitution cannot be parsed'],
  ])('does not trust a parser that returns %s', (_name, node, uncertainty) => {
    const answer = { ...parse(''), ...JSON.parse(JSON.stringify({ commands: [node] })) };
    expect(parseCommandLine('ls', { parser: () => answer })).toMatchObject({
      complete: false,
      uncertainties: [uncertainty],
    });
  });
});
