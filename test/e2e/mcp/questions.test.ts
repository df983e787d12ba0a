import path from 'node:path';
import { client } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { newAcpPlace, prompt, startAcpBin } from '../../support/hosts/acp-bin.ts';
import { startHostBin } from '../../support/hosts/host-bin.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { startBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const script = path.join(import.meta.dirname, '../../support/mcp/full-server.mjs');
const call = (name: string, args: Record<string, string | Record<string, string>> = {}) => ({
  response: { tool_calls: [{ name, arguments: args }] },
});
const use = (name: string) => [
  call('find_tool', { server: 'shop' }),
  call('call_tool', { name: `shop__${name}`, arguments: {} }),
  { response: { content: 'Done.' } },
];
const STORY = {
  scenarios: [
    { name: 'order', trigger: 'order it', steps: use('order') },
    { name: 'page', trigger: 'log me in', steps: use('page') },
    { name: 'review', trigger: 'Review src/a.ts, mostly the names.', steps: [{ response: { content: 'Reviewed.' } }] },
  ],
};
const CONFIG = JSON.stringify({ mcp: { servers: { shop: { command: process.execPath, args: [script] } } } });
const MODE = ['--permission-mode', 'full-access', '--no-sandbox'];

/** The last result that the model has got. */
async function withServer() {
  const server = await startRecordingServer(STORY);
  return { url: server.url, result: () => server.resultsInLastRequest().at(-1) };
}

function newHome() {
  const home = temporaryDirectory();
  writeFiles(home, { '.config/ybs/config.json': CONFIG });
  return { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
}

it('a question of a server is asked at the terminal, and the server gets the answer', async () => {
  const { url, result } = await withServer();
  const terminal = startInTerminal([...MODE, '-p', 'mock', '--endpoint', url], { environment: newHome() });
  await terminal.waitForPrompt();
  terminal.type('order it\r');
  await terminal.waitForText('? the server shop asks you');
  expect(terminal.screen()).toContain('▌   What do you want?');
  expect(terminal.screen()).toMatch(/- Your name \(a text[;)]/);
  await terminal.waitForPrompt('▌   > ');
  terminal.type('y');
  await terminal.waitForPrompt('▌   Your name: ');
  terminal.type('Ada\r');
  await terminal.waitForPrompt('▌   count: ');
  terminal.type('\r');
  await terminal.waitForPrompt('▌   colour: ');
  terminal.type('2\r');
  await terminal.waitForPrompt('▌   gift: ');
  terminal.type('y\r');
  await terminal.waitForText('shop gets:');
  await terminal.waitForPrompt('▌   > ');
  terminal.type('y');
  await terminal.waitForText('Done.');
  expect(result()).toBe(
    '{"order":{"action":"accept","content":{"name":"Ada","count":3,"colour":"green","gift":true}}}',
  );
  await terminal.waitForPrompt();
  terminal.type('log me in\r');
  await terminal.waitForText('https://login.example/start?a=1');
  await terminal.waitForPrompt('▌   > ');
  terminal.type('n');
  await terminal.waitForPrompt();
  expect(result()).toBe('{"page":{"action":"decline"}}');
  // The prompts of the server are commands.
  terminal.type('/shop__rev\t');
  await terminal.waitForText('/shop__review ');
  terminal.type('fi\t');
  await terminal.waitForText('/shop__review file=');
  terminal.type('src/a.ts focus="the names"\r');
  await terminal.waitForText('Reviewed.');
  // Ctrl-D has no effect while the run ends.
  await terminal.waitForPrompt();
  terminal.type('\u0004');
  expect((await terminal.ended).exitCode).toBe(0);
});

it('a question of a server is asked through a host of the Agent SDK', async () => {
  const { url, result } = await withServer();
  const args = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', ...MODE];
  const host = startHostBin([...args, '--permission-prompt-tool', 'stdio', '-p', 'mock', '--endpoint', url], {
    environment: newHome(),
  });
  host.send({ type: 'user', message: { role: 'user', content: 'order it' } });
  const question = await host.waitFor(({ type }) => type === 'control_request');
  expect(question).toMatchObject({
    request: { subtype: 'elicitation', mcp_server_name: 'shop', message: 'What do you want?', mode: 'form' },
  });
  const { request_id } = question;
  const response = { action: 'accept', content: { name: 'Ada', colour: 'red' } };
  host.send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  await host.waitFor(({ type }) => type === 'result');
  expect(result()).toContain('"action":"accept","content":{"name":"Ada","count":3,"colour":"red","gift":false}');
  host.end();
  await host.ended;
});

it.each([
  [{ elicitation: { form: {} } }, 'order it', '{"order":{"action":"decline"}}'],
  [{ elicitation: { form: {} } }, 'log me in', 'elicitation'],
  [{}, 'order it', 'elicitation'],
])('a question of a server is asked through a client of ACP with %j: %s', async (clientCapabilities, text, told) => {
  const { url, result } = await withServer();
  const place = newAcpPlace();
  writeFiles(place.environment['HOME'] ?? '', { '.config/ybs/config.json': CONFIG });
  const { stream, child, ended } = startAcpBin(place, url);
  const asked: string[] = [];
  const app = client()
    .onRequest('elicitation/create', ({ params: { message } }) => {
      asked.push(message);
      return { action: 'decline' };
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }));
  await app.connectWith(stream, async (agent) => {
    await agent.request('initialize', { protocolVersion: 1, clientCapabilities });
    const { sessionId } = await agent.request('session/new', { cwd: place.cwd, mcpServers: [] });
    await prompt(agent, sessionId, text);
  });
  expect(result()).toContain(told);
  expect(asked).toEqual(told === 'elicitation' ? [] : ['shop: What do you want?']);
  child.stdin.end();
  await ended;
});

it('a question of a server is not asked without a terminal', async () => {
  const { url, result } = await withServer();
  await startBin([...MODE, '-p', 'mock', '--endpoint', url, 'order it'], { environment: newHome() }).ended;
  expect(result()).toContain('elicitation');
});
