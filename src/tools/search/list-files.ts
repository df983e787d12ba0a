import { throwIfAborted } from '../../agent/async/abort.ts';
import { ToolError } from '../../agent/errors.ts';
import type { Tool, ToolResult } from '../../agent/ports/tool.ts';
import { countOf } from '../../text/quantities.ts';
import { defineTool } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS } from '../definitions.data.ts';
import { resolvePath } from '../files/resolve-path.ts';
import { describeEnd, describeSkipped, isPartial } from './search-notes.ts';
import { checkGlob, literalHint } from './search-patterns.ts';
import { nameOfRoot, openSearchRoot, resolveBeneath, type SearchPorts, type SearchRoot } from './search-root.ts';
import type { PathResult, SkippedFiles } from './text-search.ts';

/** The maximum length of all paths in a result, in characters. */
const MAX_LISTED_LENGTH = 50_000;

/** Creates `list_files`, which lists the paths that match a glob. */
export function createListFiles(ports: SearchPorts): Tool {
  return defineTool(TOOL_DEFINITIONS.list_files, ARGUMENT_SCHEMAS.list_files, {
    async plan({ pattern, path, max_results }) {
      const glob = checkGlob(pattern, 'pattern', ports.pathRules);
      const wanted = await resolvePath(path, 'read', ports);
      const summary = `list ${glob} in ${nameOfRoot(wanted)}`;
      return { effect: { summary, paths: [wanted.use] }, glob, wanted, maxResults: max_results };
    },
    async *run({ glob, wanted, maxResults }, context) {
      const root = await openSearchRoot(wanted, ports);
      if (root.kind !== 'directory') {
        const text = `${wanted.use.requested} is not a directory. Use read_file to read a file.`;
        throw new ToolError('not_a_directory', text);
      }
      const query = { root: root.realPath, pathRules: ports.pathRules, glob, maxPaths: maxResults };
      const listing = await ports.textSearch.findPaths(query, context.signal);
      throwIfAborted(context.signal);
      return report(glob, root, listing, ports);
    },
  });
}

function displayOf(path: string, root: SearchRoot, { pathRules }: SearchPorts): string {
  const { display } = resolveBeneath(root, path, pathRules);
  return path.endsWith('/') ? `${display.replace(/\/$/, '')}/` : display;
}

function report(glob: string, root: SearchRoot, listing: PathResult, ports: SearchPorts): ToolResult {
  const { total, skipped, end } = listing;
  const paths = listing.paths.map((path) => displayOf(path, root, ports));
  const notes = [...describeEnd(end, 'Use a simpler pattern or a narrower path.'), ...describeSkipped(skipped)];
  const where = `${glob} in ${nameOfRoot(root)}`;
  const partial = isPartial(end) || skipped.limit !== undefined;
  const all = `${partial ? 'at least ' : ''}${countOf(total, 'match', 'matches')}`;
  if (total === 0) {
    const nothing = partial ? `Nothing that matches ${where} was found so far.` : `Nothing matches ${where}.`;
    const hints = partial ? [] : hintsForNoMatch(glob, skipped);
    const content = [nothing, ...hints, ...notes].join('\n');
    return { content, isError: false, summary: partial ? 'no matches so far' : 'no matches' };
  }
  const shown = takeWithin(paths, MAX_LISTED_LENGTH);
  const truncated = shown.length < total;
  const heading = truncated ? `Showing the first ${shown.length} of ${all} for ${where}:` : `${all} for ${where}:`;
  const raise = shown.length < paths.length ? '' : ', or raise max_results';
  const narrow = truncated ? [`Narrow the search with path or a more exact pattern${raise}.`] : [];
  const rest = [...narrow, ...notes];
  const content = [heading, ...shown, ...(rest.length > 0 ? ['', ...rest] : [])].join('\n');
  return { content, isError: false, summary: all };
}

/** The first paths, until their length reaches `limit`. */
function takeWithin(paths: readonly string[], limit: number): readonly string[] {
  let length = 0;
  const past = paths.findIndex((path) => {
    length += path.length + 1;
    return length > limit;
  });
  return past === -1 ? paths : paths.slice(0, past);
}

/** Advice for the model if nothing matches. */
function hintsForNoMatch(glob: string, skipped: SkippedFiles): readonly string[] {
  if (glob.split('/').includes('.git'))
    return ['.git is never listed. Use git instead: run_shell with git log, git show …'];
  const deeper = glob.includes('**') ? [] : [`To search all directories below, use ${recursive(glob)}.`];
  const ignored = skipped.ignored > 0 ? ['To list an ignored directory, use it as path.'] : [];
  return [...deeper, ...ignored, ...literalHint(glob)];
}

function recursive(glob: string): string {
  return `**/${glob.split('/').at(-1)}`;
}
