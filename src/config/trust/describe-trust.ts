import { describeChanges } from '../../policy/trust/trust.ts';
import type { WaitingKey } from '../layers/merge-layers.ts';
import type { Config } from '../schema.ts';
import type { FoundPart } from './project-parts.ts';
import type { ProjectTrust } from './project-trust.ts';

/** A configuration with the trust in the project that it was loaded for. */
interface LoadedProject {
  readonly config: Pick<Config, 'git'>;
  readonly trust: Pick<ProjectTrust, 'verdict' | 'parts' | 'isRepository'>;
  /** The keys of the project that have no effect before it is trusted. */
  readonly waiting: readonly WaitingKey[];
}

/** The number of keys that are named. */
const MAX_KEYS = 5;

/** Lines for people about the parts of a project without effect, because it is not trusted. None for a trusted one. */
export function ignoredParts({ config, trust, waiting }: LoadedProject): readonly string[] {
  if (trust.verdict.type === 'trusted') return [];
  const used = trust.parts.filter(isUsed);
  const count = (kind: 'tool' | 'extension', place: string): readonly string[] => {
    const { length } = used.filter((part) => part.kind === kind);
    return length === 0 ? [] : [`${length === 1 ? 'a file' : `${length} files`} ${place}`];
  };
  const keysOf = (file: string): readonly string[] => {
    const names = waitingIn(file, waiting);
    const more = names.length - MAX_KEYS;
    const keys = [...names.slice(0, MAX_KEYS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
    return names.length === 0 ? [] : [`${keys} of ${file}`];
  };
  return [
    ...PROJECT_FILES.flatMap(keysOf),
    ...count('tool', 'that may become tools'),
    ...(trust.parts.some(({ kind }) => kind === 'servers') ? ['the servers of .mcp.json'] : []),
    ...count('extension', `in ${extensionDirectories(used)}`),
    ...(trust.isRepository && config.git.context ? [GIT_STATE] : []),
    ...(trust.isRepository && config.git.auto_commit ? ['git.auto_commit'] : []),
  ];
}

/** The files of a project that set keys. */
const PROJECT_FILES = ['.ybs.json', '.eidolon/config.json'];

/** The names of the keys that this file of the project sets. */
export function waitingIn(file: string, waiting: LoadedProject['waiting']): readonly string[] {
  return waiting.flatMap(({ name, source }) => (source.replaceAll('\\', '/').endsWith(`/${file}`) ? [name] : []));
}

/** True unless it is a file below `.ybs` that ybs does not read, such as a note. A directory stands for all that is in it. */
export function isUsed({ kind, path }: Pick<FoundPart, 'kind' | 'path'>): boolean {
  return kind !== 'extension' || /^[^/]+(?:$|\/(?:agents|commands)(?:$|\/.*\.md$)|\/skills(?:$|\/))/s.test(path);
}

/** The directories of the extensions: `.ybs and .eidolon`. */
function extensionDirectories(parts: LoadedProject['trust']['parts']): string {
  const paths = parts.flatMap(({ kind, path }) => (kind === 'extension' ? path.split('/', 1) : []));
  return [...new Set(paths)].sort().reverse().join(' and ');
}

/** Stands for the branch, the commits and the changes of a repository, which most projects have. */
const GIT_STATE = 'the state of git';

/** True if the user can be asked about the project, because it is not trusted and no answer is stored. */
export function isUndecided({
  verdict,
  declined,
  problem,
}: Pick<ProjectTrust, 'verdict' | 'declined' | 'problem'>): boolean {
  return verdict.type !== 'trusted' && declined !== true && problem === undefined;
}

type NoticeFacts = Pick<ProjectTrust, 'verdict' | 'ignored' | 'problem' | 'isInvalid'>;

/**
 * One line about a project that is not trusted: why, what has no effect, and the command that trusts it; `undefined` if the
 * project is trusted or has nothing that would take effect.
 */
export function trustNotice({ verdict, ignored, problem, isInvalid = false }: NoticeFacts): string | undefined {
  if (verdict.type === 'trusted') return undefined;
  if (problem !== undefined) return problem;
  if (verdict.type === 'untrusted' && ignored.length === 0) return undefined;
  const state = verdict.type === 'changed' ? `no longer trusted (${describeChanges(verdict.changes)})` : 'not trusted';
  const effect = ignored.length === 0 ? '' : `, so these have no effect: ${ignored.join('; ')}`;
  return `${state}${effect}. ${isInvalid ? 'Correct .ybs.json, then trust it' : 'Trust it'} with: ybs trust`;
}

/** The same notice as a sentence. */
export function projectNotice(facts: NoticeFacts): string | undefined {
  const notice = trustNotice(facts);
  return notice === undefined || facts.problem !== undefined ? notice : `This project is ${notice}`;
}

/** The same sentence for a run without a chat, where the state of git alone is not worth a line in every run. */
export function runNotice(facts: NoticeFacts): string | undefined {
  const isPlain = facts.verdict.type === 'untrusted' && facts.problem === undefined;
  if (isPlain && facts.ignored.every((part) => part === GIT_STATE)) return undefined;
  return projectNotice(facts);
}
