import { describe, expect, it } from 'vitest';
import { StreamJsonLineSchema } from '../../support/hosts/stream-json-schema.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const CONTENT = { scenarios: [{ name: 'text', trigger: 'hello', steps: [{ response: { content: 'Hello.' } }] }] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one prompt for a host with an environment like that of a user, in which `environment` differs. */
async function run(environment: Environment) {
  // Without HOME, the home directory of the account is used, so the session is not stored.
  const args = ['--output-format', 'stream-json', '--no-session-persistence', 'hello'];
  const { stdout, stderr, code } = await runMain(args, { environment });
  const lines = stdout.split('\n').filter((line) => line !== '');
  const last = lines.map((line) => StreamJsonLineSchema.parse(JSON.parse(line))).at(-1);
  return { last, stderr, code };
}

const SUCCESS = { type: 'result', subtype: 'success', is_error: false, result: 'Hello.' };
const TOKEN = { ANTHROPIC_AUTH_TOKEN: 'token-1', ANTHROPIC_API_KEY: undefined };
const KEY = { ANTHROPIC_AUTH_TOKEN: undefined, ANTHROPIC_API_KEY: 'key-1' };

describe('a host with few variables in the environment', () => {
  it.for<readonly [name: string, changes: Environment]>([
    ['HOME', { HOME: undefined, USERPROFILE: undefined }],
    ['PATH', { PATH: undefined }],
    ['both', { HOME: undefined, USERPROFILE: undefined, PATH: undefined }],
  ])('gets an answer without %s', async ([, changes]) => {
    const { url } = await startRecordingServer(CONTENT);
    const { last, code } = await run({ ANTHROPIC_BASE_URL: url, ...KEY, ...changes });
    expect(last).toMatchObject(SUCCESS);
    expect(code).toBe(0);
  });

  it.for<readonly [name: string, credentials: Environment, headers: object]>([
    ['a token', TOKEN, { authorization: 'Bearer token-1' }],
    ['a key', KEY, { 'x-api-key': 'key-1' }],
  ])('reaches Anthropic with the address and %s', async ([, credentials, headers]) => {
    const server = await startRecordingServer(CONTENT);
    const { last } = await run({ ANTHROPIC_BASE_URL: server.url, ...credentials });
    expect(last).toMatchObject(SUCCESS);
    // The list of models, for the only one and for its limits, and the answer.
    expect(server.requests().map((request) => request.headers)).toMatchObject([headers, headers, headers]);
  });

  it('keeps the provider that the user has configured', async () => {
    const server = await startRecordingServer(CONTENT);
    const config = temporaryDirectory();
    writeFiles(config, { 'ybs/config.json': '{ "llm": { "provider": "mock" } }' });
    const { last } = await run({ XDG_CONFIG_HOME: config, ANTHROPIC_BASE_URL: server.url, ...TOKEN });
    expect(last).toMatchObject({ type: 'result', is_error: false });
    expect(server.requests()).toEqual([]);
  });
});
