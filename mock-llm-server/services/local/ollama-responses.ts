import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { refuseItem } from '../checks/responses.ts';
import { objectsOf, textOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOver } from '../share-rules.ts';

const RESPONSES = ['openai-responses'] as const;
const OF_RESPONSES = {
  source: 'https://github.com/ollama/ollama/blob/main/openai/responses.go',
  date: '2026-11-30',
};

const ITEMS = ['message', 'function_call', 'function_call_output', 'reasoning', 'web_search_call'];
const PARTS = ['input_text', 'input_image', 'output_text', 'input_file'];

/** The reason for which the server cannot read an item. */
function faultOfItem({ type, role, content, output }: JsonObject): string | undefined {
  const kind = textOf(type) || (textOf(role) && 'message');
  if (kind === '') return "input item missing required 'type' field";
  if (!ITEMS.includes(kind)) return `unknown input item type: "${kind}"`;
  const [field, parts] = kind === 'message' ? ['content', content] : ['output', output];
  const types = objectsOf(parts).map((part) => textOf(part['type']));
  const index = types.findIndex((one) => !PARTS.includes(one));
  if (index !== -1) return `${field}[${index}]: unknown content type: ${types[index]}`;
  return types.includes('input_file') ? 'file inputs are not currently supported' : undefined;
}

/** The rules of Ollama over Responses alone. */
export const OLLAMA_RESPONSES_RULES: readonly Rule[] = rulesOver('ollama', RESPONSES, {
  item: {
    refuses: 'an item or a part of an unknown type in Responses: `item_reference`, `refusal` …, and a file',
    accepts: 'messages, calls, their outputs, reasoning and `web_search_call`',
    ...OF_RESPONSES,
    check: refuseItem(
      (item) => faultOfItem(item) !== undefined,
      (index, item) => {
        const fault = faultOfItem(item) ?? '';
        // The parts are read first, and turned into messages after that.
        return { message: fault.startsWith('file') ? fault : `input[${index}]: ${fault}` };
      },
    ),
  },
  'item-arguments': {
    refuses: 'arguments of a call that are not JSON in Responses',
    accepts: '`{}`',
    ...OF_RESPONSES,
    check: refuseItem(
      ({ type, arguments: text }) =>
        type === 'function_call' && textOf(text) !== '' && !isJsonObject(tryJson(textOf(text))),
      () => ({ message: 'failed to parse function call arguments: unexpected end of JSON input' }),
    ),
  },
  'output-parts': {
    refuses: 'parts as the output of a call',
    accepts: 'a text',
    source: 'recording ollama-0.17.4-scripted/116-resp-history-output-parts',
    date: '2026-11-28',
    check: refuseItem(
      ({ type, output }) => type === 'function_call_output' && Array.isArray(output),
      (index) => ({
        message: `input[${index}]: json: cannot unmarshal array into Go struct field ResponsesFunctionCallOutput.output of type string`,
      }),
    ),
  },
});
