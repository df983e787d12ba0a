import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const FILE = path.join(import.meta.dirname, '../../schema/events.schema.json');

const ACP_FILE = fileURLToPath(import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.json'));

const event = z.fromJSONSchema(JSON.parse(readFileSync(FILE, 'utf8')));

/** The ways in which a value, as JSON, is not what the published JSON Schema of the events says. */
export function eventProblems(value: unknown): readonly string[] {
  const result = event.safeParse(JSON.parse(JSON.stringify(value)));
  return result.success ? [] : [`${JSON.stringify(value)}: ${z.prettifyError(result.error)}`];
}

/** The schema of the updates of the Agent Client Protocol, from its library, without the keywords that zod does not know. */
const notification = z.fromJSONSchema({
  ...JSON.parse(readFileSync(ACP_FILE, 'utf8'), (key, value: unknown) =>
    key === 'discriminator' || key.startsWith('x-') ? undefined : value,
  ),
  anyOf: undefined,
  $ref: '#/$defs/SessionNotification',
});

/** The ways in which an update is not what the Agent Client Protocol says. */
export function updateProblems(update: unknown): readonly string[] {
  const result = notification.safeParse(JSON.parse(JSON.stringify({ sessionId: 's', update })));
  return result.success ? [] : [`${JSON.stringify(update)}: ${z.prettifyError(result.error)}`];
}
