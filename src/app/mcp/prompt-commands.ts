import { ToolError, UsageError } from '../../agent/errors.ts';
import type { ComputeDigest } from '../../agent/ports/digest.ts';
import type { McpServer } from '../../tools/mcp/server.ts';
import type { MarkdownCommand } from '../extensions/command-file.ts';
import type { Extensions } from '../extensions/extensions.ts';

/** The extensions with the prompts of servers as commands, which replace no other. `isDryRun`: no server is started. */
export async function withPrompts(
  extensions: Extensions,
  servers: readonly McpServer[],
  digest: ComputeDigest,
  isDryRun: boolean,
): Promise<Extensions> {
  if (servers.every(({ remembered }) => remembered.prompts === undefined)) return extensions;
  const { promptCommands } = await import('../../tools/mcp/prompts.ts');
  const commands = promptCommands(servers, digest)
    .filter(({ name }) => !extensions.commands.some((command) => command.name === name))
    .map(({ name, description, argument, argumentNames, expand }): MarkdownCommand => {
      return {
        ...{ name, description, argument, body: '', path: 'a server' },
        complete: (before) =>
          argumentNames.map((each) => `${each}=`).filter((each) => !before.some((word) => word.startsWith(each))),
        async expand(written, signal) {
          if (isDryRun) throw new UsageError(`/${name} would start a server, which a dry run does not.`);
          try {
            return await expand(written, signal);
          } catch (error) {
            if (error instanceof ToolError) throw new UsageError(error.message);
            throw error;
          }
        },
      };
    });
  return { ...extensions, commands: [...extensions.commands, ...commands] };
}
