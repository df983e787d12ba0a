import { FileSystemError } from '../core/errors.ts';
import type { FileSystem } from '../ports/file-system.ts';
import { contains, type PathRules, pathFlavour } from '../safety/path-policy.ts';
import { IgnoreRules } from './ignore-rules.ts';

const MAX_RULES_BYTES = 256 * 1024;

/** The ignore rules that hold where a walk begins. */
export interface StartingRules {
  readonly rules: IgnoreRules;
  /** The walk's own directory as the rules call it: relative to the workspace, '' for the workspace itself. */
  readonly directory: string;
}

interface Ports {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
}

/**
 * The rules of `.git/info/exclude` and of every `.gitignore` between the workspace and `root`, the one in `root` itself
 * not among them. A `root` that they ignore, or that lies outside the workspace, begins without rules.
 */
export async function loadIgnoreRules(root: string, ports: Ports): Promise<StartingRules> {
  const { workspace, platform } = ports.pathRules;
  const flavour = pathFlavour(platform);
  const none = IgnoreRules.none({ ignoreCase: platform !== 'posix' });
  if (!contains(workspace, root, platform)) return { rules: none, directory: '' };
  const names = flavour
    .relative(workspace, root)
    .split(flavour.sep)
    .filter((name) => name !== '');
  let rules = none.extend('', await readRules(flavour.join(workspace, '.git', 'info', 'exclude'), ports.fileSystem));
  let directory = '';
  for (const name of names) {
    const file = flavour.join(workspace, directory, '.gitignore');
    rules = rules.extend(directory, await readRules(file, ports.fileSystem));
    directory = directory === '' ? name : `${directory}/${name}`;
    if (rules.isIgnored(directory, 'directory')) return { rules: none, directory: names.join('/') };
  }
  return { rules, directory };
}

/** The text of a file of ignore rules; of one that is missing, unreadable or a link (as git has it), nothing. */
export async function readRules(path: string, fileSystem: FileSystem): Promise<string> {
  try {
    const { bytes } = await fileSystem.readFile(path, MAX_RULES_BYTES, 'refuse');
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof FileSystemError) return '';
    throw error;
  }
}
