import * as z from 'zod';
import type { ValueOf } from '../../schema/conforms.ts';
import { anyJson, dataSchema, explainedSchema } from '../../schema/data-schema.ts';

// The build replaces this module by its values.

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const imageBlock = z.object({
  type: z.literal('image'),
  source: z.object({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.string(),
  }),
});

export const USER_FRAME = dataSchema(
  z.object({
    message: z.object({ content: z.union([z.string(), z.array(z.union([textBlock, imageBlock]))]) }),
    /** `now` and `next`: with the next request of the run in progress; `later`, and by default: after the run. */
    priority: z.enum(['now', 'next', 'later']).nullish(),
  }),
);

export const CONTROL_REQUEST = dataSchema(
  z.object({ request_id: z.string(), request: z.looseObject({ subtype: z.string() }) }),
);

/** The answer of the host to a question. */
export const CONTROL_RESPONSE = dataSchema(
  z.object({
    response: z.object({
      request_id: z.string(),
      subtype: z.string(),
      response: z.unknown().optional(),
      error: z.unknown().optional(),
    }),
  }),
);

const hookMatchers = z.array(
  z.object({
    matcher: z.string().optional(),
    hookCallbackIds: z.array(z.string()),
    timeout: z.number().positive().optional(),
    onFailure: z.enum(['continue', 'block']).optional(),
  }),
);

export const INITIALIZE = explainedSchema(
  z.object({
    systemPrompt: z.union([z.string(), z.array(z.string())]).optional(),
    appendSystemPrompt: z.string().optional(),
    jsonSchema: z.record(z.string(), anyJson).optional(),
    hooks: z.record(z.string(), hookMatchers).nullish(),
    sdkMcpServers: z.array(z.string()).optional(),
  }),
);

/** The settings of a session that a host gives before its first prompt. */
export type Initialization = ValueOf<typeof INITIALIZE>;

/** The request `set_permission_mode`. */
export const SET_MODE = dataSchema(z.object({ mode: z.string() }));

export const SET_MODEL = dataSchema(z.object({ model: z.string().min(1) }));

/** A denial that also stops the run. */
export const DENIAL = dataSchema(z.object({ behavior: z.literal('deny'), interrupt: z.literal(true) }));

export const FORM_ANSWER = dataSchema(
  z.object({
    response: z.discriminatedUnion('action', [
      z.object({ action: z.literal('accept'), content: z.record(z.string(), anyJson).exactOptional() }),
      z.object({ action: z.enum(['decline', 'cancel']) }),
    ]),
  }),
);

/** The answer to `can_use_tool`. */
export const PERMISSION_ANSWER = dataSchema(
  z.object({
    response: z.discriminatedUnion('behavior', [
      z.object({
        behavior: z.literal('allow'),
        updatedInput: z.record(z.string(), anyJson).nullish(),
        updatedPermissions: z.array(z.unknown()).nullish(),
      }),
      z.object({ behavior: z.literal('deny'), message: z.string().optional() }),
    ]),
  }),
);
