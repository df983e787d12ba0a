import { FileSystemError } from '../../core/errors.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import { contains, displayPath, type PathRules, pathFlavour } from '../../safety/paths/path-policy.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { SkippedFiles } from './skipped-files.ts';

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
  /** Files of rules that cannot be read are named here. */
  readonly skipped: SkippedFiles;
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
  let rules = none.extend('', await readRules(flavour.join(workspace, '.git', 'info', 'exclude'), ports));
  let directory = '';
  for (const name of names) {
    const file = flavour.join(workspace, directory, '.gitignore');
    rules = rules.extend(directory, await readRules(file, ports));
    directory = directory === '' ? name : `${directory}/${name}`;
    if (rules.isIgnored(directory, 'directory')) return { rules: none, directory: names.join('/') };
  }
  return { rules, directory };
}

/** The text of a file of ignore rules; of one that is missing, unreadable or a link (as git has it), nothing. */
export async function readRules(path: string, ports: Ports): Promise<string> {
  try {
    const { bytes } = await ports.fileSystem.readFile(path, MAX_RULES_BYTES, 'refuse');
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (!(error instanceof FileSystemError)) throw error;
    if (error.code === 'permission_denied' || error.code === 'io_error') {
      ports.skipped.unreadable.push(displayPath(path, ports.pathRules));
    }
    return '';
  }
}
