// A server on the official library with questions, prompts and resources. `older` as argument: only 2025-11-25 and before.
import process from 'node:process';
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const ORDER = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', minLength: 2 },
    count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    colour: { type: 'string', enum: ['red', 'green'] },
    gift: { type: 'boolean', default: false },
  },
  required: ['name', 'colour'],
};
const KEY = { type: 'object', properties: { apiKey: { type: 'string' } }, required: ['apiKey'] };

function create() {
  const server = new McpServer({ name: 'full', version: '1.0.0' }, { capabilities: { logging: {} } });
  const ask = (name, requests) =>
    server.registerTool(name, { description: `Asks: ${name}.`, inputSchema: z.object({}) }, (_args, { mcpReq }) => {
      const answers = mcpReq.inputResponses ?? {};
      const [first] = Object.keys(requests);
      return answers[first] === undefined ? inputRequired({ inputRequests: requests }) : text(JSON.stringify(answers));
    });
  const form = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema });
  ask('order', { order: form('What do you \u001b[31mwant\u202e?', ORDER) });
  ask('two', { one: form('First?', ORDER), other: form('Second?', ORDER) });
  ask('key', { key: form('Who are you?', KEY) });
  ask('page', { page: inputRequired.elicitUrl({ message: 'Log in', url: 'https://login.example/start?a=1' }) });
  ask('file', { file: inputRequired.elicitUrl({ message: 'Look', url: 'file:///etc/passwd' }) });
  server.registerTool('grow', { description: 'Adds a tool.', inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    await mcpReq.log?.('info', 'growing');
    server.registerTool('added', { description: 'It is new.', inputSchema: z.object({}) }, () => text('added'));
    return text('grown');
  });
  server.registerTool('plain', { description: 'Asks nothing.', inputSchema: z.object({}) }, () => text('plain'));
  const said = (role, value) => ({ role, content: { type: 'text', text: value } });
  server.registerPrompt(
    'review',
    {
      description: 'Review \u001b[1ma file',
      argsSchema: z.object({ file: z.string(), focus: z.string().optional() }),
    },
    ({ file, focus }) => ({
      messages: [
        said('user', `Review ${file}\u202e, mostly ${focus ?? 'all'}.`),
        said('assistant', 'I will.'),
        { role: 'user', content: { type: 'resource', resource: { uri: 'x://rules', text: 'Be kind.' } } },
      ],
    }),
  );
  server.registerPrompt('greet me', { title: 'Greet' }, () => ({ messages: [said('user', 'Say hello.')] }));
  return server;
}

if (process.argv[2] === 'older') await create().connect(new StdioServerTransport());
else serveStdio(create);
