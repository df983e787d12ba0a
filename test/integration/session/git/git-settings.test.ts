import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GitSetting, gitSettings } from '../../../../src/policy/trust/git-settings.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** Spellings that git accepts, from `git help config`, the tests of git, and reports of parsers that read them otherwise. */
const ACCEPTED: readonly (readonly [source: string, text: string])[] = [
  ['one line, libgit2#4819', '[some] var = true'],
  ['a comment after a header, git-modes#137', '[submodule "projectile"] # a note\n\tpath = lib/projectile\n'],
  ['the other comment after a header', '[core] ; a note\n\thooksPath = a'],
  ['a setting and a comment after a header', '[core]hooksPath=a#b'],
  ['two headers on a line', '[user][core] hooksPath = a\n'],
  ['two settings, of which the second is a value', '[core] hooksPath = a [include] path = b'],
  ['several settings after one header', '[core]\nhooksPath = a\n  fsmonitor=b\n\n\thooksPath = c'],
  ['an indented comment, GitPython#17', '[core]\n        # A note\n        sharedRepository = true\n'],
  [
    'comments after values, GitPython#2245',
    '[a]\n\tk = value # c\n\tk = value#c\n\tk = value;c\n\tk = "quoted" # c\n\tk = a # b ; c',
  ],
  ['comment characters in quotes', '[a]\nk = "a#b;c" # d\nk = a"#"b'],
  ['continued values that start with quotes, libgit2#6089', '[alias]\n\tmyalias2 = cmd \\\n";;" \\\n";;" \\\nbar\n'],
  ['a continued value with a header', '[a]\nk = b\\\n[core]\nhooksPath = c'],
  ['a comment that ends with a backslash', '[core]\n# a \\\nhooksPath = b ; c \\\nhooksPath = d\n'],
  ['a backslash at the end of the file', '[a]\nk = b\\'],
  ['spaces before the end of a line that goes on', '[a]\nk = b  \\\n\nk = c'],
  ['spaces after a line that goes on', '[a]\nk = b\\\n\t c'],
  ['spaces before and within quotes', '[a]\nk =   " b "  \nk = b ""  \nk = "" b'],
  ['escapes', '[a]\nk = "\\"\\\\\\n\\t\\b" \\"'],
  ['a subsection, t1300', '[section.SubSection]\nkey = one\n[section "SubSection"]\nkey = two\n'],
  ['a subsection with quotes and brackets', '[include "a\\"]b"]\npath = c\n[core "x\\\u2028"] hooksPath = d'],
  ['many spaces before a subsection, libgit2#5072', '[x   \t"y"] a = 1'],
  ['a condition', '[includeIf "gitdir:~/work/"] path = b\n[includeIf "hasconfig:remote.*.url:x"]\npath=c'],
  ['old dots in names', '[core.a.b] hooksPath = c\n[.core] hooksPath = d'],
  ['upper case', '[CORE]\nHOOKSPATH = A\n[Include] Path = B'],
  ['keys without a value', '[http]\nsslVerify\n[core] bare\nhooksPath = a\nfilemode'],
  ['empty values', '[core]\nhooksPath =\nhooksPath = ""\nhooksPath = ; a\nhooksPath = a'],
  ['CRLF', '[core]\r\nhooksPath = a\r\nhooksPath = b\\\r\nc\r\nfilemode\r\n'],
  ['CR alone', '[core]\rhooksPath = a\rhooksPath = b\r\r\n'],
  ['a mark at the start, GitPython#2249', '\uFEFF[core]\nhooksPath = a'],
  ['tabs and spaces around keys', '\t[core]\t\n \thooksPath\t \t=\t a\t\n'],
  ['spaces that are none for git', '[core]\nhooksPath = \u00A0a\u2003\nhooksPath = \u000Bb\u000C\nhooksPath = \uFEFFc'],
  ['a zero byte, after which the value ends', '[core]\nhooksPath = a\0b # c\nhooksPath = d'],
  ['digits and hyphens in names', '[a-1]\nb-2 = c\n[1a] b = c'],
  ['an equal sign in a value', '[core]\nhooksPath = a=b\nhooksPath == c'],
  ['a setting before any header', 'a = b\nhooksPath = c'],
  ['no header', '; nothing\n\n#'],
  ['no text', ''],
];

/** Texts with which git ends, whatever else they hold. */
const REFUSED: readonly (readonly [source: string, text: string])[] = [
  ['text between a section and its subsection, libgit2#5072', '[x z "y"] a = 1'],
  ['a space after a subsection, libgit2#4819', '[foo "bar" ]\na = 1'],
  ['a space before a section', '[ core]\nhooksPath = a'],
  ['a quote that does not end', '[core]\nhooksPath = "a\nhooksPath = b'],
  ['an unknown escape', '[core]\nhooksPath = \\a'],
  ['a key without a value and with a comment', '[core]\nbare # a'],
  ['a header that does not end', '[core'],
  ['headers that do not end', '['.repeat(200_000)],
  ['a header of spaces that does not end', `[core${' '.repeat(200_000)}`],
  ['a comment before a header ends', '[core # ]\nhooksPath = a'],
  ['a key that begins with a digit', '[core]\n1a = b'],
  ['another mark', '[core]\n\uFEFFhooksPath = a'],
];

/** The settings that git reads in a text, and true if it could read all of it. */
function readByGit(text: string) {
  const { status, stdout } = spawnSync('git', ['config', '--list', '-z', '--no-includes', '-f', '-'], {
    input: text,
    encoding: 'utf8',
  });
  const settings = stdout.split('\0').flatMap((printed) => {
    const [, written = '', value] = /^(.*?)\n(.*)$/s.exec(printed) ?? [];
    const name = `${written.includes('.') ? written.split('.')[0] : ''}.${written.split('.').at(-1)}`;
    return value === undefined ? [] : [{ name, value }];
  });
  return { isRead: status === 0, settings };
}

/** Versions of git before 2.45 read a space for each space of another kind in a value. */
const inSpaces = (settings: readonly GitSetting[]): readonly GitSetting[] =>
  settings.map(({ name, value }) => ({ name, value: value.replaceAll(/[\t\r]/g, ' ') }));

describe('settings are read as git reads them', () => {
  it.each(ACCEPTED)('%s', (_source, text) => {
    const { isRead, settings } = readByGit(text);
    expect(isRead).toBe(true);
    expect(inSpaces(gitSettings(text))).toEqual(inSpaces(settings));
  });

  it.each(REFUSED)('%s, which git refuses', (_source, text) => {
    const { isRead, settings } = readByGit(text);
    expect(isRead).toBe(false);
    expect(inSpaces(gitSettings(text))).toEqual(expect.arrayContaining([...inSpaces(settings)]));
  });

  it('random texts', () => {
    let refused = 0;
    const parts = fc.oneof(
      fc.constantFrom('[core]', '[include]', '[a "b"]', '[x.y]', 'hooksPath', 'path', 'a', 'b c', 'é', '\u00A0', '/'),
      fc.constantFrom(
        '\n',
        '\n',
        '\r\n',
        '\r',
        ' ',
        '\t',
        ' = ',
        '=',
        '"',
        '""',
        '\\',
        '\\\n',
        '\\n',
        '#',
        ';',
        '[',
        ']',
      ),
    );
    const texts = fc.oneof(
      fc.array(parts, { maxLength: 20 }).map((each) => each.join('')),
      fc.array(parts, { maxLength: 12 }).map((each) => `[core]\nhooksPath =${each.join('')}\n`),
    );
    const reads = fc.property(texts, (text) => {
      const { isRead, settings } = readByGit(text);
      const own = inSpaces(gitSettings(text));
      if (isRead) expect(own).toEqual(inSpaces(settings));
      else expect(own).toEqual(expect.arrayContaining([...inSpaces(settings)]));
      refused += isRead ? 0 : 1;
    });
    fc.assert(reads, propertySettings(200));
    expect(refused).toBeLessThan(180);
  });
});
