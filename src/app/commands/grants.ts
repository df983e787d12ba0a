import { FileSystemError } from '../../agent/errors.ts';
import type { PermissionRule } from '../../agent/ports/approver.ts';
import { describeRule } from '../../policy/describe-rule.ts';
import type { KeptFor } from '../../session/log/unions.ts';
import type { McpServer } from '../../tools/mcp/server.ts';
import type { Agent } from '../agent.ts';

/** Something that the user has allowed at a question or with `/permissions`, and can take back. */
export interface Grant {
  /** The calls that run without a question; not escaped. */
  readonly text: string;
  /** The duration of the grant. */
  readonly until: string;
  /** The rule of the session, the tool of a server, or a tool with the level `automatic`. */
  readonly of:
    | { readonly rule: PermissionRule }
    | { readonly server: McpServer; readonly tool: string }
    | { readonly automatic: string };
}

/** The part of the agent that knows what the user has allowed. */
export type GrantSource = Pick<Agent, 'permissions' | 'workspace' | 'mcpServers' | 'configuration'>;

/** Everything that the user has allowed, in this session and before. */
export function grantsOf({ permissions, workspace, mcpServers }: GrantSource): readonly Grant[] {
  const until = (keptFor: KeptFor | undefined): string => {
    if (keptFor === undefined) return 'until the end of this session';
    return keptFor === 'everywhere' ? 'saved for every directory' : `saved for ${workspace}`;
  };
  return [
    ...permissions.rules.map((rule): Grant => {
      return { text: describeRule(rule), until: until(permissions.keptFor(rule)), of: { rule } };
    }),
    ...mcpServers.flatMap((server) =>
      Object.keys(server.remembered.agreed).map((tool): Grant => {
        const text = `${tool} of the server ${server.settings.name}, with its current description`;
        return { text, until: 'until it changes', of: { server, tool } };
      }),
    ),
    ...Object.entries(permissions.levels).flatMap(([tool, level]): readonly Grant[] =>
      level === 'automatic' ? [{ text: `each call of ${tool}`, until: until(undefined), of: { automatic: tool } }] : [],
    ),
  ];
}

/** The calls that the configuration allows without a question, with the place to change it. */
export function configuredGrants({ configuration: { config, origins } }: GrantSource): readonly string[] {
  const { allowed_commands: commands, sandbox_hosts: hosts } = config.safety;
  const from = (key: string): string => `(safety.${key}, ${origins.get(`safety.${key}`) ?? 'default'})`;
  return [
    ...commands.map((entry) => `${typeof entry === 'string' ? entry : entry.rule} ${from('allowed_commands')}`),
    ...hosts.map((host) => `the network of ${host}, for commands in the sandbox ${from('sandbox_hosts')}`),
  ];
}

/** Takes back grants, also those that are saved. Returns what could not be done, as a part of the sentence about it. */
export async function revokeGrants(
  { permissions }: GrantSource,
  grants: readonly Grant[],
  described: string,
): Promise<string> {
  for (const { of } of grants) {
    if (!('server' in of)) continue;
    const { [of.tool]: _forgotten, ...agreed } = of.server.remembered.agreed;
    await of.server.remember({ agreed });
  }
  permissions.dropLevels(grants.flatMap(({ of }) => ('automatic' in of ? [of.automatic] : [])));
  try {
    const rules = grants.flatMap(({ of }) => ('rule' in of ? [of.rule] : []));
    await permissions.forget(rules, described);
    return '';
  } catch (error) {
    if (error instanceof FileSystemError)
      return ` for this session, but not in the file of later ones (${error.message})`;
    throw error;
  }
}
