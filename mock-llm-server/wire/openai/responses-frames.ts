import type { Reply } from '../../conversation/conversation.ts';
import { pieceFrames, streamIndexes } from '../encode.ts';
import { type SplitPieces, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';
import { encodeFinished, encodeStarted, outputItems, type StreamedText } from './responses-output.ts';
import type { ResponsesRequest } from './responses-request.ts';

/** An event without its sequence number: the bytes before and after it. */
interface Event {
  readonly kind: Frame['kind'];
  readonly before: string;
  readonly after: string;
}

/** The frames of a streamed reply, from `response.created` to `response.completed`. */
export function encodeResponsesFrames(reply: Reply, request: ResponsesRequest, split = splitIntoWords): Frame[] {
  const items = outputItems(reply, request);
  const indexes = streamIndexes(items.length, reply);
  const started = encodeFields({ response: encodeStarted(reply, request) });
  const finished = encodeFields({ response: encodeFinished(reply, request, items) });
  const events: Event[] = [
    { kind: 'open', before: encodeType('created'), after: started },
    { kind: 'open', before: encodeType('in_progress'), after: started },
    ...items.flatMap(({ id, whole, start, streamed }, position) => {
      const output_index = indexes[position];
      return [
        control('output_item.added', { output_index, item: start }),
        ...(streamed === undefined ? [] : textEvents(streamed, { item_id: id, output_index }, split)),
        control('output_item.done', { output_index, item: whole }),
      ];
    }),
    { kind: 'finish', before: encodeType('completed'), after: finished },
  ];
  return events.map(({ kind, before, after }, number) => ({ kind, bytes: before + number + after }));
}

function textEvents(
  { kind, text, event, field, fields, part }: StreamedText,
  item: object,
  split: SplitPieces,
): Event[] {
  const position = { ...item, ...part?.position };
  const before = encodeType(`${event}.delta`);
  const pieces = pieceFrames(kind, text, split, (delta) => encodeFields({ ...position, ...fields, delta }));
  return [
    ...(part === undefined ? [] : [control(`${part.event}.added`, { ...position, part: part.encode('') })]),
    ...pieces.map(({ bytes }): Event => ({ kind, before, after: bytes })),
    control(`${event}.done`, { ...position, ...fields, [field]: text }),
    ...(part === undefined ? [] : [control(`${part.event}.done`, { ...position, part: part.encode(text) })]),
  ];
}

function control(name: string, fields: object): Event {
  return { kind: 'control', before: encodeType(name), after: encodeFields(fields) };
}

function encodeType(name: string): string {
  return `event: response.${name}\ndata: {"type":"response.${name}","sequence_number":`;
}

function encodeFields(fields: object): string {
  return `,${JSON.stringify(fields).slice(1)}\n\n`;
}
