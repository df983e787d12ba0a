import { ToolError } from '../../../agent/errors.ts';
import { mapTexts } from '../../../text/json/map-texts.ts';
import type { McpEntry, McpServerSettings } from '../settings.ts';

/**
 * The entry of a server with the values of `${NAME}` and `${NAME:-default}`. Throws `ToolError` for a variable that is not
 * set, and for a key of a provider in an entry of a project.
 */
export function expandEntry(
  { name, entry, origin }: Pick<McpServerSettings, 'name' | 'entry' | 'origin'>,
  environment: Readonly<Record<string, string | undefined>>,
  keyVariables: readonly string[],
): McpEntry {
  const expand = (text: string): string =>
    text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_written, variable: string, fallback?: string) => {
      if (origin === 'project' && keyVariables.includes(variable))
        throw new ToolError(
          'io_error',
          `The server ${name} of the project must not get ${variable}, a key of a model.`,
        );
      const value = environment[variable];
      if (value !== undefined && (value !== '' || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      throw new ToolError(
        'io_error',
        `The server ${name} needs the environment variable ${variable}, which is not set.`,
      );
    });
  const { command, args, env, url, headers, oauth } = entry;
  return { ...entry, ...mapTexts({ command, args, env, url, headers, oauth }, expand) };
}
