import * as z from 'zod';
import { dataSchema } from '../../../schema/data-schema.ts';

// The stored facts about a server. The build replaces this module by its values.

const json = z.record(z.string(), z.any());

const tools = z.array(
  z.object({
    name: z.string(),
    description: z.string(),
    parameters: json,
    readOnly: z.literal(true).exactOptional(),
  }),
);

/** The tools of servers in the requests of a session: whole, and by one line each. They hold for the entries with these digests. */
export const OFFERED = dataSchema(
  z.array(z.object({ name: z.string(), entry: z.string(), tools, lines: z.array(z.string()) })),
);

/** The file of one server. It holds for the entry with this digest. */
export const REMEMBERED = dataSchema(
  z.object({
    version: z.literal(1),
    entry: z.string(),
    // The answer to `server/discover`; absent for a server of an older revision.
    discover: z
      .looseObject({ supportedVersions: z.array(z.string()), capabilities: z.looseObject({}) })
      .exactOptional(),
    revision: z.string().exactOptional(),
    tools,
    prompts: z
      .array(
        z.object({
          name: z.string(),
          description: z.string(),
          arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
        }),
      )
      .exactOptional(),
    // The tools that the user has agreed to, by name, as they then were.
    agreed: z.record(z.string(), z.object({ description: z.string(), parameters: json })),
    // The user has agreed to the command line of a server of a project.
    mayStart: z.literal(true).exactOptional(),
  }),
);
