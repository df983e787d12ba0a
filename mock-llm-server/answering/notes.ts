import type { Conversation, Reply, ReplyToolCall } from '../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../conversation/json.ts';
import { findServedTool } from '../conversation/served-name.ts';
import type { FailedExpectation } from '../journal/entry.ts';
import type { Match } from '../matching/match.ts';
import { bypassNote } from '../reply/intents/resolve-intent.ts';

/** The note on a request that gets the first step again, although it has an answer already. */
export function repeatNotes({ run, scenario, stepIndex }: Match): readonly string[] {
  const isAgain = stepIndex === 0 && scenario.steps.length > 1 && run.some(({ type }) => type === 'assistant');
  if (!isAgain) return [];
  return ['the same step again: nothing after the last answer is a result; "results": "text" takes any text as one'];
}

/** The notes on intents of a step that go past a tool of the client. */
export function bypassNotes(
  { step }: Match,
  calls: readonly ReplyToolCall[],
  { tools }: Conversation,
): readonly string[] {
  return step.toolCalls.flatMap((call, index) => {
    const called = calls[index]?.name;
    if (call.type !== 'intent' || called === undefined) return [];
    return bypassNote(call.intent, called, tools) ?? [];
  });
}

/** Names of tools that a note lists. */
const MAX_NAMES = 5;

/** The expectation that the client offers the tools of an answer, if it is not met. Tools of intents are offered. */
export function unofferedTools({ toolCalls, source }: Reply, { tools }: Conversation): readonly FailedExpectation[] {
  if (source === undefined) return [];
  const isOffered = ({ name }: ReplyToolCall) =>
    name === '' || tools.some((tool) => tool.name === name) || findServedTool(name, tools) !== undefined;
  const names = new Set(toolCalls.flatMap((call) => (isOffered(call) ? [] : call.name)));
  if (names.size === 0) return [];
  const offered = tools.slice(0, MAX_NAMES).map(({ name }) => name);
  const found = `${offered.join(', ')}${tools.length > MAX_NAMES ? ', …' : ''}`;
  return [{ field: 'tools', wanted: [...names].join(', '), found, implied: true }];
}

/** The notes on arguments that the schema of an offered tool forbids, and on required ones that are missing. */
export function argumentNotes({ toolCalls, source }: Reply, { tools }: Conversation): readonly string[] {
  if (source === undefined) return [];
  return toolCalls.flatMap(({ name, arguments: text }) => {
    const { properties, required, additionalProperties } = tools.find((each) => each.name === name)?.parameters ?? {};
    const args = tryJson(text);
    if (!isJsonObject(args) || !isJsonObject(properties)) return [];
    const isForbidden = (key: string) => additionalProperties === false && !Object.hasOwn(properties, key);
    const wrong = Object.keys(args).filter(isForbidden);
    const missing = (Array.isArray(required) ? required : []).filter((key) => !Object.hasOwn(args, String(key)));
    return [
      ...(wrong.length === 0 ? [] : [`the schema of ${name} forbids the arguments ${wrong.join(', ')}`]),
      ...(missing.length === 0 ? [] : [`the schema of ${name} requires the arguments ${missing.join(', ')}`]),
    ];
  });
}
