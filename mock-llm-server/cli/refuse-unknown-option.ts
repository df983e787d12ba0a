import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Throws an error that lists the options of `command` if an argument is an option that is not among `options`.
 */
export function refuseUnknownOption(
  args: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
  command: string,
): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const names = Object.keys(options);
  for (const token of tokens) {
    if (token.kind !== 'option' || names.includes(token.name)) continue;
    const list = names.map((name) => `--${name}`).join(', ');
    throw new Error(`unknown option ${token.rawName}; ${command} takes ${list}`);
  }
}
