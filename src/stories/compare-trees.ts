import { sameBytes } from '../text/bytes/same-bytes.ts';
import { unifiedDiff } from '../text/diff/unified-diff.ts';
import { escapeForTerminal, escapeLine } from '../text/escape.ts';
import { runAtOnce } from '../text/steps.ts';

/** Contents of files by their path below a directory, with `/`. The content of a link is `link to` and its target. */
export type FileTree = ReadonlyMap<string, Uint8Array>;

/**
 * Differences between the files that a story expects and those it left, one string per file, in the order of the names.
 * Empty when both are equal byte for byte.
 */
export function compareTrees(expected: FileTree, actual: FileTree): readonly string[] {
  return changedFiles(expected, actual).map(({ name, before: wanted, after: found }) => {
    const shown = escapeLine(name);
    if (wanted === undefined) return `${shown} is not expected`;
    if (found === undefined) return `${shown} is missing`;
    const [before, after] = [decode(wanted), decode(found)];
    if (before === undefined || after === undefined) return `${shown} differs: ${firstDifference(wanted, found)}`;
    const { hunks } = runAtOnce(unifiedDiff(name, before, after));
    return `${shown} differs (- expected, + found):\n${escapeForTerminal(hunks)}`;
  });
}

/** The files in which two trees differ, in the order of the names. A file that one of them lacks is undefined there. */
export function changedFiles(before: FileTree, after: FileTree) {
  return [...new Map([...before, ...after]).keys()]
    .sort()
    .map((name) => ({ name, before: before.get(name), after: after.get(name) }))
    .filter(
      ({ before: old, after: current }) => old === undefined || current === undefined || !sameBytes(old, current),
    );
}

function firstDifference(expected: Uint8Array, found: Uint8Array): string {
  const index = expected.findIndex((byte, position) => byte !== found[position]);
  const at = index < 0 ? expected.length : index;
  return `binary, expected ${expected.length} bytes, found ${found.length}, first difference at byte ${at}`;
}

/** The text, or `undefined` when the bytes are not text. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
