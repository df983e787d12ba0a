import { type Checks, conforms } from '../../../src/schema/conforms.ts';
import { isNestedDeeper, parseJson } from '../../conversation/json.ts';
import { CHECKS } from '../format/checks.ts';
import { SCENARIO_FILE } from '../format/scenario-file.data.ts';
import type { ScenarioFile } from '../format.ts';
import { formatPath } from '../problems.ts';

// Reads scenario files. One that fits needs no zod, which takes longer to load than the rest of a start; the module that
// explains problems is loaded for a file that has some.

/** Reads the JSON text of a scenario file, which errors call `file`. Rejects with a `ScenarioError` with every problem. */
export async function readScenarioFile(text: string, file: string): Promise<ScenarioFile> {
  const content = fittingFile(text);
  if (content !== undefined) return content;
  const { parseScenarioFile } = await import('./parse.ts');
  return parseScenarioFile(text, file);
}

/** As `readScenarioFile`, for YAML. The paths of problems are followed by their lines. */
export async function readYamlScenarioFile(text: string, file: string): Promise<ScenarioFile> {
  // Few sets have YAML files: the library is loaded for the first of them.
  const { parseYaml } = await import('./parse-yaml.ts');
  const { value, lineOf } = parseYaml(text, file);
  if (fits(value)) return value;
  const { checkScenarioFile } = await import('./parse.ts');
  return checkScenarioFile(value, file, (path) => `${formatPath(path)} (line ${lineOf(path)})`);
}

/** A copy of the content of a scenario file that a program made. Rejects with a `ScenarioError` with every problem. */
export async function checkContent(content: unknown, file: string): Promise<ScenarioFile> {
  if (fits(content)) return structuredClone(content);
  const { checkScenarioFile } = await import('./parse.ts');
  return checkScenarioFile(content, file);
}

/** The content of a file that has no problem; undefined for any other text. Pure. */
export function fittingFile(source: string): ScenarioFile | undefined {
  const text = source.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  // `JSON.parse` keeps the last of fields that an object has more than once.
  return fits(value) && countFields(value) === fieldsIn(text) ? value : undefined;
}

/** True for the content of a scenario file that has no problem and that zod would not change. Pure. */
function fits(value: unknown): value is ScenarioFile {
  return !isNestedDeeper(value) && countFields(value) !== undefined && conforms(value, SCENARIO_FILE, ACCEPTING);
}

const ACCEPTING: Checks = Object.fromEntries(
  Object.entries(CHECKS).map(([name, check]) => [
    name,
    { accepts: (value: unknown) => check.problems(value).length === 0 },
  ]),
);

/** The number of fields of all objects in a value; undefined if it is not JSON, or has a field that zod leaves out. */
function countFields(value: unknown): number | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return 0;
  if (typeof value !== 'object') return undefined;
  const isArray = Array.isArray(value);
  if (!isArray && Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  if (Object.hasOwn(value, '__proto__')) return undefined;
  const items = Object.values(value);
  // A list with holes has fewer.
  if (isArray && items.length !== value.length) return undefined;
  let count = isArray ? 0 : items.length;
  for (const item of items) {
    const inner = countFields(item);
    if (inner === undefined) return undefined;
    count += inner;
  }
  return count;
}

/** A string in a JSON text, and the colon after it if it is the name of a field. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/** The number of fields in a text that is JSON. */
function fieldsIn(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) count += 1;
  return count;
}
