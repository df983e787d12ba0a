import type { Wiring } from '../../app/wiring.ts';
import { configValues, describeValues } from '../../config/describe-config.ts';
import { EXIT_CODES } from '../exit.ts';
import { escapeLine, type UserConsole } from '../output.ts';
import type { SubcommandPorts, SubcommandRequest } from './subcommand.ts';

/** Ports of `ybs config`. */
interface ConfigPorts {
  readonly wiring: Pick<Wiring, 'readConfig' | 'setConfig'>;
  readonly user: Pick<UserConsole, 'write'>;
  readonly packageUrl: SubcommandPorts['packageUrl'];
}

type ConfigRequest = Pick<SubcommandRequest, 'args' | 'options'>;

/** `ybs config [key]`: prints all values, or those of one key or section, with their origins. Returns the exit code. */
export async function configCommand({ args, options }: ConfigRequest, { wiring, user }: ConfigPorts): Promise<number> {
  const values = configValues(await wiring.readConfig(options), args[0]);
  const text =
    options.outputFormat === 'json'
      ? JSON.stringify(values.map(({ name, value = null, origin }) => ({ name, value, origin })))
      : describeValues(values).split('\n').map(escapeLine).join('\n');
  await user.write(`${text}\n`);
  return EXIT_CODES.done;
}

/** `ybs config set <key> <value…>`: changes one key in a file of the user. Returns the exit code. */
export async function configSetCommand(
  { args: [name = '', ...words], options }: ConfigRequest,
  { wiring, user, packageUrl }: ConfigPorts,
): Promise<number> {
  const schemaUrl = packageUrl('schema/config.schema.json').href;
  const change = { name, text: words.join(' '), schemaUrl };
  const { file, isNew, effective } = await wiring.setConfig(options, change);
  const lines = [`${isNew ? 'Created' : 'Changed'} ${file}`];
  if (effective !== undefined) lines.push(describeValues([effective]));
  // A profile is named after its file.
  if (effective !== undefined && effective.origin !== 'default' && !effective.origin.startsWith(file)) {
    lines.push(`The value of ${effective.origin} takes precedence.`);
  }
  await user.write(`${lines.map(escapeLine).join('\n')}\n`);
  return EXIT_CODES.done;
}
