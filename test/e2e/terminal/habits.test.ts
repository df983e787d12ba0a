import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CTRL_D, ENTER } from '../../support/processes/keys.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { LOCAL_ANSWERS } from '../../support/wires/local-servers.ts';

const [ESC, BEL] = ['\u001b', '\u0007'];
/** Control sequences of any kind. */
const CONTROLS = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}]*${BEL}|.)`, 'g');

describe.runIf(process.platform !== 'win32')('habits of users at a terminal', () => {
  it('include a single word similar to a command, which can be confirmed as the command', async () => {
    const terminal = startInTerminal(['doctr']);
    await terminal.waitForPrompt();
    expect(terminal.screen()).toContain('"doctr" is not a command. Did you mean ybs doctor?');
    terminal.type(`y${ENTER}`);
    await terminal.waitForText('configuration');
    expect((await terminal.ended).exitCode).toBe(1);
  });

  it('include /copy, which copies the last answer to the clipboard of the terminal, even through tmux', async () => {
    const environment = { TMUX: '/tmp/tmux-0/default,1,0' };
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox'], { environment });
    await terminal.waitForPrompt();
    terminal.type(`what can you do${ENTER}`);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(`/copy${ENTER}`);
    await terminal.waitForText('Sent the last answer to the clipboard');
    const [, base64 = ''] = new RegExp(`${ESC}\\]52;c;([^${BEL}]*)${BEL}${ESC}Ptmux;`).exec(terminal.output()) ?? [];
    expect(Buffer.from(base64, 'base64').toString()).toMatch(/^I can read, search, write and edit/);
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('include typing while the chosen model is tried, and another provider after that choice', async () => {
    let endTrial = () => {};
    const trial = new Promise<void>((resolve) => (endTrial = resolve));
    const line = { model: 'm', message: { role: 'assistant', content: 'You can' }, done: true, done_reason: 'stop' };
    const bodies = new Map([
      ['/api/tags', LOCAL_ANSWERS.ollamaTags.body?.replace('[', '[{"name":"other:latest","model":"other:latest"},')],
      ['/api/show', LOCAL_ANSWERS.ollamaShow.body],
      ['/api/ps', LOCAL_ANSWERS.ollamaPs.body],
      ['/api/chat', `${JSON.stringify(line)}\n`],
    ]);
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      const { url = '' } = request;
      if (url === '/api/chat') asked.push(await text(request));
      if (url === '/api/chat') await trial;
      response.writeHead(bodies.has(url) ? 200 : 404, { 'content-type': 'application/json' }).end(bodies.get(url));
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const terminal = startInTerminal(['--no-sandbox'], { environment: { OLLAMA_HOST: `127.0.0.1:${port}` } });
    await terminal.waitForPrompt('model> ');
    terminal.type(`2${ENTER}`);
    await terminal.waitForText('trying a tool call');
    // The completion of a command does not open the session before its model is known.
    terminal.type('/he');
    await terminal.waitForText('next> /he');
    terminal.type('\t\u0015early');
    await terminal.waitForText('next> early');
    endTrial();
    await terminal.waitFor('the message', () => terminal.cursorLine() === '> early');
    terminal.type(ENTER);
    await terminal.waitForText('You can');
    await terminal.waitFor('the request', () => asked.length === 2);
    expect(asked[1]).toContain('"model":"caller:latest"');
    await terminal.waitForPrompt();
    terminal.type(`/provider mock${ENTER}`);
    await terminal.waitForText('The model is mock/mock-model from the next request on.');
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('include --screen-reader, which writes every line once without redrawing', async () => {
    const terminal = startInTerminal(['-p', 'mock', '--no-sandbox', '--screen-reader'], {
      environment: { NO_COLOR: '1' },
    });
    await terminal.waitForPrompt();
    terminal.type(`what can you do${ENTER}`);
    await terminal.waitForText('I can read, search');
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
    expect(terminal.output().match(CONTROLS) ?? []).toEqual([]);
    expect(terminal.output().split('I can read, search')).toHaveLength(2);
  });
});
