import { countOf } from '../../text/quantities.ts';
import type { LineFinding } from './text-search.ts';

/** The matching lines of a search, and how many there are. */
export interface SearchMatches {
  readonly files: ReadonlyMap<string, FileMatches>;
  readonly shown: number;
  readonly total: number;
}

export interface FileMatches {
  /** Lines to show, by number. A line that is both a match and the context of another match counts as a match. */
  readonly lines: Map<number, { readonly text: string; readonly isMatch: boolean }>;
  /** The number of matching lines that are not shown. */
  hidden: number;
}

/** The maximum length of the shown text, including context lines and the paths of the files. */
const MAX_SHOWN_CHARACTERS = 50_000;
const MAX_NAMED_FILES = 10;

/** Collects the findings of a search. Findings beyond the limit are only counted. */
export class MatchCollector implements SearchMatches {
  readonly files = new Map<string, FileMatches>();
  shown = 0;
  total = 0;
  #characters = 0;

  add(finding: LineFinding): void {
    const file = this.files.get(finding.path) ?? { lines: new Map(), hidden: 0 };
    this.files.set(finding.path, file);
    if (finding.type === 'more_lines') {
      this.total += finding.count;
      file.hidden += finding.count;
      return;
    }
    this.total++;
    const { number, text, before, after } = finding;
    const path = file.lines.size === 0 ? [finding.path] : [];
    this.#characters += [...path, text, ...before, ...after].reduce((sum, line) => sum + line.length, 0);
    if (this.#characters > MAX_SHOWN_CHARACTERS && this.shown > 0) {
      file.hidden++;
      return;
    }
    this.shown++;
    for (const [index, line] of before.entries()) addContext(file, number - before.length + index, line);
    file.lines.set(number, { text, isMatch: true });
    for (const [index, line] of after.entries()) addContext(file, number + 1 + index, line);
  }
}

function addContext(file: FileMatches, number: number, text: string): void {
  if (!file.lines.has(number)) file.lines.set(number, { text, isMatch: false });
}

/**
 * Renders the matches for the model: for each file its path, then `12: text` for a matching line and `13- text` for a
 * context line, with `--` where lines are omitted. No line is shown twice.
 */
export function renderMatches(matches: SearchMatches): string {
  const blocks: string[] = [];
  for (const [path, { lines }] of matches.files) {
    if (lines.size === 0) continue;
    const block = [path];
    let previous: number | undefined;
    for (const [number, { text, isMatch }] of [...lines].sort(([left], [right]) => left - right)) {
      if (previous !== undefined && number > previous + 1) block.push('--');
      block.push(`${number}${isMatch ? ':' : '-'} ${text}`);
      previous = number;
    }
    blocks.push(block.join('\n'));
  }
  return blocks.join('\n\n');
}

/** Renders the first files of a search without lines for the model, with their numbers of matching lines if `counted`. */
export function renderFiles({ files }: SearchMatches, counted: boolean, maxFiles: number): string {
  const all = [...files].map(([path, { hidden }]) => (counted ? `${path}: ${hidden}` : path));
  const shown = all.slice(0, maxFiles);
  const rest = all.length - shown.length;
  const note = `Not shown: ${countOf(rest, 'more file')}. Narrow the search with path, file_pattern or a more exact pattern.`;
  return [...shown, ...(rest > 0 ? ['', note] : [])].join('\n');
}

/** Lines for the model that name the files with hidden matches; empty if all are shown. */
export function describeHidden(matches: SearchMatches): readonly string[] {
  const hidden = [...matches.files].filter(([, file]) => file.hidden > 0);
  if (hidden.length === 0) return [];
  const named = hidden.slice(0, MAX_NAMED_FILES).map(([path, file]) => `${path} (${file.hidden})`);
  const others = hidden.length > MAX_NAMED_FILES ? [`${hidden.length - MAX_NAMED_FILES} more files`] : [];
  return [
    `Not shown: ${[...named, ...others].join(', ')}.`,
    'Narrow the search with path, file_pattern or a more exact pattern, or raise max_results.',
  ];
}
