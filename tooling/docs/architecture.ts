import path from 'node:path';
import { AREAS } from '../../test/support/house/import-rules.ts';
import { importsOf } from '../../test/support/house/imports-of.ts';

/** Source files: text by path relative to the project, with `/`. */
type Files = ReadonlyMap<string, string>;

const mock = 'mock-llm-server';

/** The area of a file: a folder of `src`, or the mock server; `undefined` for the entries of the library. */
function areaOf(file: string): string | undefined {
  const [top, folder, ...rest] = file.split('/');
  if (top === mock) return mock;
  return top === 'src' && rest.length > 0 ? folder : undefined;
}

/** The areas that each area imports. */
function areaImports(files: Files): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [file, source] of files) {
    const area = areaOf(file);
    if (area === undefined) continue;
    const targets = imports.get(area) ?? new Set();
    imports.set(area, targets);
    for (const specifier of importsOf(source)) {
      if (specifier?.startsWith('.') !== true) continue;
      const target = areaOf(path.posix.join(path.posix.dirname(file), specifier));
      if (target !== undefined && target !== area) targets.add(target);
    }
  }
  return imports;
}

/** The floor of an area: one above the highest area that it imports. Throws for a cycle. */
function floors(imports: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  const floorOf = (area: string, above: readonly string[]): number => {
    if (above.includes(area)) throw new Error(`areas import each other: ${[...above, area].join(' > ')}`);
    const below = [...(imports.get(area) ?? [])].map((target) => floorOf(target, [...above, area]));
    const floor = known.get(area) ?? Math.max(0, ...below.map((each) => each + 1));
    known.set(area, floor);
    return floor;
  };
  for (const area of imports.keys()) floorOf(area, []);
  return known;
}

/** True if `from` reaches `to` by an import of another area. */
function reachesOtherwise(from: string, to: string, imports: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reaches = (area: string): boolean => area === to || [...(imports.get(area) ?? [])].some(reaches);
  return [...(imports.get(from) ?? [])].some((target) => target !== to && reaches(target));
}

/**
 * The areas and their imports as a Mermaid flowchart. An arrow leads to an imported area; an import that a longer path
 * of arrows contains has no arrow of its own.
 */
export function areaDrawing(files: Files): string {
  const imports = areaImports(files);
  const floorOf = floors(imports);
  const rank = (area: string) => floorOf.get(area) ?? 0;
  const areas = [...imports.keys()].sort((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1));
  const arrows = areas.flatMap((area) =>
    [...(imports.get(area) ?? [])]
      .filter((target) => !reachesOtherwise(area, target, imports))
      .sort()
      .map((target) => `  ${area} --> ${target}`),
  );
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
}

/** A table of the areas: contents, number of files, and lines to the nearest hundred. */
export function areaTable(files: Files): string {
  const areas = [...Object.entries(AREAS), [mock, { holds: 'the model server that replays scenarios' }] as const];
  const rows = areas.map(([area, { holds }]) => {
    const texts = [...files].flatMap(([file, text]) => (areaOf(file) === area ? [text] : []));
    const folder = area === mock ? mock : `src/${area}`;
    return `| [${area}](../${folder}/README.md) | ${holds} | ${texts.length} | ${hundreds(linesOf(texts))} |`;
  });
  const all = [...files.values()];
  return [
    '| Area | Contents | Files | Lines |',
    '| --- | --- | ---: | ---: |',
    ...rows,
    `| all | | ${all.length} | ${hundreds(linesOf(all))} |`,
  ].join('\n');
}

function linesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

/** A number of lines to the nearest hundred: `12,300`. */
function hundreds(lines: number): string {
  return (Math.round(lines / 100) * 100).toLocaleString('en-US');
}
