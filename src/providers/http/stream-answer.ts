import { closeQuietly } from '../../agent/async/abort.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { ModelEvent } from '../../agent/ports/language-model.ts';
import { answerWireOf, WIRE_TITLES } from '../../schema/answer-form.ts';
import type { WireOptions } from '../wire-options.ts';
import { FailedRequest } from './failure.ts';
import { type FetchResponse, fetchStream, HttpFailure, type StreamFormat, wellFormedJson } from './fetch-stream.ts';
import { createNewParts } from './new-parts.ts';
import { openRequest } from './open-request.ts';
import { type AnswerValue, excerptOf, garbledStream, readJsonStream } from './read-json-stream.ts';

export interface StreamRequest extends StreamFormat {
  /** The path after the endpoint. */
  readonly path: string;
  readonly body: object;
}

/** Converts the values of one answer to events, in the order of arrival. */
export interface AnswerReader {
  /**
   * The events of one value, none if it adds nothing to the answer. Throws `FailedRequest` for an error that it reports,
   * and rejects with it for a value that is not part of an answer.
   */
  read(value: unknown): readonly ModelEvent[] | Promise<never>;
  /**
   * The events at the end of the stream; none when the answer is not complete. `isMarked`: the server has sent the mark
   * with which it ends its streams.
   */
  end?(isMarked: boolean): readonly ModelEvent[];
  /** True after a value that some servers send in place of the mark of the wire. */
  hasMark?(): boolean;
}

/** Replaces the key in a text of the server, which must happen before the text is shortened. */
export type RedactKey = (text: string) => string;

/**
 * Sends one request and yields the events of its answer, by the contract of `LanguageModel.stream`. Each event restarts
 * the watch for silence. An answer that ends without a `finish` is cut off; nothing is read after it. Error messages never
 * contain the key, even if the server repeats it.
 */
export async function* streamAnswer(
  options: WireOptions,
  { path, body, ...format }: StreamRequest,
  signal: AbortSignal,
  createReader: (redact: RedactKey) => AnswerReader,
): AsyncGenerator<ModelEvent, void, void> {
  const json = wellFormedJson(body);
  const request = openRequest(options, signal);
  try {
    const init = { method: 'POST', body: json, signal: request.signal };
    const response = await fetchStream(request.send, format)(`${options.endpoint}${path}`, init);
    const reader = createReader(request.redact);
    const values = untilQuiet(readJsonStream(response, format, request.redact), reader, options.clock);
    for await (const event of eventsOf(values, reader, response, options.wire)) {
      request.signal.throwIfAborted();
      request.restart();
      yield event;
      if (event.type === 'finish') return;
    }
    request.signal.throwIfAborted();
    throw new FailedRequest({ type: 'cut_off' });
  } catch (error) {
    throw request.errorFor(error);
  } finally {
    request.close();
  }
}

/**
 * The time in which something may follow the reason for the end, such as the counts. Gemini has no mark of the end, and
 * named a reason in each chunk in 2024.
 */
const REST_MS = 2_000;

/**
 * The values of an answer, without a long wait for a server that has named the reason for its end and then neither
 * marks nor ends it.
 */
async function* untilQuiet(
  values: AsyncGenerator<AnswerValue, void, void>,
  reader: AnswerReader,
  clock: Clock,
): AsyncGenerator<AnswerValue, void, void> {
  try {
    for (;;) {
      const next = values.next();
      const item = hasReason(reader) ? await soon(next, clock) : await next;
      if (item.done === true) return;
      yield item.value;
    }
  } finally {
    closeQuietly(values);
  }
}

/** The next value if it comes within the time; otherwise the end. */
async function soon<Value>(
  next: Promise<IteratorResult<Value, void>>,
  clock: Clock,
): Promise<IteratorResult<Value, void>> {
  const timer = new AbortController();
  // After the time, nobody waits for it, and it fails when the request is closed.
  next.catch(() => {});
  const end = clock.sleep(REST_MS, timer.signal).then(() => ({ done: true, value: undefined }) as const);
  return Promise.race([next, end]).finally(() => timer.abort());
}

/** True for an answer whose reason for its end has come. */
function hasReason(reader: AnswerReader): boolean {
  try {
    return (reader.end?.(false) ?? []).length > 0;
  } catch {
    return true;
  }
}

/** The maximum number of values in a row that add nothing to an answer: far more than an answer has, read in a second or two. */
const MAX_EMPTY = 100_000;

async function* eventsOf(
  values: AsyncIterable<AnswerValue>,
  reader: AnswerReader,
  { status, headers }: FetchResponse,
  title: string | undefined,
): AsyncGenerator<ModelEvent, void, void> {
  /** The first value of the stream, which an error shows. */
  let first: Exclude<AnswerValue, { readonly type: 'end' }> | undefined;
  let isAnswer = false;
  /** True after a value with the form of an answer. */
  let isKnown = false;
  let isMarked = false;
  let empty = 0;
  const newPart = createNewParts();
  for await (const item of values) {
    if (item.type === 'end') {
      isMarked = true;
      continue;
    }
    const wire = isAnswer ? undefined : answerWireOf(item.value);
    isKnown ||= wire !== undefined;
    if (wire !== undefined && title !== undefined && WIRE_TITLES[wire] !== title) {
      throw new FailedRequest({ type: 'other_wire', title: WIRE_TITLES[wire], own: title, kind: wire });
    }
    const events = await reader.read(item.value);
    empty = events.length > 0 ? 0 : empty + 1;
    if (empty > MAX_EMPTY) throw garbledStream(`${MAX_EMPTY} values add nothing to it`);
    isAnswer ||= events.length > 0;
    first ??= item;
    yield* events.flatMap(newPart);
  }
  const last = reader.end?.(isMarked || reader.hasMark?.() === true) ?? [];
  // An empty answer in the right form is requested again.
  if (first !== undefined && !isAnswer && !isKnown && last.length === 0) {
    const text = JSON.stringify(first.value);
    if (!first.whole) throw garbledStream(`its stream does not have the form of this API: ${excerptOf(text)}`);
    throw new HttpFailure(status, headers, headers.get('content-type') ?? 'an unknown type', text);
  }
  yield* last.flatMap(newPart);
}
