import { contains } from '../paths/path-policy.ts';

/** The paths that a sandboxed command may use. All are real paths of things that exist. */
export interface SandboxPlaces {
  /** Directories of temporary files and sockets, which are empty inside: `/tmp`. */
  readonly temporary: readonly string[];
  /** Directories in which the command may write. */
  readonly writable: readonly string[];
  /** Files and directories that it may not change, although they lie in a writable directory. */
  readonly guarded: readonly string[];
  /** Directories that it may not read, nor write. */
  readonly hidden: readonly string[];
  /** Files, sockets among them, that it may not open. */
  readonly unreadable: readonly string[];
  /** Files and directories that it may read even where a hidden or temporary directory covers them, such as programs. */
  readonly visible: readonly string[];
}

/** A mount of the sandbox over the file system, which is otherwise the user's and read-only. */
export interface Mount {
  readonly type: 'writable' | 'read_only' | 'empty' | 'unreadable';
  readonly path: string;
}

/** The order of mounts of the same path; the last one counts. */
const RANK: Readonly<Record<Mount['type'], number>> = { writable: 0, read_only: 1, empty: 2, unreadable: 3 };

/**
 * The mounts of a sandbox in their order: a directory before what lies in it, so that a workspace in `/tmp` is usable
 * and a secret in the workspace is not. There is none that would change nothing, because each takes time. Pure.
 */
export function planMounts(places: SandboxPlaces): readonly Mount[] {
  const covers = new Covers();
  covers.add(mountsOf('writable', places.writable));
  const empty = [...places.temporary, ...places.hidden].toSorted((one, other) => depthOf(one) - depthOf(other));
  for (const mount of mountsOf('empty', empty)) {
    if (covers.of(parentOf(mount.path))?.type !== 'empty') covers.add([mount]);
  }
  const visible = places.visible.toSorted((one, other) => depthOf(one) - depthOf(other));
  for (const mount of mountsOf('read_only', visible)) {
    // A directory that nothing covers is visible anyway.
    if (covers.of(mount.path)?.type === 'empty') covers.add([mount]);
  }
  const owners = places.guarded.flatMap((path) => ownersOf(path, places.writable));
  const guarded = [...mountsOf('writable', owners), ...mountsOf('read_only', places.guarded)].filter(
    ({ path }) => covers.of(path)?.type === 'writable',
  );
  const unreadable = mountsOf('unreadable', places.unreadable).filter(({ path }) => covers.of(path)?.type !== 'empty');
  const unique = new Map(
    [...covers.mounts, ...guarded, ...unreadable].map((mount) => [`${mount.type} ${mount.path}`, mount]),
  );
  return [...unique.values()].toSorted(
    (one, other) => depthOf(one.path) - depthOf(other.path) || RANK[one.type] - RANK[other.type],
  );
}

/** Mounts, and which of them covers a path. */
class Covers {
  readonly mounts: Mount[] = [];
  readonly #last = new Map<string, Mount>();

  add(mounts: readonly Mount[]): void {
    for (const mount of mounts) {
      const other = this.#last.get(mount.path);
      if (other === undefined || RANK[other.type] < RANK[mount.type]) this.#last.set(mount.path, mount);
      this.mounts.push(mount);
    }
  }

  /** The innermost mount that contains a path. */
  of(path: string): Mount | undefined {
    return this.#last.get(path) ?? (path === '/' ? undefined : this.of(parentOf(path)));
  }
}

/**
 * The hidden directories on the way to a guarded path: `.git` for `.git/hooks`. Each becomes a mount point, because the
 * directory of one can be moved away, but a mount point cannot.
 */
function ownersOf(guarded: string, writable: readonly string[]): readonly string[] {
  const parent = parentOf(guarded);
  const isBelow = writable.some((root) => root !== parent && contains(root, parent, 'posix'));
  if (!isBelow) return [];
  const name = parent.slice(parent.lastIndexOf('/') + 1);
  return [...(name.startsWith('.') ? [parent] : []), ...ownersOf(parent, writable)];
}

function mountsOf(type: Mount['type'], paths: readonly string[]): readonly Mount[] {
  return paths.map((path) => ({ type, path }));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function depthOf(path: string): number {
  return path.split('/').filter((name) => name !== '').length;
}
