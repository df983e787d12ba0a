import type { Reply } from '../../conversation/conversation.ts';
import { pieceFrames, streamIndexes } from '../encode.ts';
import { type PieceKind, type SplitPieces, splitIntoWords } from '../pieces.ts';
import type { Frame } from '../wire.ts';
import {
  encodeFinished,
  encodeStarted,
  isIncomplete,
  type OutputItem,
  outputItems,
  summaryPart,
  textPart,
} from './responses-output.ts';
import type { ResponsesRequest } from './responses-request.ts';

/** An event: the bytes before its sequence number and those after it. */
interface Event {
  readonly kind: Frame['kind'];
  readonly before: string;
  readonly after: string;
}

/** The frames of a streamed answer, from `response.created` to `response.completed` or `response.incomplete`. */
export function encodeResponsesFrames(
  reply: Reply,
  request: ResponsesRequest,
  split: SplitPieces = splitIntoWords,
): Frame[] {
  const items = outputItems(reply, request);
  const indexes = streamIndexes(items.length, reply);
  const started = encodeFields({ response: encodeStarted(reply, request) });
  const finished = encodeFields({ response: encodeFinished(reply, request, items) });
  const events: Event[] = [
    { kind: 'open', before: encodeType('created'), after: started },
    { kind: 'open', before: encodeType('in_progress'), after: started },
    ...items.flatMap((item, position) => {
      const output_index = indexes[position];
      return [
        control('output_item.added', { output_index, item: emptied(item) }),
        ...eventsOf(item, { item_id: item.id, output_index }, split),
        control('output_item.done', { output_index, item }),
      ];
    }),
    { kind: 'finish', before: encodeType(isIncomplete(reply) ? 'incomplete' : 'completed'), after: finished },
  ];
  return events.map(({ kind, before, after }, number) => ({ kind, bytes: before + number + after }));
}

/** What an item is before anything of it is said. */
function emptied(item: OutputItem): OutputItem {
  switch (item.type) {
    case 'reasoning':
      return { ...item, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    case 'shell_call':
    case 'local_shell_call':
    case 'apply_patch_call':
      return { ...item, status: 'in_progress' };
    default:
      return item satisfies never;
  }
}

/** What happens between an item's start and its end. */
function eventsOf(item: OutputItem, place: object, split: SplitPieces): Event[] {
  const deltas = (kind: PieceKind, name: string, text: string, fields: object) => {
    const before = encodeType(name);
    const pieces = pieceFrames(kind, split(text, kind), (delta) => encodeFields({ ...fields, delta }));
    return pieces.map(({ bytes }): Event => ({ kind, before, after: bytes }));
  };
  switch (item.type) {
    case 'reasoning':
      return item.summary.flatMap(({ text }, summary_index) => {
        const part = { ...place, summary_index };
        return [
          control('reasoning_summary_part.added', { ...part, part: summaryPart('') }),
          ...deltas('reasoning', 'reasoning_summary_text.delta', text, part),
          control('reasoning_summary_text.done', { ...part, text }),
          control('reasoning_summary_part.done', { ...part, part: summaryPart(text) }),
        ];
      });
    case 'message':
      return item.content.flatMap(({ text }, content_index) => {
        const part = { ...place, content_index };
        return [
          control('content_part.added', { ...part, part: textPart('') }),
          ...deltas('text', 'output_text.delta', text, { ...part, logprobs: [] }),
          control('output_text.done', { ...part, logprobs: [], text }),
          control('content_part.done', { ...part, part: textPart(text) }),
        ];
      });
    case 'function_call':
      return [
        ...deltas('arguments', 'function_call_arguments.delta', item.arguments, place),
        control('function_call_arguments.done', { ...place, arguments: item.arguments }),
      ];
    case 'custom_tool_call':
      return [
        ...deltas('arguments', 'custom_tool_call_input.delta', item.input, place),
        control('custom_tool_call_input.done', { ...place, input: item.input }),
      ];
    case 'shell_call':
    case 'local_shell_call':
    case 'apply_patch_call':
      return [];
    default:
      return item satisfies never;
  }
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
