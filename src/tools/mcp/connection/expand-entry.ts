import { ToolError } from '../../../agent/errors.ts';
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
  const expandAll = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(text)]));
  const { command, args = [], env = {}, url, headers = {}, oauth } = entry;
  return {
    ...entry,
    ...(command !== undefined && { command: expand(command), args: args.map(expand), env: expandAll(env) }),
    ...(url !== undefined && { url: expand(url), headers: expandAll(headers) }),
    ...(oauth?.client_secret !== undefined && { oauth: { ...oauth, client_secret: expand(oauth.client_secret) } }),
  };
}
