import type { JsonObject, ReplyToolCall } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { functionsOf } from '../checks/tools.ts';
import { listOf, objectOf, textOf } from '../raw.ts';
import type { Check, Violation } from '../service.ts';

const failed = (reason: string, { name, arguments: text }: ReplyToolCall): Violation => ({
  message: reason,
  code: 'tool_use_failed',
  fields: { failed_generation: JSON.stringify({ name, arguments: tryJson(text) ?? text }) },
});

const VALIDATION = 'Tool call validation failed: tool call validation failed:';

/** Refuses an answer with a call that the request forbids, that it does not offer, or whose arguments do not fit. */
export const refuseUnfitCalls: Check = (request) => {
  const { body, calls } = request;
  // The name of a tool of a server has a form for each agent.
  const call = calls.find(({ name, input }) => input === 'json' && name !== '' && !name.includes('__'));
  if (call === undefined) return undefined;
  const offered = functionsOf(request);
  if (offered.length === 0 || body['tool_choice'] === 'none') {
    return failed('Tool choice is none, but model called a tool', call);
  }
  const tool = offered.find(({ name }) => name === call.name);
  if (tool === undefined) {
    return failed(`${VALIDATION} attempted to call tool '${call.name}' which was not in request.tools`, call);
  }
  const errors = misfitsOf(tryJson(call.arguments), objectOf(tool.schema));
  if (errors.length === 0) return undefined;
  return failed(
    `${VALIDATION} parameters for tool ${call.name} did not match schema: errors: [${errors.join(', ')}]`,
    call,
  );
};

/** The arguments that are missing, and those of another type. */
function misfitsOf(value: unknown, { required, properties }: JsonObject): readonly string[] {
  if (!isJsonObject(value)) return [];
  const missing = listOf(required).filter((name) => !(textOf(name) in value));
  const misfits = Object.entries(objectOf(properties)).flatMap(([name, property]) => {
    const { type } = objectOf(property);
    const found = typeOf(value[name]);
    const fits =
      typeof type !== 'string' || !(name in value) || type === found || (type === 'number' && found === 'integer');
    return fits ? [] : [`\`/${name}\`: expected ${type}, but got ${found === 'integer' ? 'number' : found}`];
  });
  const list = missing.map((name) => `'${textOf(name)}'`).join(', ');
  return missing.length === 0 ? misfits : [`missing properties: ${list}`, ...misfits];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
