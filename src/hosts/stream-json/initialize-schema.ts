import * as z from 'zod';
import { JsonValue } from '../../schema/data-schema.ts';

const hookMatchers = z.array(
  z.object({
    matcher: z.string().optional(),
    hookCallbackIds: z.array(z.string()),
    timeout: z.number().positive().optional(),
    onFailure: z.enum(['continue', 'block']).optional(),
  }),
);
/** The request `initialize` of a host. */
export const initializeSchema = z.object({
  systemPrompt: z.union([z.string(), z.array(z.string())]).optional(),
  appendSystemPrompt: z.string().optional(),
  jsonSchema: z.record(z.string(), JsonValue).optional(),
  hooks: z.record(z.string(), hookMatchers).nullish(),
  sdkMcpServers: z.array(z.string()).optional(),
});

/** The settings of a session that a host gives before its first prompt. */
export type Initialization = z.infer<typeof initializeSchema>;
