import type { Reply } from '../../conversation/conversation.ts';
import { streamIndexes } from '../encode.ts';
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

/** An event without its number. Its type is `response.` and `name`. */
interface Event {
  readonly kind: Frame['kind'];
  readonly name: string;
  readonly fields: object;
}

/** The frames of a streamed answer, from `response.created` to `response.completed` or `response.incomplete`. */
export function encodeResponsesFrames(
  reply: Reply,
  request: ResponsesRequest,
  split: SplitPieces = splitIntoWords,
): Frame[] {
  const items = outputItems(reply, request);
  const indexes = streamIndexes(items.length, reply);
  const started = { response: encodeStarted(reply, request) };
  const finished = { response: encodeFinished(reply, request, items) };
  const events: Event[] = [
    { kind: 'open', name: 'created', fields: started },
    { kind: 'open', name: 'in_progress', fields: started },
    ...items.flatMap((item, position) => {
      const output_index = indexes[position];
      return [
        control('output_item.added', { output_index, item: emptied(item) }),
        ...eventsOf(item, { item_id: item.id, output_index }, split),
        control('output_item.done', { output_index, item }),
      ];
    }),
    { kind: 'finish', name: isIncomplete(reply) ? 'incomplete' : 'completed', fields: finished },
  ];
  return events.map(({ kind, name, fields }, sequence_number) => {
    const type = `response.${name}`;
    return { kind, bytes: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n` };
  });
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
  const deltas = (kind: PieceKind, name: string, text: string, fields: object) =>
    split(text, kind).map((delta) => ({ kind, name, fields: { ...fields, delta } }));
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
  return { kind: 'control', name, fields };
}
