/** The part of a tree that a glob can name at all, so that the rest need not be walked. */
export interface WalkScope {
  /** The names that the first parts of a path must have. */
  readonly leading: readonly string[];
  /** How many names a path has at most. */
  readonly maxDepth: number;
}

const SPECIAL = /[*?[\]{}()\\]/;
/** What can stand for several names: `**`, braces and groups with a `/` in them, or escapes we do not look into. */
const SPANS_NAMES = /\*\*|[{}()\\]/;

/** Everything. */
export const WHOLE_TREE: WalkScope = { leading: [], maxDepth: Number.POSITIVE_INFINITY };

/** Pure; says too much rather than too little. */
export function scopeOfGlob(glob: string): WalkScope {
  const names = glob.split('/').filter((name) => name !== '');
  const special = names.findIndex((name) => SPECIAL.test(name));
  return {
    leading: special === -1 ? names : names.slice(0, special),
    maxDepth: SPANS_NAMES.test(glob) ? Number.POSITIVE_INFINITY : names.length,
  };
}
