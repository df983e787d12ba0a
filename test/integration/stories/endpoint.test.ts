import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type MockLlm, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { COMMAND, removeKept, writeAgentStory } from '../../support/stories/agent-story.ts';

const WITHOUT_NAMESPACE = { PATH: path.dirname(process.execPath) };

/** The address of a server with this handler. */
async function listenWith(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** A server that ybs did not start; it answers from the files of a directory. */
async function startServer(scenarios: string): Promise<MockLlm> {
  const server = await startMockLlm({ scenarios });
  onTestFinished(() => server.close());
  return server;
}

function scenarioText(answer: string): string {
  const call = { name: 'write_file', arguments: { path: 'a.txt', content: 'A\n' } };
  const steps = [{ response: { tool_calls: [call] } }, { response: { content: `<think>Done?</think>${answer}` } }];
  const story = { prompts: ['Make the file'], permission_mode: 'full-access', expected_result_contains: ['a.txt'] };
  return JSON.stringify({ scenarios: [{ name: 'make', trigger: 'make the file', steps }], story });
}

describe('ybs test --endpoint', () => {
  it('plays a story on a server that has its model loaded, with the only model that it offers', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'make/scenario.json': scenarioText('Made.'), 'make/expected/a.txt': 'A\n' });
    const server = await startServer(path.join(directory, 'make'));
    const result = await runMain(['test', 'make', '--endpoint', server.url], { directory });
    expect(result.stdout).toMatch(/^passed make \(\d+\.\d s\)\n1 passed, 0 failed\n$/);
    expect([result.code, result.stderr]).toEqual([0, '']);
    const answered = server.requests.map(({ path: route, model, step }) => [route, model, step]);
    expect(answered).toEqual([
      ['/v1/chat/completions', 'mock-model', 0],
      ['/v1/chat/completions', 'mock-model', 1],
    ]);
  });

  it('accepts a provider and a model, and fails a story whose last answer is not a last step', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, {
      'make/scenario.json': scenarioText('Made.'),
      'make/expected/a.txt': 'A\n',
      'other/scenario.json': scenarioText('Something else.'),
    });
    const server = await startServer(path.join(directory, 'other'));
    const words = ['test', 'make', '--endpoint', server.url, '--provider', 'ollama', '--model', 'script'];
    const result = await runMain(words, { directory });
    const problem = 'the last answer is not the last step of a scenario: "Something else."';
    expect(removeKept(result).stdout).toContain(`\n  ${problem}\n`);
    expect(result.code).toBe(1);
    expect(server.requests.map(({ path: route, model }) => [route, model])).toContainEqual(['/api/chat', 'script']);
  });

  it('rejects options of the mock model, and a server that does not answer', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'make/scenario.json': scenarioText('Made.') });
    const refused = await runMain(['test', 'make', '--endpoint', 'http://127.0.0.1:9', '--rebase'], { directory });
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'ybs: --rebase needs the mock model, which sees the prompts. Remove --endpoint.\n',
    ]);
  });

  it.each([
    ['a server with one model', []],
    ['a server with this model', ['--model', 'script']],
    ['another agent', ['--agent', `"${process.execPath}" -e 0 {prompt}`]],
  ])('reports in one line that no server answers, before it starts the first story: %s', async (_name, words) => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'make/scenario.json': scenarioText('Made.') });
    const command = ['test', 'make', '--endpoint', 'http://127.0.0.1:9', ...words];
    const { code, stdout, stderr } = await runMain(command, { directory, environment: WITHOUT_NAMESPACE });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^ybs: Nothing (?:is listening|answers) at http:\/\/127\.0\.0\.1:9\b.* Is the server running.*\n$/,
    );
  });

  it.each([
    ['ybs', []],
    ['ybs with a model', ['--model', 'script']],
    ['another agent', ['--agent', COMMAND]],
  ])('fails each remaining story with one line when the server stops: %s', async (_name, words) => {
    const directory = temporaryDirectory();
    const stop = await listenWith((_request, response) => void server.close().then(() => response.end()));
    const check = [`"${process.execPath}" -e "fetch('${stop}')"`];
    writeAgentStory(directory, 'one', { check, permission_mode: 'full-access' });
    for (const name of ['two', 'three']) writeAgentStory(directory, name, { permission_mode: 'full-access' });
    const server = await startServer(path.join(directory, 'one'));
    const command = ['test', 'one', 'two', 'three', '--no-sandbox', '--endpoint', server.url, ...words];
    const result = removeKept(await runMain(command, { directory, environment: WITHOUT_NAMESPACE }));
    expect([result.code, result.stderr]).toEqual([1, '']);
    const report = result.stdout.replaceAll(/^! .*\n| \(\d+\.\d s\)|^ {2}the files are kept .*\n/gm, '');
    const gone = `  could not be played: Nothing (?:is listening|answers) at ${server.url}.* Is the server running.*`;
    expect(report).toMatch(
      new RegExp(`^passed one\nFAILED two\n${gone}\nFAILED three\n${gone}\n1 passed, 2 failed\n$`),
    );
  });

  const playAgent = async (address: (server: MockLlm) => string, story: object = {}, command = COMMAND) => {
    const directory = temporaryDirectory();
    writeAgentStory(directory, 'one', story);
    const server = await startServer(path.join(directory, 'one'));
    const words = ['test', '--agent', command, 'one', '--endpoint', address(server)];
    const result = await runMain(words, { directory, environment: WITHOUT_NAMESPACE });
    return { server, result: removeKept(result) };
  };

  it('lets another agent reach the server, and checks its requests and answers', async () => {
    const { server, result } = await playAgent(({ url }) => `${url}/v1`);
    expect(result.stdout).toMatch(/^! the agent can reach other hosts: .*\npassed one .*\n1 passed, 0 failed\n$/);
    expect(server.requests.length).toBeGreaterThan(0);
  });

  it.each([
    ['sends no request', `"${process.execPath}" -e 0 {prompt}`, {}, 'the agent sent no request to the model'],
    [
      'sends different results',
      COMMAND,
      { expected_result_contains: ['nowhere'] },
      'no tool result contains "nowhere"',
    ],
  ])('fails another agent that %s', async (_name, command, story, problem) => {
    const { result } = await playAgent(({ url }) => url, story, command);
    expect(result.stdout).toContain(problem);
    expect(result.code).toBe(1);
  });

  it('fails another agent whose server stops, or that ends before the last step', async () => {
    const url = await listenWith(({ method, socket }, response) =>
      method === 'GET' ? response.end() : socket.destroy(),
    );
    const { result } = await playAgent(() => url);
    expect(result.stdout).toContain('was answered 502: the server did not answer');
    const early = await playAgent(
      ({ url }) => url,
      { expected_outcome: 'done' },
      `"${process.execPath}" -e "fetch(process.env.OPENAI_BASE_URL+'/chat/completions',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({model:'m',messages:[{role:'user',content:process.argv[1]}]})}).then(r=>r.text())" {prompt}`,
    );
    expect(early.result.stdout).toContain('the last answer is not the last step of a scenario');
  });
});
