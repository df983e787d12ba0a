import { UsageError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import { IgnoreRules } from '../../tools/search/ignore-rules.ts';
import type { FileTree } from '../compare-trees.ts';

/** Limits of a workspace that a story can keep. */
const MAX_FILES = 2_000;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_RULES_BYTES = 256 * 1024;

/** Directories that no story needs. */
const LEFT_OUT = new Set(['.git', 'node_modules']);

/**
 * The files of a workspace by their paths, with `/`. Left out are files that a `.gitignore` ignores, links, `.git`,
 * `node_modules` and the directories of stories. Throws `UsageError` for a workspace that is too large for a story.
 */
export async function snapshotWorkspace(
  workspace: string,
  fileSystem: FileSystem,
  platform: PathPlatform,
): Promise<FileTree> {
  const { join } = pathFlavour(platform);
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  const visit = async (directory: string, outer: IgnoreRules): Promise<void> => {
    const entries = await fileSystem.list(join(workspace, directory));
    const has = (name: string) => entries.some((entry) => entry.name === name && entry.kind === 'file');
    if (directory !== '' && has('scenario.json')) return;
    const read = async (path: string, max: number) => (await fileSystem.readFile(join(workspace, path), max)).bytes;
    const inDirectory = (name: string) => (directory === '' ? name : `${directory}/${name}`);
    const rules = has('.gitignore')
      ? outer.extend(directory, new TextDecoder().decode(await read(inDirectory('.gitignore'), MAX_RULES_BYTES)))
      : outer;
    for (const { name, kind } of entries) {
      const path = inDirectory(name);
      if (LEFT_OUT.has(name) || rules.isIgnored(path, kind === 'directory' ? 'directory' : 'other')) continue;
      if (kind === 'directory') await visit(path, rules);
      if (kind !== 'file') continue;
      const content = await read(path, MAX_BYTES + 1);
      bytes += content.length;
      files.set(path, content.slice());
      if (files.size > MAX_FILES || bytes > MAX_BYTES) {
        throw new UsageError(
          `The workspace is too large for a story: more than ${MAX_FILES} files or ${MAX_BYTES / 1024 / 1024} MiB, ` +
            `at ${path}. Record in a smaller directory (--cwd), or add what the story does not need to .gitignore.`,
        );
      }
    }
  };
  await visit('', IgnoreRules.none({ ignoreCase: platform !== 'posix' }));
  return files;
}
