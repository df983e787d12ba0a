import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isEndMark, isObject, isPlainText, textsInData, unwrapped } from '../../schema/answer-form.ts';
import { jsonOr } from '../../text/json/json.ts';
import { truncateText } from '../../text/truncate.ts';
import { failedInStream } from './classify-failure.ts';
import { FailedRequest } from './failure.ts';
import { type FetchResponse, HttpFailure, type StreamFormat } from './fetch-stream.ts';
import { isErrorValue } from './server-error.ts';

/** The maximum length of an event, a line or a whole answer, in characters. A longer one would fill the memory. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** Names of events that only keep a connection open. */
const HEARTBEAT_EVENT = /^(?:ping|pong|heartbeat|keep-?alive)$/i;

/** The maximum length of the data of a server within our message, in characters. */
const MAX_SHOWN = 80;

/** A JSON value of an answer, which is `whole` if it is not part of a stream; or the data with which its server ends a stream. */
export type AnswerValue =
  | { readonly type: 'value'; readonly value: object; readonly whole: boolean }
  | { readonly type: 'end' };

/**
 * The JSON values of a response in the order of arrival: of server-sent events, of lines, or of a body that is one
 * value, because some servers answer a request for a stream as a whole. The start of the body tells which it is, because
 * media types are often wrong. Heartbeats are left out, and so is what the server did not finish at the end of the
 * stream. Throws `FailedRequest` for an error of the server, in JSON or as plain text, for data that is not JSON and for
 * data that is too long, and `HttpFailure` for a body that is no answer of any form. Texts of the server pass through
 * `redact`.
 */
export async function* readJsonStream(
  response: FetchResponse,
  { contentType }: StreamFormat,
  redact: (text: string) => string,
): AsyncGenerator<AnswerValue, void, void> {
  const texts = decode(response.body);
  let start = '';
  // Blank lines may come first.
  for (let next = await texts.next(); next.done !== true; next = await texts.next()) {
    start += next.value;
    if (start.trimStart().length >= LONGEST_FIELD || start.length > MAX_START) break;
  }
  const declared = response.headers.get('content-type') ?? contentType;
  const form = formOf(start.trimStart(), declared);
  if (form === undefined) throw new HttpFailure(response.status, response.headers, declared, await rest(start, texts));
  const whole = form === 'whole';
  const countFrames = lineLimit();
  for await (const { event = '', data, complete } of FRAMES[form](startingWith(start, texts))) {
    countFrames(1);
    if (HEARTBEAT_EVENT.test(event)) continue;
    // Some gateways name the kind of an event beside its data alone.
    const kind = event === '' || event === 'message' ? {} : { type: event };
    for (const text of textsInData(data)) {
      if (isEndMark(text)) return yield { type: 'end' };
      const value = jsonOr(undefined, text);
      if (value === undefined) {
        if (!complete && !whole) return;
        // Some servers send an error as plain text.
        if (event === 'error' || isPlainText(text)) throw failedInStream(text, redact);
        throw garbledStream(
          `${whole ? 'it' : 'its stream'} contains ${excerptOf(redact(text))}, which is not valid JSON`,
        );
      }
      for (const item of [value].flat()) {
        if (event === 'error' || (typeof item === 'string' && item !== '')) throw failedInStream(item, redact);
        if (!isObject(item)) continue;
        const named = { ...kind, ...item };
        const read = unwrapped(named);
        if (isErrorValue(read === named ? item : read)) throw failedInStream(item, redact);
        countFrames(0);
        yield { type: 'value', value: read, whole };
      }
    }
  }
}

type Form = 'events' | 'lines' | 'whole';

/** The longest name of a field of server-sent events, with its colon. */
const LONGEST_FIELD = 'retry:'.length;

/** The form of a body by its start; `undefined` for one that is neither JSON nor a stream. */
function formOf(start: string, contentType: string): Form | undefined {
  if (/^(?:data|event|id|retry)?:/.test(start)) return 'events';
  if (/^(?:[[{]|null)/.test(start)) return /ndjson|jsonl|json-?seq/.test(contentType) ? 'lines' : 'whole';
  if (start === '') return 'lines';
  if (start.startsWith('<')) return undefined;
  return contentType.includes('text/event-stream') ? 'events' : undefined;
}

/** A line or an event of a stream. */
interface Frame {
  readonly event?: string | undefined;
  readonly data: string;
  /** False for the last one, if the server did not end it. */
  readonly complete: boolean;
}

const FRAMES: Readonly<Record<Form, (texts: AsyncIterable<string>) => AsyncGenerator<Frame, void, void>>> = {
  events: readEvents,
  lines: readLines,
  whole: readWhole,
};

async function* readEvents(texts: AsyncIterable<string>): AsyncGenerator<Frame, void, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: MAX_LENGTH,
    onEvent: (event) => events.push(event),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw garbledStream('an event of its stream has more than 16 MB');
    },
  });
  let start = '';
  let isStream = false;
  const countLines = lineLimit();
  for await (const text of texts) {
    if (!isStream && start.length < MAX_START) start += text;
    parser.feed(text);
    countLines(events.length > 0 ? 0 : text.split(LINE_END).length - 1);
    for (const event of events.splice(0)) {
      isStream = true;
      yield { ...event, complete: true };
    }
  }
  parser.feed('\n\n');
  for (const event of events) yield { ...event, complete: false };
  const words = start.replace(/^(?:(?:data|event|id|retry)?:.*|(?:data|event|id|retry))$/gm, '').trim();
  // A gateway may send its error as the only text of the stream.
  if (isStream || events.length > 0 || words === '') return;
  if (!isPlainText(words)) throw garbledStream(`it begins with ${excerptOf(words)}, which is neither text nor JSON`);
  yield { event: 'error', data: words, complete: true };
}

const LINE_END = /\r\n?|\n/;

/** The maximum number of lines in a row that end no event, and of events without a value: each costs memory or time. */
const MAX_LINES = 100_000;

/** Counts the lines or events since the last event or value; `0` resets the count. */
function lineLimit(): (count: number) => void {
  let lines = 0;
  return (count) => {
    lines = count === 0 ? 0 : lines + count;
    if (lines > MAX_LINES) throw garbledStream(`${MAX_LINES} lines of it in a row have no value`);
  };
}

/** The maximum length of a text that is kept for an error, in characters. */
const MAX_START = 64 * 1024;

async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<Frame, void, void> {
  /** The pieces of the current line. */
  let pieces: string[] = [];
  const countLines = lineLimit();
  for await (const text of texts) {
    const [first = '', ...others] = text.split('\n');
    pieces.push(first);
    for (const next of others) {
      const data = pieces.join('');
      countLines(data === '' ? 1 : 0);
      // A value of its own for each blank line would take minutes for a body of them.
      if (data !== '') yield { data, complete: true };
      pieces = [next];
    }
  }
  yield { data: pieces.join(''), complete: false };
}

/** The value of a whole body; or its lines, if the first one is a value of its own. */
async function* readWhole(texts: AsyncIterable<string>): AsyncGenerator<Frame, void, void> {
  let body = '';
  for await (const text of texts) {
    body += text;
    if (body.length > MAX_LENGTH) throw garbledStream('it has more than 16 MB');
  }
  const [first = ''] = body.trimStart().split('\n', 1);
  const isLines = jsonOr(undefined, first) !== undefined;
  for (const data of isLines ? body.split('\n') : [body]) yield { data, complete: true };
}

async function* decode(body: FetchResponse['body']): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) yield decoder.decode(bytes, { stream: true });
}

/** Closes `texts` also if its reader leaves after the start. */
async function* startingWith(
  start: string,
  texts: AsyncGenerator<string, void, void>,
): AsyncGenerator<string, void, void> {
  try {
    yield start;
    yield* texts;
  } finally {
    await texts.return();
  }
}

/** The start of a body that is no answer, for the message of its error. */
async function rest(start: string, texts: AsyncIterable<string>): Promise<string> {
  let body = start;
  for await (const text of texts) {
    body += text;
    if (body.length > MAX_START) break;
  }
  return body;
}

/** The error for an answer that cannot be read. `detail` completes its message. */
export function garbledStream(detail: string): FailedRequest {
  return new FailedRequest({ type: 'garbled', detail });
}

/** The start of a text of a server, quoted for a message. */
export function excerptOf(text: string): string {
  return JSON.stringify(truncateText(text, MAX_SHOWN));
}
