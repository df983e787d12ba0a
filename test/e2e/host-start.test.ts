import { execa } from 'execa';
import { expect, it } from 'vitest';
import { StreamJsonLineSchema } from '../support/hosts/stream-json-schema.ts';
import { ybsEntry } from '../support/processes/entry.ts';
import { temporaryDirectory } from '../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../support/wires/recording-server.ts';

// test/integration/cli/host-start.test.ts tests each variable.
it('a host gets an answer from the built command with only an address and a key in the environment', async () => {
  const steps = [{ response: { content: 'Hello.' } }];
  const { url } = await startRecordingServer({ scenarios: [{ name: 'text', trigger: 'hello', steps }] });
  // Without HOME, the home directory of the account is used, so the session is not stored.
  const args = ['--output-format', 'stream-json', '--no-session-persistence', 'hello'];
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key-1', NODE_DISABLE_COMPILE_CACHE: '1' };
  const options = { cwd: temporaryDirectory(), env, extendEnv: false, stdin: 'ignore' } as const;
  const { stdout } = await execa(process.execPath, [ybsEntry, ...args], options);
  const lines = stdout.split('\n').map((line) => StreamJsonLineSchema.parse(JSON.parse(line)));
  expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', is_error: false, result: 'Hello.' });
});
