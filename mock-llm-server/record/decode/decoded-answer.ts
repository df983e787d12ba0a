import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isEndMark, isPlainText, textsInData } from '../../../src/schema/answer-form.ts';
import type { FinishReason, JsonObject, NativeAnswer } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import type { NativeFinish } from '../../conversation/native-finish.ts';
import type { UsageSpecification } from '../../scenario/format/step-format.ts';

/** A tool call of a decoded answer. `arguments` is the text as the provider sent it, JSON unless `input` is `text`. */
export interface DecodedCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: 'json' | 'text';
  readonly arguments: string;
}

/** An error that a provider sent, in place of an answer or in the middle of one. Absent parts were not in it. */
export interface DecodedError {
  readonly message?: string;
  readonly code?: string;
  readonly type?: string;
  /** HTTP status, if the body states one. */
  readonly status?: number;
}

/** A block of a decoded answer. `call` stands for the next of its calls. */
export type DecodedBlock =
  | { readonly type: 'text'; text: string; citations: readonly JsonObject[] }
  | { readonly type: 'reasoning'; text: string; signature: string | undefined; readonly encrypted: string | undefined }
  | { readonly type: 'call' }
  | { readonly type: 'grounding'; readonly metadata: JsonObject }
  | { readonly type: 'raw'; item: JsonObject };

export type Block<Type extends DecodedBlock['type']> = Extract<DecodedBlock, { type: Type }>;

/** An answer of a provider, independent of its protocol. */
export interface DecodedAnswer {
  /** The id by which a later request of the protocol can refer to the answer. */
  readonly id: string | undefined;
  readonly reasoning: string | undefined;
  readonly content: string | undefined;
  readonly toolCalls: readonly DecodedCall[];
  /** Undefined if the answer ended before its finish reason. */
  readonly finish: FinishReason | undefined;
  /** The reason in the words of the protocol, if it says more. */
  readonly nativeFinish?: NativeFinish | undefined;
  readonly usage: UsageSpecification | undefined;
  readonly error: DecodedError | undefined;
  /** The blocks in order, if they say more than the parts above. */
  readonly blocks: readonly DecodedBlock[] | undefined;
  /** The answer as it was received; undefined for one that is not JSON. */
  readonly native: NativeAnswer | undefined;
  /** A piece of the stream was not JSON. */
  readonly isMalformed: boolean;
  /** The parts of the answer that a scenario cannot express, such as `web_search_call`. */
  readonly omitted: readonly string[];
}

/** The objects of a list; none of any other value. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** An object, or an empty one in place of any other value. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A text that is not empty; undefined for any other value. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Token counts as a scenario states them; undefined if the provider sent none. Counts that contradict are left out. */
export function usageOf(counts: {
  readonly input: unknown;
  readonly cached: unknown;
  readonly output: unknown;
  readonly reasoning: unknown;
}): UsageSpecification | undefined {
  const [input, cached, output, reasoning] = [counts.input, counts.cached, counts.output, counts.reasoning].map(
    countIn,
  );
  const usage = {
    ...(input !== undefined && { input_tokens: input }),
    ...(cached !== undefined && cached > 0 && cached <= (input ?? 0) && { cached_tokens: cached }),
    ...(output !== undefined && { output_tokens: output }),
    ...(reasoning !== undefined && reasoning > 0 && reasoning <= (output ?? 0) && { reasoning_tokens: reasoning }),
  };
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The sum of the counts that are present; undefined if none is. */
export function sumOf(...counts: readonly unknown[]): number | undefined {
  const known = counts.map(countIn).filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/**
 * The values of a stream of server-sent events, of JSON lines, or of one JSON text; undefined for one that is not JSON.
 * Plain text in a stream, which is that of an error, is a value like `{"error": "text"}`.
 */
export function* jsonValuesIn(body: string, form: 'events' | 'lines' | 'whole'): Generator<unknown> {
  if (form === 'whole') {
    yield tryJson(body);
    return;
  }
  const frames: readonly Frame[] = form === 'lines' ? body.split('\n').map((data) => ({ data })) : eventsIn(body);
  for (const { data, event } of frames) {
    for (const text of textsInData(data)) {
      const value = tryJson(text);
      if (isEndMark(text) || value === null) continue;
      // Some gateways name the kind of an event beside its data alone.
      const isNamed = isJsonObject(value) && event?.startsWith('response.') === true;
      if (Array.isArray(value)) yield* value;
      else
        yield value === undefined && isPlainText(text) ? { error: text } : isNamed ? { type: event, ...value } : value;
    }
  }
}

/** The data of an event or a line, and the name of the event. */
type Frame = Pick<EventSourceMessage, 'data' | 'event'>;

function eventsIn(body: string): readonly Frame[] {
  const events: Frame[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  parser.feed(body);
  // The last event may lack its end.
  parser.feed('\n\n');
  return events;
}

/**
 * The error of a body or of an event: `{"error": {…}}` of most protocols, `{"error": "text"}` of Ollama, one in a list
 * of Gemini, or one without a holder: `{"type": "error", …}` of Responses, `{"type": "server_error", …}` of llama.cpp
 * over Messages.
 */
export function errorIn(value: unknown): DecodedError | undefined {
  const holder = Array.isArray(value) ? objectIn(value[0]) : objectIn(value);
  const isError = textIn(holder['message']) !== undefined && /error$/.test(textIn(holder['type']) ?? '');
  const { status_code: failed, status_msg: words } = objectIn(holder['base_resp']);
  const ofMiniMax = failed === 0 || failed === undefined ? undefined : { message: words, code: String(failed) };
  const error = holder['error'] ?? (isError ? holder : (ofMiniMax ?? detailIn(holder['detail'])));
  const text = textIn(error);
  if (text !== undefined) return { message: text };
  if (!isJsonObject(error)) return undefined;
  const { message, code, type, status } = error;
  const details = objectIn(error['details']);
  const errorCode = textIn(code) ?? textIn(details['error_code']);
  const errorType = type === 'error' ? undefined : (textIn(type) ?? textIn(status));
  return {
    ...(textIn(message) !== undefined && { message: String(message) }),
    ...(errorCode !== undefined && { code: errorCode }),
    ...(errorType !== undefined && { type: errorType }),
    ...(typeof code === 'number' && { status: code }),
  };
}

/** The words of FastAPI: a text, or a list of errors. */
function detailIn(detail: unknown): unknown {
  return Array.isArray(detail) ? { message: textIn(objectIn(detail[0])['msg']) } : detail;
}
