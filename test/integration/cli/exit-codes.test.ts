import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const list = { response: { tool_calls: [{ name: 'list_files', arguments: { pattern: '*' } }] } };
const write = { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'a', content: 'a' } }] } };
const answer = { response: { content: 'Done.' } };
const scenario = (name: string, steps: readonly object[]) => ({ name, trigger: `play ${name}`, steps });
const SCENARIOS = [
  scenario('write', [write, answer]),
  scenario('circle', [...Array.from({ length: 9 }, () => list), answer]),
];

describe('the exit code', () => {
  it('is 1 when the run failed, here because the endpoint refuses the connection', async () => {
    const endpoint = await closedEndpoint();
    const { code, stdout } = await runMain(['-p', 'mock', '--endpoint', endpoint, 'hello']);
    expect(code).toBe(1);
    // A local server that does not run will not run a second later, so there are no retries.
    expect(stdout).toBe(
      `▌ Nothing is listening at ${endpoint}/v1. Is the server running, and is the endpoint right?\n`,
    );
  });

  it('is 3 when a call needed approval and there was no terminal', async () => {
    const { url } = await startRecordingServer({ scenarios: SCENARIOS });
    const { code, stdout } = await runMain(['-p', 'mock', '--endpoint', url, 'play write']);
    expect(code).toBe(3);
    expect(stdout).toContain('  ✗ write_file: denied, no terminal to ask on\n');
  });

  it('is 4 when a limit ended the run', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'config.json': '{"agent":{"max_iterations":1}}' });
    const { url } = await startRecordingServer({ scenarios: SCENARIOS });
    const args = ['-p', 'mock', '--endpoint', url, '-c', 'config.json', 'play circle'];
    const { code, stdout } = await runMain(args, { directory });
    expect(code).toBe(4);
    expect(stdout).toContain('agent.max_iterations');
  });
});

describe('the exit code 2', () => {
  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown option', ['--modle', 'x'], /^ybs: Unknown option --modle\. Did you mean --model\?\n$/],
    ['a missing key', ['-p', 'openai', 'hello'], /^ybs: .*OPENAI_API_KEY/],
    ['a directory that does not exist', ['-p', 'mock', '--cwd', 'nowhere', 'hello'], /^ybs: .*nowhere/],
    [
      'an invalid configuration',
      ['-p', 'mock', '-c', 'wrong.json', 'hello'],
      /^ybs: .*wrong\.json[\s\S]*max_iterations/,
    ],
  ];

  it.each(REFUSED)(
    'reports %s with the reason on standard error, before anything runs',
    async (_name, args, message) => {
      const directory = temporaryDirectory();
      writeFiles(directory, { 'wrong.json': '{"agent":{"max_iterations":"many"}}' });
      const { code, stdout, stderr } = await runMain(args, { directory, environment: { OPENAI_API_KEY: '' } });
      expect(stderr).toMatch(message);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );
});

describe.runIf(process.platform !== 'win32')('without a known home directory', () => {
  it.each(['', '.'])('HOME=%j does not make the project the home directory', async (home) => {
    const directory = temporaryDirectory();
    writeFiles(directory, { '.ybs.json': '{"safety":{"permission_mode":"full-access"}}' });
    const environment = { HOME: home, XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '' };
    const { code, stderr } = await runMain(['-p', 'mock', 'hello'], { directory, environment });
    expect(stderr).toMatch(/^ybs: The home directory must be an absolute path/);
    expect({ code, files: readdirSync(directory) }).toEqual({ code: 2, files: ['.ybs.json'] });
  });
});

/** The address of a server that has closed. */
async function closedEndpoint(): Promise<string> {
  const { startMockServer } = await import('../../../mock-llm-server/server/listen.ts');
  const { createScenarioSet } = await import('../../../mock-llm-server/scenario/prepare.ts');
  const server = await startMockServer({ scenarios: createScenarioSet([]) });
  await server.close();
  return server.url;
}
