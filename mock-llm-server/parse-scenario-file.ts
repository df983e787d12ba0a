import type * as z from 'zod';
import { type ScenarioFile, ScenarioFileSchema } from './scenario.ts';
import { ScenarioError, type ScenarioProblem } from './scenario-error.ts';

/** Reads the text of a scenario file. `file` is how errors call it. Throws `ScenarioError` with every problem found. */
export function parseScenarioFile(text: string, file: string): ScenarioFile {
  const parsed = ScenarioFileSchema.safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  throw new ScenarioError(parsed.error.issues.flatMap((issue) => describe(issue, [], file)));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScenarioError([{ file, path: '$', reason: `not valid JSON: ${reason}` }]);
  }
}

type Issue = z.core.$ZodIssue;

/** A value that fits no member of a union is reported for the member it came closest to. */
function describe(issue: Issue, parents: readonly PropertyKey[], file: string): ScenarioProblem[] {
  const path = [...parents, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ file, path: formatPath(path), reason: issue.message }];
  const nearest = issue.errors.filter(isOfRightKind).sort((left, right) => left.length - right.length)[0];
  if (nearest !== undefined) return nearest.flatMap((inner) => describe(inner, path, file));
  const reasons = issue.errors.flatMap((member) => member.map((inner) => inner.message));
  return [{ file, path: formatPath(path), reason: [...new Set(reasons)].join(', or ') }];
}

function isOfRightKind(member: readonly Issue[]): boolean {
  return !member.some((issue) => issue.path.length === 0 && ['invalid_type', 'invalid_value'].includes(issue.code));
}

function formatPath(path: readonly PropertyKey[]): string {
  return `$${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
}
