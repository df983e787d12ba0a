import * as z from 'zod';
import { namedCheck } from '../../schema/data-schema.ts';
import { mcpServerProblem } from '../checks.ts';
import { hosts, integer, key } from './key-schema.ts';
import { string } from './profile-schema.ts';

/** The name of a server: the names of its tools are `NAME__TOOL`, so it has no `__` and no `_` at its end. */
const SERVER_NAME = /^[A-Za-z](?:_?[A-Za-z0-9-])*$/;

/** An address at which this machine alone receives the answer of a login page. */
const OWN_ADDRESS = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::[1-9]\d{0,4})?(?:\/[^\s?#]*)?$/;

const texts = z.record(z.string(), z.string());

/** A server of the Model Context Protocol. */
const mcpServerSchema = namedCheck(
  z.strictObject({
    command: string().optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    environment: z.array(string()).optional(),
    url: z.string().meta({ format: 'uri' }).optional(),
    headers: texts.optional(),
    oauth: z
      .strictObject({
        client_id: string().optional(),
        client_secret: string().optional(),
        scope: string().optional(),
        redirect_uri: z
          .string()
          .regex(OWN_ADDRESS, 'must be an address of this machine, such as http://localhost:3118/callback')
          .optional(),
        issuer: string().optional(),
        resource: z.string().optional(),
      })
      .optional(),
    network: z.boolean().optional(),
    hosts: hosts().optional(),
    local_sockets: z.boolean().optional(),
    read: z.array(string()).optional(),
    write: z.array(string()).optional(),
    start_seconds: integer(1, 3_600).optional(),
    timeout_seconds: integer(1, 3_600).optional(),
    tools: z.array(string()).optional(),
    trust_read_only: z.boolean().optional(),
    enabled: z.boolean().optional(),
  }),
  'mcp_server',
  (server, context) => {
    const problem = mcpServerProblem(server);
    if (problem !== undefined) context.addIssue({ code: 'custom', ...problem });
  },
);

/** The keys of `mcp`. */
export const mcpKeys = () =>
  z
    .strictObject({
      servers: key(
        z
          .record(
            z
              .string()
              .max(32)
              .regex(SERVER_NAME, 'must be letters a–z, digits, - and _, begin with a letter, and have no "__"'),
            mcpServerSchema,
          )
          .default({}),
        'ignored',
        'Servers of the Model Context Protocol whose tools the model can use, by name; see mcp.md.',
        'servers by name',
      ),
    })
    .prefault({});
