import { isNode, LineCounter, parseDocument } from 'yaml';
import { errorText } from '../text.ts';
import { MAX_NESTING } from './parse.ts';
import { ScenarioError } from './problems.ts';

/** A YAML text, read. `lineOf` is the line, from 1, of a value or of the nearest one around it. */
export interface ParsedYaml {
  readonly value: unknown;
  lineOf(path: readonly PropertyKey[]): number;
}

/** What to do about the mistakes that are made most, by the codes of the library. */
const FIXES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  DUPLICATE_KEY: 'take one of the two out',
  BAD_INDENT: 'indent all fields of an object equally deep',
  MULTIPLE_DOCS: 'take the --- out, or make it a file of its own',
  TAG_RESOLVE_FAILED: 'take the tag out, or put the text in quotes',
};

/**
 * Reads one YAML 1.2 document. Throws `ScenarioError` with every problem and its line; `file` is how errors call it.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // A tag that nobody knows is only a warning to the library, but its value would not be what the author meant.
  const faults = [...document.errors, ...document.warnings];
  // What the library says of a text that its recursion does not get to the end of.
  const deep = faults.find(({ message }) => message.includes('call stack'));
  if (deep !== undefined) {
    const path = `line ${lines.linePos(deep.pos[0]).line}`;
    throw new ScenarioError([
      { file, path, reason: `is nested deeper than ${MAX_NESTING} levels`, fix: 'nest it less deeply' },
    ]);
  }
  if (faults.length > 0) {
    throw new ScenarioError(
      faults.map(({ code, message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        const fix = FIXES[code] ?? 'correct the line; a text with one of : # { [ & * ! in it needs quotes';
        return { file, path: `line ${line}, column ${col}`, reason: `not valid YAML: ${message}`, fix };
      }),
    );
  }
  return {
    value: toPlain(() => document.toJS(), file),
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return 1;
    },
  };
}

/** Aliases can multiply a small file into a giant; the library refuses that by throwing. */
function toPlain(read: () => unknown, file: string): unknown {
  try {
    return read();
  } catch (error) {
    const reason = errorText(error);
    const fix = 'give every alias its anchor (&name) before it, and use fewer of them';
    throw new ScenarioError([{ file, path: '$', reason: `not valid YAML: ${reason}`, fix }]);
  }
}
