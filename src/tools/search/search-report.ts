import type { LineFinding } from '../../ports/text-search.ts';

/** The matching lines found so far, as many as there is room for, and how many there are in all. */
export interface Matches {
  readonly files: ReadonlyMap<string, FileMatches>;
  readonly shown: number;
  readonly total: number;
}

export interface FileMatches {
  /** Lines to show, by number. A line that is both match and context of another is a match. */
  readonly lines: Map<number, { readonly text: string; readonly isMatch: boolean }>;
  /** Matching lines of this file that are not shown. */
  hidden: number;
}

/** How much text of matching lines and their surroundings is shown. */
const MAX_SHOWN_CHARACTERS = 50_000;
const FILES_NAMED = 10;

/** Gathers findings as they come. */
export class MatchCollector implements Matches {
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
    this.#characters += [text, ...before, ...after].reduce((sum, line) => sum + line.length, 0);
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
 * The matches for the model to read: per file its path, then `12: text` for a matching line and `13- text` for one
 * around it; `--` stands where lines are left out. No line is told twice.
 */
export function renderMatches(matches: Matches): string {
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

/** Where the matches are that are not shown; nothing when all are. */
export function describeHidden(matches: Matches): readonly string[] {
  const hidden = [...matches.files].filter(([, file]) => file.hidden > 0);
  if (hidden.length === 0) return [];
  const named = hidden.slice(0, FILES_NAMED).map(([path, file]) => `${path} (${file.hidden})`);
  const others = hidden.length > FILES_NAMED ? [`${hidden.length - FILES_NAMED} more files`] : [];
  return [
    `Not shown: ${[...named, ...others].join(', ')}.`,
    'Narrow with path, file_pattern or a more exact pattern, or raise max_results.',
  ];
}
