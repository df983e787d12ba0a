import path from 'node:path';
import fc from 'fast-check';
import type { Volume } from 'memfs';

/** A small tree of directories, files and links in a plain map: an oracle for real paths. */
export interface ModelTree {
  readonly nodes: ReadonlyMap<string, ModelNode>;
  /** The absolute path of a path relative to `/w`, without resolving links. */
  join(given: string): string;
  writeTo(volume: Volume): void;
}

export type ModelNode =
  | { readonly type: 'directory' }
  | { readonly type: 'file' }
  | { readonly type: 'link'; readonly target: string };

/** Arbitrary trees in these directories, three names deep, whose links lead to files, directories, links or nothing. */
export function arbitraryTree(roots: readonly string[]): fc.Arbitrary<ModelTree> {
  const name = fc.constantFrom('a', 'b');
  const place = fc
    .tuple(fc.constantFrom(...roots), fc.array(name, { minLength: 1, maxLength: 3 }))
    .map(([root, names]) => [root, ...names].join('/'));
  // `..` only at the start, because memfs joins the names of a target before it resolves them, unlike a disk.
  const relative = fc
    .tuple(fc.array(fc.constant('..'), { maxLength: 3 }), fc.array(name, { minLength: 1, maxLength: 2 }))
    .map(([climbs, names]) => [...climbs, ...names].join('/'));
  const node: fc.Arbitrary<ModelNode> = fc.oneof(
    fc.constant<ModelNode>({ type: 'directory' }),
    fc.constant<ModelNode>({ type: 'file' }),
    fc.oneof(place, relative, fc.constantFrom(...roots)).map((target): ModelNode => ({ type: 'link', target })),
  );
  return fc.array(fc.tuple(place, node), { maxLength: 12 }).map((wanted) => createTree(roots, wanted));
}

function createTree(roots: readonly string[], wanted: readonly (readonly [string, ModelNode])[]): ModelTree {
  const nodes = new Map<string, ModelNode>(roots.map((root) => [root, { type: 'directory' }]));
  nodes.set('/', { type: 'directory' });
  for (const [place, node] of wanted) {
    const parent = path.posix.dirname(place);
    if (!nodes.has(parent) && nodes.get(path.posix.dirname(parent))?.type === 'directory') {
      nodes.set(parent, { type: 'directory' });
    }
    if (nodes.get(parent)?.type === 'directory' && !nodes.has(place)) nodes.set(place, node);
  }
  return {
    nodes,
    join: (given) => path.posix.resolve('/w', given),
    writeTo(volume) {
      for (const [place, node] of nodes) {
        if (node.type === 'directory') volume.mkdirSync(place, { recursive: true });
        else if (node.type === 'file') volume.writeFileSync(place, '');
        else volume.symlinkSync(node.target, place);
      }
    },
  };
}

/**
 * The real path of an absolute path by the rules of POSIX; its last parts may be missing. `undefined` when it leads
 * through a file, a cycle or a link without a target.
 */
export function resolveInModel(tree: ModelTree, absolute: string): string | undefined {
  const pending = absolute.split('/').filter((name) => name !== '');
  let here = '/';
  let missing = false;
  // Names that are followed by at least this many names come from a link.
  let linkedFrom = Number.POSITIVE_INFINITY;
  for (let links = 0; pending.length > 0; ) {
    const name = pending.shift() ?? '';
    // Names from a link must exist, because the missing target of a link must not be created.
    const fromLink = pending.length >= linkedFrom;
    if (name === '.') continue;
    if (name === '..') {
      here = path.posix.dirname(here);
      continue;
    }
    const next = path.posix.join(here, name);
    const node = missing ? undefined : tree.nodes.get(next);
    if (!missing && tree.nodes.get(here)?.type !== 'directory') return undefined;
    if (node === undefined && fromLink) return undefined;
    if (node === undefined) missing = true;
    if (node?.type === 'link') {
      if (++links > 40) return undefined;
      const target = node.target.split('/').filter((part) => part !== '');
      linkedFrom = Math.min(linkedFrom, pending.length);
      pending.unshift(...target);
      if (node.target.startsWith('/')) here = '/';
      continue;
    }
    here = next;
  }
  return here;
}
