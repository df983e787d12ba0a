import { throwIfAborted } from '../../agent/async/abort.ts';
import type { Tool, ToolResult } from '../../agent/ports/tool.ts';
import { countOf } from '../../text/quantities.ts';
import { defineTool, type ToolPlan, variant } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS, type ToolArguments } from '../definitions.data.ts';
import { type ResolvedPath, resolvePath } from '../files/resolve-path.ts';
import { describeEnd, describeSkipped, isPartial } from './search-notes.ts';
import { checkGlob, compilePattern, literalHint, matchAnywhere } from './search-patterns.ts';
import { describeHidden, MatchCollector, renderFiles, renderMatches } from './search-report.ts';
import { nameOfRoot, openSearchRoot, type SearchPorts, type SearchRoot } from './search-root.ts';
import type { LinePattern, LineResult, SkippedFiles } from './text-search.ts';

/** Lines to find in a file, or in the files of a directory. */
interface LineSearch {
  readonly pattern: string;
  readonly lines: LinePattern;
  readonly root: SearchRoot;
  readonly fileGlob: string | undefined;
  readonly output: SearchOutput;
  readonly maxResults: number;
}

type SearchArguments = ToolArguments['search_files'];

/** The form of a result: the matching lines, the files that have them, or the files with their numbers. */
type SearchOutput = ToolArguments['search_output']['output'];

const MAX_LINE_LENGTH = 500;

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
      const { pathRules, textSearch } = ports;
      const isFile = root.kind !== 'directory';
      const query = { root: root.realPath, isFile, pathRules, glob: fileGlob, lines: planned.lines };
      const result = await textSearch.findLines(query, context.signal);
      throwIfAborted(context.signal);
      return report({ ...planned, root, fileGlob }, result);
    },
  });
}

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
    lines: { ...compiled, ...shown, maxLineLength: MAX_LINE_LENGTH },
    ...{ pattern, wanted, glob, output, maxResults },
  };
}

/** The lines of a query whose result names only files. */
const ONLY_COUNTED = { contextLines: 0, maxLines: 0 };

function report(
  { pattern, root, fileGlob, output, maxResults }: LineSearch,
  { findings, files, skipped, end }: LineResult,
): ToolResult {
  const matches = new MatchCollector();
  for (const finding of findings) matches.add(finding);
  const stop = isPartial(end) ? end : undefined;
  const partial = stop !== undefined || skipped.limit !== undefined;
  const advice =
    'Narrow the search with path or file_pattern, or use a simpler pattern (nested repetition such as (a+)+ is slow).';
  const notes = [...(stop === undefined ? [] : describeEnd(stop, advice)), ...describeSkipped(skipped)];
  const where = `/${pattern}/ in ${nameOfRoot(root)}${fileGlob === undefined ? '' : ` (${fileGlob})`}`;
  const searched = partial ? '' : `, ${countOf(files, 'file')} searched`;
  if (matches.total === 0) {
    const nothing = partial ? `No line that matches ${where} was found so far` : `No line matches ${where}`;
    const hints = partial ? [] : hintsForNoMatch(pattern, fileGlob, skipped, files);
    const content = [`${nothing}${searched}.`, ...hints, ...notes].join('\n');
    return { content, isError: false, summary: partial ? 'no matches so far' : 'no matches' };
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
  skipped: SkippedFiles,
  files: number,
): readonly string[] {
  return [
    ...(pattern.includes('\\n') ? ['Each line is matched separately, so a pattern with \\n never matches.'] : []),
    ...(files === 0 && skipped.ignored > 0 ? ['To search an ignored directory, use it as path.'] : []),
    ...(files === 0 && fileGlob !== undefined ? literalHint(fileGlob) : []),
  ];
}
