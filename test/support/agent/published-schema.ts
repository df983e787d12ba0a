import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';

const FILE = path.join(import.meta.dirname, '../../../schema/events.schema.json');

const ACP_FILE = fileURLToPath(import.meta.resolve('@agentclientprotocol/sdk/schema/v1/schema.json'));

const readEvent = once(() => z.fromJSONSchema(JSON.parse(readFileSync(FILE, 'utf8'))));

/** The value that `create` returns, created when it is first needed: a schema takes long to read. */
function once<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}

/** The ways in which a value, as JSON, violates the published JSON Schema of the events. */
export function eventProblems(value: unknown): readonly string[] {
  const result = readEvent().safeParse(JSON.parse(JSON.stringify(value)));
  return result.success ? [] : [`${JSON.stringify(value)}: ${z.prettifyError(result.error)}`];
}

/** Reads every line of a JSON output as an event; throws at the first line that is not one. */
export function parseEvents(output: string): readonly AgentEvent[] {
  if (!output.endsWith('\n')) throw new Error(`the last line is incomplete: ${JSON.stringify(output.slice(-80))}`);
  return output
    .slice(0, -1)
    .split('\n')
    .map((line): AgentEvent => {
      const event: AgentEvent = JSON.parse(line);
      const [problem] = eventProblems(event);
      if (problem !== undefined) throw new Error(problem);
      return event;
    });
}

/**
 * The schema of the updates of the Agent Client Protocol, from its library, without the keywords that zod does not
 * support.
 */
const readNotification = once(() =>
  z.fromJSONSchema({
    ...JSON.parse(readFileSync(ACP_FILE, 'utf8'), (key, value: unknown) =>
      key === 'discriminator' || key.startsWith('x-') ? undefined : value,
    ),
    anyOf: undefined,
    $ref: '#/$defs/SessionNotification',
  }),
);

/** The cached problems of earlier updates, because many stories have the same ones. */
const known = new Map<string, readonly string[]>();

/** The ways in which an update violates the Agent Client Protocol. */
export function updateProblems(update: unknown): readonly string[] {
  const text = JSON.stringify({ sessionId: 's', update });
  const problems = known.get(text) ?? problemsOf(text);
  known.set(text, problems);
  return problems;
}

function problemsOf(text: string): readonly string[] {
  const result = readNotification().safeParse(JSON.parse(text));
  return result.success ? [] : [`${text}: ${z.prettifyError(result.error)}`];
}
