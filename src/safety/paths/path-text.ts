import { findUnseenCharacter } from '../../text/escape.ts';
import type { PathPlatform } from './path-policy.ts';

const LONGEST_PATH = 4096;
const RESERVED_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Says what is wrong with a path as the model wrote it, in words for the model, or nothing. Judges the text alone: what
 * the path leads to is judged once it is resolved.
 */
export function findPathTextProblem(given: string, platform: PathPlatform): string | undefined {
  if (given === '') return 'The path is empty. Use "." for the workspace.';
  if (given.length > LONGEST_PATH) return `The path has ${given.length} characters; at most ${LONGEST_PATH} are taken.`;
  const unseen = findUnseenCharacter(given);
  if (unseen !== undefined) {
    return `The path contains the invisible character ${unseen}. Write the path in visible characters only.`;
  }
  return platform === 'windows' ? findWindowsProblem(given) : undefined;
}

function findWindowsProblem(given: string): string | undefined {
  const plain = given.replaceAll('/', '\\');
  if (/^\\\\[.?]\\/.test(plain)) return 'Device paths are not taken. Use a path relative to the workspace.';
  if (/^[a-z]:(?!\\)/i.test(plain)) return 'The path names a drive without a directory. Write it as C:\\name.';
  if (/^\\(?!\\)/.test(plain)) return 'The path names a directory without a drive. Write it as C:\\name.';
  const names = plain.replace(/^[a-z]:/i, '').split('\\');
  if (names.some((name) => name.includes(':'))) return 'A name with ":" is a hidden stream of a file. Leave ":" out.';
  const reserved = names.find((name) => RESERVED_NAME.test(name.trimStart()));
  return reserved === undefined ? undefined : `${reserved} is the name of a device on Windows. Use another name.`;
}
