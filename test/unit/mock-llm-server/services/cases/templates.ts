import type { ServiceName } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { callAndResult, calls, chatCase, functionTool, PICTURE, type RuleCase, result, user } from './case.ts';

const system = { role: 'system', content: 'Be kind.' };
const tools = [functionTool()];
const answer = { role: 'assistant', content: 'Hi.' };
const calledAs = (name: string) => ({
  ...answer,
  content: '',
  tool_calls: [{ id: 'abcdefgh1', type: 'function', function: { name, arguments: '{}' } }],
});

/** A row of the templates: the model, the messages that its template refuses, those that it takes, the exception. */
type Row = readonly [model: string, refused: readonly object[], accepted: readonly object[], says: string];

const ROWS: Readonly<Record<string, Row>> = {
  alternation: [
    'gemma-3-27b-it',
    [user(), user('and')],
    [user(), answer, user('and')],
    'Conversation roles must alternate user/assistant/user/assistant/...',
  ],
  'system-role': ['gemma-2-9b-it', [system, user()], [user()], 'System role not supported'],
  'devstral-alternation': [
    'devstral-small-2-24b',
    [user(), user('and')],
    [user(), answer, user('and')],
    'conversation roles must alternate user and assistant roles except for tool calls and results.',
  ],
  'channel-text': [
    'gpt-oss-20b',
    [user(), { ...answer, content: '<|channel|>analysis<|message|>Hm.<|end|>' }, user()],
    [user(), answer, user()],
    'You have passed a message containing <|channel|> tags in the content field.',
  ],
  'user-query': ['qwen3.6-35b-a3b', [system], [system, user()], 'No user query found in messages.'],
  'late-system': [
    'qwen3.5-27b',
    [user(), answer, { ...system, role: 'developer' }, user()],
    [system, user(), answer, user()],
    'System message must be at the beginning.',
  ],
  'developer-role': [
    'qwen3.5-27b',
    [{ ...system, role: 'developer' }, user()],
    [system, user()],
    'Unexpected message role.',
  ],
  'function-name': [
    'devstral-small-2507',
    [user(), calledAs('files.read'), result('abcdefgh1')],
    [user(), calledAs('files_read'), result('abcdefgh1')],
    'Function name was files.read but must be a-z, A-Z, 0-9, or contain underscores and dashes',
  ],
  'text-beside-calls': [
    'mistral-small-3.1-24b',
    [user(), ...callAndResult('abcdefgh1', { content: 'I look.' })],
    [user(), ...callAndResult('abcdefgh1')],
    'Assistant message must have either content or tool_calls, but not both.',
  ],
  'system-after-answer': [
    'mistral-small-3.2-24b',
    [user(), answer, system, user()],
    [system, user(), answer, user()],
    "Unexpected role 'system' after role 'assistant'",
  ],
  'one-call': [
    'llama-3.3-70b-instruct',
    [user(), calls(['call_1', 'call_2']), result('call_1'), result('call_2')],
    [user(), ...callAndResult('call_1'), ...callAndResult('call_2')],
    'This model only supports single tool-calls at once!',
  ],
  'picture-with-system': [
    'meta-llama/Llama-3.2-11B-Vision-Instruct',
    [system, PICTURE],
    [PICTURE],
    'Prompting with images is incompatible with system messages.',
  ],
  'text-and-thinking': [
    'gpt-oss-20b',
    [user(), ...callAndResult('call_1', { content: 'I look.', reasoning_content: 'Hm.' })],
    [user(), ...callAndResult('call_1', { reasoning_content: 'Hm.' })],
    'Cannot pass both content and thinking in an assistant message with tool calls!',
  ],
  'call-id': [
    'mistral-small-3.2-24b',
    [user(), ...callAndResult('call_1')],
    [user(), ...callAndResult('abcdefgh1')],
    'Tool call IDs should be alphanumeric strings with length 9!',
  ],
  'lone-result': [
    'gpt-oss-20b',
    [user(), { role: 'tool', tool_call_id: 'abcdefgh1', content: 'x' }, user()],
    [user(), ...callAndResult('abcdefgh1')],
    'Message has tool role, but there was no previous assistant message with a tool call!',
  ],
};

/** The templates that a server renders, and the statuses of its errors. */
const SERVERS: readonly (readonly [ServiceName, names: string, status: (name: string) => number])[] = [
  [
    'vllm',
    'alternation system-role devstral-alternation user-query late-system one-call picture-with-system call-id ' +
      'developer-role function-name text-beside-calls system-after-answer',
    () => 400,
  ],
  [
    'sglang',
    'alternation system-role devstral-alternation user-query late-system one-call call-id developer-role',
    () => 400,
  ],
  [
    'llamacpp',
    'alternation system-role devstral-alternation user-query late-system text-and-thinking channel-text call-id ' +
      'lone-result',
    (name) => (name === 'user-query' || name === 'late-system' ? 400 : 500),
  ],
  [
    'lmstudio',
    'alternation system-role devstral-alternation user-query late-system one-call text-and-thinking channel-text call-id ' +
      'lone-result',
    () => 400,
  ],
  ['ollama', 'devstral-alternation', () => 500],
];

/** The cases of templates, by server. */
export const TEMPLATE_CASES: Readonly<Record<string, RuleCase>> = Object.fromEntries(
  SERVERS.flatMap(([server, names, status]) =>
    names.split(' ').map((name) => {
      const row = ROWS[name];
      if (row === undefined) throw new Error(`The template ${name} has no row.`);
      const [model, refused, accepted, says] = row;
      // Tools with a model for which the server has no parser of calls would be refused for that reason.
      const offered = refused.some((message) => 'tool_calls' in message) ? { tools } : {};
      const messages = (list: readonly object[]) => ({ ...offered, messages: list });
      return [`${server}/${name}`, chatCase(model, messages(refused), messages(accepted), says, status(name))] as const;
    }),
  ),
);
