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
  /** Files that it reads at another path, in a directory that is hidden. */
  readonly placed?: readonly { readonly source: string; readonly path: string }[];
  /** Links to visible places, at paths that a hidden directory covers. */
  readonly links?: readonly { readonly target: string; readonly path: string }[];
}

/** A mount of the sandbox over the file system, which is otherwise the user's and read-only. */
export interface Mount {
  readonly type: 'writable' | 'read_only' | 'empty' | 'unreadable' | 'link';
  readonly path: string;
  /** The file that appears there, or the target of a link. Absent: that of the path itself. */
  readonly source?: string;
}

/**
 * The mounts of a sandbox in their order: a directory before what lies in it, so that a workspace in `/tmp` is usable
 * and a secret in the workspace is not. Mounts that change nothing are left out, because each takes time. Pure.
 */
export function planMounts(places: SandboxPlaces): readonly Mount[] {
  const covers = new Map<string, Mount>();
  for (const mount of mountsOf('writable', places.writable)) covers.set(mount.path, mount);
  const empty = mountsOf('empty', [...places.temporary, ...places.hidden]);
  // A directory before what lies in it: a hidden one in a visible one is hidden, and a visible one in a hidden one visible.
  for (const mount of [...empty, ...mountsOf('read_only', places.visible)].toSorted(byLength)) {
    if (mount.type === 'empty') {
      if (coverOf(parentOf(mount.path), covers)?.type !== 'empty') covers.set(mount.path, mount);
      continue;
    }
    // A directory that nothing covers is visible anyway.
    const isCovered = !covers.has(mount.path) && coverOf(mount.path, covers)?.type === 'empty';
    if (isCovered) covers.set(mount.path, mount);
  }
  const fixed = [...places.guarded, ...places.unreadable].flatMap((path) => ancestorsOf(path, covers));
  const guarded = [...mountsOf('writable', fixed), ...mountsOf('read_only', places.guarded)];
  const mounts = [
    ...covers.values(),
    ...(places.placed ?? []).map((file) => ({ type: 'read_only', ...file }) as const),
    ...(places.links ?? [])
      .filter(({ path }) => coverOf(path, covers)?.type === 'empty')
      .map(({ path, target }) => ({ type: 'link', path, source: target }) as const),
    ...guarded.filter(({ path }) => coverOf(path, covers)?.type === 'writable'),
    ...mountsOf('unreadable', places.unreadable).filter(({ path }) => coverOf(path, covers)?.type !== 'empty'),
  ];
  // Of two mounts of one path, the later one counts.
  const unique = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...unique.values()].toSorted(byLength);
}

/** The innermost mount that contains a path. */
function coverOf(path: string, mounts: ReadonlyMap<string, Mount>): Mount | undefined {
  return mounts.get(path) ?? (path === '/' ? undefined : coverOf(parentOf(path), mounts));
}

/**
 * The directories between a writable directory and a path in it: `.git` for `.git/hooks`, `app` for `app/.env`. Each
 * becomes a mount point, because a directory can be moved away with what is in it, but a mount point cannot.
 */
function ancestorsOf(path: string, covers: ReadonlyMap<string, Mount>): readonly string[] {
  const parent = parentOf(path);
  if (covers.has(parent) || parent === '/') return [];
  return [...ancestorsOf(parent, covers), parent];
}

function mountsOf(type: Mount['type'], paths: readonly string[]): readonly Mount[] {
  return paths.map((path) => ({ type, path }));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** Orders mounts by the length of their paths: the path of a directory is shorter than those of what lies in it. */
function byLength(one: Mount, other: Mount): number {
  return one.path.length - other.path.length;
}

/** The innermost mount at a path: what of which file system is there, and the type of that. */
interface MountedPlace {
  readonly device: string;
  readonly root: string;
  readonly type: string;
}

/** The mounts of `/proc/PID/mountinfo`, by their path. Of several at one path, the last one counts. */
function readMountTable(text: string): ReadonlyMap<string, MountedPlace> {
  const entries = text.split('\n').flatMap((line) => {
    const [, device, root, path, type] = /^\d+ \d+ (\S+) (\S+) (\S+) .*? - (\S+) /.exec(line) ?? [];
    return device === undefined || root === undefined || path === undefined || type === undefined
      ? []
      : [[unescaped(path), { device, root: unescaped(root), type }] as const];
  });
  return new Map(entries);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/**
 * The first of the planned mounts that is not in its place, by the tables of mounts inside and outside the sandbox: a
 * program that can write to the workspace may put a link in place of a directory at any time, also between the plan and
 * the mount, which then leads elsewhere, or shows something else. `undefined` if all are as planned. Pure.
 */
export function misplacedMount(mounts: readonly Mount[], inside: string, outside: string): string | undefined {
  const [own, machine] = [readMountTable(inside), readMountTable(outside)];
  const isPlaced = ({ type, path, source = path }: Mount): boolean => {
    if (type === 'link') return true;
    const found = own.get(path);
    if (type === 'empty') return found?.type === 'tmpfs' && found.root === '/';
    const planned = placeOf(type === 'unreadable' ? '/dev/null' : source, machine);
    return found !== undefined && found.root === planned.root && ['', found.device].includes(planned.device);
  };
  return mounts.find((mount) => !isPlaced(mount))?.path;
}

/** The path of a file within its file system, and the device of that. */
function placeOf(
  file: string,
  machine: ReadonlyMap<string, MountedPlace>,
  below = '',
): Pick<MountedPlace, 'root' | 'device'> {
  const mount = machine.get(file || '/');
  if (mount !== undefined) return { ...mount, root: `${mount.root}${below}`.replace(/^\/\//, '/') };
  const at = file.lastIndexOf('/');
  return at < 0 ? { root: below, device: '' } : placeOf(file.slice(0, at), machine, `${file.slice(at)}${below}`);
}

/**
 * Creates a function that returns the other paths of a file by the table of mounts of the machine: `/data/home/ann` if
 * `/home` is a mount of `/data/home`. Another mount may cover such a path. Pure.
 */
export function createAliases(table: string): (file: string) => readonly string[] {
  const machine = readMountTable(table);
  return (file) => {
    const { root, device } = placeOf(file, machine);
    return [...machine].flatMap(([path, mount]) => {
      const top = mount.root === '/' ? '' : mount.root;
      if (mount.device !== device || !`${root}/`.startsWith(`${top}/`)) return [];
      const alias = `${path}${root.slice(top.length)}`.replace(/^\/\//, '/');
      return alias === file ? [] : [alias];
    });
  };
}
