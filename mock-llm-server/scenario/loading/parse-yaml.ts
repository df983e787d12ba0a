import { isCollection, isNode, LineCounter, parseDocument, visit } from 'yaml';
import { MAX_NESTING } from '../../conversation/json.ts';
import { errorText } from '../../text.ts';
import { ScenarioError } from '../problems.ts';

/** Fixes for common mistakes, by the codes of the library. */
const FIXES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'indent with spaces',
  DUPLICATE_KEY: 'remove one of the two',
  BAD_INDENT: 'indent all fields of an object equally',
  MULTIPLE_DOCS: 'remove the ---, or split the file in two',
  TAG_RESOLVE_FAILED: 'remove the tag, or put the text in quotes',
};

/** Reads one YAML 1.2 document. `lineOf` is the line of the closest value to a path. Throws `ScenarioError`. */
export function parseYaml(text: string, file: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // An unknown tag is only a warning of the library, but its value would not be what the author meant.
  const errors = [...document.errors, ...document.warnings];
  // The library reports a stack overflow of its own recursion as an error of the text.
  const deep = errors.find(({ message }) => message.includes('call stack'));
  if (deep !== undefined) {
    const path = `line ${lines.linePos(deep.pos[0]).line}`;
    throw ScenarioError.of(file, path, `is nested deeper than ${MAX_NESTING} levels`, 'nest it less deeply');
  }
  if (errors.length > 0) {
    throw new ScenarioError(
      errors.map(({ code, message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        const fix = FIXES[code] ?? 'correct the line; a text with one of : # { [ & * ! needs quotes';
        return { file, path: `line ${line}, column ${col}`, reason: `not valid YAML: ${message}`, fix };
      }),
    );
  }
  visit(document, {
    Pair(_key, { key }) {
      if (!isCollection(key)) return;
      const path = `line ${lines.linePos(key.range?.[0] ?? 0).line}`;
      const fix = 'put the text in quotes: "{{last_user}}"';
      throw ScenarioError.of(file, path, 'a text with {{ is not in quotes, so YAML reads an object', fix);
    },
  });
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // The aliases are unknown, or multiply a small file into a huge value.
    const fix = 'give every alias its anchor (&name) before it, and use fewer of them';
    throw ScenarioError.of(file, '$', `not valid YAML: ${errorText(error)}`, fix);
  }
  return {
    value,
    lineOf(path: readonly PropertyKey[]): number {
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true);
        if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
      }
      return 1;
    },
  };
}
