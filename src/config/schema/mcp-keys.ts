import * as z from 'zod';
import { namedCheck } from '../../schema/data-schema.ts';
import { mcpEntrySchema } from '../../schema/mcp-entry.ts';
import { mcpServerProblem } from '../checks.ts';
import { hosts, key } from './key-schema.ts';

/** The name of a server: the names of its tools are `NAME__TOOL`, so it has no `__` and no `_` at its end. */
const SERVER_NAME = /^[A-Za-z](?:_?[A-Za-z0-9-])*$/;

/** A server of the Model Context Protocol. */
const mcpServerSchema = namedCheck(mcpEntrySchema(hosts()), 'mcp_server', (server, context) => {
  const problem = mcpServerProblem(server);
  if (problem !== undefined) context.addIssue({ code: 'custom', ...problem });
});

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
