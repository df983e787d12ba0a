import type { Checks } from '../schema/conforms.ts';

/** The problem with a server of `mcp.servers` that its types do not show, and the key that has it. */
export function mcpServerProblem(server: unknown): { readonly path: string[]; readonly message: string } | undefined {
  const { command, url, oauth }: { command?: unknown; url?: unknown; oauth?: unknown } = Object(server);
  const { redirect_uri: redirect = 'http://localhost' }: { redirect_uri?: unknown } = Object(oauth);
  if (!URL.canParse(String(redirect))) return { path: ['oauth', 'redirect_uri'], message: 'has a port above 65535' };
  if ((command === undefined) === (url === undefined))
    return { path: [], message: 'needs either "command", with "args", or "url"' };
  // The values of its variables are known when the server is used.
  const address = String(url)
    .replace(/^\$\{[^}]+\}/, 'http://1')
    .replaceAll(/\$\{[^}]+\}/g, '1');
  if (url === undefined || (/^https?:/i.test(address) && URL.canParse(address))) return undefined;
  return { path: ['url'], message: 'must be a URL of http or https' };
}

/** The checks that the schemas of keys name, for `conforms`. */
export const CONFIG_CHECKS: Checks = {
  mcp_server: { accepts: (server) => mcpServerProblem(server) === undefined },
};

/** The name of a tool, ours or another one. */
export const TOOL_NAME = /^[A-Za-z][\w-]{0,63}$/;
