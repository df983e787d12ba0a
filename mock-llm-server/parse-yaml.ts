import { isNode, LineCounter, parseDocument } from 'yaml';
import { ScenarioError } from './scenario-error.ts';

/** A YAML text, read. `lineOf` is the line, from 1, of a value or of the nearest one around it. */
export interface ParsedYaml {
  readonly value: unknown;
  lineOf(path: readonly PropertyKey[]): number;
}

/** Reads one YAML 1.2 document. Throws `ScenarioError` with every problem and its line; `file` is how errors call it. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // A tag that nobody knows is only a warning to the library, but its value would not be what the author meant.
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    throw new ScenarioError(
      faults.map(({ message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        return { file, path: `line ${line}, column ${col}`, reason: `not valid YAML: ${message}` };
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScenarioError([{ file, path: '$', reason: `not valid YAML: ${reason}` }]);
  }
}
