import { FileSystemError, ToolError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathUse, ToolErrorCode } from '../../agent/ports/tool.ts';
import { foldName } from '../../policy/paths/fold-name.ts';
import {
  classifyPath,
  displayPath,
  type PathPlatform,
  type PathRules,
  pathFlavour,
} from '../../policy/paths/path-policy.ts';
import { refusePath } from '../../policy/paths/refuse-path.ts';
import { expandPath, findPathTextProblem } from '../../policy/paths/written-path.ts';

/** A path from the model, resolved and checked against the path rules. */
export interface ResolvedPath {
  readonly use: PathUse;
  /** The real path. Its last parts may not exist. */
  readonly realPath: string;
  readonly exists: boolean;
  /** The path to display: relative to the workspace if it lies there, always with `/`. */
  readonly display: string;
}

/**
 * Resolves a path that the model wrote to a real path and checks it against the rules. Links are resolved up to the
 * deepest ancestor that exists; the rest must be plain names. A read outside the workspace is left to the rules that
 * decide about the call. Throws `ToolError` (`invalid_arguments`, `path_outside_workspace`, `path_blocked`, `not_found`
 * for a link without a target, `not_a_directory`, `permission_denied`, `io_error`). Nothing reveals whether a path outside the workspace exists, except `exists`.
 */
export async function resolvePath(
  requested: string,
  access: 'read' | 'write',
  ports: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<ResolvedPath> {
  const { fileSystem, pathRules } = ports;
  await requireUsableText(requested, ports);
  const found = await resolveExistingParts(expandPath(requested, pathRules), fileSystem, pathRules.platform);
  const [variable] = VARIABLE.exec(requested) ?? [];
  if (variable !== undefined && found.missing === requested.split(/[\\/]+/).filter(Boolean).length) {
    throw new ToolError('not_found', `${requested} does not exist. ${notExpanded(variable)}`);
  }
  const { realPath } = found;
  const use = { requested, realPath, access };
  const verdict = classifyPath(realPath, access, pathRules);
  const refusal = refusePath(use, pathRules, verdict);
  if (refusal !== undefined) {
    const { type, rule, reason } = refusal;
    throw new ToolError(type === 'blocked' ? 'path_blocked' : 'path_outside_workspace', reason, { rule });
  }
  // The user decides about a path outside the workspace, and before that, nothing is revealed about the file.
  const isForeign = verdict.type === 'outside';
  if (found.failure !== undefined && !isForeign) throw asToolError(found.failure, requested);
  const display = displayPath(realPath, pathRules);
  return { use, realPath, exists: found.missing === 0, display };
}

/** A variable of the environment as the first name of a path. */
const VARIABLE = /^(?:\$\{?[A-Z][A-Z0-9_]*\}?|%[A-Z][A-Z0-9_]*%)(?![^\\/])/;

/** The advice for a path with a variable. */
export function notExpanded(variable: string): string {
  return `A path is not a command line: ${variable} is not expanded. Write the path itself.`;
}

/**
 * Throws `ToolError` (`invalid_arguments`) unless a written path means the same to every program. After a link or a
 * missing directory, `..` does not: the system goes up from the target of the link, others from the link.
 */
async function requireUsableText(
  requested: string,
  { fileSystem, pathRules }: { readonly fileSystem: FileSystem; readonly pathRules: PathRules },
): Promise<void> {
  const { workspace, platform } = pathRules;
  const problem = findPathTextProblem(requested, platform);
  if (problem !== undefined) throw new ToolError('invalid_arguments', problem);
  // Windows itself takes `..` away before it looks at any directory.
  if (platform === 'windows') return;
  const flavour = pathFlavour(platform);
  const names = requested.split('/');
  for (const [index, name] of names.entries()) {
    if (name !== '..') continue;
    const written = names.slice(0, index).join('/');
    const directory = expandPath(written, pathRules);
    const [kind, real, parent] = await Promise.all([
      fileSystem.stat(directory).then((stat) => stat.kind, asFileSystemError),
      ...[directory, flavour.dirname(directory)].map((each) => fileSystem.realPath(each).catch(asFileSystemError)),
    ]);
    if (kind === 'directory' && typeof real === 'string' && flavour.dirname(real) === parent) continue;
    const advice = `Write it without "..", from ${workspace} or as an absolute path.`;
    const text = `${requested} goes up from ${written}, which is a link or not a directory. ${advice}`;
    throw new ToolError('invalid_arguments', text);
  }
}

/**
 * The real path of an absolute path, with links resolved as far as it exists. Rejects with `FileSystemError` for a
 * circular link, a link without a target, a file used as a directory and a directory without permission.
 */
export async function realPathOf(absolutePath: string, fileSystem: Paths, platform: PathPlatform): Promise<string> {
  const found = await resolveExistingParts(absolutePath, fileSystem, platform);
  if (found.failure !== undefined) throw found.failure;
  return found.realPath;
}

/** Creates a `realPathOf` that reads each directory once, for paths that are resolved at the same moment. */
export function createRealPathOf(fileSystem: Paths, platform: PathPlatform): (absolutePath: string) => Promise<string> {
  const seen = {
    realPath: once((file) => fileSystem.realPath(file)),
    list: once((directory) => fileSystem.list(directory)),
  };
  return (absolutePath) => realPathOf(absolutePath, seen, platform);
}

function once<Answer>(ask: (file: string) => Promise<Answer>): (file: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (file) => {
    const answer = answers.get(file) ?? ask(file);
    answers.set(file, answer);
    return answer;
  };
}

/** The operations of a file system that resolve a path. */
type Paths = Pick<FileSystem, 'realPath' | 'list'>;

interface PartlyResolvedPath {
  readonly realPath: string;
  /** The number of trailing parts that do not exist or cannot be reached. */
  readonly missing: number;
  /** The reason why the path cannot be used, although its beginning could be resolved. */
  readonly failure?: FileSystemError;
}

/** Resolves a path up to its deepest ancestor that exists. `failure` is the first error other than `not_found`. */
async function resolveExistingParts(
  absolute: string,
  fileSystem: Paths,
  platform: PathPlatform,
): Promise<PartlyResolvedPath> {
  const flavour = pathFlavour(platform);
  const missing: string[] = [];
  let failure: FileSystemError | undefined;
  for (let ancestor = absolute; ; ancestor = flavour.dirname(ancestor)) {
    const real = await fileSystem.realPath(ancestor).catch(asFileSystemError);
    const isRoot = flavour.dirname(ancestor) === ancestor;
    if (typeof real === 'string') {
      const [first] = missing;
      if (first !== undefined) failure ??= await findDanglingLink(real, first, fileSystem, platform);
      return partlyResolved(flavour.join(real, ...missing), missing.length, failure);
    }
    if (real.code !== 'not_found') failure ??= real;
    // A drive that does not exist has no ancestor with a real path.
    if (isRoot) return partlyResolved(absolute, missing.length + 1, failure);
    missing.unshift(flavour.basename(ancestor));
  }
}

function partlyResolved(realPath: string, missing: number, failure: FileSystemError | undefined): PartlyResolvedPath {
  return failure === undefined ? { realPath, missing } : { realPath, missing, failure };
}

/**
 * The error for a link without a target, or `undefined`. Such a link has no real path, yet writing to it would create
 * the target, wherever that is. Only the listing of its directory shows that the link exists.
 */
async function findDanglingLink(
  directory: string,
  name: string,
  fileSystem: Paths,
  platform: PathPlatform,
): Promise<FileSystemError | undefined> {
  const entries = await fileSystem.list(directory).catch(asFileSystemError);
  if (entries instanceof FileSystemError) return entries;
  const isSame = (other: string) => (platform === 'posix' ? other === name : foldName(other) === foldName(name));
  const link = entries.find((entry) => entry.kind === 'link' && isSame(entry.name));
  return link && new FileSystemError('not_found', pathFlavour(platform).join(directory, link.name));
}

function asFileSystemError(error: unknown): FileSystemError {
  if (error instanceof FileSystemError) return error;
  throw error;
}

/** The error for the model, with the cause and advice. */
function asToolError(failure: FileSystemError, requested: string): ToolError {
  const [code, text] = describeFailure(failure, requested);
  return new ToolError(code, text, { cause: failure });
}

function describeFailure(failure: FileSystemError, requested: string): readonly [ToolErrorCode, string] {
  switch (failure.code) {
    case 'not_found':
      return ['not_found', `${requested} contains a link whose target does not exist. Use the path of a real file.`];
    case 'not_a_directory':
      return ['not_a_directory', `A part of ${requested} is a file, not a directory. Check the path with list_files.`];
    case 'link_loop':
      return ['io_error', `${requested} contains circular links. Use another path.`];
    case 'permission_denied':
      return ['permission_denied', `Permission denied for ${requested}. Use another path, or ask the user for access.`];
    default:
      return ['io_error', `${requested} cannot be resolved (${failure.code}). Try another path.`];
  }
}
