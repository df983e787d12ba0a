import { UsageError, unlessFileError } from '../../agent/errors.ts';
import { parseForeignJson } from '../../config/layers/json-text.ts';
import type { ProjectTrust } from '../../config/trust/project-trust.ts';
import { pathFlavour } from '../../policy/paths/path-policy.ts';
import type { McpServerSettings } from '../../tools/mcp/settings.ts';
import type { Machine } from '../settings.ts';
import { readForeignServers } from './foreign-servers.ts';

const MAX_BYTES = 1024 * 1024;

/**
 * The servers of `.mcp.json` of a trusted project. They have only what starts them: no grant, and the first start asks. `warn`
 * gets a line for each that cannot be used.
 */
export async function readProjectServers(
  { workspace, trust }: { readonly workspace: string; readonly trust: ProjectTrust },
  { fileSystem, platform, digest, warn }: Pick<Machine, 'fileSystem' | 'platform' | 'digest' | 'warn'>,
): Promise<readonly McpServerSettings[]> {
  if (trust.verdict.type !== 'trusted') return [];
  const file = pathFlavour(platform).join(workspace, '.mcp.json');
  const read = await unlessFileError(fileSystem.readFile(file, MAX_BYTES));
  if (read === undefined) return [];
  let servers: ReturnType<typeof readForeignServers>;
  try {
    servers = readForeignServers(await parseForeignJson('.mcp.json', new TextDecoder().decode(read.bytes)));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await warn(error.message);
    return [];
  }
  if (servers === undefined) await warn('.mcp.json cannot be used: it must be JSON with the key "mcpServers".');
  for (const { name, notes } of (servers ?? []).filter(({ entry }) => entry === undefined))
    await warn(`The server ${name} of .mcp.json cannot be used: ${notes.join('; ')}.`);
  return (servers ?? []).flatMap(({ name, entry }): readonly McpServerSettings[] => {
    if (entry === undefined) return [];
    const { command, args, env, url, headers, enabled } = entry;
    const started = { command, args, env, url, headers };
    const mark = digest(new TextEncoder().encode(JSON.stringify([workspace, started])));
    return [{ name, entry: { ...started, enabled }, origin: 'project', digest: mark }];
  });
}
