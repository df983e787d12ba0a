import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import type { AnswerBuilder, AnswerReader } from './answer-builder.ts';
import { type DecodedCall, errorIn, objectIn, objectsIn, textIn, usageOf } from './decoded-answer.ts';

/** Creates the reader of the events of a stream of the Responses API, or of a whole response. */
export function createResponsesReader(): AnswerReader {
  const items: KeptItem[] = [];
  /** The item of this kind that an event is about: by its ids, or else its index. A new one if there is none. */
  const itemOf = (kind: string, place: ItemPlace): KeptItem => {
    const { id, callId, index } = place;
    const possible = items.filter(
      (item) => item.kind === kind && (callId === undefined || item.callId === undefined || item.callId === callId),
    );
    const known =
      possible.findLast((item) => id !== undefined && item.id === id) ??
      possible.findLast((item) => index === undefined || item.index === index);
    if (known !== undefined) return known;
    const added = { ...place, kind, fields: {} };
    items.push(added);
    return added;
  };
  const readResponse = (response: JsonObject, answer: AnswerBuilder): void => {
    answer.id ??= textIn(response['id']);
    answer.error ??= errorIn(response);
    const output = objectsIn(response['output']);
    // Ollama leaves out a message before a call, so that what has streamed stays.
    for (const [index, item] of output.entries()) {
      Object.assign(itemOf(kindOf(item), { ...placeOf({}, item), index }).fields, item);
    }
    const { status, usage } = response;
    const { output_text: alone } = response;
    if (alone !== undefined && !output.some((item) => kindOf(item) === 'message')) {
      itemOf('message', placeOf({}, {})).fields['text'] ??= textIn(alone);
      itemOf('message', placeOf({}, {})).fields['type'] = 'message';
    }
    if (status === 'completed' || status === 'requires_action') answer.finish = 'stop';
    if (status === 'incomplete') answer.end(objectIn(response['incomplete_details'])['reason'], FINISH);
    if (!isJsonObject(usage)) return;
    answer.usage = usageOf({
      input: usage['input_tokens'],
      cached: objectIn(usage['input_tokens_details'])['cached_tokens'],
      output: usage['output_tokens'],
      reasoning: objectIn(usage['output_tokens_details'])['reasoning_tokens'],
    });
  };
  return {
    read(value, answer) {
      const type = textIn(value['type']) ?? '';
      const response = value['object'] === 'response' ? value : value['response'];
      if (isJsonObject(response)) readResponse(response, answer);
      else if (/^response\.output_item\.(?:added|done)$/.test(type)) {
        const item = objectIn(value['item']);
        Object.assign(itemOf(kindOf(item), placeOf(value, item)).fields, item);
      } else if (DELTAS[type] !== undefined) {
        const { kind, field } = DELTAS[type];
        const { fields } = itemOf(kind, placeOf(value, {}));
        const { delta } = value;
        fields[field] = (textIn(fields[field]) ?? '') + (textIn(delta) ?? textIn(objectIn(delta)['text']) ?? '');
        fields['type'] ??= kind === 'call' ? 'function_call' : kind;
      } else if (WHOLE_TEXT.test(type)) {
        // Some servers send no pieces.
        const { fields } = itemOf('message', placeOf(value, {}));
        const part = objectIn(value['part'] ?? { type: 'output_text', ...value });
        if (part['type'] !== 'reasoning_text') fields['text'] ??= textIn(part['text']);
        fields['refusal'] ??= textIn(part['refusal']);
        fields['type'] ??= 'message';
      } else if (type.endsWith('.delta')) answer.omit(type);
    },
    // A stream may repeat each item as a whole.
    finish(answer) {
      for (const [index, { fields }] of items.entries()) readItem(index, fields, answer);
    },
  };
}

/** An item of the answer, as far as it has arrived. */
interface KeptItem extends ItemPlace {
  readonly kind: string;
  readonly fields: Record<string, unknown>;
}

/** The names of an item in an event: llama.cpp has only ids, Ollama the same index for a message and its calls. */
interface ItemPlace {
  readonly id: string | undefined;
  readonly callId: string | undefined;
  readonly index: number | undefined;
}

function placeOf({ output_index: index, item_id: id }: JsonObject, item: JsonObject): ItemPlace {
  const place = { id: textIn(id) ?? textIn(item['id']), callId: textIn(item['call_id']) };
  return { ...place, index: typeof index === 'number' ? index : undefined };
}

function kindOf({ type }: JsonObject): string {
  const name = textIn(type) ?? 'item without a type';
  return name.endsWith('_call') ? 'call' : name;
}

/** The kinds of the items that are built from deltas, and the field of each, until the whole item replaces it. */
const DELTAS: Readonly<Record<string, { readonly kind: string; readonly field: string }>> = {
  'response.output_text.delta': { kind: 'message', field: 'text' },
  'response.refusal.delta': { kind: 'message', field: 'refusal' },
  'response.function_call_arguments.delta': { kind: 'call', field: 'arguments' },
  'response.custom_tool_call_input.delta': { kind: 'call', field: 'input' },
  'response.reasoning_summary_text.delta': { kind: 'reasoning', field: 'reasoning' },
  'response.reasoning_text.delta': { kind: 'reasoning', field: 'reasoning' },
};

/** The events with the whole text of a message. */
const WHOLE_TEXT = /^response\.(?:output_text|refusal|content_part)\.done$/;

const FINISH: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};

/** The calls that scenarios can express, by the type of their item: the field of the input, or the built-in tool. */
const CALLS: Readonly<Record<string, (item: JsonObject) => Partial<DecodedCall> | undefined>> = {
  function_call: ({ arguments: json }) => ({ arguments: textIn(json) ?? '' }),
  custom_tool_call: ({ input }) => ({ input: 'text', arguments: textIn(input) ?? '' }),
  shell_call: ({ action }) => builtInCall('shell', { commands: objectIn(action)['commands'] }),
  local_shell_call: ({ action }) => builtInCall('local_shell', { command: objectIn(action)['command'] }),
  apply_patch_call: ({ operation }) => patchCall(objectIn(operation)),
};

function builtInCall(name: string, args: object): Partial<DecodedCall> {
  return { name, arguments: JSON.stringify(args) };
}

/** A scenario can only express the patch that creates a file. */
function patchCall({ type, path, diff }: JsonObject): Partial<DecodedCall> | undefined {
  if (type !== 'create_file') return undefined;
  const lines = String(diff).replace(/\+$/, '');
  return builtInCall('apply_patch', {
    patchText: `*** Begin Patch\n*** Add File: ${String(path)}\n${lines}*** End Patch`,
  });
}

function readItem(index: number, item: JsonObject, answer: AnswerBuilder): void {
  const type = textIn(item['type']) ?? 'item without a type';
  if (type === 'reasoning') {
    const parts = [...objectsIn(item['summary']), ...objectsIn(item['content'])];
    const whole = parts.flatMap(({ text }) => textIn(text) ?? []).join('\n\n');
    answer.beginReasoning(whole === '' ? item['reasoning'] : whole, undefined, item['encrypted_content']);
  } else if (type === 'message') {
    readMessage(item, answer);
  } else {
    const call = CALLS[type]?.(item);
    if (call === undefined) {
      answer.omit(type);
      // The item of a stream that was cut is not whole.
      if (item['status'] !== 'in_progress') answer.begin({ type: 'raw', item });
    } else answer.addCall(index, { id: textIn(item['call_id']), name: textIn(item['name']) ?? '', ...call });
  }
}

function readMessage(item: JsonObject, answer: AnswerBuilder): void {
  const parts = objectsIn(item['content']).filter(({ text, refusal }) => text !== undefined || refusal !== undefined);
  for (const part of parts.length > 0 ? parts : [{ text: item['content'], ...item }]) {
    const block = answer.beginText(part['text'], objectsIn(part['annotations']));
    answer.addRefusal(part['refusal'], block);
  }
}
