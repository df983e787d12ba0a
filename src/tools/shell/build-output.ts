import { minimatch } from 'minimatch';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { foldSpecial } from '../../policy/paths/fold-name.ts';
import { specialName } from '../../policy/paths/name-kind.ts';
import { answerFor, contains, type PathRules, pathFlavour, placesBeneath } from '../../policy/paths/path-policy.ts';
import type { AskGit } from './named-paths.ts';

/** The ports that know what git ignores. */
export interface BuildOutputPorts {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
  /** Absent: the project is not trusted, and nothing counts as build output. */
  readonly runGit?: AskGit | undefined;
}

/**
 * Directories that tools make again. Not among them are names under which people keep results and notes of their own, such
 * as `out`, `output`, `tmp`, `logs`, `data` and `vendor`, or environments that hold more than a file lists, such as `.venv`.
 */
const BUILD_OUTPUT: ReadonlySet<string> = new Set([
  ...['node_modules', 'dist', 'build', 'target', 'coverage', 'htmlcov', '.nyc_output', '.cache', '__pycache__'],
  ...['.next', '.nuxt', '.turbo', '.parcel-cache', '.svelte-kit', '.angular', '.vite', '.docusaurus'],
  ...['.pytest_cache', '.mypy_cache', '.ruff_cache', '.eggs', '.dart_tool'],
]);

/** True for the name of a directory that tools make again. */
export const isBuildName = (name: string): boolean => BUILD_OUTPUT.has(name) || /.\.egg-info$/.test(name);

/** A repository, whose history may be nowhere else; `HEAD` is in one without files. */
const REPOSITORY = /^(?:\.(?:git|hg|svn|jj|sl|bzr|pijul)|_darcs|HEAD)$/i;

/** The file of a rule that ignores a path, relative to the repository, and the rule. */
const RULE = /^((?!\/)[^:"]*\.gitignore):\d+:([^!].*)\t.*\n$/;

/** The maximum number of entries of a tree that are looked at. */
const MAX_ENTRIES = 100_000;

/**
 * True for a file, or with `tree` a directory with all that is in it, that a tool makes again: it is, or lies in, a
 * directory of such a name in the workspace, and a committed `.gitignore` ignores that name. `path` is a real path.
 */
export async function isBuildOutput(path: string, tree: boolean, ports: BuildOutputPorts): Promise<boolean> {
  const { pathRules, runGit } = ports;
  const { workspace, platform } = pathRules;
  const { dirname, relative, sep } = pathFlavour(platform);
  if (runGit === undefined || !contains(workspace, path, platform)) return false;
  const names = relative(workspace, path).split(sep).filter(isBuildName);
  if (names.length === 0 || answerFor(path, 'write', pathRules) !== 'mode') return false;
  // `check-ignore` rejects this variable, and the other command has a pattern of its own for a name.
  const place = { directory: dirname(path), environment: { GIT_LITERAL_PATHSPECS: '0' } };
  const ask = (args: readonly string[]) => runGit({ ...place, args }, new AbortController().signal);
  // Git does not count a directory as ignored that has a file in the index.
  const ignored = await ask(['check-ignore', '--verbose', '--', path]);
  const [, source, pattern = ''] = RULE.exec(ignored.type === 'ended' ? ignored.stdout : '') ?? [];
  const name = pattern.replace(/\/+$/, '').replace(/^.*\//, '');
  // A rule such as `*` says nothing about this name.
  if (source === undefined || !/\w{3}/.test(name) || !names.some((each) => minimatch(each, name))) return false;
  const changed = await ask(['status', '--porcelain', '--ignored', '-uall', '--', `:(top,literal)${source}`]);
  if (changed.type !== 'ended' || changed.exitCode !== 0 || changed.stdout !== '') return false;
  return !tree || (await isWhollyMade(path, ports));
}

/**
 * True if a tree has no repository, no file with secrets, none that other programs run or follow, and no link that leads
 * out of it. Packages have files of the third kind.
 */
async function isWhollyMade(top: string, { fileSystem, pathRules }: BuildOutputPorts): Promise<boolean> {
  const { platform, guardedPaths = [] } = pathRules;
  const { join, basename } = pathFlavour(platform);
  if (placesBeneath(top, pathRules) || guardedPaths.some((path) => contains(top, path, platform))) return false;
  const pending = [top];
  let remaining = MAX_ENTRIES;
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const entries = await fileSystem.list(directory).catch(() => undefined);
    if (entries === undefined || entries.length > remaining) return false;
    remaining -= entries.length;
    const parent = foldSpecial(basename(directory));
    const isPackage = /[\\/]node_modules(?:[\\/]|$)/.test(directory);
    for (const { name, kind } of entries) {
      const special = specialName([parent, foldSpecial(name)]);
      const isOwn = special !== undefined && (special !== 'executable' || !isPackage);
      if (kind === 'other' || isOwn || REPOSITORY.test(name)) return false;
      const path = join(directory, name);
      if (kind === 'directory') pending.push(path);
      if (kind !== 'link') continue;
      const target = await fileSystem.realPath(path).catch(() => undefined);
      if (target === undefined || !contains(top, target, platform)) return false;
    }
  }
  return true;
}
