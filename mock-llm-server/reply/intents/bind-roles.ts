import type { Role, Shape, Shapes } from './argument-shape.ts';
import type { OfferedProperty } from './offered-properties.ts';
import { firstSentence, ROLE_WORDS, wordsOf } from './tool-words.ts';

/** An argument that a role goes into, and how well they fit. `within` is the argument that it stands inside of. */
export interface Bound {
  readonly property: OfferedProperty;
  readonly within: OfferedProperty | undefined;
  readonly score: number;
}

/**
 * Gives each role the argument that fits it best, also one inside of another. The result has the order of the roles.
 */
export function bindRoles(properties: readonly OfferedProperty[], roles: readonly Role[]): Map<Role, Bound> {
  const places = properties.flatMap((property): Omit<Bound, 'score'>[] => [
    { property, within: undefined },
    ...(property.inner?.properties ?? []).map((inner) => ({ property: inner, within: property })),
  ]);
  const pairs = roles.flatMap((role) =>
    places.map((place) => ({ role, ...place, score: scoreOf(role, place.property) - (place.within ? 0.25 : 0) })),
  );
  const bound = new Map<Role, Bound>();
  const taken = new Set<OfferedProperty>();
  // The surest pair first.
  for (const { role, ...place } of pairs.filter((pair) => pair.score > 0).sort((a, b) => b.score - a.score)) {
    if (bound.has(role) || taken.has(place.property)) continue;
    bound.set(role, place);
    taken.add(place.property);
  }
  return new Map(roles.flatMap((role) => [...bound].filter(([name]) => name === role)));
}

/** The required arguments that no role goes into; nothing where one of them stands beside a role inside of another. */
export function findOpen(
  properties: readonly OfferedProperty[],
  bound: ReadonlyMap<Role, Bound>,
): readonly OfferedProperty[] | undefined {
  const places = [...bound.values()];
  const taken = new Set(places.map(({ property }) => property));
  const isOpen = (property: OfferedProperty) => property.isRequired && !taken.has(property);
  const outer = new Set(places.flatMap(({ within }) => within ?? []));
  if ([...outer].some(({ inner }) => inner?.properties.some(isOpen))) return undefined;
  return properties.filter((property) => isOpen(property) && !outer.has(property));
}

/** How the arguments are made of the roles that go into them. */
export function shapesFor(bound: ReadonlyMap<Role, Bound>): Shapes {
  const shapes: Record<string, Shape> = {};
  for (const [role, { property, within }] of bound) {
    if (within === undefined) {
      shapes[property.key] = shapeFor(role, property);
      continue;
    }
    const inside = [...bound].filter(([, place]) => place.within === within);
    const object = Object.fromEntries(
      inside.map(([other, place]) => [place.property.key, shapeFor(other, place.property)]),
    );
    shapes[within.key] = within.inner?.isList ? { list: { object } } : { object };
  }
  return shapes;
}

/** How well an argument fits a role, by its name and what is said of it; 0 for not at all. */
export function scoreOf(role: Role, { key, description, takes, isRequired }: OfferedProperty): number {
  if (takes === 'other') return 0;
  const { key: keyWords, said: saidWords } = ROLE_WORDS[role];
  const named = wordsOf(key);
  // The last word says what it is, those before it of what: `fileContents`.
  const last = [...named].at(-1) ?? '';
  const said = Math.min(count(wordsOf(firstSentence(description)), saidWords), 3);
  const score = count(named, keyWords) * 4 + (keyWords.has(last) ? 2 : 0) + said;
  return score === 0 ? 0 : score + (isRequired ? 0.5 : 0);
}

function shapeFor(role: Role, { key, description, takes }: OfferedProperty): Shape {
  if (takes !== 'list_of_texts') return role;
  const isOneProcess = role === 'command' && !/s$/i.test(key) && !/\bcommands\b/i.test(description);
  return isOneProcess ? { argv: 'command' } : { list: role };
}

/** How many of the words are wanted. */
export function count(words: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  let found = 0;
  for (const word of words) if (wanted.has(word)) found++;
  return found;
}
