import type { MockScenario } from '../../../mock-llm-server/testing.ts';
import { STATUSES } from './sdk-under-test.ts';

/** The text of the answer, streamed in more than three pieces. */
export const TEXT = 'Hello – 漢字 🙂, "quoted", \\ and\na new line.';
/** Arguments that are difficult for encoders and streams. */
export const AWKWARD = { path: 'a "b"/ü.txt', content: '漢字 🙂 👩‍👩‍👧 \\ "\n</tag> {{"}' };
/** The reasoning of the model. */
export const THOUGHT = 'They want – 漢字 🙂.';
/** The schema of an answer. */
export const PERSON = {
  title: 'person',
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
};

/** The scenarios for all SDKs. */
export const SCENARIOS: readonly MockScenario[] = [
  { name: 'text', trigger: 'say hello', steps: [{ response: { content: TEXT } }] },
  { name: 'thoughtful', trigger: 'think first', steps: [{ response: { reasoning: THOUGHT, content: TEXT } }] },
  {
    name: 'single',
    trigger: 'read one',
    steps: [
      { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] } },
      { response: { content: 'Result: {{tool_result 1}}' } },
    ],
  },
  {
    name: 'parallel',
    trigger: 'read both',
    steps: [
      {
        response: {
          content: 'Both.',
          tool_calls: [
            { name: 'read_file', arguments: { path: 'a.txt' } },
            { name: 'read_file', arguments: { path: 'b.txt' } },
          ],
        },
      },
      { response: { content: 'Results: {{tool_result 1}}{{tool_result 2}}' } },
    ],
  },
  {
    name: 'awkward',
    trigger: 'write it',
    // The long form, because braces would be a template in the short form.
    steps: [
      {
        response: {
          tool_calls: [
            { function: { name: 'write_file', arguments: JSON.stringify(AWKWARD).replaceAll('{{', '{{{{') } },
          ],
        },
      },
    ],
  },
  {
    name: 'endless',
    trigger: 'never end',
    steps: [{ response: { content: 'word '.repeat(50) }, fault: { stall: 'forever' } }],
  },
  {
    name: 'scripted-person',
    trigger: 'who is it',
    steps: [{ response: { content: '{"name":"Ada \\"漢字\\" 🙂","age":36}' } }],
  },
  ...STATUSES.map((status) => ({
    name: `status-${status}`,
    trigger: `fail with ${status}.`,
    steps: [{ response: { content: 'Never sent.' }, fault: { status, message: `On purpose: ${status}` } }],
  })),
  {
    name: 'busy-once',
    trigger: 'be busy once',
    steps: [{ response: { content: 'Now.' }, fault: { status: 429, retry_after: 0.001, times: 1 } }],
  },
  {
    name: 'busy',
    trigger: 'be busy for long',
    steps: [{ response: { content: 'Never sent.' }, fault: { status: 429, retry_after: 3 } }],
  },
];
