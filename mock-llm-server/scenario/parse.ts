import { parseJson } from '../conversation/json.ts';
import { errorText } from '../text.ts';
import { FIELD_EXAMPLES } from './field-examples.ts';
import { type ScenarioFile, ScenarioFileSchema } from './format.ts';
import { explainIssues, readProblemText, ScenarioError } from './problems.ts';
import { scanJson } from './scan-json.ts';

/** The names of files that are read as YAML, beside JSON. */
export const YAML_FILE = /\.ya?ml$/i;

/** How a text begins that was written as YAML and is no JSON: comments, then `---` or the first field. */
const YAML_START = /^\s*(?:#[^\n]*\n\s*)*(?:---|\$?\w+:\s)/;

/** Reads the JSON text of a scenario file. `file` is how errors call it. Throws `ScenarioError` with every problem. */
export function parseScenarioFile(text: string, file: string): ScenarioFile {
  return checkScenarioFile(parseScenarioText(text, file), file);
}

/** As `parseScenarioFile`, for a file whose name says that it is YAML; problems name the line beside the path. */
export async function parseYamlScenarioFile(text: string, file: string): Promise<ScenarioFile> {
  // Most sets have no YAML: the library is only loaded for one that has.
  const { parseYaml } = await import('./parse-yaml.ts');
  const { value, lineOf } = parseYaml(text, file);
  return checkScenarioFile(value, file, (path) => `${formatPath(path)} (line ${lineOf(path)})`);
}

/** Checks a value against the format. `locate` writes a path the way errors show it. Throws `ScenarioError`. */
export function checkScenarioFile(value: unknown, file: string, locate: Locate = formatPath): ScenarioFile {
  const deep = findDeepNesting(value);
  if (deep !== undefined) {
    const reason = `is nested deeper than ${MAX_NESTING} levels`;
    throw new ScenarioError([{ file, path: locate(deep), reason, fix: 'nest it less deeply' }]);
  }
  const parsed = ScenarioFileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = explainIssues(parsed.error.issues, { value, examples: FIELD_EXAMPLES });
  throw new ScenarioError(problems.map(({ path, reason, fix }) => ({ file, path: locate(path), reason, fix })));
}

type Locate = (path: readonly PropertyKey[]) => string;

function parseScenarioText(given: string, file: string): unknown {
  const text = given.replace(/^\uFEFF/, '');
  const faults = scanJson(text);
  if (faults.length === 0) return JSON.parse(text);
  if (YAML_START.test(text)) {
    const reason = 'looks like YAML, but only a file named .yaml or .yml is read as YAML';
    const fix = `rename it to ${file.replace(/^.*[/\\]|\.\w*$/g, '')}.yaml, or write it as JSON`;
    throw new ScenarioError([{ file, path: '$', reason, fix }]);
  }
  throw new ScenarioError(
    faults.map(({ line, column, text: said }) => {
      const { reason, fix } = readProblemText(said);
      return { file, path: `line ${line}, column ${column}`, reason: `not valid JSON: ${reason}`, fix };
    }),
  );
}

/** A path as errors show it: `$.scenarios[0].trigger`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return `$${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
}

/** How deep objects and lists of scenarios may be nested; deeper ones would end the stack of what works with them. */
export const MAX_NESTING = 100;

/**
 * Where a value is nested deeper than `MAX_NESTING`: the first part of the way there. Nothing where it is not. Pure.
 */
export function findDeepNesting(value: unknown, shown = 8): readonly PropertyKey[] | undefined {
  const path: PropertyKey[] = [];
  const isTooDeep = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return false;
    if (path.length >= MAX_NESTING) return true;
    const isList = Array.isArray(inner);
    for (const [key, item] of Object.entries(inner)) {
      path.push(isList ? Number(key) : key);
      if (isTooDeep(item)) return true;
      path.pop();
    }
    return false;
  };
  return isTooDeep(value) ? path.slice(0, shown) : undefined;
}

/** Why a text is no JSON, in the words of the engine; nothing where it is. */
export function whyNotJson(text: string): string | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
