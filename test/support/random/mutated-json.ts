import fc from 'fast-check';

/** JSON texts with one to three changes of their parts, such as a removed, replaced or added field of one of the names. */
export function mutatedJson(texts: readonly string[], fields: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(mutation(fields), { minLength: 1, maxLength: 3 }))
    .map(([text, mutations]) => mutate(text, mutations));
}

/** A change of one part of a text: `place` counts its parts. */
interface Mutation {
  readonly place: number;
  readonly change: (part: unknown, other: (place: number) => unknown) => unknown;
}

const GONE = Symbol('gone');
const VALUES = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e10,
  '',
  ' ',
  'x',
  '(',
  '/a',
  '{{',
  '{{last_user}}',
  [],
  {},
  [1],
  { a: 1 },
];
const mutation = (fields: readonly string[]): fc.Arbitrary<Mutation> =>
  fc.record({
    place: fc.nat(),
    change: fc.oneof(
      fc.constant(() => GONE),
      fc.constantFrom(...VALUES).map((value) => () => value),
      fc.nat().map((place) => (_part: unknown, other: (place: number) => unknown) => other(place)),
      fc
        .tuple(
          fc.constantFrom(...fields),
          fc.oneof(
            fc.constantFrom(...VALUES),
            fc.nat().map((place) => ({ place })),
          ),
        )
        .map(([name, value]) => (part: unknown, other: (place: number) => unknown) => {
          if (typeof part !== 'object' || part === null || Array.isArray(part)) return value;
          const isPlace = typeof value === 'object' && value !== null && 'place' in value;
          return { ...part, [name]: isPlace ? other(Number(value.place)) : value };
        }),
    ),
  });

/** Every object, list and value in a value. */
function partsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return [value, ...Object.values(value).flatMap(partsIn)];
}

function mutate(text: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((changed, { place, change }) => {
    const whole: unknown = JSON.parse(changed);
    const parts = partsIn(whole);
    const target = place % parts.length;
    let index = -1;
    const copy = (part: unknown): unknown => {
      index += 1;
      if (index === target) {
        index += partsIn(part).length - 1;
        return change(part, (other) => parts[other % parts.length]);
      }
      if (Array.isArray(part)) return part.map(copy).filter((item) => item !== GONE);
      if (typeof part !== 'object' || part === null) return part;
      const fields = Object.entries(part).map(([name, item]) => [name, copy(item)] as const);
      return Object.fromEntries(fields.filter(([, item]) => item !== GONE));
    };
    const mutated = copy(whole);
    return mutated === GONE ? '{}' : JSON.stringify(mutated);
  }, text);
}
