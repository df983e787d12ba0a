import * as z from 'zod';
import { dataSchema, JsonValue } from '../../schema/data-schema.ts';
import { initializeSchema } from './initialize-schema.ts';

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const imageBlock = z.object({
  type: z.literal('image'),
  source: z.object({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string(),
  }),
});
const userFrame = z.object({
  message: z.object({ content: z.union([z.string(), z.array(z.union([textBlock, imageBlock]))]) }),
});
const controlRequest = z.object({ request_id: z.string(), request: z.looseObject({ subtype: z.string() }) });
const controlResponse = z.object({
  response: z.object({
    request_id: z.string(),
    subtype: z.string(),
    response: z.unknown().optional(),
    error: z.unknown().optional(),
  }),
});
const setMode = z.object({ mode: z.string() });
const setModel = z.object({ model: z.string().min(1) });
const denial = z.object({ behavior: z.literal('deny'), interrupt: z.literal(true) });
const permissionAnswer = z.object({
  response: z.discriminatedUnion('behavior', [
    z.object({
      behavior: z.literal('allow'),
      updatedInput: z.record(z.string(), JsonValue).nullish(),
      updatedPermissions: z.array(z.unknown()).nullish(),
    }),
    z.object({ behavior: z.literal('deny'), message: z.string().optional() }),
  ]),
});

/** A message of the user. The build replaces this module by its values. */
export const USER_FRAME = dataSchema(userFrame);

/** A request of the host. */
export const CONTROL_REQUEST = dataSchema(controlRequest);

/** The answer of the host to a question. */
export const CONTROL_RESPONSE = dataSchema(controlResponse);

/** The request `initialize`. */
export const INITIALIZE = dataSchema(initializeSchema);

/** The request `set_permission_mode`. */
export const SET_MODE = dataSchema(setMode);

/** The request `set_model`. */
export const SET_MODEL = dataSchema(setModel);

/** A denial that also stops the run. */
export const DENIAL = dataSchema(denial);

/** The answer to `can_use_tool`. */
export const PERMISSION_ANSWER = dataSchema(permissionAnswer);
