import type { ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';

/** The longest other name, with room for a number. */
const MAX_LENGTH = 40;

/** The other names of tools whose own name a service refused, by that name. A longer list keeps the names of its start. */
export function otherNames(refused: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const name of refused) {
    const base = `tool_${name.replace(/\W/g, '_')}`.slice(0, MAX_LENGTH);
    const taken = [...names.values()].filter((other) => other.startsWith(base)).length;
    names.set(name, taken === 0 ? base : `${base}_${taken + 1}`);
  }
  return names;
}

/** The request with these names of tools, also in its history. */
export function withOtherNames(request: ModelRequest, names: ReadonlyMap<string, string>): ModelRequest {
  if (names.size === 0) return request;
  const named = <Named extends { readonly name: string }>(each: Named): Named => {
    const name = names.get(each.name);
    return name === undefined ? each : { ...each, name };
  };
  return {
    ...request,
    tools: request.tools.map(named),
    messages: request.messages.map((message) =>
      message.role === 'assistant' ? { ...message, toolCalls: message.toolCalls.map(named) } : message,
    ),
  };
}

/** The event of an answer with the own name of its tool. */
export function withOwnName(event: ModelEvent, names: ReadonlyMap<string, string>): ModelEvent {
  if (event.type !== 'tool_call_delta' || event.name === undefined) return event;
  const [own] = [...names].find(([, other]) => other === event.name) ?? [];
  return own === undefined ? event : { ...event, name: own };
}
