import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { ScenarioSpecification } from '../../scenario/format.ts';
import { escapeTemplates, freeName, slugOf } from '../../text.ts';
import { objectsIn } from '../decode/decoded-answer.ts';
import type { Converted } from './converted.ts';

type Steps = ScenarioSpecification['steps'];
type Step = Steps[number];
type Trigger = ScenarioSpecification['trigger'];

/** A fixture with the step that it becomes. */
interface ReadFixture {
  readonly index: number;
  readonly match: JsonObject;
  readonly step: Step;
  readonly hasCalls: boolean;
  /** Ids of the calls of its answer. */
  readonly ids: readonly string[];
}

/** Fields of a match that become conditions of a trigger. */
const CONDITIONS = {
  userMessage: 'text',
  model: 'model',
  systemMessage: 'system',
  toolName: 'tool',
  responseFormat: 'response_format',
} as const;
/** Fields that order the steps of one conversation. */
const ORDER = ['turnIndex', 'hasToolResult', 'toolCallId', 'sequenceIndex', 'endpoint'];
const RESPONSE = [
  'content',
  'toolCalls',
  'reasoning',
  'finishReason',
  'usage',
  'error',
  'status',
  'retryAfter',
  'blocks',
];
const FINISH: Readonly<Record<string, string>> = {
  stop: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
};

/** Converts the fixtures of a JSON file of aimock. Pure. */
export function convertAimock(fixtures: readonly unknown[]): Converted {
  const notes: string[] = [];
  const read = fixtures.flatMap((fixture, index) => readFixture(fixture, index, notes) ?? []);
  const scenarios: ScenarioSpecification[] = [];
  const used = new Set<ReadFixture>();
  const names = new Set<string>();
  for (const fixture of read) {
    if (used.has(fixture) || !opens(fixture)) continue;
    const chain = chainFrom(fixture, read, used);
    const trigger = triggerOf(fixture.match);
    const text = typeof trigger === 'string' ? trigger : Object.values(trigger).join(' ');
    const name = freeName(slugOf(text), (each) => names.has(each));
    names.add(name);
    scenarios.push({ name, trigger, steps: chain.map(({ step }) => step) });
  }
  for (const { index, match } of read.filter((fixture) => !used.has(fixture))) {
    const id = match['toolCallId'];
    const isRepetition = Number(match['sequenceIndex'] ?? 0) > 0;
    const reason =
      typeof id === 'string'
        ? `no fixture makes the call "${id}" that it answers`
        : isRepetition
          ? '"sequenceIndex" counts repetitions, but an equal request gets an equal answer here'
          : 'it has no userMessage, and no other condition';
    notes.push(`fixtures[${index}]: ${reason}.`);
  }
  return { scenarios, notes };
}

/** True for the first answer of a conversation. */
function opens({ match }: ReadFixture): boolean {
  const isLater =
    Number(match['turnIndex'] ?? match['sequenceIndex'] ?? 0) > 0 ||
    match['hasToolResult'] === true ||
    match['toolCallId'] !== undefined;
  return !isLater && Object.keys(CONDITIONS).some((name) => match[name] !== undefined);
}

/** The fixtures of a conversation: each answers the calls of the one before, or has the same text and a later turn. */
function chainFrom(first: ReadFixture, all: readonly ReadFixture[], used: Set<ReadFixture>): readonly ReadFixture[] {
  const chain = [first];
  used.add(first);
  for (let last = first; ; ) {
    const next = all.find((each) => !used.has(each) && follows(last, each, chain.length, all));
    if (next === undefined) return chain;
    used.add(next);
    chain.push(next);
    last = next;
  }
}

function follows(last: ReadFixture, next: ReadFixture, turn: number, all: readonly ReadFixture[]): boolean {
  const { match } = next;
  const id = match['toolCallId'];
  if (typeof id === 'string') {
    // A call without an id gets one from aimock; the fixture after it answers it.
    const isMadeUp = !all.some(({ ids }) => ids.includes(id));
    return (
      last.ids.includes(id) || (isMadeUp && last.hasCalls && last.ids.length === 0 && next.index === last.index + 1)
    );
  }
  if (!last.hasCalls || match['userMessage'] !== last.match['userMessage']) return false;
  const position = match['turnIndex'] ?? match['sequenceIndex'];
  return position === turn || (position === undefined && match['hasToolResult'] === true);
}

function triggerOf(match: JsonObject): Trigger {
  const conditions = Object.entries(CONDITIONS).flatMap(([name, field]) => {
    const value = match[name];
    const text = Array.isArray(value) ? value[0] : value;
    return typeof text === 'string' && text.trim() !== '' ? [[field, text] as const] : [];
  });
  const [[field, text] = [], ...others] = conditions;
  return field === 'text' && text !== undefined && others.length === 0 ? text : Object.fromEntries(conditions);
}

function readFixture(fixture: unknown, index: number, notes: string[]): ReadFixture | undefined {
  const note = (text: string) => void notes.push(`fixtures[${index}]: ${text}.`);
  if (!isJsonObject(fixture) || !isJsonObject(fixture['match'])) return void note('it has no "match"');
  const { match, response, ...settings } = fixture;
  if (!isJsonObject(response)) return void note('it has no "response"');
  if (!isJsonObject(match)) return undefined;
  if (match['endpoint'] !== undefined && match['endpoint'] !== 'chat') {
    return void note(`the endpoint "${String(match['endpoint'])}" gives no answer of a language model`);
  }
  const unknown = Object.keys(match).filter((name) => !(name in CONDITIONS) && !ORDER.includes(name));
  for (const name of unknown) note(`the condition "${name}" has no counterpart and is left out`);
  for (const name of Object.keys(response))
    if (!RESPONSE.includes(name)) note(`the field "${name}" of the response is left out`);
  for (const name of Object.keys(settings))
    if (!['latency', 'streamingProfile', '_comment'].includes(name)) note(`the setting "${name}" is left out`);
  const types = objectsIn(response['blocks']).map(({ type }) => type);
  if (types.includes('toolCall') && types.lastIndexOf('text') > types.indexOf('toolCall'))
    note('its text comes before its calls');
  const step = stepOf(response, settings);
  if (step === undefined) return void note('its response has neither content, nor toolCalls, nor an error');
  return { index, match, ...step };
}

function stepOf(
  response: JsonObject,
  settings: JsonObject,
): Pick<ReadFixture, 'step' | 'ids' | 'hasCalls'> | undefined {
  const blocks = objectsIn(response['blocks']);
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const content =
    typeof response['content'] === 'string' ? response['content'] : texts.length > 0 ? texts.join('') : undefined;
  const listed = objectsIn(response['toolCalls']);
  const calls = (listed.length > 0 ? listed : blocks.filter(({ type }) => type === 'toolCall')).map(callOf);
  const timing = timingOf(settings);
  const error = isJsonObject(response['error']) ? response['error'] : undefined;
  if (error !== undefined) {
    const status = Number(response['status'] ?? 500);
    const { message, code, type } = error;
    const retry = response['retryAfter'];
    const fault = {
      status: status >= 400 && status <= 599 ? status : 500,
      ...(typeof message === 'string' && { message }),
      ...(typeof code === 'string' && { code }),
      ...(typeof type === 'string' && { type }),
      ...(typeof retry === 'number' && { retry_after: retry }),
    };
    return { step: { response: { content: '' }, fault }, ids: [], hasCalls: false };
  }
  if (content === undefined && calls.length === 0) return undefined;
  const finish = FINISH[String(response['finishReason'])];
  const reasoning = response['reasoning'];
  return {
    step: {
      response: {
        ...(content !== undefined && { content: escapeTemplates(content) }),
        ...(typeof reasoning === 'string' && { reasoning: escapeTemplates(reasoning) }),
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(isFinish(finish) && { finish }),
      },
      ...(Object.keys(timing).length > 0 && { timing }),
    },
    hasCalls: calls.length > 0,
    ids: calls.flatMap((call) => ('id' in call && call.id !== undefined ? [call.id] : [])),
  };
}

function timingOf({ latency, streamingProfile }: JsonObject): NonNullable<Step['timing']> {
  const { ttft, tps, jitter } = isJsonObject(streamingProfile) ? streamingProfile : {};
  const first = typeof ttft === 'number' ? ttft : latency;
  return {
    ...(typeof first === 'number' && first > 0 && { time_to_first_token_ms: first }),
    ...(typeof tps === 'number' && tps > 0 && { tokens_per_second: tps }),
    ...(typeof jitter === 'number' && jitter <= 1 && { jitter }),
  };
}

function isFinish(name: string | undefined): name is 'stop' | 'tool_calls' | 'length' | 'content_filter' {
  return name !== undefined;
}

function callOf({ id, name, arguments: args }: JsonObject) {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  const known = typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined;
  const tool = { name: escapeTemplates(String(name)), arguments: escapeTemplates(text) };
  return { ...(known !== undefined && { id: known }), function: tool };
}
