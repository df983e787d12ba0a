import type { DataSchema } from '../../../../src/schema/conforms.ts';
import { dataSchema } from '../../../../src/schema/data-schema.ts';
import { ChatRequestSchema, type ChatSettings } from './chat-schema.ts';

// The build replaces this module by its values.

/** The schema of a request body of Chat Completions, without zod. */
export const CHAT_REQUEST: DataSchema<ChatSettings> = dataSchema(ChatRequestSchema);
