import { type ParseArgsConfig, parseArgs } from 'node:util';
import { meantName } from '../scenario/meant-name.ts';

/**
 * Throws for an option that is none of `options`, the ones of `command`, and says which is meant, or which there are.
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
    const meant = meantName(token.name, names);
    const list = names.map((name) => `--${name}`).join(', ');
    const hint = meant === undefined ? `${command} takes ${list}` : `did you mean --${meant}?`;
    throw new Error(`there is no option ${token.rawName} here; ${hint}`);
  }
}
