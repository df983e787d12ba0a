import { describe, expect, it } from 'vitest';
import { CTRL_D, ENTER } from '../../support/processes/keys.ts';
import { startInTerminal } from '../../support/processes/pty.ts';
import { runBin } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { FRAMES } from '../../support/replies/frames.ts';
import { pieceReply, type RawReply, type RawRequest, startRawServer } from '../../support/replies/raw-server.ts';
import { LOCAL_ANSWERS, type RecordedAnswer } from '../../support/wires/local-servers.ts';

/** The routes of Ollama 0.17.4. */
const ROUTES: Readonly<Record<string, RecordedAnswer>> = {
  '/api/tags': LOCAL_ANSWERS.ollamaTags,
  '/api/show': LOCAL_ANSWERS.ollamaShow,
  '/api/ps': LOCAL_ANSWERS.ollamaPs,
  '/api/chat': LOCAL_ANSWERS.ollamaRefusal,
};

/** An Ollama whose model has no tools; OLLAMA_HOST has its address. `requests` are those for the model. */
async function startOllama(routes = ROUTES) {
  const reply = ({ path }: RawRequest): RawReply => {
    const { status = 200, body } = routes[path] ?? { status: 404, body: '404 page not found' };
    return pieceReply([body], { status, type: 'application/json' });
  };
  const { url, requests } = await startRawServer(reply, reply);
  return { environment: { OLLAMA_HOST: url.replace('http://', '') }, requests };
}

const homeIn = (home: string) => ({ HOME: home, XDG_CONFIG_HOME: `${home}/.config` });

describe.runIf(process.platform !== 'win32')('a first start without a configuration', () => {
  it('lists the models of a running server, tries a tool call, and reports that the model does not support it', async () => {
    const { environment, requests } = await startOllama();
    const terminal = startInTerminal(['--no-sandbox'], { environment, columns: 80 });
    await terminal.waitForPrompt('model> ');
    const listed = terminal.screen().replaceAll(/\s*\n▌ +/g, ' ');
    expect(listed).toMatch(
      /1 {2}caller:latest {2}32,000 tokens, 136\.2 KB, no tools {2}on Ollama at http:\/\/127\.0\.0\.1:\d+/,
    );
    terminal.type(ENTER);
    await terminal.waitForPrompt();
    const text = terminal.screen().replaceAll(/\n▌ +/g, ' ');
    expect(text).toContain('Ollama answers, but does not accept tools for caller:latest.');
    expect(text).toContain('ybs ollama/caller:latest');
    expect(requests.map(({ path, body }) => [path, JSON.parse(body).tools.length])).toEqual([['/api/chat', 1]]);
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
  });

  it('uses another model of the chosen server with /model, and continues with the printed command', async () => {
    const [tags = '', chat = ''] = [LOCAL_ANSWERS.ollamaTags.body, JSON.stringify(FRAMES['ollama-chat'].whole('Yes.'))];
    const models = tags.replace('"models":[', '"models":[{"name":"other:latest","model":"other:latest"},');
    const { environment, requests } = await startOllama({
      ...ROUTES,
      '/api/tags': { body: models },
      '/api/chat': { body: chat },
    });
    const place = { directory: temporaryDirectory(), environment: { ...environment, ...homeIn(temporaryDirectory()) } };
    const terminal = startInTerminal(['--no-sandbox'], { ...place, columns: 80 });
    await terminal.waitForPrompt('model> ');
    terminal.type(`caller:latest${ENTER}`);
    await terminal.waitForPrompt();
    terminal.type(`/model other:latest${ENTER}`);
    await terminal.waitForText('The model is ollama/other:latest from the next request on.');
    terminal.type(`hello${ENTER}`);
    await terminal.waitForText('Yes.');
    await terminal.waitForPrompt();
    terminal.type(CTRL_D);
    expect((await terminal.ended).exitCode).toBe(0);
    const [, command = ''] =
      /ybs (--provider ollama --model other:latest --resume \S+)$/m.exec(terminal.screen()) ?? [];
    expect(await runBin([...command.split(' '), 'and?'], place)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Yes.\n'),
    });
    expect(requests.map(({ body }) => JSON.parse(body).model)).toEqual([
      'caller:latest',
      'other:latest',
      'other:latest',
    ]);
    expect(requests.at(-1)?.body).toContain('"hello"');
  });

  it('names the found servers in one line without a terminal, and sends no prompt', async () => {
    const { environment, requests } = await startOllama();
    const { code, stdout, stderr } = await runBin(['fix the test'], { environment });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^ybs: No model is configured\. This machine has caller:latest \(Ollama\).*ybs --provider ollama --model caller:latest.*\n$/,
    );
    expect(requests).toEqual([]);
  });
});
