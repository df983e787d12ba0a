import type * as z from 'zod';
import { type ScenarioFile, ScenarioFileSchema } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** The names of files that are read as YAML, beside JSON. */
export const YAML_FILE = /\.ya?ml$/i;

/** Reads the JSON text of a scenario file. `file` is how errors call it. Throws `ScenarioError` with every problem. */
export function parseScenarioFile(text: string, file: string): ScenarioFile {
  return checkScenarioFile(parseJson(text, file), file);
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
  const parsed = ScenarioFileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, []));
  throw new ScenarioError(problems.map(({ path, reason }) => ({ file, path: locate(path), reason })));
}

type Locate = (path: readonly PropertyKey[]) => string;

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScenarioError([{ file, path: '$', reason: `not valid JSON: ${reason}` }]);
  }
}

type Issue = z.core.$ZodIssue;

interface Located {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** A value that fits no member of a union is reported for the member it came closest to. */
function describe(issue: Issue, parents: readonly PropertyKey[]): Located[] {
  const path = [...parents, ...issue.path];
  // An unknown intent fits no member and is compared with none.
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, reason: issue.message }];
  const nearest = issue.errors.filter(isOfRightKind).sort((left, right) => left.length - right.length)[0];
  if (nearest !== undefined) return nearest.flatMap((inner) => describe(inner, path));
  const reasons = issue.errors.flatMap((member) => member.map((inner) => inner.message));
  return [{ path, reason: [...new Set(reasons)].join(', or ') }];
}

function isOfRightKind(member: readonly Issue[]): boolean {
  return !member.some((issue) => issue.path.length === 0 && ['invalid_type', 'invalid_value'].includes(issue.code));
}

/** A path as errors show it: `$.scenarios[0].trigger`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return `$${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
}
