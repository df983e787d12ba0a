import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** The flag of a descriptor that no child gets, in `/proc/self/fdinfo`: `O_CLOEXEC`, which is equal on all processors. */
const CLOSED_ON_EXEC = 0o2_000_000;

/** A path that names a descriptor of this process. */
const DESCRIPTOR_PATH = /\/(?:dev|proc\/self)\/fd\/(\d+)/g;

/**
 * Closes the descriptors above 2 that this process has inherited and that its children would inherit as well: Node.js
 * marks only those up to the first gap. Returns the command line with the paths of descriptors that it names, such as
 * `/dev/fd/63` of `--config <(…)`, replaced by those of copies that no child gets. Does nothing without `/proc`: on
 * macOS, Node.js starts processes with 0, 1 and 2 only.
 */
export function closeInheritedDescriptors(args: readonly string[]): readonly string[] {
  const copies = new Map<string, string>();
  const kept = args.map((word) =>
    word.replaceAll(DESCRIPTOR_PATH, (path, descriptor: string) => {
      if (!isInherited(descriptor)) return path;
      const copy = copies.get(path) ?? reopen(path);
      copies.set(path, copy);
      return copy;
    }),
  );
  for (const descriptor of listDescriptors()) if (isInherited(descriptor)) closeSync(Number(descriptor));
  return kept;
}

function listDescriptors(): readonly string[] {
  try {
    return readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
}

function isInherited(descriptor: string): boolean {
  if (Number(descriptor) <= 2) return false;
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // It was closed since, such as the one with which the list was read.
    return false;
  }
}

/** The path of a copy, or the given one if it cannot be opened for reading, in which case no reader can use it either. */
function reopen(path: string): string {
  try {
    return `/dev/fd/${openSync(path, 'r')}`;
  } catch {
    return path;
  }
}
