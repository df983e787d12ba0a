import type { PermissionDecision } from '../agent/ports/approver.ts';
import type { FileProtection } from '../agent/ports/file-system.ts';
import type { PathUse } from '../agent/ports/tool.ts';
import type { CallToDecide } from './decision-input.ts';
import {
  answerFor,
  CLASS_ANSWERS,
  classOfPath,
  displayPath,
  type PathClass,
  type PathRules,
} from './paths/path-policy.ts';
import { refusePath } from './paths/refuse-path.ts';
import { expandPath } from './paths/written-path.ts';

/** Denies a call with a path that the rules do not allow. Tools check their paths too, but one may forget to. */
export function denyPaths(call: CallToDecide, pathRules: PathRules): PermissionDecision | undefined {
  const { paths, workingDirectory } = call.effect;
  const directories = workingDirectory === undefined ? [] : [workingDirectory];
  const asUse = (realPath: string): PathUse => ({ requested: realPath, realPath, access: 'write' });
  const secret = paths.find(({ requested, access }) => {
    const found = classOfRequested(requested, pathRules);
    return found !== undefined && CLASS_ANSWERS[found][access] === 'deny';
  });
  const refusal =
    secret === undefined
      ? [...paths, ...directories.map(asUse)]
          .map((use) => refusePath(use, pathRules))
          .find((found) => found !== undefined)
      : refusePath(secret, pathRules, { type: 'blocked', rule: 'file with secrets' });
  return refusal && { type: 'deny', rule: refusal.rule, reason: refusal.reason };
}

/** The question about a file that needs an approval for each replacement. */
export const PROTECTIONS: Readonly<Record<FileProtection, string>> = {
  write_protected: 'The file is write-protected, so replacing it always needs your approval.',
  other_owner: 'The file belongs to another user. Its replacement would belong to you.',
};

/** The question about the first path that needs an approval each time. */
export function findQuestion({ effect }: CallToDecide, pathRules: PathRules): PermissionDecision | undefined {
  for (const { requested, realPath, access } of effect.paths) {
    const named = classOfRequested(requested, pathRules);
    const isNamed = named !== undefined && CLASS_ANSWERS[named][access] === 'ask';
    if (!isNamed && answerFor(realPath, access, pathRules) !== 'ask') continue;
    const found = isNamed ? named : classOfPath(realPath, pathRules);
    const shown = displayPath(isNamed ? expandPath(requested, pathRules) : realPath, pathRules);
    return { type: 'ask', ...questionAbout(found, access, shown) };
  }
  return undefined;
}

/**
 * The class that the written name of a path has whatever it leads to: a link `.env` hides a secret under another name.
 * Absent for any other name: the place of the real path decides.
 */
function classOfRequested(requested: string, pathRules: PathRules): PathClass | undefined {
  const found = classOfPath(expandPath(requested, pathRules), pathRules);
  return found === 'sensitive' || found === 'executable' || found === 'sensitive_executable' ? found : undefined;
}

function foreign(access: 'read' | 'write'): { readonly rule: string; readonly reason: string } {
  const using = access === 'read' ? 'reading' : 'changing';
  const reason = `The path is outside the workspace, so ${using} it always needs your approval.`;
  return { rule: 'path outside the workspace', reason };
}

/** The question about a path of a class that asks each time; `shown` names the path. */
function questionAbout(found: PathClass, access: 'read' | 'write', shown: string): ReturnType<typeof foreign> {
  switch (found) {
    case 'sensitive':
      return SECRETS;
    case 'executable':
      return guarded(shown);
    case 'sensitive_executable':
      return access === 'read' ? SECRETS : guarded(shown);
    default:
      return foreign(access);
  }
}

const SECRETS = {
  rule: 'file with secrets',
  reason: 'The file may hold secrets, which the model would get, so reading it always needs your approval.',
};

/** A command changes the directory in which it runs, so the path may be the workspace. */
function guarded(shown: string): ReturnType<typeof foreign> {
  const what = shown === '.' ? 'what is in the workspace' : shown;
  const reason = `Other programs run ${what} or follow its settings, so changing it always needs your approval.`;
  return { rule: 'guarded path', reason };
}
