import type { CoverageFile, CoverageFiles, Range } from './coverage-file.ts';

/**
 * Adds the hits of `extra` to `base`. Both describe the same sources, but the columns of one went through a source map,
 * so ranges are matched by their line and their position among the ranges of that line. Ranges that `base` does not
 * contain are not counted.
 */
export function mergeCoverage(base: CoverageFiles, extra: CoverageFiles): CoverageFiles {
  return Object.fromEntries(
    Object.entries(base).map(([file, coverage]) => {
      const other = extra[file];
      return [file, other === undefined ? coverage : mergeFile(coverage, other)];
    }),
  );
}

function mergeFile(base: CoverageFile, extra: CoverageFile): CoverageFile {
  const byLoc = ({ loc }: { readonly loc: Range }): Range => loc;
  const statement = matchIds(base.statementMap, extra.statementMap, (range) => range);
  const fn = matchIds(base.fnMap, extra.fnMap, byLoc);
  const branch = matchIds(base.branchMap, extra.branchMap, byLoc);
  return {
    ...base,
    s: addHits(base.s, (id) => extra.s[statement.get(id) ?? '']),
    f: addHits(base.f, (id) => extra.f[fn.get(id) ?? '']),
    b: Object.fromEntries(
      Object.entries(base.b).map(([id, paths]) => {
        const others = extra.b[branch.get(id) ?? ''] ?? [];
        return [id, paths.map((hits, index) => hits + (others[index] ?? 0))];
      }),
    ),
  };
}

function addHits(base: Readonly<Record<string, number>>, other: (id: string) => number | undefined) {
  return Object.fromEntries(Object.entries(base).map(([id, hits]) => [id, hits + (other(id) ?? 0)]));
}

/** Maps the ids of `base` to the ids of `extra` that describe the same range. */
function matchIds<Item>(
  base: Readonly<Record<string, Item>>,
  extra: Readonly<Record<string, Item>>,
  rangeOf: (item: Item) => Range,
): ReadonlyMap<string, string> {
  const ids = new Map(keyed(extra, rangeOf));
  return new Map(
    keyed(base, rangeOf).flatMap(([key, id]) => {
      const match = ids.get(key);
      return match === undefined ? [] : [[id, match] as const];
    }),
  );
}

/** The ids in order, each with a key of its line and its position on that line. */
function keyed<Item>(
  items: Readonly<Record<string, Item>>,
  rangeOf: (item: Item) => Range,
): readonly (readonly [key: string, id: string])[] {
  const seen = new Map<number | undefined, number>();
  return Object.entries(items).map(([id, item]) => {
    const { line } = rangeOf(item).start;
    const position = seen.get(line) ?? 0;
    seen.set(line, position + 1);
    return [`${line}:${position}`, id];
  });
}
