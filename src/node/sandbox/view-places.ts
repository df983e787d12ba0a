import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { contains } from '../../policy/paths/path-policy.ts';
import { GIT_SETTINGS } from '../../policy/paths/special-names.ts';
import { directoriesOutsideView, isPlainGitConfig } from '../../policy/sandbox/view.ts';
import { attempt, existingFiles, readSmallFile } from './real-files.ts';

/** True for a directory, also behind a link. */
export function isDirectory(file: string): boolean {
  return attempt(() => statSync(file, { throwIfNoEntry: false })?.isDirectory()) === true;
}

/** The directories at the root of the file system that a view leaves out, except those that are roots themselves. */
export function outsideOf(roots: readonly string[]): readonly string[] {
  return existingFiles(directoriesOutsideView(readdirSync('/'))).filter(
    (each) => isDirectory(each) && !roots.includes(each),
  );
}

/** True for the settings of a repository, which git needs, if they hold no secret. */
export function isReadableGitSetting(file: string, repositories: readonly string[]): boolean {
  const isSetting = GIT_SETTINGS.has(path.basename(file));
  return (
    isSetting &&
    repositories.some((each) => contains(each, file, 'posix')) &&
    isPlainGitConfig(readSmallFile(file) ?? '')
  );
}

/** Directories of git with the content of committed files: objects, patches, and repositories of submodules. */
const WITH_CONTENT = ['objects', 'lfs', 'modules', 'rr-cache', 'rebase-apply', 'rebase-merge', 'sequencer', 'annex'];

/** The directories with the content of committed files, in these repositories. */
export function committedContent(repositories: readonly string[]): readonly string[] {
  return existingFiles(
    repositories.flatMap((each) => WITH_CONTENT.map((name) => path.join(each, name))).filter(isDirectory),
  );
}

/** The files of `/etc` that only root may read, found once. Only root would see them in the sandbox, and only root changes them. */
let ofRoot: readonly string[] | undefined;

export function privateSettings(): readonly string[] {
  if (process.geteuid?.() !== 0) return [];
  ofRoot ??= readdirSync('/etc', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o004) === 0);
  return ofRoot.filter((file) => existsSync(file));
}
