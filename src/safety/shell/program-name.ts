import { foldWidely } from '../paths/path-policy.ts';
import type { ShellWord } from './shell-word.ts';

/**
 * The program that a first word names: the last part of its path, without case and without the endings Windows adds.
 * Nothing when that part is computed.
 */
export function programName(word: ShellWord): string | undefined {
  const known = word.static ? word.text : word.end.includes('/') ? word.end : undefined;
  return known === undefined
    ? undefined
    : foldWidely(known.replace(/^.*[/\\]/s, '')).replace(/\.(?:exe|com|cmd|bat)$/, '');
}
