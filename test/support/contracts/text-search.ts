import { expect, it, onTestFinished } from 'vitest';
import { describeEnd, describeSkipped } from '../../../src/tools/search/search-notes.ts';
import { compilePattern } from '../../../src/tools/search/search-patterns.ts';
import type {
  LineFinding,
  LinePattern,
  LineResult,
  PathResult,
  TextSearch,
} from '../../../src/tools/search/text-search.ts';
import { workspaceRules } from '../tools/search-workspace.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** A tree and a text search over it, with an adjustable deadline, and a function that ends its threads. */
export interface TextSearchSubject {
  /** Writes files, by their paths relative to the root. */
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => void;
  readonly link: (target: string, path: string) => void;
  readonly root: string;
  /**
   * With `giveUpAfter`, the next test after this many texts never ends; `passDeadline` ends the searches that still run,
   * unless the search counts the tests itself.
   */
  readonly search: (options?: { readonly giveUpAfter: number }) => TextSearch;
  readonly passDeadline: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

const LINES = { contextLines: 0, maxLines: 100, maxLineLength: 500 };
const never = new AbortController().signal;
const CATASTROPHIC = '^(a+)+$';
const ENDLESS_LINE = `${'a'.repeat(60)}!`;

function describeFinding(finding: LineFinding): string {
  if (finding.type === 'more_lines') return `${finding.path}+${finding.count}`;
  return [...finding.before, `[${finding.path}:${finding.number} ${finding.text}]`, ...finding.after].join(' ');
}

/** The paths or lines of a result, what was skipped, and the end. */
function describe(result: PathResult | LineResult): readonly string[] {
  const found = 'paths' in result ? result.paths : result.findings.map(describeFinding);
  return [...found, ...describeSkipped(result.skipped), result.end.cause];
}

const utf16 = (text: string, order: 'le' | 'be'): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** Files with a needle in many forms, and what every search finds of it. */
const FORMS: Readonly<Record<string, string | Uint8Array>> = {
  '.gitignore': 'ignored/\n*.log\n',
  'ignored/a.txt': 'needle 1',
  'a.log': 'needle 1',
  'plain.txt': 'one\nneedle 1\nthree',
  'crlf.txt': 'needle 1\r\nNEEDLE 2\r\n',
  'no end of line': 'x\nneedle 3',
  '.hidden/deep/needle.txt': 'needle 4',
  'utf8 bom.txt': Buffer.from('\ufeffneedle 5\n'),
  'utf16le.txt': utf16('first\nneedle 6 ž\n', 'le'),
  'utf16be.txt': utf16('needle 7\n', 'be'),
  'bare le.txt': Buffer.from('one\nThimble 1\n', 'utf16le'),
  'bare be.txt': Buffer.from('Thimble 2\nab\n', 'utf16le').swap16(),
  'bare le in chinese.txt': Buffer.from('测试文件\n测试 thimble 3\n', 'utf16le'),
  'latin1.txt': Buffer.from('caf\u00e9\nneedle 8 \u00fc\n', 'latin1'),
  'binary.bin': Buffer.from('\u0000\u0001needle 9'),
  'other.bin': Buffer.from('\u0000\u0001nothing'),
  'late nul.txt': `${'x\n'.repeat(5_000)}needle 10\n\u0000`,
  '.env': 'needle=11',
  'keys/id_rsa': 'needle 12',
  'kelvin.txt': 'need\u212a needl\u00e9',
  'long s.txt': '\u017fpecial',
  '-dash.txt': 'needle 13',
  '--': 'needle 14',
  'with\nline': 'needle 15',
  'huge.txt': `needle 16\n${'x'.repeat(2_000_001)}`,
  'dir/sub/z.md': 'the needle 17 and [needle] (18)',
};

/** Patterns, some of which other engines read differently, with the number of lines that match and of files to read. */
const PATTERNS: readonly (readonly [pattern: string, lines: readonly string[]])[] = [
  ['needle 1$', ['crlf.txt:1', 'plain.txt:2']],
  ['(?i)needle 2', ['crlf.txt:2']],
  ['needle \\d ž', ['utf16le.txt:2']],
  ['needle \\d [äöü]', ['latin1.txt:2']],
  ['Thimble \\d', ['bare be.txt:1', 'bare le.txt:2']],
  ['(?i)THIMBLE \\d|^ab$', ['bare be.txt:1', 'bare be.txt:2', 'bare le in chinese.txt:2', 'bare le.txt:2']],
  ['(?i)\\bAB$', ['bare be.txt:2']],
  ['caf[^ -~]', ['latin1.txt:1']],
  ['^needle (?:7|8)', ['latin1.txt:2', 'utf16be.txt:1']],
  ['needle 10', ['late nul.txt:5001']],
  ['needle 1[345]', ['--:1', '-dash.txt:1', 'with\\u{a}line:1']],
  ['needle 1[34]|needle 3', ['--:1', '-dash.txt:1', 'no end of line:2']],
  ['\\[needle\\] \\(18\\)', ['dir/sub/z.md:1']],
  ['(?i)needK', ['kelvin.txt:1']],
  ['(?i)SPECIAL', ['long s.txt:1']],
  ['needl\\b', ['kelvin.txt:1']],
  ['(?<=the )needle', ['dir/sub/z.md:1']],
  ['(?:n|x)eedle 3', ['no end of line:2']],
  ['nee?d?l{1}e 3', ['no end of line:2']],
  ['\\u{6e}eedle 3', ['no end of line:2']],
  ['x*needle 3', ['no end of line:2']],
  ['[[:alpha:]]eedle 3', []],
  ['needle 3\\z', []],
  ['\\Qneedle 3\\E', []],
];

/** Runs the contract of `TextSearch`. */
export function textSearchContract(implementations: readonly Implementation<TextSearchSubject>[]): void {
  contractSuite('TextSearch', implementations, (create) => {
    const openSubject = (files: Readonly<Record<string, string | Uint8Array>>): TextSearchSubject => {
      const subject = create();
      onTestFinished(() => subject.dispose());
      subject.write(files);
      return subject;
    };
    const rulesOf = ({ root }: TextSearchSubject) => workspaceRules({ workspace: root, allowedRoots: [root] });
    const paths = (
      subject: TextSearchSubject,
      glob: string,
      maxPaths = 100,
      signal = never,
      search = subject.search(),
    ) => search.findPaths({ root: subject.root, pathRules: rulesOf(subject), glob, maxPaths }, signal);
    const lines = (
      subject: TextSearchSubject,
      pattern: string,
      more: Partial<LinePattern> = {},
      search = subject.search(),
      signal = never,
    ) => {
      const query = { ...LINES, ...compilePattern(pattern), ...more };
      const { root } = subject;
      return search.findLines(
        { root, isFile: false, pathRules: rulesOf(subject), glob: undefined, lines: query },
        signal,
      );
    };

    it('finds paths in code-point order, and counts those beyond the limit', async () => {
      const subject = openSubject({
        'b.ts': '',
        'a.js': '',
        '.x/a.ts': '',
        'a/z.ts': '',
        'a.ts': '',
        '\u{1F600}.ts': '',
      });
      expect(describe(await paths(subject, '**/*.ts'))).toEqual([
        ...['.x/a.ts', 'a.ts', 'a/z.ts', 'b.ts', '\u{1F600}.ts'],
        'completed',
      ]);
      expect(describe(await paths(subject, '*'))).toEqual([
        ...['.x/', 'a.js', 'a.ts', 'a/', 'b.ts', '\u{1F600}.ts'],
        'completed',
      ]);
      expect(await paths(subject, '**', 2)).toMatchObject({ paths: ['.x/a.ts', 'a.js'], total: 6 });
    });

    it('finds lines with their context', async () => {
      const subject = openSubject({ one: 'x\na1\ny\n\na2', two: 'b', zero: 'a3\r\nz\r\n' });
      expect(describe(await lines(subject, 'a', { contextLines: 1 }))).toEqual([
        ...['x [one:2 a1] y', ' [one:5 a2]', '[zero:1 a3] z'],
        'completed',
      ]);
    });

    it('reports the first lines in the order of the files, and counts the others file by file', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`f${1000 + index}`, 'needle\nneedle']),
      );
      const result = await lines(openSubject(many), 'needle', { maxLines: 3 });
      expect(result.findings.filter(({ type }) => type === 'line').map(describeFinding)).toEqual([
        ...['[f1000:1 needle]', '[f1000:2 needle]', '[f1001:1 needle]'],
      ]);
      const counted = result.findings.reduce((sum, finding) => sum + (finding.type === 'line' ? 1 : finding.count), 0);
      expect([counted, result.files, result.end.cause]).toEqual([600, 300, 'completed']);
    });

    it('ends at the same line each time when far more lines match than are reported', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [`f${1000 + index}`, 'needle\n'.repeat(20)]),
      );
      const subject = openSubject(many);
      const [first, second] = [
        await lines(subject, 'needle', { maxLines: 5 }),
        await lines(subject, 'needle', { maxLines: 5 }),
      ];
      expect(first.end.cause).toBe('enough');
      expect(describeEnd(first.end, '')).toEqual([expect.stringContaining('far more lines match')]);
      expect(second).toEqual(first);
      expect(first.files).toBeLessThan(200);
      expect((await lines(subject, 'needle', { maxLines: 0 })).end.cause).toBe('completed');
    });

    // In one test, because each subject starts threads.
    it('finds every pattern in files of every form, but not in excluded ones', async () => {
      const subject = openSubject(FORMS);
      for (const [pattern, found] of PATTERNS) {
        const { findings, end, skipped } = await lines(subject, pattern);
        const places = findings.map((finding) => (finding.type === 'line' ? `${finding.path}:${finding.number}` : ''));
        expect(places, pattern).toEqual(found);
        expect(end.cause).toBe('completed');
        expect(skipped).toMatchObject({ ignored: 2, secret: 2, tooLarge: 1, unreadable: [] });
      }
    });

    it('counts the binary files that contain the text', async () => {
      const { skipped, files } = await lines(openSubject(FORMS), 'needle 9');
      expect(skipped).toMatchObject({ binary: 1 });
      expect(files).toBe(Object.keys(FORMS).length - 2 - 2 - 1 - 1);
    });

    it('counts what is left out of directories that are searched as a whole, in part, or file by file', async () => {
      const large = 'x'.repeat(2_000_001);
      const subject = openSubject({
        '.gitignore': 'ignored/\n',
        ...{ 'whole/a': 'needle', 'whole/deep/b': 'needle', 'whole/deep/large': large, 'whole/.deeper/c': 'no' },
        ...{ 'files/d': 'needle', 'files/large': `needle ${large}`, 'files/ignored/e': 'needle' },
        ...{ 'some/f': 'needle', 'some/.env': 'needle', 'some/large': large, 'some/below/g': 'needle' },
      });
      subject.link('a', 'whole/link');
      const result = await lines(subject, 'needle');
      expect(describe(result)).toEqual([
        ...['files/d', 'some/below/g', 'some/f', 'whole/a', 'whole/deep/b'].map((file) => `[${file}:1 needle]`),
        'Skipped: 1 entry ignored by .gitignore, 1 file that may hold secrets, 1 link not followed, 3 files over 2 MB.',
        'completed',
      ]);
      expect(result.files).toBe(7);
    });

    it('follows no link, and opens no blocked file', async () => {
      const subject = openSubject({ 'a.txt': 'needle', 'blocked/b.txt': 'needle' });
      subject.link(subject.root, 'loop');
      subject.link('a.txt', 'link.txt');
      const pathRules = { ...rulesOf(subject), blockedPaths: [`${subject.root}/blocked`] };
      const query = { root: subject.root, isFile: false, pathRules, glob: undefined };
      const result = await subject
        .search()
        .findLines({ ...query, lines: { ...LINES, ...compilePattern('needle') } }, never);
      expect(describe(result)).toEqual([
        '[a.txt:1 needle]',
        'Skipped: 1 blocked path, 2 links not followed.',
        'completed',
      ]);
    });

    it('keeps the findings before a pattern was stopped, and works again afterwards', async () => {
      // A part of a search has 64 files, and the endless line is in the second one.
      const before = Object.fromEntries(Array.from({ length: 63 }, (_, index) => [`f${100 + index}`, 'b']));
      const subject = openSubject({ ...before, one: 'aaa\nb\na', two: `${ENDLESS_LINE}\naa` });
      const search = subject.search({ giveUpAfter: 66 });
      const running = lines(subject, CATASTROPHIC, {}, search);
      await subject.passDeadline();
      expect(describe(await running)).toEqual(['[one:1 aaa]', '[one:3 a]', 'deadline']);
      expect(describe(await lines(subject, '^a$'))).toEqual(['[one:3 a]', 'completed']);
    });

    it('stops a glob that expands endlessly', async () => {
      const { end } = await paths(openSubject({ a: '' }), `{a,${'{a,b}'.repeat(24)}}`);
      expect(end).toEqual({ type: 'end', cause: 'failed', reason: 'its braces expand to more than 1000 patterns' });
    });

    it('returns from a glob with many stars', async () => {
      const subject = openSubject({ aaaaaaaaaaaab: '', [`${'a'.repeat(200)}bc`]: '', b: '' });
      expect(describe(await paths(subject, `${'*a'.repeat(12)}b`))).toEqual(['aaaaaaaaaaaab', 'completed']);
    });

    it('keeps the findings before a failure, and reports its reason', async () => {
      const subject = openSubject({ one: `d\n${'a'.repeat(1_900_000)}\nd` });
      const result = await lines(subject, '((a)|(b)|(c))*d');
      expect(result.findings.map(describeFinding)).toEqual(['[one:1 d]']);
      expect(result.end).toMatchObject({ cause: 'failed', reason: 'Maximum call stack size exceeded' });
    });

    it('finds nothing when the signal is already aborted', async () => {
      const subject = openSubject({ a: 'a' });
      expect(describe(await paths(subject, '*', 10, AbortSignal.abort()))).toEqual(['aborted']);
      expect(describe(await lines(subject, 'a', {}, subject.search(), AbortSignal.abort()))).toEqual(['aborted']);
    });

    it('runs searches in parallel, each with the same result', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [`d${index % 37}/e${index % 11}/f${index}`, `hit ${index % 7}\n`]),
      );
      const subject = openSubject(files);
      const search = subject.search();
      const results = await Promise.all([1, 2, 3].map(() => lines(subject, 'hit 3', {}, search)));
      expect(results[0]?.findings).toHaveLength(71);
      expect(results[1]).toEqual(results[0]);
      expect(results[2]).toEqual(results[0]);
    });
  });
}
