import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The size of a tree. */
export interface TreeSize {
  readonly files: number;
  readonly megabytes: number;
  /** The number of lines that contain `NEEDLE`. */
  readonly matches: number;
}

/** The tree of the figures in search.md. */
export const TREE: TreeSize = { files: 39_000, megabytes: 620, matches: 189 };

/** A word that stands in no other line of the tree. */
export const NEEDLE = 'resolveQuorumPartition';

const FILES_PER_DIRECTORY = 12;
const EXTENSIONS = ['ts', 'js', 'json', 'md', 'd.ts', 'css', 'py', 'map'];
const WORDS = 'const return import export function value index result options error state key list path read write';

/**
 * Writes a tree like a large repository with its dependencies, the same each time: source files of 200 bytes to 300 KB in
 * directories of up to six levels, some binary files, and a `.gitignore` in every tenth directory. Does nothing if it is there.
 */
export function writeSearchTree(directory: string, { files, megabytes, matches }: TreeSize = TREE): void {
  const done = path.join(directory, '.complete');
  if (existsSync(done)) return;
  const random = createRandom();
  const words = [...WORDS.split(' '), ...Array.from({ length: 4_000 }, () => word(random))];
  const text = Array.from({ length: 40_000 }, () => line(words, random)).join('\n');
  const weights = Array.from({ length: files }, () => random() ** 6 * 300_000 + 200);
  const scale = (megabytes * 1_000_000) / weights.reduce((sum, weight) => sum + weight, 0);
  let place = directory;
  for (const [index, weight] of weights.entries()) {
    if (index % FILES_PER_DIRECTORY === 0) {
      const depth = 1 + Math.floor(random() * 6);
      const names = Array.from({ length: depth }, (_, level) => `d${Math.floor(random() * (4 + level * 6))}`);
      place = path.join(directory, ...names, `p${index / FILES_PER_DIRECTORY}`);
      mkdirSync(place, { recursive: true });
      if (index % (FILES_PER_DIRECTORY * 10) === 0) writeFileSync(path.join(place, '.gitignore'), '*.log\n/build/\n');
    }
    const size = Math.round(weight * scale);
    const start = Math.floor(random() * Math.max(1, text.length - size));
    const content = text.slice(start, start + size);
    const isBinary = index % 40 === 7;
    const found = index % Math.floor(files / matches) === 3 && !isBinary;
    const extension = isBinary ? 'png' : EXTENSIONS[index % EXTENSIONS.length];
    const body = found ? `${content}\n${NEEDLE}(${index});\n` : content;
    writeFileSync(path.join(place, `f${index}.${extension}`), isBinary ? `\u0089PNG\u0000${body}` : body);
  }
  writeFileSync(done, '');
}

/** Numbers from 0 to 1, the same each time. */
function createRandom(): () => number {
  let state = createHash('sha256').update('search').digest();
  let used = 0;
  return () => {
    if (used === state.length) {
      state = createHash('sha256').update(state).digest();
      used = 0;
    }
    used += 4;
    return state.readUInt32LE(used - 4) / 2 ** 32;
  };
}

function word(random: () => number): string {
  return Array.from({ length: 3 + Math.floor(random() * 9) }, () =>
    String.fromCharCode(97 + Math.floor(random() * 26)),
  ).join('');
}

function line(words: readonly string[], random: () => number): string {
  const some = Array.from({ length: Math.floor(random() * 12) }, () => words[Math.floor(random() ** 2 * words.length)]);
  return `${' '.repeat(2 * Math.floor(random() * 5))}${some.join(' ')}`;
}
