import { EventStreamCodec } from '@smithy/core/event-streams';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

/** The data of an event of a stream as text: an object with one field, the name of the event. */
const NAMED = /^\{"(\w+)":([\s\S]*?)\}?$/;
/** An error within a stream, which is a message of its own kind. */
const EXCEPTION = /^\{"(\w+Exception)":([\s\S]*)\}$/;

/**
 * The messages of Amazon's event stream for the events of a text, each of which is `data: {"NAME": VALUE}`. The JSON of
 * the last one may be cut.
 */
export function packEvents(text: string): Uint8Array {
  return pack(text, (data) => {
    const [, name = '', value = ''] = NAMED.exec(data) ?? [];
    return message('event', name, value);
  });
}

/** The messages for the events of a model in its own form, each of which is the content of one chunk. */
export function packChunks(text: string): Uint8Array {
  return pack(text, (data) =>
    message('event', 'chunk', JSON.stringify({ bytes: Buffer.from(data).toString('base64') })),
  );
}

function pack(text: string, encode: (data: string) => Uint8Array): Uint8Array {
  const messages = text.split('\n\n').flatMap((event) => {
    const data = event.replace(/^(?:event: .*\n)?data: /, '');
    if (data === '' || data === '[DONE]') return [];
    const [, name, value = ''] = EXCEPTION.exec(data) ?? [];
    return [name === undefined ? encode(data) : message('exception', name, value)];
  });
  return Buffer.concat(messages);
}

function message(kind: 'event' | 'exception', name: string, body: string): Uint8Array {
  const texts = { [`:${kind}-type`]: name, ':content-type': 'application/json', ':message-type': kind };
  const headers = Object.fromEntries(
    Object.entries(texts).map(([header, value]) => [header, { type: 'string' as const, value }]),
  );
  return codec.encode({ headers, body: Buffer.from(body) });
}

/** Reports whether a body of this type is an event stream of Amazon. */
export function isEventStream(contentType: string | null | undefined): boolean {
  return contentType?.startsWith('application/vnd.amazon.eventstream') === true;
}

/** The prelude of a message: its length, that of its headers, and a checksum. */
const PRELUDE = 12;

/** Turns the bytes of a stream, cut anywhere, into its events as text, as `packEvents` and `packChunks` take them. */
export class EventUnpacker {
  #rest: Buffer = Buffer.alloc(0);

  /** The events that end within `bytes`. Nothing follows a message that is broken. */
  write(bytes: Buffer): string {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    let text = '';
    for (;;) {
      const length = this.#rest.length < PRELUDE ? Number.POSITIVE_INFINITY : this.#rest.readUInt32BE(0);
      if (length > this.#rest.length) return text;
      text += eventText(this.#rest.subarray(0, length));
      this.#rest = this.#rest.subarray(length < PRELUDE ? this.#rest.length : length);
    }
  }
}

/** The event of a message; empty for one that is broken. */
function eventText(bytes: Buffer): string {
  try {
    const { headers, body } = codec.decode(bytes);
    const name = headers[':event-type']?.value ?? headers[':exception-type']?.value;
    const content = Buffer.from(body).toString();
    return `data: ${name === 'chunk' ? chunkText(content) : `{${JSON.stringify(name)}:${content}}`}\n\n`;
  } catch {
    return '';
  }
}

function chunkText(body: string): string {
  const [, bytes = ''] = /"bytes":"([^"]*)"/.exec(body) ?? [];
  return Buffer.from(bytes, 'base64').toString();
}
