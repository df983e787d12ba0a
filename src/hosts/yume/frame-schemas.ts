import * as z from 'zod';
import { JsonValue } from '../../schema/data-schema.ts';

/** The answer of the host to a question. */
export const toolApproval = z.object({
  type: z.literal('tool_approval'),
  id: z.string(),
  approved: z.boolean(),
  /** The arguments of the call instead of those that were asked about. */
  input: z.record(z.string(), JsonValue).nullish(),
  /** Text for the model about a no. */
  message: z.string().nullish(),
});

/** A frame of the host. Other fields are ignored. */
export const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), content: z.string() }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('set_permission_mode'), mode: z.string() }),
  toolApproval,
]);
