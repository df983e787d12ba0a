import type { ModelEvent } from '../../agent/ports/language-model.ts';
import { answerWireOf, WIRE_TITLES } from '../../schema/answer-form.ts';
import type { WireOptions } from '../wire-options.ts';
import { FailedRequest } from './failure.ts';
import { type FetchResponse, fetchStream, HttpFailure, type StreamFormat, wellFormedJson } from './fetch-stream.ts';
import { openRequest } from './open-request.ts';
import { type AnswerValue, readJsonStream } from './read-json-stream.ts';

/** A streaming request of a wire. */
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
    const values = readJsonStream(response, format, request.redact);
    for await (const event of eventsOf(values, createReader(request.redact), response, options.wire)) {
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

/** The maximum number of values in a row that add nothing to an answer: far more than an answer has, read in a second or two. */
const MAX_EMPTY = 100_000;

async function* eventsOf(
  values: AsyncIterable<AnswerValue>,
  reader: AnswerReader,
  { status, headers }: FetchResponse,
  title: string | undefined,
): AsyncGenerator<ModelEvent, void, void> {
  let unread: unknown;
  let isAnswer = false;
  let isMarked = false;
  let empty = 0;
  for await (const item of values) {
    if (item.type === 'end') {
      isMarked = true;
      continue;
    }
    const wire = isAnswer ? undefined : answerWireOf(item.value);
    if (wire !== undefined && title !== undefined && WIRE_TITLES[wire] !== title) {
      throw new FailedRequest({ type: 'other_wire', title: WIRE_TITLES[wire], own: title, kind: wire });
    }
    const events = await reader.read(item.value);
    empty = events.length > 0 ? 0 : empty + 1;
    if (empty > MAX_EMPTY)
      throw new FailedRequest({ type: 'garbled', detail: `${MAX_EMPTY} values add nothing to it` });
    isAnswer ||= events.length > 0;
    if (item.whole) unread ??= item.value;
    yield* events;
  }
  const last = reader.end?.(isMarked) ?? [];
  if (unread !== undefined && !isAnswer && last.length === 0) {
    const contentType = headers.get('content-type') ?? 'an unknown type';
    throw new HttpFailure(status, headers, contentType, JSON.stringify(unread));
  }
  yield* last;
}
