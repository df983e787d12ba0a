import * as z from 'zod';

/** An address at which this machine alone receives the answer of a login page. */
const OWN_ADDRESS = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::[1-9]\d{0,4})?(?:\/[^\s?#]*)?$/;

const text = () => z.string().min(1);
const seconds = () => z.number().int().min(1).max(3_600);
const texts = z.record(z.string(), z.string());

/** An entry of `mcp.servers`; docs/mcp.md explains its keys. */
export const mcpEntrySchema = (hosts: z.ZodArray<z.ZodString>) =>
  z.strictObject({
    command: text().optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    // Names of variables of the user that the server gets.
    environment: z.array(text()).optional(),
    url: text().optional(),
    headers: texts.optional(),
    oauth: z
      .strictObject({
        client_id: text().optional(),
        client_secret: text().optional(),
        scope: text().optional(),
        redirect_uri: z
          .string()
          .regex(OWN_ADDRESS, 'must be an address of this machine, such as http://localhost:3118/callback')
          .optional(),
        // The issuer that the authorization server names, if it is not the one that the server names.
        issuer: text().optional(),
        // The resource to ask for in place of that of the server; "" is none.
        resource: z.string().optional(),
      })
      .optional(),
    // The rights in the sandbox, besides those of a command.
    network: z.boolean().optional(),
    hosts: hosts.optional(),
    local_sockets: z.boolean().optional(),
    read: z.array(text()).optional(),
    write: z.array(text()).optional(),
    start_seconds: seconds().optional(),
    timeout_seconds: seconds().optional(),
    // The only tools that are offered, by the names that the server gives them.
    tools: z.array(text()).optional(),
    trust_read_only: z.boolean().optional(),
    enabled: z.boolean().optional(),
  });
