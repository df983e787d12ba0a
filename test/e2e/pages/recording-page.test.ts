import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { mockServerEntry } from '../../support/processes/entry.ts';
import { binEnvironment } from '../../support/processes/run-bin.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

const page = readFileSync(new URL('../../../docs/recording.md', import.meta.url), 'utf8');
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'));

/** The words of a command of the page; quotes keep words together. */
const wordsOf = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

// test/integration/pages/recording.test.ts runs those for ybs.
it('runs the command of docs/recording.md for any client', async () => {
  const directory = temporaryDirectory();
  const scenario = { name: 'fix', trigger: 'fix', steps: [{ response: { content: 'Fixed.' } }] };
  await using upstream = await startMockLlm({ scenarios: [scenario] });
  const [...args] = wordsOf(lines.find((line) => line.startsWith('mock-llm-server ')) ?? '').slice(1);
  args[args.indexOf('--upstream') + 1] = upstream.url;
  const environment = { ...binEnvironment(), OPENAI_API_KEY: 'sk-of-the-page-123456' };
  const recorder = spawn(process.execPath, [mockServerEntry, ...args, '--port', '0'], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [line] = await once(recorder.stdout, 'data');
  const { url }: { url: string } = JSON.parse(String(line));
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'fix the failing test' }] });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer unused' };
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  expect(await response.text()).toContain('Fixed.');
  const closed = once(recorder, 'close');
  recorder.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  const story = path.join(directory, 'stories/mine');
  expect(
    ['scenario.json', 'prompt.lock.json', 'recording.jsonl'].filter((name) => existsSync(path.join(story, name))),
  ).toHaveLength(3);
  const { stdout } = await promisify(execFile)(process.execPath, [mockServerEntry, 'validate', story]);
  expect(stdout).toContain('1 scenario in 1 file, 0 warnings');
});
