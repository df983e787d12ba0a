import { throwIfAborted } from '../../agent/async/abort.ts';
import type { Tool, ToolContext, ToolResult } from '../../agent/ports/tool.ts';
import { holdsSecrets } from '../../policy/paths/path-policy.ts';
import { countOf } from '../../text/quantities.ts';
import { defineTool, type ToolPlan, variant } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS, type ToolArguments } from '../definitions.data.ts';
import { type ResolvedPath, resolvePath } from '../files/resolve-path.ts';
import { type FileToSearch, readSearchable } from './read-searchable.ts';
import { createSkippedFiles, describeEnd, describeSkipped, isPartial, type SkippedFiles } from './search-notes.ts';
import { checkGlob, compilePattern, literalHint, matchAnywhere } from './search-patterns.ts';
import { describeHidden, MatchCollector, renderFiles, renderMatches } from './search-report.ts';
import { nameOfRoot, openSearchRoot, resolveBeneath, type SearchPorts, type SearchRoot } from './search-root.ts';
import type { LineQuery, SearchEnd } from './text-search.ts';
import { inBatches, scopeOfGlob, type WalkOptions, WHOLE_TREE, walkFiles } from './walk-files.ts';

/** Lines to find in a file, or in the files of a directory. */
interface LineSearch {
  readonly pattern: string;
  readonly query: LineQuery;
  readonly root: SearchRoot;
  readonly fileGlob: string | undefined;
  readonly output: SearchOutput;
  readonly maxResults: number;
}

type SearchArguments = ToolArguments['search_files'];

/** The form of a result: the matching lines, the files that have them, or the files with their numbers. */
type SearchOutput = ToolArguments['search_output']['output'];

const MAX_LINE_LENGTH = 500;
const PATHS_AT_ONCE = 256;

/** Creates `search_files`, which searches the lines of files with a regular expression. */
export function createSearchFiles(ports: SearchPorts): Tool {
  return defineTool(TOOL_DEFINITIONS.search_files, ARGUMENT_SCHEMAS.search_files, {
    variants: [
      variant(
        (args) => 'output' in args,
        ARGUMENT_SCHEMAS.search_output,
        ({ output, ...args }) => planSearch(args, output, ports),
      ),
    ],
    plan: (args) => planSearch(args, 'lines', ports),
    async *run({ wanted, glob, ...planned }, context) {
      const root = await openSearchRoot(wanted, ports);
      // If `path` is a file, it is searched regardless of file_pattern.
      const fileGlob = glob === undefined || root.kind !== 'directory' ? undefined : matchAnywhere(glob);
      const search = { ...planned, root, fileGlob };
      const state = { skipped: createSkippedFiles(), ends: [], files: 0 };
      const matches = await searchFiles(search, state, context, ports);
      throwIfAborted(context.signal);
      return report(search, matches, state);
    },
  });
}

/** The plan of a `search_files` call. */
interface SearchPlan extends ToolPlan, Omit<LineSearch, 'root' | 'fileGlob'> {
  readonly wanted: ResolvedPath;
  readonly glob: string | undefined;
}

async function planSearch(
  { pattern, path, file_pattern, context_lines, max_results: maxResults }: SearchArguments,
  output: SearchOutput,
  ports: SearchPorts,
): Promise<SearchPlan> {
  const compiled = compilePattern(pattern);
  const glob = file_pattern === undefined ? undefined : checkGlob(file_pattern, 'file_pattern', ports.pathRules);
  const wanted = await resolvePath(path, 'read', ports);
  const shown = output === 'lines' ? { contextLines: context_lines, maxLines: maxResults } : ONLY_COUNTED;
  const summary = `search for /${pattern}/ in ${nameOfRoot(wanted)}${glob === undefined ? '' : ` (${file_pattern})`}`;
  return {
    effect: { summary, paths: [wanted.use] },
    query: { ...compiled, ...shown, maxLineLength: MAX_LINE_LENGTH },
    ...{ pattern, wanted, glob, output, maxResults },
  };
}

/** The lines of a query whose result names only files. */
const ONLY_COUNTED = { contextLines: 0, maxLines: 0 };

type Stoppable = Pick<ToolContext, 'signal' | 'pause'>;

/** The state of a running search. */
interface SearchState {
  readonly skipped: SkippedFiles;
  /** The outcomes of the parts of the search, which run at the same time. */
  readonly ends: SearchEnd[];
  /** The number of files that were searched. */
  files: number;
}

async function searchFiles(
  search: LineSearch,
  state: SearchState,
  { signal, pause }: Stoppable,
  ports: SearchPorts,
): Promise<MatchCollector> {
  const collector = new MatchCollector();
  const finished = new AbortController();
  const stopSignal = AbortSignal.any([signal, finished.signal]);
  const files = readSearchable(
    filesToSearch(search, state, { signal: stopSignal, pause }, ports),
    ports.fileSystem,
    state.skipped,
  );
  try {
    for await (const finding of ports.textSearch.matchLines(search.query, countFiles(files, state), signal)) {
      if (finding.type === 'end') state.ends.push(finding);
      else collector.add(finding);
    }
  } finally {
    finished.abort();
  }
  return collector;
}

async function* countFiles<Item>(
  batches: AsyncIterable<readonly Item[]>,
  state: SearchState,
): AsyncGenerator<readonly Item[], void> {
  for await (const batch of batches) {
    state.files += batch.length;
    yield batch;
  }
}

async function* filesToSearch(
  { root, fileGlob }: LineSearch,
  state: SearchState,
  context: Stoppable,
  ports: SearchPorts,
): AsyncGenerator<FileToSearch, void> {
  if (root.kind !== 'directory') {
    yield root;
    return;
  }
  const scope = fileGlob === undefined ? WHOLE_TREE : scopeOfGlob(fileGlob);
  const paths = filesBeneath(root, { ...ports, ...context, scope, skipped: state.skipped });
  const wanted = fileGlob === undefined ? paths : matchingPaths(fileGlob, paths, state, context.signal, ports);
  for await (const path of wanted) {
    const file = resolveBeneath(root, path, ports.pathRules);
    // Such a file is searched alone, after a question.
    if (holdsSecrets(file.realPath, ports.pathRules)) state.skipped.secret++;
    else yield file;
  }
}

async function* filesBeneath(root: SearchRoot, options: WalkOptions): AsyncGenerator<string, void> {
  for await (const { path, kind } of walkFiles(root.realPath, options)) {
    if (kind === 'file') yield path;
    else if (kind === 'link') options.skipped.links++;
  }
}

async function* matchingPaths(
  glob: string,
  paths: AsyncIterable<string>,
  state: SearchState,
  signal: AbortSignal,
  { textSearch }: SearchPorts,
): AsyncGenerator<string, void> {
  const query = { glob, maxPaths: Number.POSITIVE_INFINITY };
  for await (const finding of textSearch.matchPaths(query, inBatches(paths, PATHS_AT_ONCE), signal)) {
    if (finding.type === 'path') yield finding.path;
    else if (finding.type === 'end') state.ends.push(finding);
  }
}

function report(
  { pattern, root, fileGlob, output, maxResults }: LineSearch,
  matches: MatchCollector,
  state: SearchState,
): ToolResult {
  const { skipped, ends, files } = state;
  const stop = ends.find(isPartial);
  const partial = stop !== undefined || skipped.limit !== undefined;
  const advice =
    'Narrow the search with path or file_pattern, or use a simpler pattern (nested repetition such as (a+)+ is slow).';
  const notes = [...(stop === undefined ? [] : describeEnd(stop, advice)), ...describeSkipped(skipped)];
  const where = `/${pattern}/ in ${nameOfRoot(root)}${fileGlob === undefined ? '' : ` (${fileGlob})`}`;
  const searched = partial ? '' : `, ${countOf(files, 'file')} searched`;
  if (matches.total === 0) {
    const nothing = partial ? `No line that matches ${where} was found so far` : `No line matches ${where}`;
    const hints = partial ? [] : hintsForNoMatch(pattern, fileGlob, state);
    const content = [`${nothing}${searched}.`, ...hints, ...notes].join('\n');
    return { content, isError: false, summary: 'no matches' };
  }
  const all = `${partial ? 'at least ' : ''}${countOf(matches.total, 'matching line')}`;
  const inLines = output === 'lines';
  const heading = `${inLines && matches.shown < matches.total ? `Showing the first ${matches.shown} of ` : ''}${all}`;
  const inFiles = `in ${countOf(matches.files.size, 'file')} for ${where}`;
  const rest = [...(inLines ? describeHidden(matches) : []), ...notes];
  const content = [
    `${heading} ${inFiles}${searched}:`,
    '',
    inLines ? renderMatches(matches) : renderFiles(matches, output === 'counts', maxResults),
    ...(rest.length > 0 ? ['', ...rest] : []),
  ].join('\n');
  return { content, isError: false, summary: `${all} in ${countOf(matches.files.size, 'file')}` };
}

/** Advice for the model if nothing matches. */
function hintsForNoMatch(
  pattern: string,
  fileGlob: string | undefined,
  { skipped, files }: SearchState,
): readonly string[] {
  return [
    ...(pattern.includes('\\n') ? ['Each line is matched separately, so a pattern with \\n never matches.'] : []),
    ...(files === 0 && skipped.ignored > 0 ? ['To search an ignored directory, use it as path.'] : []),
    ...(files === 0 && fileGlob !== undefined ? literalHint(fileGlob) : []),
  ];
}
