import { messageOf, UsageError, unlessFileError } from '../../agent/errors.ts';
import { EXIT_CODES } from '../../app/exit.ts';
import { readForeignServers } from '../../app/mcp/foreign-servers.ts';
import { parseForeignJson } from '../../config/layers/json-text.ts';
import { workspaceOf } from '../../config/layers/sources.ts';
import { escapeForTerminal, escapeLine } from '../../text/escape.ts';
import { askUntil } from '../ask-until.ts';
import type { RunSubcommand } from './subcommand.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `ybs mcp import FILE`: shows the servers of a file of another program as entries of ybs, asks, and adds those to the user's
 * configuration that it does not have yet. Nothing that trusts or allows is taken over.
 */
export const importServersCommand: RunSubcommand = async ({ args, options, ownOptions }, { wiring, machine, user }) => {
  const file = machine.resolvePath(args[0] ?? '');
  const workspace = await workspaceOf(options, machine);
  const read = await unlessFileError(machine.fileSystem.readFile(file, MAX_BYTES));
  if (read === undefined) throw new UsageError(`${escapeLine(file)} cannot be read. Check the path.`);
  const text = new TextDecoder().decode(read.bytes);
  const servers = readForeignServers(await parse(file, text), workspace);
  if (servers === undefined) {
    throw new UsageError(
      `${escapeLine(file)} names no servers. It needs "mcpServers", "servers", "context_servers", "mcp" or [mcp_servers.NAME], as in .mcp.json, mcp.json, settings.json, opencode.json or config.toml.`,
    );
  }
  const { config } = await wiring.readConfig(options);
  const own = config.mcp.servers;
  const added = servers.filter(({ name, entry }) => entry !== undefined && !Object.hasOwn(own, name));
  const lines = servers.flatMap(({ name, entry, notes }) => {
    const state = entry === undefined ? 'cannot be used' : Object.hasOwn(own, name) ? 'is configured already' : '';
    const shown = state === '' ? JSON.stringify(entry) : state;
    return [`${name}: ${shown}`, ...notes.map((note) => `  ${note}`)];
  });
  const show = (shown: string): Promise<unknown> => user.write(`${escapeForTerminal(shown)}\n`);
  await show(lines.join('\n'));
  if (added.length === 0) {
    await show('There is nothing to add.');
    return EXIT_CODES.done;
  }
  if (!ownOptions.has('yes')) {
    if (!user.interactive)
      throw new UsageError('Without a terminal, nothing is written. Add --yes to write these servers.');
    const question = 'Add these servers to your configuration? [y/N]\n';
    if ((await askUntil(user, [question, ''], (typed) => /^y(es)?$/i.test(typed))) !== true) {
      await show('Nothing was written.');
      return EXIT_CODES.aborted;
    }
  }
  const merged = { ...own, ...Object.fromEntries(added.map(({ name, entry }) => [name, entry])) };
  const changed = await wiring.setConfig(options, { name: 'mcp.servers', text: JSON.stringify(merged) });
  await show(`Added to ${changed.file}: ${added.map(({ name }) => name).join(', ')}`);
  return EXIT_CODES.done;
};

async function parse(file: string, text: string): Promise<unknown> {
  if (!file.endsWith('.toml')) return parseForeignJson(file, text);
  try {
    return (await import('smol-toml')).parse(text);
  } catch (error) {
    const { line = 1, column = 1 }: { line?: number; column?: number } = Object(error);
    const reason = messageOf(error).split('\n', 1).join('').replace('Invalid TOML document', 'invalid TOML');
    throw new UsageError(`${escapeLine(file)}:${line}:${column}: ${reason}. Correct it.`);
  }
}
