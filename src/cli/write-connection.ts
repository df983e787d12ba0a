import type { Wiring } from '../app/wiring.ts';
import type { CommandLineOptions } from './command-line/options.ts';

/**
 * Writes the values of a connection into the configuration of the user, in this order; `undefined` removes one. Returns
 * the files that it changed.
 */
export async function writeConnection(
  connection: Readonly<Record<string, string | undefined>>,
  options: CommandLineOptions,
  { setConfig }: Pick<Wiring, 'setConfig'>,
): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const [name, value] of Object.entries(connection)) {
    const text = value === undefined ? 'null' : JSON.stringify(value);
    for (let isThere = true; isThere; ) {
      const { file, isChanged, isElsewhere } = await setConfig(options, { name, text });
      if (isChanged) files.add(file);
      // A value takes precedence over that of the other file, but a removed one does not.
      isThere = isElsewhere && value === undefined;
    }
  }
  return [...files];
}
