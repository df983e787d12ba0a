// Public reports on the clients of other agents, played against the built command: a server answers with the bytes of a
// report, and a row names what the model reads.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { homeWith, runWithModel } from '../../support/mcp/run-with-model.ts';

const script = path.join(import.meta.dirname, '../../support/mcp/hostile-server.mjs');
const message = (parts: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id: 'ID', ...parts }).replace('"id":"ID"', '"id":$ID')}\n`;
const result = (value: object): string => message({ result: value });
const called = (value: object) => ({ 'tools/call': result(value) });
const part = (value: object) => called({ content: [value] });
const resource = (value: object) => part({ type: 'resource', resource: { uri: 'a://x', ...value } });
const listed = (tool: object) => ({ 'tools/list': result({ tools: [{ name: 't', ...tool }] }) });
const parameter = (schema: unknown, more: object = {}) =>
  listed({ inputSchema: { type: 'object', properties: { a: schema }, ...more } });
const HANDSHAKE = { capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
const shaken = (protocolVersion: string): string => result({ protocolVersion, ...HANDSHAKE });

/** The result of a call to which a row has no answer: the server repeats the arguments. */
const FINE = 'called with {"a":"x"}';

it.each<readonly [string, object, string | RegExp]>([
  ['anthropics/claude-code#10825', listed({ inputSchema: {}, outputSchema: { type: 'array' } }), FINE],
  ['anthropics/claude-code#49133', { initialize: shaken('2024-11-05') }, FINE],
  ['openai/codex#2058', parameter({ description: 'no type' }), FINE],
  [
    'google-gemini/gemini-cli#5388',
    parameter({ type: ['null', 'string'] }, { additionalProperties: { not: {} } }),
    FINE,
  ],
  ['microsoft/vscode#257537', parameter({ type: 'array' }), FINE],
  ['microsoft/vscode-copilot-release#7636', parameter(true), FINE],
  ['aaif-goose/goose#1880', listed({ inputSchema: { type: 'object' } }), FINE],
  ['modelcontextprotocol/inspector#429', listed({ inputSchema: {}, annotations: { type: 'object' } }), FINE],
  ['modelcontextprotocol/python-sdk#924', { initialize: `[50] Add handler${shaken('2025-06-18')}` }, FINE],
  ['openai/codex#7148', called({ error: 'stream disconnected' }), '{"error":"stream disconnected"}'],
  [
    'openai/codex#38794',
    { 'tools/call': message({ error: { code: -32_603, message: '' } }) },
    'gave no result: {"code":-32603,"message":""}. The call was sent once',
  ],
  [
    'aaif-goose/goose#5340',
    { 'tools/call': message({ error: { code: -32_603, message: 'keyValidator._parse' } }) },
    'gave no result: keyValidator._parse. The call was sent once',
  ],
  [
    'modelcontextprotocol/inspector#1045',
    called({ isError: true, content: [{ type: 'text', text: 'no such row' }], structuredContent: {} }),
    /^no such row\n\[structured content\]\n\{\}$/,
  ],
  ['modelcontextprotocol/inspector#1991', called({ structuredContent: { rows: [1] } }), '"rows"'],
  ['open-webui/open-webui#25260', resource({ mimeType: 'application/pdf' }), '[resource a://x]'],
  [
    'agno-agi/agno#10010',
    part({ type: 'resource_link', uri: 'file:///r.pdf', name: 'r.pdf', description: 'Quarterly report' }),
    '[resource r.pdf: file:///r.pdf – Quarterly report]',
  ],
  [
    'agentscope-ai/agentscope-java#3052',
    part({ type: 'image', data: 'https://cdn.example/p.png', mimeType: 'image/png' }),
    '[picture, image/png: https://cdn.example/p.png]',
  ],
  ['danny-avila/LibreChat#15601', resource({ mimeType: 'text/plain', blob: btoa('class A {}') }), 'class A {}'],
])('%s', async (_report, answers, read) => {
  const home = homeWith({});
  const file = path.join(home.directory, 'raw.json');
  writeFileSync(file, JSON.stringify(answers));
  home.configure({ srv: { command: process.execPath, args: [script, 'raw', file] } });
  const { results } = await runWithModel(home, [
    ['find_tool', { server: 'srv' }],
    ['call_tool', { name: 'srv__t', arguments: { a: 'x' } }],
  ]);
  if (typeof read === 'string') expect(results[1]).toContain(read);
  else expect(results[1]).toMatch(read);
});
