import { type ParseArgsConfig, parseArgs } from 'node:util';

export const MAX_PORT = 65_535;

/** As `parseArgs` of Node, but the error for an unknown option suggests the one that was meant. */
export async function parseOptions<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
) {
  const config = { args: [...args], options, allowPositionals: true, tokens: true } as const;
  const names = Object.keys(options);
  for (const token of parseArgs({ ...config, strict: false }).tokens) {
    if (token.kind !== 'option' || names.includes(token.name)) continue;
    // The library behind it must not delay --help.
    const { suggest } = await import('../scenario/suggest.ts');
    const suggestion = suggest(token.name, names);
    throw new Error(
      `unknown option ${token.rawName}${suggestion === undefined ? '' : `; did you mean --${suggestion}?`}`,
    );
  }
  return parseArgs(config);
}

/** An integer from 0 to `max`. Throws an error that names the option. */
export function parseNumber(option: string, value: string, max: number, min = 0): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new Error(`${option} must be an integer from ${min} to ${max}, not "${value}"`);
  }
  return number;
}

/** The value of an option that takes one of `names`. Throws an error for the user. */
export function oneOf<Name extends string>(option: string, names: readonly Name[], value: string): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
  throw new Error(`${option} must be ${list}, not "${value}"`);
}

type Token = Awaited<ReturnType<typeof parseOptions>>['tokens'][number];

/** The paths of `--scenarios`, which takes every argument that follows it, and those that precede it. */
export function scenarioPaths(tokens: readonly Token[]): {
  readonly paths: readonly string[];
  readonly bare: string[];
} {
  const paths: string[] = [];
  const bare: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option' && token.name === 'scenarios') paths.push(token.value ?? '');
    if (token.kind === 'positional') (paths.length === 0 ? bare : paths).push(token.value);
  }
  return { paths, bare };
}
