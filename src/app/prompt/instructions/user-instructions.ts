import type { FileSystem } from '../../../agent/ports/file-system.ts';
import { contains, holdsSecrets, type PathRules, pathFlavour } from '../../../policy/paths/path-policy.ts';
import { type InstructionReader, type Instructions, readWithImports } from './read-file.ts';

/** The files in which users tell their agents how to work in every project, below the home directory, in order. */
const USER_FILES = [
  '.codex/AGENTS.override.md',
  '.codex/AGENTS.md',
  '.claude/CLAUDE.md',
  '.gemini/GEMINI.md',
  '.config/ybs/AGENTS.md',
] as const;

const TEXT_FILE = /\.(?:md|txt)$/i;

/** Reads the instructions of the user for all projects. Never throws. */
export async function readUserInstructions({
  fileSystem,
  pathRules,
}: {
  readonly fileSystem: FileSystem;
  readonly pathRules: PathRules;
}): Promise<readonly Instructions[]> {
  const { home, platform } = pathRules;
  if (home === undefined) return [];
  const { join, relative, sep } = pathFlavour(platform);
  const reader: InstructionReader = {
    fileSystem,
    platform,
    home,
    mayRead: (_file, real) => contains(home, real, platform) && TEXT_FILE.test(real) && !holdsSecrets(real, pathRules),
    mayBeForeign: () => false,
    display: (file) => `~/${relative(home, file).replaceAll(sep, '/')}`,
  };
  const files = USER_FILES.map((name) => join(home, ...name.split('/')));
  const [override = [], ...others] = await Promise.all(files.map((file) => readWithImports(file, reader)));
  const [plain = [], ...rest] = others;
  const found = [...(override.length > 0 ? override : plain), ...rest.flat()];
  return found.map((instructions) => ({ ...instructions, ofUser: true }));
}
