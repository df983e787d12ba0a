import { beforeAll, describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { readTextResults } from '../../../../mock-llm-server/matching/text-results.ts';
import { shellCommandFor } from '../../../../mock-llm-server/reply/intents/shell-commands.ts';
import { findWorkingDirectory } from '../../../../mock-llm-server/reply/intents/working-directory.ts';
import { loadJsonFromSchema } from '../../../../mock-llm-server/reply/json-from-schema.ts';
import { readOllamaRequest } from '../../../../mock-llm-server/wire/ollama/request.ts';
import { assistant, conversation, scenarioSet, user } from '../builders.ts';

// Whoever reads such a text once for each of its characters takes 20 000 million steps, far more than fit into the limit.
const SIZE = 200_000;
const LIMIT_MS = 5_000;
const many = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));

/** Texts in which many places begin something that then does not come. */
const STATEMENTS: readonly (readonly [string, string])[] = [
  ['spaces and line ends behind words of a directory', `working in the directory${many(' ')}${many('\n')}`],
  ['signs behind words of a directory', `working in the following directories${many(": - `'")}x`],
  ['an open tag and spaces', `<cwd>${many(' ')}x${many(' ')}${many('\n')}`],
  ['open tags', many('<cwd>')],
  ['tags with line ends', many('<cwd>a\nb</cwd>')],
  ['a command and line ends', `\npwd${many('\n')}x`],
  ['line ends before a command', `${many('\n')}pw`],
  ['percent signs', many('\n%  ')],
  ['list signs', many('\n- * ')],
  ['words of a directory', many('\nworking directory: ')],
  ['quotes behind words of a directory', `workspace${many('`*"\'')} is ${many('`*"\'')}x`],
  ['workspace directories', many('workspace directories:\n- ')],
  ['open parentheses', many('working directory (x')],
  ['a path and spaces', `cwd: /a${many(' ')}x`],
  ['a path and spaces and dots', `cwd: /a${many(' .')}`],
  ['a path and slashes', `cwd: /a${many('/\\')}x`],
  ['a path and line ends', `pwd\n/a${many(' ')}\n${many('.')}`],
];

const TEXTS: readonly (readonly [string, string])[] = [
  ['spaces', `${many(' ')}x`],
  ['line ends', `${many('\r\n')}x`],
  ['opening tags', many('<tool_result id="a">')],
  ['opening tags with spaces', `<tool_result${many(' id')}${many(' ')}`],
  ['marked tags', many('<tool_resp id=a #x>')],
  ['closing tags', many('</tool_result>')],
  ['halves of tags', many('<tool_result id=')],
  ['a probe with spaces', `quota${many(' ')}x`],
  ['words of a title', many('generate a title ')],
  ['words of a summary', many('summary of summarize ')],
  ['words of a memory', many('extract memory extract ')],
  ['angle brackets', many('<')],
  ['one long word', many('a')],
  ['braces', many('{{')],
  ['capital letters', many('A')],
  ['what an expression could mean', many('$^[(*+')],
];

const LETTERS = Array.from({ length: 50_000 }, (_, place) => `letter ${place}`);

const INTENT_CALLS = [
  { intent: 'write_file', path: '{{last_user}}', content: '{{last_user}}' },
  { intent: 'read_file', path: '{{last_user}}' },
  { intent: 'edit_file', path: 'a', old_text: '{{last_user}}', new_text: '{{last_user}}' },
  { intent: 'shell', command: '{{last_user}}' },
  { intent: 'list_files', path: '{{last_user}}', pattern: '{{last_user}}' },
  { intent: 'search_files', path: '{{last_user}}', pattern: '{{last_user}}' },
] as const;

const set = scenarioSet({
  scenarios: [
    { name: 'intents', trigger: 'do all', steps: [{ response: { tool_calls: INTENT_CALLS } }] },
    { name: 'other', trigger: 'nobody says this', steps: [{ response: { content: 'x' } }] },
  ],
});
const TOOLS: Conversation['tools'] = [
  {
    name: 'bash',
    input: 'json',
    description: 'Runs a command',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
];

beforeAll(loadJsonFromSchema);

describe('a hostile text of 200 000 characters', { timeout: LIMIT_MS }, () => {
  it.each(STATEMENTS)('is read in time if it names a directory: %s', (_name, text) => {
    findWorkingDirectory({ ...conversation(), system: [text] });
    expect(findWorkingDirectory(conversation(user(text), user('cwd: /home')))).toMatch(/^\/(?:home$|a)/);
  });

  it.each([...STATEMENTS, ...TEXTS])('is answered in time by intents: %s', (_name, text) => {
    const request = { ...conversation(user('do all', text)), system: [text], tools: TOOLS };
    expect(answerConversation(request, set, 'call_')).toMatchObject({ reply: { finish: 'tool_calls' } });
  });

  it.each(TEXTS)('is refused in time if nothing answers it: %s', (_name, text) => {
    const request = { ...conversation(user(text), assistant('ok'), user(text)), system: [text] };
    expect(['reply', 'refusal', 'unpaired_results']).toContain(answerConversation(request, set, 'call_').type);
  });

  it.each(TEXTS)('is read in time in a tool: %s', (_name, text) => {
    const parameters = { type: 'object', properties: { [text]: { type: 'string', description: text } } };
    const tool = {
      name: text,
      input: 'json' as const,
      description: text,
      parameters: { ...parameters, required: [text] },
    };
    const request = { ...conversation(user('do all')), tools: [tool] };
    expect(['reply', 'refusal']).toContain(answerConversation(request, set, 'call_').type);
  });

  it.each([
    ['slashes in a path', { intent: 'list_files', pattern: '*', path: `${many('/')}x` }],
    ['slashes in a path of a file', { intent: 'write_file', content: '', path: `${many('/')}\nx` }],
    ['commas in open braces', { intent: 'list_files', pattern: `{${many(',')}` }],
    ['commas in braces', { intent: 'list_files', pattern: `{${many(',')}}` }],
    ['pairs of braces', { intent: 'list_files', pattern: many('{a,b}') }],
    ['open brackets', { intent: 'list_files', pattern: many('[a') }],
    ['stars', { intent: 'list_files', pattern: many('**/') }],
  ] as const)('in an intent: %s', (_name, intent) => {
    expect(shellCommandFor(intent).length).toBeGreaterThan(SIZE / 4);
  });

  it('is read in time as a duration', () => {
    const body = JSON.stringify({ model: 'm', keep_alive: `${many('0')}1` });
    expect(readOllamaRequest(body, 'chat')).toMatchObject({ purpose: 'load' });
  });

  it.each([
    ['a pattern without end', { pattern: '^(a+)+$|^(a|a)*b' }],
    ['a long pattern', { pattern: many('(a+)+') }],
    ['a long description', { type: 'integer', description: many('1 - ') }],
    ['long digits', { type: 'integer', description: `1${many(' ')}${many('2')}x` }],
    ['many properties', { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}])) }],
    ['many choices', { anyOf: Array.from({ length: 50_000 }, () => false) }],
    ['many members', { allOf: Array.from({ length: 50_000 }, () => ({ allOf: [{ required: ['a'] }] })) }],
    ['many texts', { enum: LETTERS }],
    ['two times many texts', { allOf: [{ enum: LETTERS }, { enum: [...LETTERS].reverse() }] }],
    ['many texts that are excluded', { enum: LETTERS, not: { enum: LETTERS } }],
    ['many options', { type: 'string', enum: Array.from({ length: 50_000 }, (_, at) => at) }],
  ])('in a schema: %s', (_name, outputSchema) => {
    const request = { ...conversation(user(many('a'))), outputSchema };
    expect(answerConversation(request, set, 'call_')).toMatchObject({ auxiliary: 'schema' });
  });

  it('is read in time with more results than a function takes arguments', () => {
    const read = readTextResults(
      conversation(user('x'), assistant('y'), user('<tool_result>a</tool_result>'.repeat(200_000))),
    );
    expect(read.at(-2)?.parts.length).toBe(200_000);
  });
});
