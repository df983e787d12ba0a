import * as z from 'zod';
import type { Protocol } from '../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../mock-llm-server/journal/journal.ts';
import { decodeAnswer } from '../../../mock-llm-server/record/decode/decode-answer.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-llm-server/server/app.ts';
import { scenarioSet } from '../../support/stories/builders.ts';
import { bodyText, REQUESTS } from './wire/wire-requests.ts';

/** A JSON object with unknown fields. */
type Json = Readonly<Record<string, unknown>>;

/** An answer of any protocol, plain or streamed, in the same form. */
export interface ReadAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** The calls; the arguments of a plain answer that has them as an object are JSON. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** The fields that state the reason for the end, as the protocol writes them. */
  readonly end: unknown;
  readonly usage: unknown;
  /** The body, or the objects of a stream. */
  readonly objects: readonly Json[];
}

const JsonSchema = z.record(z.string(), z.unknown());

/** The fields of a request that asks for the text of the reasoning. */
export const REASONING_FIELDS: Readonly<Record<Protocol, Json>> = {
  'openai-chat': {},
  'openai-responses': { reasoning: { summary: 'auto' } },
  'anthropic-messages': { thinking: { type: 'adaptive', display: 'summarized' } },
  'bedrock-converse': {},
  gemini: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
  'gemini-interactions': { generation_config: { thinking_summaries: 'auto' } },
  ollama: {},
};

/** The fields, in which Gemini's settings have either name, and those that ask for the text of the reasoning. */
function askingForReasoning(protocol: Protocol, fields: Json): Json {
  if (protocol === 'gemini-interactions') {
    const { generation_config: config } = REASONING_FIELDS[protocol];
    return {
      ...fields,
      generation_config: { ...JsonSchema.parse(config), ...JsonSchema.parse(fields['generation_config'] ?? {}) },
    };
  }
  if (protocol !== 'gemini') return { ...REASONING_FIELDS[protocol], ...fields };
  const name = 'generation_config' in fields ? 'generation_config' : 'generationConfig';
  const settings = JsonSchema.parse(fields[name] ?? {});
  return { ...fields, [name]: { thinkingConfig: { includeThoughts: true }, ...settings } };
}

/**
 * Returns a function that sends the prompt `go`, with further fields, to a server with one scenario for it whose only
 * step has this response, and the journal of that server. The request asks for the text of the reasoning.
 */
export function askedAbout(response: unknown, options: Partial<MockServerOptions> = {}, trigger: unknown = 'go') {
  const journal = createJournal();
  const lines: string[] = [];
  const scenarios = scenarioSet({ scenarios: [{ name: 'only', trigger, steps: [{ response }] }] });
  const app = createMockServer({ scenarios, journal, log: (line) => lines.push(line), ...options });
  const ask = async (protocol: Protocol, stream: boolean, fields: Json = {}, prompt = 'go'): Promise<ReadAnswer> => {
    const [path, body] = REQUESTS[protocol](prompt, stream);
    const headers = { 'anthropic-version': '2023-06-01' };
    const answer = await app.request(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, ...askingForReasoning(protocol, fields) }),
    });
    const text = await bodyText(answer);
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return readAnswer(protocol, stream ? objectsIn(text) : [parse(text)], stream);
  };
  return { ask, journal, lines };
}

function parse(text: string): Json {
  return JsonSchema.parse(JSON.parse(text));
}

/** The objects of a stream of events or lines. */
function objectsIn(text: string): Json[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^data: /, ''));
  return lines.filter((line) => line.startsWith('{')).map(parse);
}

/** The value at a path, such as `choices.0.index`, in the last object that has one there. */
function lastAt(objects: readonly Json[], ...paths: readonly string[]): unknown {
  const at = (object: Json, path: string) =>
    path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), object);
  return objects
    .flatMap((object) => paths.map((path) => at(object, path)))
    .findLast((found) => found !== undefined && found !== null);
}

const ItemsSchema = z.array(z.looseObject({ status: z.string().optional() }));

/** The fields that state the reason for the end, as each protocol writes them. `refusal` is empty without one. */
const ENDS: Readonly<Record<Protocol, (objects: readonly Json[], refusal: string) => unknown>> = {
  'openai-chat': (objects, refusal) => {
    const reason = lastAt(objects, 'choices.0.finish_reason');
    return refusal === '' ? reason : [reason, refusal];
  },
  'openai-responses': (objects, refusal) => {
    const last = objects.slice(-1);
    const at = (path: string) => lastAt(last, path, `response.${path}`);
    const items = ItemsSchema.parse(at('output'));
    const event = last[0]?.['response'] === undefined ? [] : [last[0]['type']];
    const ends = [...event, at('status'), at('incomplete_details.reason'), items.at(-1)?.status];
    return refusal === '' ? ends : [...ends, refusal];
  },
  'anthropic-messages': (objects) => {
    const end = objects.findLast(({ type }) => type === 'message_delta');
    const { stop_reason, stop_sequence, stop_details } = JsonSchema.parse(end?.['delta'] ?? objects[0]);
    return [stop_reason, stop_sequence, stop_details];
  },
  'bedrock-converse': (objects) => lastAt(objects, 'stopReason', 'messageStop.stopReason'),
  gemini: (objects) => lastAt(objects.slice(-1), 'candidates.0.finishReason'),
  'gemini-interactions': (objects) => lastAt(objects.slice(-1), 'status', 'interaction.status'),
  ollama: (objects) => lastAt(objects, 'done_reason'),
};

function usageIn(protocol: Protocol, objects: readonly Json[]): unknown {
  const { prompt_eval_count, eval_count } = objects.at(-1) ?? {};
  if (protocol === 'ollama') return { prompt_eval_count, eval_count };
  const own = ['usage', 'usageMetadata', 'response.usage', 'metadata.usage', 'interaction.usage'];
  return lastAt(objects, ...own);
}

function readAnswer(protocol: Protocol, objects: readonly Json[], stream: boolean): ReadAnswer {
  const text = objects.map((object) => JSON.stringify(object)).join('\n');
  const contentType = stream ? 'application/x-ndjson' : 'application/json';
  const { content = '', reasoning = '', toolCalls, finish } = decodeAnswer(protocol, { contentType, text });
  const refusal = finish === 'refusal' && protocol.startsWith('openai') ? content : '';
  return {
    text: refusal === '' ? content : '',
    reasoning,
    calls: toolCalls.map(({ name, arguments: json }) => ({ name, arguments: json })),
    end: ENDS[protocol](objects, refusal),
    usage: usageIn(protocol, objects),
    objects,
  };
}
