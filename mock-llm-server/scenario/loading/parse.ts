import { findNodeAtLocation, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import { isNestedDeeper, jsonErrorOf, MAX_NESTING } from '../../conversation/json.ts';
import { cutText } from '../../text.ts';
import { explainIssues } from '../format/explain-issues.ts';
import { type ScenarioFile, ScenarioFileSchema } from '../format.ts';
import { formatPath, ScenarioError, type ScenarioProblem } from '../problems.ts';

/** The start of a YAML text that is not JSON: comments, then `---` or the first field. */
const YAML_START = /^\s*(?:#[^\n]*\n\s*)*(?:---|\$?\w+:\s)/;

const MAX_SHOWN = 40;

/** Reads the JSON text of a scenario file, which errors call `file`. Throws `ScenarioError` with every problem. */
export function parseScenarioFile(source: string, file: string): ScenarioFile {
  const text = source.replace(/^\uFEFF/, '');
  const message = jsonErrorOf(text);
  if (message !== undefined) throw new ScenarioError([describeSyntaxError(text, file, message)]);
  const value: unknown = JSON.parse(text);
  // Before the search for repeated fields, which recurses.
  refuseDeepNesting(value, file);
  const problems = findRepeatedFields(text, file);
  if (problems.length > 0) throw new ScenarioError(problems);
  return checkScenarioFile(value, file, text.trim().includes('\n') ? withLines(text) : formatPath);
}

/** Checks the content of a scenario file. `locate` formats a path for errors. Throws `ScenarioError`. */
export function checkScenarioFile(
  value: unknown,
  file: string,
  locate: (path: readonly PropertyKey[]) => string = formatPath,
): ScenarioFile {
  refuseDeepNesting(value, file);
  if (value === null) throw ScenarioError.of(file, locate([]), 'the file is empty', 'write the scenarios into it');
  if (Array.isArray(value)) {
    const fix = 'write {"scenarios": [ … ]} around the list';
    throw ScenarioError.of(file, locate([]), 'must be an object, not a list', fix);
  }
  const parsed = ScenarioFileSchema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw explainIssues(parsed.error.issues, file, locate);
}

/** Formats paths with their lines in a text that is JSON. A field that is missing has the line of its object. */
function withLines(text: string): (path: readonly PropertyKey[]) => string {
  const tree = parseTree(text);
  return (path) => {
    const keys = path.flatMap((key) => (typeof key === 'symbol' ? [] : [key]));
    while (keys.length > 0 && tree !== undefined && findNodeAtLocation(tree, keys) === undefined) keys.pop();
    const { offset = 0 } = (tree && findNodeAtLocation(tree, keys)) ?? {};
    return `${formatPath(path)} (line ${text.slice(0, offset).split('\n').length})`;
  };
}

function refuseDeepNesting(value: unknown, file: string): void {
  if (!isNestedDeeper(value)) return;
  throw ScenarioError.of(file, '$', `is nested deeper than ${MAX_NESTING} levels`, 'nest it less deeply');
}

type Explanation = readonly [reason: string, fix: string];

/** Explanations of syntax errors, by the codes of the library. */
const SYNTAX_ERRORS: Readonly<Record<string, Explanation>> = {
  PropertyNameExpected: ['a field name is expected here', 'write a field name in double quotes'],
  ValueExpected: ['a value is expected here', 'write a value'],
  ColonExpected: ['a colon is missing before this', 'write a : after the field name'],
  CommaExpected: ['a comma is missing before this', 'put a comma between the two'],
  EndOfFileExpected: ['there is text after the end', 'remove the text after the last }'],
  InvalidCommentToken: ['JSON has no comments', 'remove the comment, or write the file as YAML'],
  UnexpectedEndOfString: ['the string is not closed', 'close it with "; write a line break as \\n'],
  InvalidEscapeCharacter: ['the string has an invalid escape', 'write a \\ as \\\\'],
  InvalidUnicode: ['the string has an invalid escape', 'write \\u with four hexadecimal digits'],
  InvalidCharacter: ['the string has a control character', 'write a tab as \\t'],
  UnexpectedEndOfNumber: ['the number is incomplete', 'write it like 1, -2.5 or 1e3'],
};

/** Describes the first error of a text that is not JSON; `message` is that of the engine. */
function describeSyntaxError(text: string, file: string, message: string): ScenarioProblem {
  if (YAML_START.test(text)) {
    const reason = 'looks like YAML, but only a file named .yaml or .yml is read as YAML';
    const fix = `rename it to ${file.replace(/^.*[/\\]|\.\w*$/g, '')}.yaml, or write it as JSON`;
    return { file, path: '$', reason, fix };
  }
  let problem: ScenarioProblem | undefined;
  const onError = (code: number, offset: number, length: number, line: number, column: number): void => {
    const found = text.slice(offset, offset + length);
    const [reason, fix] = explainSyntaxError(printParseErrorCode(code), found, text.slice(0, offset));
    problem ??= { file, path: formatPosition(line, column), reason: `not valid JSON: ${reason}`, fix };
  };
  visit(text, { onError }, { disallowComments: true });
  return problem ?? { file, path: '$', reason: `not valid JSON: ${message}`, fix: 'correct the text' };
}

/** The syntax of other languages that is no JSON, by its start and by the text before it. */
const FOREIGN: readonly (readonly [found: RegExp, before: RegExp, ...Explanation])[] = [
  [/^'/, /^/, 'a string is in single quotes', 'use double quotes'],
  [/^[“”‘’]/, /^/, 'a string is in curly quotes', 'use straight double quotes'],
  [/^```/, /^/, 'a fence of Markdown is around it', 'remove the lines with ```'],
  [/^`/, /^/, 'a string is in backticks', 'use double quotes'],
  [/^=/, /^/, 'a = is in the place of a colon', 'write a : after the field name'],
  [/^(?:True|False)$/, /^/, 'true and false begin with a small letter', 'write true or false'],
  [/^(?:None|undefined|nil)$/, /^/, 'JSON calls this null', 'write null'],
  [/^\d/, /[:[,]\s*-?0$/, 'a number begins with 0', 'remove the 0'],
  [/^\{/, /\}\s*$/, 'a second object follows', 'put the scenarios of both into one list'],
];

function explainSyntaxError(code: string, found: string, before: string): Explanation {
  if (found + before.trim() === '') return ['the file is empty', 'write {"scenarios": [ … ]}'];
  if (found === '') return ['the text ends too early', 'close every { and [ that is open'];
  if (/^[}\]]/.test(found)) {
    if (/,\s*$/.test(before)) return [`there is a comma before ${found}`, 'remove the comma'];
    if (code === 'CommaExpected')
      return [`${found} closes what another bracket opened`, 'close the inner bracket first'];
  }
  const [, , reason, fix] = FOREIGN.find(([text, start]) => text.test(found) && start.test(before)) ?? [];
  if (reason !== undefined && fix !== undefined) return [reason, fix];
  const known = SYNTAX_ERRORS[/^[#/]/.test(found) ? 'InvalidCommentToken' : code];
  return known ?? [`${cutText(found, MAX_SHOWN)} is not a value`, 'write a string in double quotes'];
}

/** Finds fields that an object has more than once: `JSON.parse` keeps the last of them without an error. */
function findRepeatedFields(text: string, file: string): ScenarioProblem[] {
  const problems: ScenarioProblem[] = [];
  const open: Map<string, number>[] = [];
  visit(text, {
    onObjectBegin: () => void open.push(new Map()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name, _offset, _length, line, column) {
      const first = open.at(-1)?.get(name);
      if (first === undefined) return void open.at(-1)?.set(name, line);
      const reason = `the field ${JSON.stringify(name)} occurs twice, in line ${first + 1} and line ${line + 1}`;
      const path = formatPosition(line, column);
      problems.push({ file, path, reason: `not valid JSON: ${reason}`, fix: 'remove one of the two' });
    },
  });
  return problems;
}

function formatPosition(line: number, column: number): string {
  return `line ${line + 1}, column ${column + 1}`;
}
