import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellCommandFor } from '../../../mock-llm-server/reply/intents/shell-commands.ts';
import type { Intent } from '../../../mock-llm-server/scenario/format/intent-format.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { propertySettings, verdictSettings } from '../../support/random/property.ts';

// A plain POSIX shell, and the one that most agents start. Windows has neither.
const SHELLS = ['/bin/sh', '/bin/bash'].filter((shell) => existsSync(shell));

function run(intent: Intent, directory: string, shell = '/bin/sh'): { readonly code: number; readonly output: string } {
  try {
    const output = execFileSync(shell, ['-c', shellCommandFor(intent)], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { code: 0, output };
  } catch (error) {
    const failed = Object(error);
    return { code: Number(failed.status), output: `${failed.stdout}${failed.stderr}` };
  }
}

const TEXTS = [
  ['nothing', ''],
  ['one line', 'hello\n'],
  ['no line feed at the end', 'hello'],
  ['line feeds only', '\n\n\n'],
  ['all kinds of quotes', `it's "quoted" \`ticks\` \\ $HOME $(id) !! %s %%\n`],
  ['quotes without a line feed', `'"'"'`],
  ['CRLF', 'a\r\nb\r\n'],
  ['unicode', 'grüße 🙂 漢字 \u2028\n'],
  ['wildcards', '* ? [a-z] {a,b} ~ #\n'],
  ['dashes', '-n\n-e\n'],
] as const;

describe.each(SHELLS)('in %s', (shell) => {
  it.each(TEXTS)('write_file keeps %s', (_name, content) => {
    const directory = temporaryDirectory();
    expect(run({ intent: 'write_file', path: 'a dir/it\'s "new"/-f.txt', content }, directory, shell).code).toBe(0);
    expect(readFileSync(path.join(directory, 'a dir/it\'s "new"/-f.txt'), 'utf8')).toBe(content);
  });

  it.each(TEXTS.filter(([, text]) => text !== ''))('edit_file changes %s', (_name, text) => {
    const directory = temporaryDirectory();
    const file = path.join(directory, '-f.txt');
    writeFileSync(file, `before\n|${text}|\nafter\n\n`);
    const edited = run(
      { intent: 'edit_file', path: './-f.txt', old_text: `|${text}|`, new_text: text },
      directory,
      shell,
    );
    expect(edited).toEqual({ code: 0, output: '' });
    expect(readFileSync(file, 'utf8')).toBe(`before\n${text}\nafter\n\n`);
  });

  it('edit_file prints the reason if it changes nothing', () => {
    const directory = temporaryDirectory();
    writeFileSync(path.join(directory, 'f'), 'one one\n');
    const edit = (old_text: string, file = 'f') =>
      run({ intent: 'edit_file', path: file, old_text, new_text: 'x' }, directory, shell);
    expect(edit('two')).toEqual({ code: 1, output: 'the text is not in f\n' });
    expect(edit('one')).toEqual({ code: 1, output: 'the text is in f more than once\n' });
    expect(edit('one', 'missing').code).toBe(1);
    expect(readFileSync(path.join(directory, 'f'), 'utf8')).toBe('one one\n');
    expect(existsSync(path.join(directory, 'missing'))).toBe(false);
  });
});

/** A directory with files that contain their own names. */
function searchable(): string {
  const directory = temporaryDirectory();
  const names = ['a.js', 'b c.ts', 'src/one.ts', 'src/deep/two.ts', 'src/deep/[x].ts', '.git/x.ts', 'src/n.md'];
  const files = names.map((name) => [name, `in ${name}\nit's a "needle" (${name})\n`] as const);
  writeFiles(directory, Object.fromEntries(files));
  return directory;
}

describe.skipIf(SHELLS.length === 0)('a shell', () => {
  it.each<[Intent, string[]]>([
    [{ intent: 'read_file', path: 'b c.ts' }, ['in b c.ts', 'it\'s a "needle" (b c.ts)']],
    [{ intent: 'list_files', path: 'src/deep' }, ['[x].ts', 'two.ts']],
    [{ intent: 'list_files', pattern: '*.ts' }, ['b c.ts']],
    [{ intent: 'list_files', pattern: '*.{js,ts}' }, ['a.js', 'b c.ts']],
    [{ intent: 'list_files', pattern: 'b c.*' }, ['b c.ts']],
    [{ intent: 'list_files', pattern: '[a-b].js', path: '.' }, ['a.js']],
    [{ intent: 'list_files', pattern: '*.ts', path: 'src/' }, ['src/one.ts']],
    [
      { intent: 'list_files', pattern: '**/*.ts' },
      ['./b c.ts', './src/deep/[x].ts', './src/deep/two.ts', './src/one.ts'],
    ],
    [{ intent: 'list_files', pattern: '**/*.{js,md}' }, ['./a.js', './src/n.md']],
    [{ intent: 'list_files', pattern: '**/t*.ts', path: 'src' }, ['src/deep/two.ts']],
    [
      { intent: 'search_files', pattern: '"n(e)+dle" \\(src/d.*two', path: 'src' },
      ['src/deep/two.ts:2:it\'s a "needle" (src/deep/two.ts)'],
    ],
    [{ intent: 'search_files', pattern: "^it's.*a\\.js" }, ['./a.js:2:it\'s a "needle" (a.js)']],
    [{ intent: 'shell', command: 'printf "%s\\n" "$((1 + 1))"' }, ['2']],
  ])('carries out %j', (intent, lines) => {
    expect(run(intent, searchable()).output.trimEnd().split('\n').sort()).toEqual([...lines].sort());
  });
});

describe.skipIf(SHELLS.length === 0)('any text', () => {
  const text = fc.string({ unit: fc.constantFrom(...'a\'"\\$`!\n\r\t %ü🙂EOF_1 *{}'), maxLength: 40 });

  it('survives a write and an edit', () => {
    const directory = temporaryDirectory();
    const property = fc.property(text, text, text, (content, before, after) => {
      run({ intent: 'write_file', path: 'f', content: `${before}<${content}>${after}` }, directory);
      const edit: Intent = { intent: 'edit_file', path: 'f', old_text: `<${content}>`, new_text: after };
      expect(run(edit, directory).code).toBe(0);
      expect(readFileSync(path.join(directory, 'f'), 'utf8')).toBe(before + after + after);
    });
    fc.assert(property, propertySettings(15));
  });

  it('does not survive a command that quotes it naively', () => {
    const directory = temporaryDirectory();
    const property = fc.property(text, (content) => {
      run({ intent: 'shell', command: `printf %s "${content}" > f` }, directory);
      return readFileSync(path.join(directory, 'f'), 'utf8') === content;
    });
    expect(fc.check(property, verdictSettings(15)).failed).toBe(true);
  });
});
