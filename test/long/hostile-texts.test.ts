import { beforeAll, describe, expect, it } from 'vitest';
import { answerConversation } from '../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation, JsonObject } from '../../mock-llm-server/conversation/conversation.ts';
import { shellCommandFor } from '../../mock-llm-server/reply/intents/shell-commands.ts';
import { findWorkingDirectory } from '../../mock-llm-server/reply/intents/working-directory.ts';
import { loadJsonFromSchema } from '../../mock-llm-server/reply/json-from-schema.ts';
import type { Intent } from '../../mock-llm-server/scenario/format/intent-format.ts';
import { readOllamaRequest } from '../../mock-llm-server/wire/ollama/request.ts';
import { expectLinearWork } from '../support/random/growth.ts';
import { assistant, conversation, scenarioSet, user } from '../support/stories/builders.ts';

/** Repeats a piece to the size of the text. */
type Many = (piece: string) => string;
type HostileText = readonly [name: string, text: (many: Many) => string];

/** The size of the shorter text; each case compares it with one that is four times as long. */
const SIZE = 5_000;

/** Expects that the work of `task` grows with the length of the text. */
function expectLinear(textOf: (many: Many) => string, task: (text: string) => unknown): void {
  expectLinearWork(SIZE, (size) => task(textOf(manyOf(size))));
}

function manyOf(size: number): Many {
  return (piece) => piece.repeat(Math.ceil(size / piece.length));
}

/** Texts in which many places begin something that then does not come. */
const STATEMENTS: readonly HostileText[] = [
  ['spaces and line ends after words of a directory', (many) => `working in the directory${many(' ')}${many('\n')}`],
  ['signs after words of a directory', (many) => `working in the following directories${many(": - `'")}x`],
  ['an open tag and spaces', (many) => `<cwd>${many(' ')}x${many(' ')}${many('\n')}`],
  ['open tags', (many) => many('<cwd>')],
  ['tags with line ends', (many) => many('<cwd>a\nb</cwd>')],
  ['a command and line ends', (many) => `\npwd${many('\n')}x`],
  ['line ends before a command', (many) => `${many('\n')}pw`],
  ['percent signs', (many) => many('\n%  ')],
  ['list signs', (many) => many('\n- * ')],
  ['words of a directory', (many) => many('\nworking directory: ')],
  ['quotes after words of a directory', (many) => `workspace${many('`*"\'')} is ${many('`*"\'')}x`],
  ['workspace directories', (many) => many('workspace directories:\n- ')],
  ['open parentheses', (many) => many('working directory (x')],
  ['a path and spaces', (many) => `cwd: /a${many(' ')}x`],
  ['a path and spaces and dots', (many) => `cwd: /a${many(' .')}`],
  ['a path and slashes', (many) => `cwd: /a${many('/\\')}x`],
  ['a path and line ends', (many) => `pwd\n/a${many(' ')}\n${many('.')}`],
];

const TEXTS: readonly HostileText[] = [
  ['spaces', (many) => `${many(' ')}x`],
  ['line ends', (many) => `${many('\r\n')}x`],
  ['opening tags', (many) => many('<tool_result id="a">')],
  ['opening tags with spaces', (many) => `<tool_result${many(' id')}${many(' ')}`],
  ['marked tags', (many) => many('<tool_resp id=a #x>')],
  ['closing tags', (many) => many('</tool_result>')],
  ['halves of tags', (many) => many('<tool_result id=')],
  ['a probe with spaces', (many) => `quota${many(' ')}x`],
  ['words of a title', (many) => many('generate a title ')],
  ['words of a summary', (many) => many('summary of summarize ')],
  ['words of a memory', (many) => many('extract memory extract ')],
  ['angle brackets', (many) => many('<')],
  ['one long word', (many) => many('a')],
  ['braces', (many) => many('{{')],
  ['capital letters', (many) => many('A')],
  ['special characters of expressions', (many) => many('$^[(*+')],
];

const lettersOf = (size: number) => Array.from({ length: size }, (_, place) => `letter ${place}`);

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

describe('the work for a hostile text grows only with its length', () => {
  it.each(STATEMENTS)('even if the text names a directory: %s', (_name, textOf) => {
    expectLinear(textOf, (text) => {
      findWorkingDirectory({ ...conversation(), system: [text] });
      expect(findWorkingDirectory(conversation(user(text), user('cwd: /home')))).toMatch(/^\/(?:home$|a)/);
    });
  });

  it.each([...STATEMENTS, ...TEXTS])('even if intents answer it: %s', (_name, textOf) => {
    expectLinear(textOf, (text) => {
      const request = { ...conversation(user('do all', text)), system: [text], tools: TOOLS };
      expect(answerConversation(request, set, 'call_')).toMatchObject({ reply: { finish: 'tool_calls' } });
    });
  });

  it.each(TEXTS)('even if no scenario answers it: %s', (_name, textOf) => {
    expectLinear(textOf, (text) => {
      const request = { ...conversation(user(text), assistant('ok'), user(text)), system: [text] };
      expect(['reply', 'refusal', 'unpaired_results']).toContain(answerConversation(request, set, 'call_').type);
    });
  });

  it.each(TEXTS)('even if a tool contains it: %s', (_name, textOf) => {
    expectLinear(textOf, (text) => {
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
  });

  it.each<readonly [string, (many: Many) => Intent]>([
    ['slashes in a path', (many) => ({ intent: 'list_files', pattern: '*', path: `${many('/')}x` })],
    ['slashes in a path of a file', (many) => ({ intent: 'write_file', content: '', path: `${many('/')}\nx` })],
    ['commas in open braces', (many) => ({ intent: 'list_files', pattern: `{${many(',')}` })],
    ['commas in braces', (many) => ({ intent: 'list_files', pattern: `{${many(',')}}` })],
    ['pairs of braces', (many) => ({ intent: 'list_files', pattern: many('{a,b}') })],
    ['open brackets', (many) => ({ intent: 'list_files', pattern: many('[a') })],
    ['stars', (many) => ({ intent: 'list_files', pattern: many('**/') })],
  ])('even if an intent contains it: %s', (_name, intentOf) => {
    expectLinearWork(SIZE, (size) => {
      expect(shellCommandFor(intentOf(manyOf(size))).length).toBeGreaterThan(size / 4);
    });
  });

  it('even if it is a duration', () => {
    expectLinear(
      (many) => JSON.stringify({ model: 'm', keep_alive: `${many('0')}1` }),
      (body) => expect(readOllamaRequest(body, 'chat')).toMatchObject({ purpose: 'load' }),
    );
  });

  it.each<readonly [string, (many: Many, size: number) => JsonObject]>([
    ['a pattern without end', () => ({ pattern: '^(a+)+$|^(a|a)*b' })],
    ['a long pattern', (many) => ({ pattern: many('(a+)+') })],
    ['a long description', (many) => ({ type: 'integer', description: many('1 - ') })],
    ['long digits', (many) => ({ type: 'integer', description: `1${many(' ')}${many('2')}x` })],
    ['many properties', (_, size) => ({ properties: Object.fromEntries(lettersOf(size).map((name) => [name, {}])) })],
    ['many choices', (_, size) => ({ anyOf: lettersOf(size).map(() => false) })],
    ['many members', (_, size) => ({ allOf: lettersOf(size).map(() => ({ allOf: [{ required: ['a'] }] })) })],
    ['many texts', (_, size) => ({ enum: lettersOf(size) })],
    [
      'two times many texts',
      (_, size) => ({ allOf: [{ enum: lettersOf(size) }, { enum: lettersOf(size).reverse() }] }),
    ],
    ['many texts that are excluded', (_, size) => ({ enum: lettersOf(size), not: { enum: lettersOf(size) } })],
    ['many options', (_, size) => ({ type: 'string', enum: lettersOf(size).map((_letter, at) => at) })],
  ])('even if a schema contains %s', (_name, schemaOf) => {
    expectLinearWork(SIZE, (size) => {
      const many = manyOf(size);
      const request = { ...conversation(user(many('a'))), outputSchema: schemaOf(many, size) };
      expect(answerConversation(request, set, 'call_')).toMatchObject({ auxiliary: 'schema' });
    });
  });
});
