import { findInvisibleCharacter } from '../../text/escape.ts';
import { type PathPlatform, type PathRules, pathFlavour } from './path-policy.ts';

const MAX_PATH_LENGTH = 4096;
const RESERVED_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** The absolute path of a path as written: `~` is the home directory, a relative path starts in the workspace. */
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
 * The problem of a path as the model wrote it, in words for the model; nothing when there is none. Checks the text
 * alone; the path rules are checked once it is resolved.
 */
export function findPathTextProblem(given: string, platform: PathPlatform): string | undefined {
  if (given === '') return 'The path is empty. Use "." for the workspace.';
  if (given.length > MAX_PATH_LENGTH)
    return `The path has ${given.length} characters; at most ${MAX_PATH_LENGTH} are allowed.`;
  const invisible = findInvisibleCharacter(given);
  if (invisible !== undefined) {
    return `The path contains the invisible character ${invisible}. Write the path in visible characters only.`;
  }
  return platform === 'windows' ? findWindowsProblem(given) : undefined;
}

function findWindowsProblem(given: string): string | undefined {
  const plain = given.replaceAll('/', '\\');
  if (/^\\\\[.?]\\/.test(plain)) return 'Device paths are not allowed. Use a path relative to the workspace.';
  if (/^[a-z]:(?!\\)/i.test(plain)) return 'The path names a drive without a directory. Write it as C:\\name.';
  if (/^\\(?!\\)/.test(plain)) return 'The path names a directory without a drive. Write it as C:\\name.';
  const names = plain.replace(/^[a-z]:/i, '').split('\\');
  if (names.some((name) => name.includes(':'))) return 'A name with ":" is a hidden stream of a file. Leave ":" out.';
  const reserved = names.find((name) => RESERVED_NAME.test(name.trimStart()));
  return reserved === undefined ? undefined : `${reserved} is the name of a device on Windows. Use another name.`;
}
