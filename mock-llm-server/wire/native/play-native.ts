import type { JsonObject, NativeAnswer, Reply } from '../../conversation/conversation.ts';
import { fillHoles } from '../../scenario/holes.ts';
import { quoterFor } from '../encode.ts';
import { type SplitPieces, splitIntoWords } from '../pieces.ts';
import type { Frame, ReadRequest } from '../wire.ts';
import { kindOf, pieceOf, withText } from './event-piece.ts';

/** The native answer of a reply, if it has the form that the request asks for. */
export function nativeFor({ stream, native: form }: ReadRequest, { native }: Reply): NativeAnswer | undefined {
  if (native === undefined || form === undefined || (native.events !== undefined) !== stream) return undefined;
  const { field } = form;
  const isOfForm = (value: JsonObject) => field === undefined || value[field] !== undefined;
  return (native.events ?? [native.body]).every(isOfForm) ? native : undefined;
}

export function nativeBody(read: ReadRequest, reply: Reply, body: JsonObject): JsonObject {
  return fill(body, read, reply);
}

/** The frames of the events of a native answer. `split` cuts their texts into pieces. */
export function nativeFrames(
  read: ReadRequest,
  reply: Reply,
  events: readonly JsonObject[],
  split = splitIntoWords,
): readonly Frame[] {
  const frames: Frame[] = [];
  const first = events[0]?.['sequence_number'];
  for (const event of events) addFrames(frames, read, fill(event, read, reply), split, first);
  if (read.native?.form === 'data') frames.push({ kind: 'close', bytes: 'data: [DONE]\n\n' });
  if (read.native?.form === 'interaction') frames.push({ kind: 'close', bytes: 'event: done\ndata: [DONE]\n\n' });
  if (read.native?.form === 'array') frames.push({ kind: 'close', bytes: ']\n' });
  return frames;
}

/** Texts that no event contains, for its piece and for its number. */
const PIECE = '\u0001piece\u0001';
const NUMBER = '\u0001number\u0001';

/**
 * Adds the frames of an event: one for each piece of its text. Only the piece and the number of each are encoded. Where
 * events are numbered from `first`, they keep their order when a text has become several of them.
 */
function addFrames(frames: Frame[], read: ReadRequest, event: JsonObject, split: SplitPieces, first: unknown): void {
  const { protocol } = read.conversation;
  const piece = pieceOf(protocol, event);
  const isNumbered = typeof first === 'number' && typeof event['sequence_number'] === 'number';
  const numbered = isNumbered ? { ...event, sequence_number: NUMBER } : event;
  const template = serialize(
    read,
    piece === undefined ? numbered : withText(numbered, piece.path, PIECE),
    frames.length,
  );
  const [[head = '', beforeNumber], [tail = '', afterNumber]] = cutTemplate(template);
  const start = isNumbered ? Number(first) : 0;
  const before = (index: number) => (beforeNumber === undefined ? head : head + (start + index) + beforeNumber);
  const after = (index: number) => (afterNumber === undefined ? tail : tail + (start + index) + afterNumber);
  if (piece === undefined) {
    frames.push({ kind: kindOf(protocol, event), bytes: before(frames.length) + after(frames.length) });
    return;
  }
  const { kind, text } = piece;
  const quote = quoterFor(text);
  const pieces = split(text, kind);
  // An event with an empty text is sent, too.
  for (const part of pieces.length === 0 ? [''] : pieces) {
    frames.push({ kind, bytes: before(frames.length) + quote(part) + after(frames.length) });
  }
}

/** A template cut at its piece, and both parts at the number. */
function cutTemplate(template: string): readonly [readonly string[], readonly string[]] {
  const [before = '', after = ''] = template.split(JSON.stringify(PIECE));
  const quoted = JSON.stringify(NUMBER);
  return [before.split(quoted), after.split(quoted)];
}

/** An event in the form of its stream. */
function serialize({ native }: ReadRequest, event: JsonObject, index: number): string {
  const json = JSON.stringify(event);
  switch (native?.form) {
    case 'events':
      return `event: ${String(event['type'])}\ndata: ${json}\n\n`;
    case 'interaction':
      return `event: ${String(event['event_type'])}\ndata: ${json}\n\n`;
    case 'data_crlf':
      return `data: ${json}\r\n\r\n`;
    case 'array':
      return `${index === 0 ? '[' : ',\r\n'}${json}`;
    case 'lines':
      return `${json}\n`;
    default:
      return `data: ${json}\n\n`;
  }
}

/** A value with the parts of this reply in its holes. */
function fill(value: JsonObject, { native }: ReadRequest, reply: Reply): JsonObject {
  const { reasoning, content, toolCalls, blocks } = reply;
  const textsOf = (type: 'text' | 'reasoning') => blocks?.flatMap((block) => (block.type === type ? [block.text] : []));
  return fillHoles(value, {
    text: textsOf('text') ?? [content ?? ''],
    reasoning: textsOf('reasoning') ?? [reasoning ?? ''],
    arguments: toolCalls.map((call) => call.arguments),
    call_id: toolCalls.map(({ id = '' }) => id),
    response_id: native?.responseId?.(reply),
    echo: native?.echo,
  });
}
