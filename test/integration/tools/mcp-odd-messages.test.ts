import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { serverOf, signal } from '../../support/mcp/open-server.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

/** A message of a server; `$ID` is the id of the request that it answers. */
const message = (parts: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id: 'ID', ...parts }).replace('"id":"ID"', '"id":$ID')}\n`;
const RESULT = message({ result: { content: [{ type: 'text', text: 'fine' }] } });
const HANDSHAKE = {
  ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
  serverInfo: { name: 'x', version: '1' },
};
const notification = (method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;
const shaken = (parts: object) => ({ initialize: message({ result: { ...HANDSHAKE, ...parts } }) });

/** A text, or one that is written many times, in Base64, or to the standard error. */
type Written =
  | string
  | { readonly text?: string; readonly times?: number; readonly base64?: string; readonly to?: 'stderr' };

/** A server that answers one method with these bytes, and the others correctly. */
async function open(raw: Readonly<Record<string, Written | readonly Written[]>>) {
  const file = path.join(temporaryDirectory(), 'raw.json');
  writeFileSync(file, JSON.stringify(raw));
  const opened = await serverOf('raw', { args: [file], entry: { timeout_seconds: 5 } });
  await opened.server.listTools(signal);
  return opened;
}

// A name, the bytes in answer to a call, and the reports of others. Each was a call that waited for its time limit.
it.each<readonly [string, Written | readonly Written[]]>([
  ['with a byte order mark (typescript-sdk#2790)', `\uFEFF${RESULT}`],
  ['with a carriage return (Taxuspt/garmin_mcp#128)', RESULT.replace('\n', '\r\n')],
  ['after the words of a log (servers#3173)', `Loading … ${RESULT}`],
  ['after a colour', `\u001b[2K\u001b[32m${RESULT}`],
  ['before the words of a log (servers#3173)', `${RESULT.trim()} done in 3 ms\n`],
  ['on one line with another', `${notification('notifications/message', { level: 'info' }).trim()}${RESULT}`],
  ['with the id as a string', RESULT.replace('$ID', '"$ID"')],
  ['without the version of JSON-RPC', RESULT.replace('"jsonrpc":"2.0",', '')],
  ['with another version of JSON-RPC', RESULT.replace('"2.0"', '"1.0"')],
  ['with an error that is null', RESULT.replace('"result"', '"error":null,"result"')],
  ['in a batch', `[${RESULT.trim()}]\n`],
  ['twice', RESULT + RESULT],
  ['without an end of its line', RESULT.trim()],
  ['in a frame of LSP (codebase-memory-mcp#1424)', `Content-Length: 90\r\n\r\n${RESULT.trim()}`],
  ['after an object in a log in JSON (mcp-jenkins#6)', `{"id":1,"error":"full","level":"warn"}\n${RESULT}`],
  ['after an open bracket in a log', `{\n[INFO] ready\n${RESULT}`],
  ['after an object in a log', `{\n  level: 'info'\n}\n${RESULT}`],
  ['with a number of Python', RESULT.replace('"content"', '"structuredContent":null,"_meta":{"n":NaN},"content"')],
  ['after a ping with a string as id', `${JSON.stringify({ jsonrpc: '2.0', id: 'p', method: 'ping' })}\n${RESULT}`],
  ['after a request without an id', `${JSON.stringify({ jsonrpc: '2.0', id: null, method: 'ping' })}\n${RESULT}`],
  [
    'after requests for capabilities that the client does not offer',
    `${['sampling/createMessage', 'roots/list'].map((method, id) => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`).join('')}${RESULT}`,
  ],
  ['after an unknown notification', notification('notifications/unknown', [1]) + RESULT],
  [
    'after progress of an unknown call',
    notification('notifications/progress', { progressToken: 'nobody', progress: 1 }) + RESULT,
  ],
  ['after progress that is not a number', notification('notifications/progress', { progress: '50 %' }) + RESULT],
  [
    'after a flood of progress',
    notification('notifications/progress', { progressToken: 99, progress: 1 }).repeat(20_000) + RESULT,
  ],
  ['after a flood of changes', notification('notifications/tools/list_changed', {}).repeat(2_000) + RESULT],
  [
    'after a flood of errors (mcp-go#956, mcptoon#19)',
    [{ to: 'stderr', text: 'warning: \u001b[31mfailed to read x\n', times: 500_000 }, RESULT],
  ],
  [
    'after a flood of errors without an end of line (ruby-mcp-client#142)',
    [{ to: 'stderr', text: '50 % \r', times: 3_000_000 }, RESULT],
  ],
  ['after a flood of log lines', [{ text: '[INFO] {"level": ready}\n', times: 20_000 }, RESULT]],
  ['after a flood of objects that are no messages', [{ text: '{"level":"info"}\n', times: 20_000 }, RESULT]],
  ['after a line of 30 MB that is none', [{ text: 'x'.repeat(1_000), times: 30_000 }, `\n${RESULT}`]],
  ['after white space in a line that is none', [{ text: '{"' }, { text: ' ', times: 1_000_000 }, `}\n${RESULT}`]],
  ['after empty lines', [{ text: '\r\n', times: 1_000_000 }, RESULT]],
  ['after bytes that are no text', [{ base64: '//4AsKHDKP8K' }, RESULT]],
  ['after a flood of pings', [{ text: '{"jsonrpc":"2.0","id":"p","method":"ping"}\n', times: 5_000 }, RESULT]],
  // langgenius/dify#41499, java-sdk#248
  ['after answers with other ids', [{ text: RESULT.replace('$ID', '987654'), times: 1_000 }, RESULT]],
  ['before an error with its id', RESULT + message({ error: { code: -1, message: 'late' } })],
])('a result %s is read', async (_name, bytes) => {
  const { call, server } = await open({ 'tools/call': bytes });
  expect(await call('srv__t')).toMatchObject({ content: 'fine', isError: false });
  expect(server.state).toMatchObject({ type: 'running', problem: undefined });
});

// codebase-memory-mcp#511, typescript-sdk#2041
it('bytes that are no UTF-8 are replaced, and characters are whole wherever a pipe divides them', async () => {
  const [start = '', end = ''] = RESULT.split('fine');
  const { call } = await open({
    'tools/call': [start, { base64: 'sKE=' }, { text: 'é—🙂', times: 100_000 }, end],
  });
  const { content } = await call('srv__t');
  expect(content).toMatch(/^\uFFFD+é—🙂é—🙂/);
  const [, file = ''] = /(\/\S+\.log)/.exec(content) ?? [];
  expect(readFileSync(file, 'utf8').match(/é—🙂/gu)).toHaveLength(100_000);
});

it('an answer to a call that has ended is for nobody, and no error', async () => {
  const { call, server } = await open({ 'tools/call': '', 'notifications/cancelled': '' });
  const stop = new AbortController();
  const ended = call('srv__t', {}, stop.signal);
  await expect.poll(() => server.state.type).toBe('running');
  stop.abort();
  await expect(ended).rejects.toThrow();
  expect(server.state).toMatchObject({ type: 'running', problem: undefined });
});

it.each<readonly [string, string, string]>([
  ['has no id (helidon-mcp#65, java-sdk#506)', '{"jsonrpc":"2.0","error":{"code":-32700,"message":"lost"}}\n', 'lost'],
  ['has the id null', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"lost"}}\n', 'lost'],
  ['has a result that is null', message({ result: null, error: { code: -1, message: 'boom' } }), 'boom'],
  ['is a string', message({ error: 'boom' }), 'boom'],
  ['has a string as code', message({ error: { code: 'E_BOOM', message: 'boom' } }), 'boom'],
  ['has only data', message({ error: { code: -1, message: null, data: 'why' } }), 'why'],
  ['has no message', message({ error: { code: -7 } }), '{"code":-7}'],
  ['has an empty message (codex#38794)', message({ error: { code: -7, message: '' } }), '{"code":-7,"message":""}'],
  ['is not JSON', RESULT.replace('"fine"', "'fine'"), 'its result is not valid JSON'],
  ['is a result that is not an object', message({ result: 'fine' }), 'its result cannot be read'],
])('an error that %s ends its call at once', async (_name, bytes, reason) => {
  const { call } = await open({ 'tools/call': bytes });
  await expect(call('srv__t')).rejects.toThrow(`gave no result: ${reason}`);
});

// Neural-Harmonics/vcv-rack-plugin-mcp-server#21, radareorg/radare2-mcp#68
it('a call without an answer names an answer with the id of another request', async () => {
  const { call } = await open({ 'tools/call': RESULT.replace('$ID', '424242') });
  await expect(call('srv__t')).rejects.toThrow(
    '; it printed a line that answers nothing: {"jsonrpc":"2.0","id":424242,',
  );
});

it.each<readonly [string, Readonly<Record<string, string>>]>([
  ['has no name (ian-cowley/MCPSqlServer#3)', shaken({ serverInfo: undefined })],
  ['has no version (asciimoo/hister#363)', shaken({ serverInfo: { name: 'x' } })],
  ['declares no capabilities (codebase-memory-mcp#1185)', shaken({ capabilities: {} })],
  ['has no capabilities', shaken({ capabilities: undefined })],
  ['has null in place of capabilities', shaken({ capabilities: { tools: null, prompts: null, logging: null } })],
  ['has true in place of a capability', shaken({ capabilities: { tools: true } })],
  ['has a list in place of a capability', shaken({ capabilities: { tools: [] } })],
  ['has null in place of instructions', shaken({ instructions: null })],
  [
    'has unknown capabilities (claude-code#79849)',
    shaken({ capabilities: { tools: {}, logging: 1, completions: 'x' } }),
  ],
  ['is of an early revision', shaken({ protocolVersion: '2024-10-07' })],
  ['is of a revision that the server does not list (annas-mcp#23)', shaken({ protocolVersion: '2025-03-26' })],
  [
    'follows a refusal of the first question (dbt-mcp#865, yargi-mcp#45)',
    { 'server/discover': message({ error: { code: -32_602, message: 'Invalid request parameters', data: '' } }) },
  ],
  [
    'answers a notification with an error',
    {
      'notifications/initialized':
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found: notifications/initialized"}}\n',
    },
  ],
  [
    'follows messages that nobody has asked for (auth0-mcp-server#161, rust-sdk#412)',
    {
      initialize: [
        notification('notifications/message', { level: 'info', data: 'x' }),
        notification('notifications/tools/list_changed', {}),
        shaken({}).initialize,
      ].join(''),
    },
  ],
  ['begins with a byte order mark', { initialize: `\uFEFF${shaken({}).initialize}` }],
])('a server is used whose handshake %s', async (_name, raw) => {
  const { call } = await open(raw);
  expect(await call('srv__t')).toMatchObject({ content: 'called with {}' });
});

it.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ['has an unsupported revision', shaken({ protocolVersion: '2031-01-01' }), 'version is not supported: 2031-01-01'],
  ['has a number as revision', shaken({ protocolVersion: 1 }), 'version is not supported: 1.'],
  [
    'is an error',
    { initialize: message({ error: { code: -32_603, message: 'KEY \u001b[31mmissing' } }) },
    'cannot be used: KEY missing. Its last lines: first line of stderr.',
  ],
])('a server is reported as unusable, with the reason, whose handshake %s', async (_name, raw, reason) => {
  await expect(open(raw)).rejects.toThrow(reason);
});

it('a server that prints the reason of its failure is quoted', async () => {
  const file = path.join(temporaryDirectory(), 'raw.json');
  writeFileSync(file, JSON.stringify({ 'server/discover': 'Error: KEY is not set\n', initialize: '' }));
  const { server } = await serverOf('raw', { args: [file], entry: { start_seconds: 1 } });
  // On a busy machine the server may not have printed anything when the first call ends.
  await expect
    .poll(() => server.listTools(signal).catch(String), { timeout: 50_000 })
    .toContain('Its last lines: Error: KEY is not set | first line of stderr');
});

describe('a list of tools', () => {
  const tool = (inputSchema: unknown, more: object = {}) => ({ name: 't', inputSchema, ...more });
  const a = { a: { type: 'string' } };
  const plain = { type: 'object', properties: a };
  const listed = async (result: unknown) => {
    const { server, tools } = await open({ 'tools/list': message({ result }) });
    return { ...(await server.listTools(signal)), shown: tools()[0]?.definition.parameters };
  };

  it.each([3_000, 50_000])('omits a tool whose schema is %d levels deep', async (levels) => {
    const deep = `${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`;
    const tools = `[{"name":"deep","inputSchema":${deep}},{"name":"t"}]`;
    const { server } = await open({ 'tools/list': `{"jsonrpc":"2.0","id":$ID,"result":{"tools":${tools}}}\n` });
    const { tools: kept, problems } = await server.listTools(signal);
    expect(kept.map(({ name }) => name)).toEqual(['t']);
    expect(problems).toEqual(['the tool deep is left out: its schema is nested too deeply']);
  });

  it('may have its only words in an annotation, and null in place of a cursor (Wazuh-MCP-Server#75)', async () => {
    const { tools } = await listed({ tools: [tool(plain, { annotations: { title: 'Do it' } })], nextCursor: null });
    expect(tools).toMatchObject([{ name: 't', description: 'Do it' }]);
  });

  it('that is not a list, or has too many tools, is reported', async () => {
    expect(await listed({ tools: { t: tool(plain) } })).toMatchObject({
      ...{ tools: [], problems: ['the list of tools is not a list, so it cannot be read'] },
    });
    const many = Array.from({ length: 1_001 }, (_, index) => ({ ...tool(plain), name: `t${index}` }));
    expect((await listed({ tools: many })).problems).toEqual([
      'there may be more than 1000 tools; these are the first',
    ]);
  });

  // freee/freee-mcp#15, twilio-labs/mcp#56, erikmaday/unusual-whales-mcp#57, ComposioHQ/composio#2330
  it('may have parameters with names that services reject, which are renamed for the model only', async () => {
    const names = ['StartTime<', 'StartTime>', 'issue_types[]', '$filter', 'a'.repeat(70), 'ok', 'StartTime_'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]));
    const schema = { type: 'object', properties, required: ['$filter', 'ok'] };
    const { call, tools } = await open({ 'tools/list': message({ result: { tools: [tool(schema)] } }) });
    const { parameters } = tools()[0]?.definition ?? {};
    const shown = Object.keys(Object(parameters)['properties']);
    expect(shown).toHaveLength(names.length);
    for (const name of shown) expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    expect(parameters).toMatchObject({ required: ['_filter', 'ok'] });
    const { content } = await call('srv__t', Object.fromEntries(shown.map((name) => [name, '1'])));
    expect(JSON.parse(content.replace('called with ', ''))).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
  });
});

it('only a failed result that lacks local sockets in the sandbox names their key', async () => {
  const content = [{ type: 'text', text: 'socket() failed: Address family not supported by protocol (97)' }];
  const read = async (isError: boolean, entry: object, isConfined = true): Promise<string> => {
    const { server, call } = await serverOf('result', { entry, isConfined });
    await server.listTools(signal);
    return (await call('srv__t', { result: { isError, content } })).content;
  };
  expect(await read(true, {})).toContain('"local_sockets": true');
  expect(await read(false, {})).not.toContain('local_sockets');
  expect(await read(true, { local_sockets: true })).not.toContain('local_sockets');
  expect(await read(true, {}, false)).not.toContain('local_sockets');
});
