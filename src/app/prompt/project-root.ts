import path from 'node:path';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import type { PathPlatform } from '../../policy/paths/path-policy.ts';

/** The files in which a project tells agents how to work in it: of Codex, of Claude Code, of Gemini CLI and of Cursor. */
const INSTRUCTION_NAMES = [
  'AGENTS.override.md',
  'AGENTS.md',
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.cursorrules',
] as const;

/** A workspace and the repository that contains it. */
export interface ProjectPlace {
  /** Real path. */
  readonly workspace: string;
  /** The nearest directory with `.git`: the workspace or one above it. */
  readonly repository: string | undefined;
  /** The directories whose instructions apply, from the root of the repository down to the workspace. */
  readonly directories: readonly string[];
}

/** Finds the repository of a workspace. */
export async function findProjectPlace(
  workspace: string,
  platform: PathPlatform,
  fileSystem: Pick<FileSystem, 'stat'>,
): Promise<ProjectPlace> {
  const { dirname, join } = platform === 'windows' ? path.win32 : path.posix;
  const upwards = [workspace];
  for (let at = workspace; dirname(at) !== at; at = dirname(at)) upwards.push(dirname(at));
  const marks = await Promise.all(upwards.map((each) => kindOf(join(each, '.git'), fileSystem)));
  const depth = marks.findIndex((kind) => kind === 'directory' || kind === 'file');
  const directories = depth === -1 ? [workspace] : upwards.slice(0, depth + 1).reverse();
  return { workspace, repository: upwards[depth], directories };
}

/** The instructions files that a directory may have, by name. */
export function instructionFiles(directory: string, platform: PathPlatform): readonly string[] {
  const { join } = platform === 'windows' ? path.win32 : path.posix;
  return INSTRUCTION_NAMES.map((name) => join(directory, ...name.split('/')));
}

/** True if a directory of the project has something by the name of an instructions file. */
export async function mayHaveInstructions(
  { directories }: ProjectPlace,
  platform: PathPlatform,
  fileSystem: Pick<FileSystem, 'stat'>,
): Promise<boolean> {
  const files = directories.flatMap((directory) => instructionFiles(directory, platform));
  const { join } = platform === 'windows' ? path.win32 : path.posix;
  const rules = directories.map((directory) => join(directory, '.cursor', 'rules'));
  const kinds = await Promise.all([...files, ...rules].map((file) => kindOf(file, fileSystem)));
  return kinds.slice(0, files.length).includes('file') || kinds.slice(files.length).includes('directory');
}

async function kindOf(file: string, fileSystem: Pick<FileSystem, 'stat'>): Promise<string | undefined> {
  const stat = await fileSystem.stat(file).catch(() => undefined);
  return stat?.kind;
}
