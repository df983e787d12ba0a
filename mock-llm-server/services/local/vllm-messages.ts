import { findFault } from '../../wire/forms/find-faults.ts';
import { choice, either, fields, integer, list, tagged, text } from '../../wire/forms/form.ts';
import { writePython } from '../checks/tools.ts';
import type { Check } from '../service.ts';

const BLOCK_TYPES = ['text', 'image', 'tool_use', 'tool_result', 'tool_reference', 'thinking', 'redacted_thinking'];

/** The form of a request of Messages, as far as the one of Anthropic allows more. */
const FORM = fields({
  messages: list(
    fields({
      'role!': choice('user', 'assistant', 'system', 'ctx', 'msg'),
      'content!': either(text, list(fields({ 'type!': choice(...BLOCK_TYPES), input: fields({}) }))),
    }),
  ),
  tools: list(fields({ 'name!': text, 'input_schema!': fields({}) })),
  thinking: tagged('type', { enabled: fields({ 'budget_tokens!': integer }) }, { rest: fields({}) }),
  tool_choice: tagged('type', { tool: fields({ 'name!': text }) }, { rest: fields({}) }),
});

/** Refuses a block, a role or a tool that the server does not read over Messages, in the words of Pydantic. */
export const refuseForeignBlocks: Check = ({ body }) => {
  const fault = findFault(body, FORM, true);
  if (fault === undefined) return undefined;
  const { kind, found, shape } = fault;
  if (fault.path[0] === 'tool_choice') {
    return { message: "Value error, tool_choice.name is required when type is 'tool'" };
  }
  // A content is a text or a list of blocks, and Pydantic names both.
  const place = ['body', ...fault.path].join('.').replace('.content.', '.content.list[AnthropicContentBlock].');
  const literals = BLOCK_TYPES.map((type) => `'${type}'`)
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1');
  const [type, reason] =
    kind === 'missing'
      ? ['missing', 'Field required']
      : shape.type === 'string'
        ? ['literal_error', `Input should be ${place.endsWith('role') ? "'user', 'assistant' or 'system'" : literals}`]
        : ['dict_type', 'Input should be a valid dictionary'];
  const input = kind === 'missing' ? "'<dict of 2 items>'" : writePython(found);
  return {
    message: `1 validation error:\n  {'type': '${type}', 'loc': '${place}', 'msg': "${reason}", 'input': ${input}}`,
  };
};
