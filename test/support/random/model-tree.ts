import path from 'node:path';
import fc from 'fast-check';
import type { Volume } from 'memfs';

/** A small tree of directories, files and links in a plain map: an oracle for real paths. */
export interface ModelTree {
  readonly nodes: ReadonlyMap<string, ModelNode>;
  /** The absolute path of a path relative to `/w`, without resolving links. */
  join(relative: string): string;
  /** Creates the tree in a volume. */
  writeTo(volume: Volume): void;
}

/** A file, a directory or a link with its target. */
export type ModelNode =
  | { readonly type: 'directory' }
  | { readonly type: 'file' }
  | { readonly type: 'link'; readonly target: string };

/** Arbitrary trees in these directories, three names deep, whose links lead to files, directories, links or nothing. */
export function arbitraryTree(roots: readonly string[]): fc.Arbitrary<ModelTree> {
  const name = fc.constantFrom('a', 'b');
  const absolutePath = fc
    .tuple(fc.constantFrom(...roots), fc.array(name, { minLength: 1, maxLength: 3 }))
    .map(([root, names]) => [root, ...names].join('/'));
  // `..` only at the start, because memfs joins the names of a target before it resolves them, unlike a disk.
  const relative = fc
    .tuple(fc.array(fc.constant('..'), { maxLength: 3 }), fc.array(name, { minLength: 1, maxLength: 2 }))
    .map(([parents, names]) => [...parents, ...names].join('/'));
  const node: fc.Arbitrary<ModelNode> = fc.oneof(
    fc.constant<ModelNode>({ type: 'directory' }),
    fc.constant<ModelNode>({ type: 'file' }),
    fc.oneof(absolutePath, relative, fc.constantFrom(...roots)).map((target): ModelNode => ({ type: 'link', target })),
  );
  return fc.array(fc.tuple(absolutePath, node), { maxLength: 12 }).map((entries) => createTree(roots, entries));
}

function createTree(roots: readonly string[], entries: readonly (readonly [string, ModelNode])[]): ModelTree {
  const nodes = new Map<string, ModelNode>(roots.map((root) => [root, { type: 'directory' }]));
  nodes.set('/', { type: 'directory' });
  for (const [nodePath, node] of entries) {
    const parent = path.posix.dirname(nodePath);
    if (!nodes.has(parent) && nodes.get(path.posix.dirname(parent))?.type === 'directory') {
      nodes.set(parent, { type: 'directory' });
    }
    if (nodes.get(parent)?.type === 'directory' && !nodes.has(nodePath)) nodes.set(nodePath, node);
  }
  return {
    nodes,
    join: (relative) => path.posix.resolve('/w', relative),
    writeTo(volume) {
      for (const [nodePath, node] of nodes) {
        if (node.type === 'directory') volume.mkdirSync(nodePath, { recursive: true });
        else if (node.type === 'file') volume.writeFileSync(nodePath, '');
        else volume.symlinkSync(node.target, nodePath);
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
  let current = '/';
  let missing = false;
  // Names that are followed by at least this many names come from a link.
  let linkedFrom = Number.POSITIVE_INFINITY;
  for (let links = 0; pending.length > 0; ) {
    const name = pending.shift() ?? '';
    // Names from a link must exist, because the missing target of a link must not be created.
    const fromLink = pending.length >= linkedFrom;
    if (name === '.') continue;
    if (name === '..') {
      current = path.posix.dirname(current);
      continue;
    }
    const next = path.posix.join(current, name);
    const node = missing ? undefined : tree.nodes.get(next);
    if (!missing && tree.nodes.get(current)?.type !== 'directory') return undefined;
    if (node === undefined && fromLink) return undefined;
    if (node === undefined) missing = true;
    if (node?.type === 'link') {
      if (++links > 40) return undefined;
      const target = node.target.split('/').filter((part) => part !== '');
      linkedFrom = Math.min(linkedFrom, pending.length);
      pending.unshift(...target);
      if (node.target.startsWith('/')) current = '/';
      continue;
    }
    current = next;
  }
  return current;
}
