import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const FILE = path.join(import.meta.dirname, '../../schema/events.schema.json');

const event = z.fromJSONSchema(JSON.parse(readFileSync(FILE, 'utf8')));

/** The ways in which a value, as JSON, is not what the published JSON Schema of the events says. */
export function eventProblems(value: unknown): readonly string[] {
  const result = event.safeParse(JSON.parse(JSON.stringify(value)));
  return result.success ? [] : [`${JSON.stringify(value)}: ${z.prettifyError(result.error)}`];
}
