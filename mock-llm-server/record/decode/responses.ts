import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import {
  type AnswerBuilder,
  type AnswerReader,
  type DecodedCall,
  errorIn,
  objectIn,
  objectsIn,
  textIn,
  usageOf,
} from './decoded-answer.ts';

/** Creates the reader of the events of a stream of the Responses API, or of a whole response. */
export function createResponsesReader(): AnswerReader {
  const items = new Map<number, Record<string, unknown>>();
  const itemAt = ({ output_index: index }: JsonObject): Record<string, unknown> => {
    const key = typeof index === 'number' ? index : 0;
    const item = items.get(key) ?? {};
    items.set(key, item);
    return item;
  };
  const readResponse = (response: JsonObject, answer: AnswerBuilder): void => {
    answer.id ??= textIn(response['id']);
    answer.error ??= errorIn(response);
    const output = objectsIn(response['output']);
    for (const [index, item] of output.entries()) items.set(index, { ...item });
    const { status, usage } = response;
    if (status === 'completed') answer.finish = 'stop';
    if (status === 'incomplete') answer.finish = finishOf(objectIn(response['incomplete_details'])['reason']);
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
      else if (type === 'error') answer.error ??= errorIn(value) ?? errorIn({ error: { ...value, type: undefined } });
      else if (/^response\.output_item\.(?:added|done)$/.test(type)) Object.assign(itemAt(value), value['item']);
      else if (type.endsWith('.delta')) addDelta(type, textIn(value['delta']) ?? '', itemAt(value));
    },
    // A stream may repeat each item as a whole.
    finish(answer) {
      const inOrder = [...items].sort(([left], [right]) => left - right);
      for (const [index, item] of inOrder) readItem(index, item, answer);
    },
  };
}

/** Fields of an item that is built from its deltas, until the whole item replaces them. */
const DELTA_FIELDS: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
  'response.reasoning_summary_text.delta': 'reasoning',
  'response.reasoning_text.delta': 'reasoning',
};

function addDelta(type: string, delta: string, item: Record<string, unknown>): void {
  const field = DELTA_FIELDS[type];
  if (field !== undefined) item[field] = (textIn(item[field]) ?? '') + delta;
}

function finishOf(reason: unknown): FinishReason {
  return reason === 'content_filter' ? 'content_filter' : 'length';
}

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
    answer.addReasoning(whole === '' ? item['reasoning'] : whole);
  } else if (type === 'message') {
    readMessage(item, answer);
  } else {
    const call = CALLS[type]?.(item);
    if (call === undefined) answer.omit(type);
    else answer.addCall(index, { id: textIn(item['call_id']), name: textIn(item['name']) ?? '', ...call });
  }
}

function readMessage(item: JsonObject, answer: AnswerBuilder): void {
  const parts = objectsIn(item['content']);
  for (const part of parts.length > 0 ? parts : [item]) {
    answer.addContent(part['text']);
    answer.addRefusal(part['refusal']);
  }
}
