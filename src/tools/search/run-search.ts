import { candidatePlaces, type FindCandidates } from './candidates.ts';
import { bareUtf16Form, requiredTexts } from './match-text.ts';
import { addSkipped, createSkippedFiles } from './search-notes.ts';
import { MAX_BYTES, type TreeOutcome, type TreeRequest } from './search-tree.ts';
import type {
  LineFinding,
  LineQuery,
  LineResult,
  PathQuery,
  PathResult,
  SearchEnd,
  SkippedFiles,
} from './text-search.ts';
import { MAX_ENTRIES, sortPaths, type WalkedDirectory, type WalkedPart } from './walk-files.ts';

/** A thread that answers one request at a time. `stopped`: it took too long, failed or was aborted. */
export interface TreeThread {
  ask(
    request: TreeRequest,
  ): AsyncGenerator<LineFinding, TreeOutcome | { readonly type: 'stopped'; readonly end: SearchEnd }>;
}

/** The threads of a search, which work on it at the same time. */
export interface SearchThreads {
  readonly threads: readonly TreeThread[];
  readonly findCandidates?: FindCandidates | undefined;
}

/** The number of files that a thread searches between two answers. */
const FILES_PER_PART = 64;
/** The number of lines beyond the reported ones at which the search ends. */
const ENOUGH_MORE = 1_000;

/** Finds the paths of a tree that a glob matches. */
export async function findPaths(query: PathQuery, search: SearchThreads, signal: AbortSignal): Promise<PathResult> {
  const walked = await walkTree({ type: 'find_paths', query }, query.maxEntries, search.threads, signal);
  const { paths, skipped, end } = walked;
  return { paths: sortPaths(paths).slice(0, query.maxPaths), total: paths.length, skipped, end };
}

/** Finds the lines of the files of a tree that an expression matches. */
export async function findLines(query: LineQuery, search: SearchThreads, signal: AbortSignal): Promise<LineResult> {
  const { threads } = search;
  const { source, flags } = query.lines;
  const findCandidates = query.isFile ? undefined : search.findCandidates;
  const required = findCandidates === undefined ? undefined : requiredTexts(source);
  const texts = required && [...required, ...required.map(bareUtf16Form)];
  const request = { type: 'find_lines', query, withSizes: texts !== undefined } as const;
  const walked = query.isFile
    ? { ...walkOf(await askAll(request, threads)), paths: [''] }
    : await walkTree(request, query.maxEntries, threads, signal);
  const { skipped, end } = walked;
  if (end.cause !== 'completed') return { findings: [], files: 0, skipped, end };
  const wanted = texts && { root: query.root, maxBytes: MAX_BYTES, texts, ignoresCase: flags.includes('i') };
  const found = wanted && (await findCandidates?.({ ...wanted, ...candidatePlaces(walked) }, signal));
  if (found === undefined) return { ...(await searchParts(sortPaths(walked.paths), query, threads, skipped)), skipped };
  const named = new Set(found.paths);
  // A file that is newer than the walk has not been decided about.
  const candidates = sortPaths(walked.paths.filter((path) => named.has(path)));
  const searched = Math.min(found.searched, walked.paths.length);
  skipped.tooLarge += walked.paths.length - searched;
  const parts = await searchParts(candidates, query, threads, skipped);
  return { ...parts, files: parts.files + searched - candidates.length, skipped };
}

/** Gives the query to all threads. */
async function askAll(query: TreeRequest, threads: readonly TreeThread[]): Promise<SearchEnd> {
  const ends = await Promise.all(threads.map(async (thread) => endOf((await ask(thread, query)).outcome)));
  return ends.find(({ cause }) => cause !== 'completed') ?? COMPLETED;
}

const COMPLETED: SearchEnd = { type: 'end', cause: 'completed' };

function endOf(outcome: TreeOutcome | { readonly type: 'stopped'; readonly end: SearchEnd }): SearchEnd {
  if (outcome.type === 'stopped') return outcome.end;
  return outcome.type === 'failed' ? { type: 'end', cause: 'failed', reason: outcome.reason } : COMPLETED;
}

interface WalkedTree extends Omit<WalkedPart, 'rest' | 'entries'> {
  readonly paths: string[];
  readonly single: string[];
  readonly directories: WalkedDirectory[];
  readonly end: SearchEnd;
}

/** A walk that has found nothing yet. */
function walkOf(end: SearchEnd): WalkedTree {
  return { paths: [], single: [], directories: [], skipped: createSkippedFiles(), end };
}

/**
 * Walks a tree in parts. A part leaves directories for later ones, and what it has counts in the order of the parts, so
 * that a limit leaves out the same paths each time.
 */
async function walkTree(
  query: TreeRequest,
  maxEntries: number = MAX_ENTRIES,
  threads: readonly TreeThread[],
  signal: AbortSignal,
): Promise<WalkedTree> {
  const walked = walkOf(await askAll(query, threads));
  if (walked.end.cause !== 'completed') return walked;
  let entries = 0;
  /** The directories of the parts that nobody has begun, and the parts by number that are not counted yet. */
  const waiting: string[][] = [['']];
  const done = new Map<number, WalkedPart>();
  let [begun, counted] = [0, 0];
  let end: SearchEnd = COMPLETED;
  let wake: () => void = () => {};
  const isOver = (): boolean =>
    end.cause !== 'completed' || signal.aborted || walked.skipped.limit?.startsWith('the limit') === true;

  const count = (): void => {
    for (let part = done.get(counted); part !== undefined && !isOver(); part = done.get(counted)) {
      done.delete(counted);
      counted += 1;
      addSkipped(walked.skipped, part.skipped);
      entries += part.entries;
      if (entries > maxEntries) {
        const left = maxEntries - (entries - part.entries);
        walked.skipped.limit = `the limit of ${maxEntries} entries was reached. Use a narrower path.`;
        const first = sortPaths([...part.paths]).slice(0, Math.max(0, left));
        walked.paths.push(...first);
        walked.single.push(...first);
        return;
      }
      for (const path of part.paths) walked.paths.push(path);
      for (const path of part.single) walked.single.push(path);
      for (const directory of part.directories) walked.directories.push(directory);
      // Each directory of a part that was cut off can be as large as the whole part.
      for (const directory of part.rest) waiting.push([directory]);
    }
  };
  const work = async (thread: TreeThread): Promise<void> => {
    while (!isOver()) {
      const directories = waiting.splice(0, Math.max(1, Math.ceil(waiting.length / (threads.length * 4)))).flat();
      if (directories.length === 0) {
        if (begun === counted) return;
        await new Promise<void>((resolve) => {
          const before = wake;
          wake = () => {
            before();
            resolve();
          };
        });
        continue;
      }
      const number = begun++;
      const { outcome } = await ask(thread, { type: 'walk', directories });
      if (outcome.type === 'walked') done.set(number, outcome);
      else end = endOf(outcome);
      count();
      const waked = wake;
      wake = () => {};
      waked();
    }
    wake();
  };
  await Promise.all(threads.map(work));
  return { ...walked, end: signal.aborted ? { type: 'end', cause: 'aborted' } : end };
}

/** Searches files in parts, whose findings count in the order of the parts, until there are enough. */
async function searchParts(
  paths: readonly string[],
  { lines }: LineQuery,
  threads: readonly TreeThread[],
  skipped: SkippedFiles,
): Promise<Omit<LineResult, 'skipped'>> {
  const findings: LineFinding[] = [];
  const done = new Map<number, Awaited<ReturnType<typeof ask>>>();
  let [begun, counted, shown, total, files] = [0, 0, 0, 0, 0];
  let end: SearchEnd = COMPLETED;
  const enough = lines.maxLines === 0 ? Number.POSITIVE_INFINITY : lines.maxLines + ENOUGH_MORE;

  const add = (finding: LineFinding): void => {
    total += finding.type === 'line' ? 1 : finding.count;
    if (finding.type === 'line' && shown >= lines.maxLines) {
      findings.push({ type: 'more_lines', path: finding.path, count: 1 });
      return;
    }
    if (finding.type === 'line') shown += 1;
    findings.push(finding);
  };
  const count = (): void => {
    for (let part = done.get(counted); part !== undefined && end.cause === 'completed'; part = done.get(counted)) {
      done.delete(counted);
      counted += 1;
      for (const finding of part.findings) add(finding);
      if (part.outcome.type === 'searched') {
        files += part.outcome.files;
        addSkipped(skipped, part.outcome.skipped);
      } else end = endOf(part.outcome);
      const isLast = counted * FILES_PER_PART >= paths.length;
      if (total >= enough && !isLast && end.cause === 'completed') end = { type: 'end', cause: 'enough' };
    }
  };
  const work = async (thread: TreeThread): Promise<void> => {
    while (end.cause === 'completed' && begun * FILES_PER_PART < paths.length) {
      const number = begun++;
      const part = paths.slice(number * FILES_PER_PART, (number + 1) * FILES_PER_PART);
      done.set(number, await ask(thread, { type: 'search', paths: part }));
      count();
    }
  };
  await Promise.all(threads.map(work));
  return { findings, files, end };
}

/** The outcome of a request, and the lines that were found before it. */
async function ask(thread: TreeThread, request: TreeRequest) {
  const findings: LineFinding[] = [];
  const answers = thread.ask(request);
  for (;;) {
    const step = await answers.next();
    if (step.done === true) return { findings, outcome: step.value };
    findings.push(step.value);
  }
}
