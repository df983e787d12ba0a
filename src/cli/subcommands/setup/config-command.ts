import { describeConfig, EXTERNAL_TOOLS_KEY } from '../../../app/commands/config-commands.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { configValues, describeValues } from '../../../config/describe/describe-config.ts';
import { escapeLine } from '../../../terminal/output.ts';
import { findUnusableEntries } from '../../../tools/external-tools.ts';
import { report, type SubcommandRequest, type Uses } from '../subcommand.ts';

type ConfigPorts = Uses<{
  wiring: 'readConfig' | 'setConfig';
  machine: 'fileSystem' | 'digest' | 'platform' | 'home' | 'resolvePath';
  user: 'write';
}>;

type ConfigRequest = Pick<SubcommandRequest, 'args' | 'options'>;

/**
 * `ybs config [key]`: prints all values, or those of one key or section, with their origins, and the configured tools
 * whose programs cannot be used. Returns the exit code.
 */
export async function configCommand(request: ConfigRequest, ports: ConfigPorts): Promise<number> {
  const { args, options } = request;
  const { wiring, machine } = ports;
  const loaded = await wiring.readConfig(options);
  const values = configValues(loaded, args[0]);
  const hasTools = values.some(({ name }) => name === EXTERNAL_TOOLS_KEY);
  const settings = {
    entries: loaded.config.tools.external,
    projectEntries: loaded.projectTools,
    trustedPrograms: loaded.trust.programs,
  };
  const workspace = machine.resolvePath(options.cwd ?? '.');
  const unavailable = hasTools ? await findUnusableEntries(settings, { ...machine, workspace }) : [];
  const rows = values.map(({ name, value = null, origin }) => ({
    ...{ name, value, origin },
    ...(name === EXTERNAL_TOOLS_KEY && {
      unavailable: unavailable.map(({ name, path, reason }) => ({ name, path, reason })),
    }),
  }));
  return report(request, ports, { json: () => rows, text: () => describeConfig(values, unavailable) });
}

/** `ybs config set <key> <value…>`: changes one key in a file of the user. Returns the exit code. */
export async function configSetCommand(
  { args: [name = '', ...words], options }: ConfigRequest,
  { wiring, user }: ConfigPorts,
): Promise<number> {
  const change = { name, text: words.join(' ') };
  const { file, isNew, effective, warning } = await wiring.setConfig(options, change);
  const lines = [`${isNew ? 'Created' : 'Changed'} ${file}`];
  if (effective !== undefined) lines.push(describeValues([effective]));
  // A profile is named after its file.
  if (effective !== undefined && effective.origin !== 'default' && !effective.origin.startsWith(file)) {
    lines.push(`The value of ${effective.origin} takes precedence.`);
  }
  if (warning !== undefined) lines.push(`! ${warning}`);
  await user.write(`${lines.map(escapeLine).join('\n')}\n`);
  return EXIT_CODES.done;
}
