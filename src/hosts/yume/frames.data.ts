import * as z from 'zod';
import { anyJson, dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const toolApproval = z.object({
  type: z.literal('tool_approval'),
  id: z.string(),
  approved: z.boolean(),
  /** The arguments of the call instead of those that were asked about. */
  input: z.record(z.string(), anyJson).nullish(),
  /** Text for the model about a denial. */
  message: z.string().nullish(),
});

const frame = z.discriminatedUnion('type', [
  /** `steer`: the message is for the next request of the run in progress, not for the time after it. */
  z.object({ type: z.literal('user'), content: z.string(), steer: z.boolean().nullish() }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('set_permission_mode'), mode: z.string() }),
  toolApproval,
]);

/** A frame of the host. Other fields are ignored. */
export const FRAME = explainedSchema(frame);

export const FRAME_TYPES: readonly string[] = frame.options.map(({ shape }) => shape.type.value);

/** The answer of the host to a question. */
export const TOOL_APPROVAL = dataSchema(toolApproval);
