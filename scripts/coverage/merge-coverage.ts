import type { CoverageFile, CoverageFiles, Range } from './coverage-file.ts';

/**
 * Adds the hits of `extra` to `base`. The places stay those of `base`: both come from the same sources by the same
 * rules, but the columns of one went through a source map, so a place is found again by its line and its position
 * among the places of that line. What `base` does not know is not counted, neither as hit nor as place.
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
  const statement = partners(base.statementMap, extra.statementMap, (range) => range);
  const fn = partners(base.fnMap, extra.fnMap, byLoc);
  const branch = partners(base.branchMap, extra.branchMap, byLoc);
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

/** Which id of `extra` is the same place as each id of `base`. */
function partners<Place>(
  base: Readonly<Record<string, Place>>,
  extra: Readonly<Record<string, Place>>,
  rangeOf: (place: Place) => Range,
): ReadonlyMap<string, string> {
  const ids = new Map(keyed(extra, rangeOf));
  return new Map(
    keyed(base, rangeOf).flatMap(([key, id]) => {
      const partner = ids.get(key);
      return partner === undefined ? [] : [[id, partner] as const];
    }),
  );
}

/** Ids in their order, each with a key of line and position on that line. */
function keyed<Place>(
  places: Readonly<Record<string, Place>>,
  rangeOf: (place: Place) => Range,
): readonly (readonly [key: string, id: string])[] {
  const seen = new Map<number | undefined, number>();
  return Object.entries(places).map(([id, place]) => {
    const { line } = rangeOf(place).start;
    const position = seen.get(line) ?? 0;
    seen.set(line, position + 1);
    return [`${line}:${position}`, id];
  });
}
