import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/agent/ports/tool.ts';
import { createHostRequests, type HostRequests } from '../../../../src/hosts/host-requests.ts';
import { openHostServers } from '../../../../src/hosts/stream-json/host-tools.ts';
import { StreamJsonLineSchema } from '../../../support/hosts/stream-json-schema.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: unknown;
}

const { signal } = new AbortController();
const INITIALIZED = { result: { protocolVersion: '2025-06-18', capabilities: {} } };
const WEATHER = {
  name: 'get weather',
  description: 'Tells the weather.',
  inputSchema: { $schema: 'x', type: 'object', properties: { city: { type: 'string' } } },
};

/** The servers of a host that answers each method with the fields of its entry, and with an error to any other. */
async function serversThat(answers: Readonly<Record<string, object>>, names: readonly string[] = ['my.city']) {
  const messages: Message[] = [];
  let ids = 0;
  const requests: HostRequests = createHostRequests(async (line) => {
    const parsed = StreamJsonLineSchema.parse(line);
    if (parsed.type !== 'control_request' || parsed.request.subtype !== 'mcp_message') throw new Error('no message');
    const { message } = parsed.request;
    const { id, method, params } = JSON.parse(JSON.stringify(message));
    messages.push({ id, method, params });
    const answer = answers[method] ?? { error: { code: -32_601, message: `no ${method}` } };
    requests.questions.answer(parsed.request_id, { response: { mcp_response: { jsonrpc: '2.0', id, ...answer } } });
    return true;
  });
  const newId = () => {
    ids += 1;
    return `q${ids}`;
  };
  return { messages, servers: await openHostServers(names, { requests, newId, version: '1.2.3' }, signal) };
}

/** The only tool of a host whose calls are answered with these fields. */
async function toolWith(called: object, tool: object = WEATHER) {
  const { servers, messages } = await serversThat({
    initialize: INITIALIZED,
    'tools/list': { result: { tools: [tool] } },
    'tools/call': called,
  });
  const found = servers[0]?.tools[0];
  if (found === undefined) throw new Error('no tool');
  return { tool: found, messages };
}

async function call(tool: Tool, args: unknown) {
  const planned = await tool.plan(args, { callId: 'c1', signal, pause: async () => {} });
  const step = await planned.run().next();
  return { summary: planned.effect.summary, result: step.value };
}

describe('openHostServers', () => {
  it('introduces itself, asks for the tools, and offers them under the name of their server', async () => {
    const { tool, messages } = await toolWith({ result: { content: [{ type: 'text', text: 'sunny' }] } });
    expect(tool.definition).toEqual({
      name: 'mcp__my_city__get_weather',
      description: 'Tells the weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      effect: 'execute',
    });
    expect(await call(tool, { city: 'Rome' })).toEqual({
      summary: 'call mcp__my_city__get_weather with {"city":"Rome"}',
      result: { content: 'sunny', isError: false, summary: 'done' },
    });
    const clientInfo = { name: 'ybs', version: '1.2.3' };
    expect(messages).toEqual([
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
      { id: undefined, method: 'notifications/initialized', params: undefined },
      { id: 3, method: 'tools/list', params: {} },
      { id: 4, method: 'tools/call', params: { name: 'get weather', arguments: { city: 'Rome' } } },
    ]);
  });

  it('reads with a tool that the host calls read-only', async () => {
    const { tool } = await toolWith({}, { ...WEATHER, annotations: { readOnlyHint: true } });
    expect(tool.definition.effect).toBe('read');
  });

  it.each<readonly [name: string, answers: Readonly<Record<string, object>>]>([
    ['does not know initialize', {}],
    ['has no list of tools', { initialize: INITIALIZED }],
    ['has a list that cannot be read', { initialize: INITIALIZED, 'tools/list': { result: { tools: [{}] } } }],
    ['has an invalid list', { initialize: INITIALIZED, 'tools/list': { result: { tools: { a: {} } } } }],
  ])('has no tools of a server that %s', async (_name, answers) => {
    expect((await serversThat(answers)).servers).toEqual([{ name: 'my.city', status: 'failed', tools: [] }]);
  });

  it('opens the others when one server fails, and all of them in parallel', async () => {
    const { servers } = await serversThat({ initialize: INITIALIZED, 'tools/list': { result: { tools: [] } } }, [
      'a',
      'b',
    ]);
    expect(servers.map(({ name, status }) => [name, status])).toEqual([
      ['a', 'connected'],
      ['b', 'connected'],
    ]);
  });

  it('stops when the opening of the session is aborted', async () => {
    const stop = new AbortController();
    const requests = createHostRequests(async () => true);
    const opened = openHostServers(['a'], { requests, newId: () => 'q', version: '1' }, stop.signal);
    stop.abort();
    await expect(opened).rejects.toThrow('stopped');
  });
});

const PICTURE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

describe('a tool of a host', () => {
  it.each<readonly [name: string, called: object, result: object]>([
    [
      'joins texts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { content: 'a\nb', isError: false, summary: 'done' },
    ],
    [
      'passes on pictures',
      { content: [PICTURE, { type: 'text', text: 'a' }] },
      { content: 'a', isError: false, images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }], summary: 'done' },
    ],
    [
      'is read like a result of a server',
      { content: [{ type: 'resource', uri: 'file:///a', text: 'safe\u202e' }], structuredContent: { a: 1 } },
      {
        content: '[resource file:///a]\nsafe\n[structured content]\n{\n "a": 1\n}',
        isError: false,
        summary: 'done',
      },
    ],
    [
      'reports a failure',
      { content: [{ type: 'text', text: 'No such city.' }], isError: true },
      { content: 'No such city.', isError: true, summary: 'failed' },
    ],
  ])('%s', async (_name, called, result) => {
    const { tool } = await toolWith({ result: called });
    expect((await call(tool, {})).result).toEqual(result);
  });

  it('tells the model of an error of the server', async () => {
    const { tool } = await toolWith({ error: { code: 1, message: 'The server is tired.' } });
    await expect(call(tool, {})).rejects.toThrow('The server is tired.');
  });

  it('refuses arguments that are not an object', async () => {
    const { tool } = await toolWith({ result: { content: [] } });
    await expect(call(tool, [1])).rejects.toThrow('must be a JSON object.');
  });
});
