import { findInvisibleCharacter } from '../../text/escape.ts';
import { type PathPlatform, type PathRules, pathFlavour } from './path-policy.ts';

const MAX_PATH_LENGTH = 4096;
const RESERVED_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** The absolute path of a written path: `~` is the home directory, and a relative path starts in the workspace. */
export function expandPath(
  written: string,
  rules: Pick<PathRules, 'workspace' | 'platform'> & { readonly home?: string | undefined },
): string {
  const { workspace, platform, home } = rules;
  const flavour = pathFlavour(platform);
  const tilde = platform === 'windows' ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/;
  const expanded = home === undefined ? written : written.replace(tilde, () => home);
  return flavour.resolve(workspace, expanded);
}

/**
 * Describes the problem of a path that the model wrote, for the model; `undefined` if there is none. Checks only the
 * text; the path rules apply to the resolved path.
 */
export function findPathTextProblem(written: string, platform: PathPlatform): string | undefined {
  if (written === '') return 'The path is empty. Use "." for the workspace.';
  if (written.length > MAX_PATH_LENGTH)
    return `The path has ${written.length} characters; at most ${MAX_PATH_LENGTH} are allowed.`;
  const invisible = findInvisibleCharacter(written);
  if (invisible !== undefined) {
    return `The path contains the invisible character ${invisible}. Write the path in visible characters only.`;
  }
  return platform === 'windows' ? findWindowsProblem(written) : undefined;
}

function findWindowsProblem(written: string): string | undefined {
  const plain = written.replaceAll('/', '\\');
  if (/^\\\\[.?]\\/.test(plain)) return 'Device paths are not allowed. Use a path relative to the workspace.';
  if (/^[a-z]:(?!\\)/i.test(plain)) return 'The path names a drive without a directory. Write it as C:\\name.';
  if (/^\\(?!\\)/.test(plain)) return 'The path names a directory without a drive. Write it as C:\\name.';
  const names = (/^[a-z]:(.*)/i.exec(plain)?.[1] ?? plain).split('\\');
  if (names.some((name) => name.includes(':')))
    return 'A name with ":" is a hidden stream of a file. Remove ":" from the name.';
  const reserved = names.find((name) => RESERVED_NAME.test(name.trimStart()));
  return reserved === undefined ? undefined : `${reserved} is the name of a device on Windows. Use another name.`;
}
