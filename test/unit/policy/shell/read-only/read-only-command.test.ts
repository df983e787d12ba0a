import { describe, expect, it } from 'vitest';
import { readOnlyUse } from '../../../../../src/policy/shell/read-only/read-only-command.ts';

const PLACES = { workspace: '/w', workingDirectory: '/w/src', home: '/home/u', platform: 'posix' } as const;
const use = (command: string) => readOnlyUse(command, PLACES);

describe('a read-only command line', () => {
  it.each([
    ['several commands', 'ls && cat a || pwd; wc -l b\ngrep x c | head', ['/w/src/a', '/w/src/b', '/w/src/c'], []],
    ['a negation', '! grep -q x a', ['/w/src/a'], []],
    ['harmless redirects', 'ls >/dev/null 2>&1 </dev/null 3>&- 2>>/dev/null &>/dev/null', [], []],
    ['both outputs in a pipe', 'ls |& cat', [], []],
    ['quoted words', `cat "a b" 'c*' d\\ e`, ['/w/src/a b', '/w/src/c*', '/w/src/d e'], []],
    ['a continued line', 'cat a \\\n  b', ['/w/src/a', '/w/src/b'], []],
    ['a path from the root', 'cat /w/a ../b ./c ./../d', ['/w/a', '/w/b', '/w/d', '/w/src/c'], []],
    ['another directory', 'cd lib && cat a', ['/w/src/lib/a'], ['/w/src/lib']],
    ['a directory that may be missing', 'cd lib; cat a', ['/w/src/a', '/w/src/lib/a'], ['/w/src/lib']],
    ['a directory above', 'cd .. && cat a', ['/w/a'], ['/w']],
  ])('may contain %s', (_name, command, paths, directories) => {
    const found = use(command);
    expect(found.type === 'read_only' && { paths: found.paths.toSorted(), directories: found.directories }).toEqual({
      paths,
      directories,
    });
  });

  it.each([
    [
      'a program that is not in the table',
      'ls; npm test',
      'npm with these words is not in the table of programs that only read',
    ],
    ['an empty command', ' # nothing', 'it contains no command'],
    [
      'objects of git',
      'cat ../.git/objects/pack/a.pack',
      '../.git/objects/pack/a.pack is what git has committed, also files with secrets',
    ],
    ['a redirect to a file', 'ls > a', 'it redirects to or from a file'],
    ['a redirect from a file', 'cat < a', 'it redirects to or from a file'],
    ['a redirect to an unknown file', 'ls > /dev/$X', 'it redirects to or from a file'],
    ['a redirect to a named descriptor', 'ls {fd}>/dev/null', 'it redirects to or from a file'],
    ['output as a file name', 'ls >& a', 'it redirects to or from a file'],
    ['a file whose name is a number', 'ls > 1', 'it redirects to or from a file'],
    ['a here-string', 'cat <<< a', 'it redirects to or from a file'],
    ['a here-document', 'cat << E\na\nE', 'it redirects to or from a file'],
    ['a background command', 'ls &', 'it runs in the background'],
    ['a background command in the middle', 'ls & cat a', 'it runs in the background'],
    ['a measured command', 'time ls', 'it is timed'],
    ['an assignment', 'A=1', 'it contains no command'],
    ['an assignment after a command', 'ls; A=1', 'it sets a variable'],
    ['an assignment before a command', 'PAGER=x git log', 'it sets a variable'],
    ['git in another directory', 'git status', 'git may find another repository'],
    ['a variable', 'cat $A', 'the word $A depends on the shell'],
    ['a variable in quotes', 'cat "$A"', 'the word "$A" depends on the shell'],
    ['a name from a variable', '$A a', ''],
    ['a pattern', 'cat *', 'the word * depends on the shell'],
    ['a brace expansion', 'cat {a,b}', 'the word {a,b} depends on the shell'],
    ['the home directory', 'cat ~/a', 'the word ~/a depends on the shell'],
    ['a substitution', 'cat $(ls)', 'the word $(ls) depends on the shell'],
    ['words of Bash alone', `cat $'a'`, `the word $'a' depends on the shell`],
    ['words to translate', 'cat $"a"', 'the word $"a" depends on the shell'],
    ['a subshell', '(ls)', 'it is more than a list of plain commands'],
    ['a group', '{ ls; }', 'it is more than a list of plain commands'],
    ['a loop', 'for a in b; do ls; done', 'it is more than a list of plain commands'],
    ['a condition', 'if true; then ls; fi', 'it is more than a list of plain commands'],
    ['a function', 'ls() { rm a; }; ls', 'it is more than a list of plain commands'],
    ['an error', 'ls "', 'the command cannot be parsed: unterminated double quote'],
    ['a comment', 'ls # all', 'a part of it is not a command'],
    ['a comment between commands', 'ls # all\ncat a', 'a part of it is not a command'],
    ['an unreadable directory', 'ls (', 'a part of it is not a command'],
    ['a name before ..', 'cat a/../b', 'a/../b leaves a directory that may be a link'],
    ['.. after a name', 'cat ../a/../b', '../a/../b leaves a directory that may be a link'],
    ['an unknown directory', 'cd "$A"; cat a', 'the word "$A" depends on the shell'],
    ['an invisible character', 'ls \u200b', 'the command contains the character \\u{200b}'],
  ])('may not contain %s', (_name, command, reason) => {
    const found = use(command);
    expect(found.type === 'other' ? found.reason : found).toContain(reason);
  });

  it('is not recognized on Windows, or in a command with too many parts', () => {
    expect(readOnlyUse('ls', { ...PLACES, platform: 'windows' })).toEqual({
      type: 'other',
      reason: 'the table of programs that only read is for POSIX systems',
    });
    const reason = 'the directory that it runs in is not known';
    expect(use('cd a; cd b; cd c; cd d; cat a')).toEqual({ type: 'other', reason });
    expect(use('ls;'.repeat(300_000)).type).toBe('other');
    expect(use(`ls {${'a,'.repeat(5_000)}}`)).toEqual({ type: 'other', reason: 'it cannot be parsed' });
    expect(use(`${'cat a b c d e f g;'.repeat(3_000)}`)).toMatchObject({ type: 'read_only' });
  });
});
