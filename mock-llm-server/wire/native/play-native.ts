import type { JsonObject, NativeAnswer, Protocol, Reply } from '../../conversation/conversation.ts';
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

/** The body of a native answer. */
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
  const { protocol } = read.conversation;
  const kinded = renumber(events.flatMap((event) => cut(protocol, fill(event, read, reply), split)));
  const frames = kinded.map(({ kind, event, json }, index) => ({ kind, bytes: serialize(read, event, json, index) }));
  if (read.native?.form === 'data') return [...frames, { kind: 'close', bytes: 'data: [DONE]\n\n' }];
  return read.native?.form === 'array' ? [...frames, { kind: 'close', bytes: ']\n' }] : frames;
}

interface KindedEvent {
  readonly kind: Frame['kind'];
  readonly event: JsonObject;
  readonly json: string;
}

/** The events of one event: one for each piece of its text. */
function cut(protocol: Protocol, event: JsonObject, split: SplitPieces): KindedEvent[] {
  const piece = pieceOf(protocol, event);
  if (piece === undefined) return [{ kind: kindOf(protocol, event), event, json: JSON.stringify(event) }];
  const { kind, text, path } = piece;
  const [first, ...rest] = split(text, kind);
  if (first === undefined || rest.length === 0) return [{ kind, event, json: JSON.stringify(event) }];
  const [before = '', after = ''] = JSON.stringify(withText(event, path, MARK)).split(JSON.stringify(MARK));
  const quote = quoterFor(text);
  return [first, ...rest].map((part) => ({ kind, event, json: before + quote(part) + after }));
}

/** A text that no event contains. */
const MARK = '\u0001piece\u0001';

/** Events that are numbered keep their order when a text has become several of them. */
function renumber(events: readonly KindedEvent[]): readonly KindedEvent[] {
  const first = events[0]?.event['sequence_number'];
  if (typeof first !== 'number') return events;
  return events.map(({ kind, event, json }, index) => {
    const number = event['sequence_number'];
    if (typeof number !== 'number' || number === first + index) return { kind, event, json };
    return { kind, event, json: json.replace(`"sequence_number":${number}`, `"sequence_number":${first + index}`) };
  });
}

function serialize({ native }: ReadRequest, { type }: JsonObject, json: string, index: number): string {
  switch (native?.form) {
    case 'events':
      return `event: ${String(type)}\ndata: ${json}\n\n`;
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
