import * as z from 'zod';
import type { AgentEvent } from '../../src/agent/ports/events.ts';
import type { JsonSchema } from '../../src/schema/conforms.ts';
import { dataSchema } from '../../src/schema/data-schema.ts';
import { EVENTS, type StoredEvent } from '../../src/session/log/events.data.ts';

/**
 * Version of the events. It changes when a field is removed, renamed or gets another meaning; new events and new fields
 * keep it.
 */
const EVENTS_VERSION = 1;

/** The events that no log keeps. */
const LIVE: {
  readonly [Type in Exclude<AgentEvent['type'], StoredEvent['type']>]: z.ZodType<Extract<AgentEvent, { type: Type }>>;
} = {
  text_delta: z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
  reasoning_delta: z.looseObject({ type: z.literal('reasoning_delta'), text: z.string() }),
  tool_call_delta: z.looseObject({
    type: z.literal('tool_call_delta'),
    callId: z.string().exactOptional(),
    name: z.string().exactOptional(),
    text: z.string(),
    written: z
      .looseObject({
        effect: z.enum(['read', 'write', 'execute']).exactOptional(),
        name: z.string().exactOptional(),
        path: z.string().exactOptional(),
        size: z.number(),
        tail: z.string(),
      })
      .exactOptional(),
  }),
  tool_output: z.looseObject({
    type: z.literal('tool_output'),
    callId: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
};

/** The JSON Schema of each event, by type. */
export const EVENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(Object.entries(EVENTS).map(([type, { json }]) => [type, json])),
  ...Object.fromEntries(
    Object.entries<z.ZodType>(LIVE).map(([type, schema]) => [type, dataSchema<unknown>(schema).json]),
  ),
};

/** Content of the JSON Schema of one line of `--output-format json`. */
export function eventsSchemaText(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:ybs:events:${EVENTS_VERSION}`,
    title: `One line of ybs --output-format json, version ${EVENTS_VERSION}`,
    description: 'Readers ignore fields and types of events that they do not know; newer versions of ybs add some.',
    anyOf: Object.keys(EVENT_SCHEMAS).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: EVENT_SCHEMAS,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
