import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startHttp } from '../../support/mcp/http-servers.ts';
import { homeWith, runWithModel } from '../../support/mcp/run-with-model.ts';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const server = (file: string, ...args: readonly string[]) => ({
  ...{ command: process.execPath, args: [path.join(import.meta.dirname, '../../support/mcp', file), ...args] },
});

/** The bytes of a request up to the end of its messages, and those of its tools. */
function partsOf(request: string): { readonly messages: string; readonly tools: string } {
  const { messages, tools } = JSON.parse(request);
  return { messages: JSON.stringify(messages).slice(0, -1), tools: JSON.stringify(tools) };
}

it.each(['older', 'newer'])(
  'request n is a prefix of request n+1, over turns and changed lists: a server of the %s revision',
  async (revision) => {
    const home = homeWith({ full: server('full-server.mjs', revision), srv: server('hostile-server.mjs', 'many') });
    const added = (name: string) => ['call_tool', { name, arguments: {} }] as const;
    const { requests, results } = await runWithModel(home, [
      ['find_tool', { server: 'full' }],
      ['find_tool', { server: 'srv', query: 'tool_7' }],
      ['call_tool', { name: 'srv__tool_7', arguments: { a: 1 } }],
      added('full__grow'),
      ['find_tool', { query: 'added' }],
      added('full__added'),
      undefined,
      added('full__plain'),
      undefined,
    ]);
    expect(results.slice(2)).toEqual([
      'called with {"a":1}',
      'grown',
      expect.stringContaining('full__added\nIt is new.'),
      'added',
      'plain',
    ]);
    expect(requests).toHaveLength(9);
    const parts = requests.map(partsOf);
    for (const [index, { messages, tools }] of parts.slice(1).entries()) {
      expect(messages.startsWith(parts[index]?.messages ?? '-')).toBe(true);
      expect(tools).toBe(parts[index]?.tools);
    }
  },
);

it('a process that continues a session offers the tools that the session began with', async () => {
  const home = homeWith({ full: server('full-server.mjs', 'newer') });
  const first = await runWithModel(home, [['find_tool', { server: 'full' }]]);
  const call = ['call_tool', { name: 'full__plain', arguments: {} }] as const;
  const second = await runWithModel(home, [call], ['--continue']);
  const third = await runWithModel(home, [], ['--continue']);
  expect(second.results.at(-1)).toBe('plain');
  const parts = [first, second, third].flatMap(({ requests }) => requests).map(partsOf);
  expect(parts).toHaveLength(5);
  for (const [index, { messages, tools }] of parts.slice(1).entries()) {
    expect(tools).toBe(parts[index]?.tools);
    expect(messages.startsWith(parts[index]?.messages ?? '-')).toBe(true);
  }
  // A new session offers the tools that are known now.
  const { requests } = await runWithModel(home, []);
  expect(partsOf(requests[0] ?? '').tools).toContain('"full__plain"');
});

/** Schemas of servers, of which each service refuses another part: draft 7, a root of choices, references, tuples. */
const DIFFICULT = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    who: { $ref: '#/definitions/Who' },
    note: { type: ['string', 'null'], format: 'uri' },
    kind: { const: 'task' },
    tags: { type: 'array' },
    place: { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
    size: { type: 'string', oneOf: [{ enum: ['s'] }, { pattern: '^x+l$' }] },
  },
  anyOf: [{ required: ['who'] }, { required: ['note'] }],
  definitions: { Who: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id', 'gone'] } },
};

const NUMBER = { type: 'number' };
const TEXTS = { type: 'array', items: { type: 'string' } };
const NULLABLE = { type: ['string', 'null'], format: 'uri' };
const CHOICES = [
  { type: 'string', enum: ['s'] },
  { type: 'string', pattern: '^x+l$' },
];
const WHO = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id', 'gone'] };

const TYPED = {
  type: 'object',
  properties: {
    who: { $ref: '#/$defs/Who' },
    note: NULLABLE,
    kind: { type: 'string', const: 'task' },
    tags: TEXTS,
    place: { type: 'array', prefixItems: [NUMBER, NUMBER], items: NUMBER },
    size: { type: 'string', oneOf: CHOICES },
  },
  $defs: { Who: WHO },
};
const DIALECTS = {
  typed: TYPED,
  moonshot: {
    ...TYPED,
    properties: {
      ...TYPED.properties,
      kind: { type: 'string', enum: ['task'] },
      place: TEXTS,
      size: { anyOf: CHOICES },
    },
    $defs: { Who: { ...WHO, required: ['id'] } },
  },
  gemini: {
    type: 'object',
    properties: {
      who: { ...WHO, required: ['id'] },
      note: { type: 'string', nullable: true },
      kind: { type: 'string', enum: ['task'] },
      tags: TEXTS,
      place: { type: 'array', items: NUMBER },
      size: { anyOf: CHOICES },
    },
  },
};

it.each([
  ['openai-chat', 'm', 'typed'],
  ['openai-responses', 'm', 'typed'],
  ['anthropic-messages', 'm', 'typed'],
  ['ollama-chat', 'm', 'typed'],
  ['gemini', 'm', 'gemini'],
  ['openai-chat', 'gemini-3-pro', 'gemini'],
  ['openai-chat', 'kimi-k2.5', 'moonshot'],
] as const)(
  'a difficult schema of a server arrives in the dialect of the service: %s, %s',
  async (wire, model, dialect) => {
    const file = path.join(temporaryDirectory(), 'schema.json');
    writeFileSync(file, JSON.stringify(DIFFICULT));
    const home = homeWith({ srv: server('hostile-server.mjs', 'schema', file) });
    await runWithModel(home, [['find_tool', { server: 'srv' }]]);
    const { seen, url } = await startHttp(
      ({ text }, response) => void response.writeHead(text.includes('srv__t') ? 401 : 404).end(),
    );
    const llm = { provider: 'openai-compatible', api_kind: wire, endpoint: url, model };
    home.configure({ srv: server('hostile-server.mjs', 'schema', file) }, { llm });
    await runBin(['--no-sandbox', 'go'], home);
    const { text = '{}' } = seen.find(({ text: body }) => body.includes('srv__t')) ?? {};
    expect(parametersIn(JSON.parse(text), 'srv__t')).toEqual(DIALECTS[dialect]);
  },
);

/** The parameters of a tool in the body of a request, wherever the protocol has them. */
function parametersIn(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    input_schema: a,
    parametersJsonSchema: b,
    parameters = a ?? b,
    ...rest
  }: Record<string, unknown> = { ...value };
  if (rest['name'] === name) return parameters;
  return Object.values(value)
    .map((inner) => parametersIn(inner, name))
    .find((found) => found !== undefined);
}
