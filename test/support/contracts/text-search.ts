import { expect, it, onTestFinished } from 'vitest';
import type {
  LineFinding,
  LineQuery,
  PathFinding,
  SearchEnd,
  TextSearch,
} from '../../../src/tools/search/text-search.ts';
import { contractSuite, type Implementation } from './implementations.ts';

/** A text search with an adjustable deadline, and a function that ends its threads. */
export interface TextSearchSubject {
  /**
   * With `giveUpAfter`, the next test after this many texts never ends; `passDeadline` ends the searches that still
   * run, unless the search counts the tests itself.
   */
  readonly search: (options?: { readonly giveUpAfter: number }) => TextSearch;
  readonly passDeadline: () => void;
  readonly dispose: () => Promise<void>;
}

const LINES: LineQuery = { source: 'a', flags: '', contextLines: 0, maxLines: 100, maxLineLength: 500 };
const never = new AbortController().signal;
const CATASTROPHIC = '^(a+)+$';
const ENDLESS_LINE = `${'a'.repeat(60)}!`;

function file(path: string, text: string) {
  return { path, bytes: new TextEncoder().encode(text) };
}

async function* batches<Item>(...items: readonly (readonly Item[])[]): AsyncGenerator<readonly Item[], void> {
  yield* items;
}

/** Yields one batch and then hangs until it is closed. */
function stuckAfter<Item>(batch: readonly Item[], onClose: () => void = () => {}): AsyncIterable<readonly Item[]> {
  let yielded = false;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        if (yielded) return new Promise(() => {});
        yielded = true;
        return Promise.resolve({ done: false, value: batch });
      },
      return: async () => {
        onClose();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** A short text for each event of a search. */
async function describeEvents(
  findings: AsyncIterable<PathFinding | LineFinding | SearchEnd>,
): Promise<readonly string[]> {
  const events: string[] = [];
  for await (const finding of findings) events.push(describeEvent(finding));
  return events;
}

function describeEvent(finding: PathFinding | LineFinding | SearchEnd): string {
  switch (finding.type) {
    case 'path':
      return finding.path;
    case 'more_paths':
      return `+${finding.count}`;
    case 'line':
      return [...finding.before, `[${finding.path}:${finding.number} ${finding.text}]`, ...finding.after].join(' ');
    case 'more_lines':
      return `${finding.path}+${finding.count}`;
    case 'end':
      return finding.cause;
    default:
      return finding satisfies never;
  }
}

/** Runs the contract of `TextSearch`. */
export function textSearchContract(implementations: readonly Implementation<TextSearchSubject>[]): void {
  contractSuite('TextSearch', implementations, (create) => {
    const openSubject = (): TextSearchSubject => {
      const subject = create();
      onTestFinished(() => subject.dispose());
      return subject;
    };
    const open = (): TextSearch => openSubject().search();

    it('yields matching paths in the order of the input, over all batches', async () => {
      const found = open().matchPaths(
        { glob: '**/*.ts', maxPaths: 10 },
        batches(['b.ts', 'a.js'], [], ['.x/a.ts', 'a.ts']),
        never,
      );
      expect(await describeEvents(found)).toEqual(['b.ts', '.x/a.ts', 'a.ts', 'completed']);
    });

    it('counts the paths beyond the limit', async () => {
      const found = open().matchPaths({ glob: '*', maxPaths: 2 }, batches(['a', 'b', 'c'], ['d/', 'e/f']), never);
      expect(await describeEvents(found)).toEqual(['a', 'b', '+1', '+1', 'completed']);
    });

    it('yields matching lines with their context', async () => {
      const found = open().matchLines(
        { ...LINES, contextLines: 1 },
        batches([file('one', 'x\na1\ny\n\na2'), file('two', 'b')], [file('three', 'a3\r\nz\r\n')]),
        never,
      );
      expect(await describeEvents(found)).toEqual(['x [one:2 a1] y', ' [one:5 a2]', '[three:1 a3] z', 'completed']);
    });

    it('counts the lines beyond the limit, file by file', async () => {
      const found = open().matchLines(
        { ...LINES, maxLines: 2 },
        batches([file('one', 'a1\na2\na3\na4'), file('two', 'a5')]),
        never,
      );
      expect(await describeEvents(found)).toEqual(['[one:1 a1]', '[one:2 a2]', 'one+2', 'two+1', 'completed']);
    });

    it('keeps the findings before a pattern was stopped, and works again afterwards', async () => {
      const subject = openSubject();
      const search = subject.search({ giveUpAfter: 3 });
      const input = batches([file('one', 'aaa\nb\na'), file('two', `${ENDLESS_LINE}\naa`)]);
      const found = search.matchLines({ ...LINES, source: CATASTROPHIC }, input, never);
      const events: string[] = [];
      for await (const finding of found) {
        events.push(describeEvent(finding));
        if (events.length === 2) subject.passDeadline();
      }
      expect(events).toEqual(['[one:1 aaa]', '[one:3 a]', 'deadline']);
      expect(await describeEvents(search.matchLines(LINES, batches([file('one', 'ba')]), never))).toEqual([
        '[one:1 ba]',
        'completed',
      ]);
    });

    it('stops a glob that expands endlessly', async () => {
      const found: (PathFinding | SearchEnd)[] = [];
      const query = { glob: `{a,${'{a,b}'.repeat(24)}}`, maxPaths: 10 };
      for await (const finding of open().matchPaths(query, batches(['a', 'b']), never)) found.push(finding);
      expect(found).toEqual([{ type: 'end', cause: 'failed', reason: 'its braces expand to more than 1000 patterns' }]);
    });

    it('returns from a glob with many stars', async () => {
      const paths = ['aaaaaaaaaaaab', `${'a'.repeat(200)}bc`, 'b'];
      const found = open().matchPaths({ glob: `${'*a'.repeat(12)}b`, maxPaths: 10 }, batches(paths), never);
      expect(await describeEvents(found)).toEqual(['aaaaaaaaaaaab', 'completed']);
    });

    it('keeps the findings before a failure, and reports its reason', async () => {
      const search = open();
      const input = batches([file('one', `d\n${'a'.repeat(2_000_000)}\nd`)]);
      const found: (LineFinding | SearchEnd)[] = [];
      const query = { ...LINES, source: '((a)|(b)|(c))*d' };
      for await (const finding of search.matchLines(query, input, never)) found.push(finding);
      expect(found.map(describeEvent)).toEqual(['[one:1 d]', 'failed']);
      expect(found.at(-1)).toHaveProperty('reason', 'Maximum call stack size exceeded');
      expect(await describeEvents(search.matchLines(LINES, batches([file('one', 'ba')]), never))).toContain(
        'completed',
      );
    });

    it('ends soon after an abort, even with a hanging input, and closes the input', async () => {
      const controller = new AbortController();
      let closed = 0;
      const input = stuckAfter(['a', 'b'], () => closed++);
      const events: string[] = [];
      for await (const finding of open().matchPaths({ glob: 'b', maxPaths: 10 }, input, controller.signal)) {
        events.push(describeEvent(finding));
        controller.abort();
      }
      expect(events).toEqual(['b', 'aborted']);
      expect(closed).toBe(1);
    });

    it('yields nothing when the signal is already aborted', async () => {
      const found = open().matchPaths({ glob: '*', maxPaths: 10 }, batches(['a']), AbortSignal.abort());
      expect(await describeEvents(found)).toEqual(['aborted']);
    });

    it('closes its input when the consumer stops, and works again afterwards', async () => {
      let closed = 0;
      const search = open();
      for await (const finding of search.matchPaths(
        { glob: '*', maxPaths: 10 },
        stuckAfter(['a'], () => closed++),
        never,
      )) {
        expect(describeEvent(finding)).toBe('a');
        break;
      }
      expect(closed).toBe(1);
      expect(await describeEvents(search.matchPaths({ glob: '*', maxPaths: 10 }, batches(['z']), never))).toEqual([
        'z',
        'completed',
      ]);
    });

    it('throws the error of its input', async () => {
      const broken = async function* (): AsyncGenerator<readonly string[], void> {
        yield ['a'];
        throw new Error('the input broke');
      };
      const events: string[] = [];
      const consume = async (): Promise<void> => {
        for await (const finding of open().matchPaths({ glob: '*', maxPaths: 10 }, broken(), never)) {
          events.push(describeEvent(finding));
        }
      };
      await expect(consume()).rejects.toThrow('the input broke');
      expect(events).toEqual(['a']);
    });

    it('runs parallel searches, of which one can be stopped alone', async () => {
      const subject = openSubject();
      const search = subject.search({ giveUpAfter: 2 });
      const endless = search.matchLines(
        { ...LINES, source: CATASTROPHIC },
        batches([file('one', `aa\nb\n${ENDLESS_LINE}`)]),
        never,
      );
      const other = search.matchLines(LINES, batches([file('two', 'ba')], [file('three', 'ca')]), never);
      const events: string[] = [];
      for await (const finding of endless) {
        if (finding.type === 'line') {
          expect(await describeEvents(other)).toEqual(['[two:1 ba]', '[three:1 ca]', 'completed']);
          subject.passDeadline();
        }
        events.push(describeEvent(finding));
      }
      expect(events).toEqual(['[one:1 aa]', 'deadline']);
    });
  });
}
