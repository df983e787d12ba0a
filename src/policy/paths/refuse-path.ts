import type { PathUse } from '../../agent/ports/tool.ts';
import { classifyPath, type PathRules, type PathVerdict } from './path-policy.ts';

/** A use of a path that no answer of the user allows. `reason` tells the model what to do instead. */
export interface PathRefusal {
  readonly type: 'outside' | 'blocked';
  readonly rule: string;
  readonly reason: string;
}

/** The refusal of a path, which `requested` names as the model wrote it; `undefined` if rules or the user decide. Pure. */
export function refusePath(
  { requested, realPath, access }: PathUse,
  rules: PathRules,
  verdict: PathVerdict = classifyPath(realPath, access, rules),
): PathRefusal | undefined {
  if (verdict.type === 'inside' || (verdict.type === 'outside' && verdict.answer !== 'deny')) return undefined;
  const { type, rule } = verdict;
  if (type === 'blocked') {
    const advice = 'Do the task without it, or tell the user what to do with it.';
    return { type, rule, reason: `${requested} is blocked (${rule}). ${advice}` };
  }
  const reason =
    classifyPath(realPath, 'read', rules).type === 'inside'
      ? `${requested} may be read but not changed. Write to a path inside the workspace.`
      : `${requested} is outside the workspace. Use a path inside it, such as one that list_files shows.`;
  return { type, rule, reason };
}

/** The reason why no rule and no answer of the user allows a write of a path; `undefined` if one can. Pure. */
export function refusalOfWrite(realPath: string, rules: PathRules): string | undefined {
  const refusal = refusePath({ requested: realPath, realPath, access: 'write' }, rules);
  return refusal && `it is ${refusal.type === 'blocked' ? 'blocked' : 'outside the workspace'} (${refusal.rule})`;
}
