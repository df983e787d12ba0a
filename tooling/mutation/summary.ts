import type { Mutant } from './mutants.ts';

/** A mutant after its tests. */
export interface Outcome extends Pick<Mutant, 'name' | 'kind'> {
  readonly file: string;
  /** The test that failed; undefined for a survivor. */
  readonly killedBy: string | undefined;
}

/** The known survivors: reasons by file and name. */
export interface KnownSurvivors {
  readonly equivalent: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly tolerated: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** True if there is such a mutant, which was perhaps not measured. */
  readonly exists: (file: string, name: string) => boolean;
}

const MIN_PERCENT = 95;
/** Seed of the sample. Another seed selects other mutants. */
const SEED = 20261122;
const SAMPLE_PERCENT = 20;

/** True for a fixed fifth of all names. Other mutants of the file do not matter. */
export function isInSample(file: string, name: string): boolean {
  // FNV-1a.
  let hash = 2_166_136_261 ^ SEED;
  for (const character of `${file}: ${name}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return hash % 100 < SAMPLE_PERCENT;
}

/** Describes the score, and everything that makes the measurement fail. */
export function summarize(
  outcomes: readonly Outcome[],
  { equivalent, tolerated, exists }: KnownSurvivors,
): { readonly text: string; readonly problems: readonly string[] } {
  const survivors = outcomes.filter(({ killedBy }) => killedBy === undefined);
  const isEquivalent = ({ file, name }: Outcome) => equivalent[file]?.[name] !== undefined;
  const counted = outcomes.filter((outcome) => !isEquivalent(outcome));
  const killed = counted.filter(({ killedBy }) => killedBy !== undefined);
  const percent = counted.length === 0 ? 0 : (killed.length / counted.length) * 100;
  const known = [equivalent, tolerated].flatMap((list) =>
    Object.entries(list).flatMap(([file, names]) => Object.keys(names).map((name) => ({ file, name }))),
  );
  const isKnown = (outcome: Outcome) => isEquivalent(outcome) || tolerated[outcome.file]?.[outcome.name] !== undefined;
  const isKilled = (file: string, name: string) =>
    outcomes.some((one) => one.file === file && one.name === name && one.killedBy !== undefined);
  const problems = [
    ...(percent < MIN_PERCENT ? [`${percent.toFixed(1)} % are killed, less than ${MIN_PERCENT} %`] : []),
    ...survivors
      .filter((outcome) => outcome.kind === 'row' && !isEquivalent(outcome))
      .map(({ file, name }) => `no test notices a deleted row of ${file}: ${name}`),
    ...survivors
      .filter((outcome) => outcome.kind === 'operator' && !isKnown(outcome))
      .map(({ file, name }) => `survivors.ts gives no reason for ${file}: ${name}`),
    ...known
      .filter(({ file, name }) => !exists(file, name) || isKilled(file, name))
      .map(({ file, name }) => `survivors.ts contains a mutant that does not survive: ${file}: ${name}`),
  ];
  const rows = outcomes.filter(({ kind }) => kind === 'row').length;
  const text =
    `${outcomes.length} mutants, of which ${rows} are deleted rows: ${killed.length} of ${counted.length} are killed ` +
    `(${percent.toFixed(1)} %), ${outcomes.length - counted.length} are equivalent`;
  return { text, problems };
}
