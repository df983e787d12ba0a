import { dataSchema } from '../../schema/data-schema.ts';
import { frameSchema, toolApproval } from './frame-schemas.ts';

/** A frame of the host. The build replaces this module by its values. */
export const FRAME = dataSchema(frameSchema);

/** The types of the frames. */
export const FRAME_TYPES: readonly string[] = frameSchema.options.map(({ shape }) => shape.type.value);

/** The answer of the host to a question. */
export const TOOL_APPROVAL = dataSchema(toolApproval);
