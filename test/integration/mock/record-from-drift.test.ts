import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRecording } from '../../../mock-llm-server/record/record-session.ts';
import { defineScenarios, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

describe('a recording from the first drift', () => {
  /** Starts one for a story with these files. */
  async function start(files: Readonly<Record<string, string>>, upstream = 'http://127.0.0.1:9') {
    const directory = temporaryDirectory();
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text);
    const log: string[] = [];
    const recording = await startRecording({
      ...{ port: 0, upstream, key: undefined, out: directory, log: (line: string) => log.push(line) },
      ...{ scenarios: [], fallbackOnly: false, fromDrift: true, force: false },
    });
    return { recording, log, read: () => readFile(path.join(directory, 'scenario.json'), 'utf8') };
  }
  const reads = (last: string) =>
    defineScenarios([
      {
        name: 'upstream-work',
        trigger: 'read both',
        steps: [
          { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] } },
          { response: { content: last } },
        ],
      },
    ]);
  const scenario = JSON.stringify({ scenarios: reads('Both are read.') });

  it('needs a story with a lock', async () => {
    await expect(start({})).rejects.toThrow('has no scenario.json to replay');
    await expect(start({ 'scenario.json': scenario })).rejects.toThrow('Write it with ybs test --rebase');
  });

  it('keeps the old recording if the new run does not finish', async () => {
    await using upstream = await startMockLlm({ scenarios: reads('Read again.') });
    const part = { part: 'system', digest: '0'.repeat(32), text: ['Be brief.'] };
    const steps = [{ scenario: 'upstream-work', step: 0, parts: [part] }];
    const lock = JSON.stringify({ version: 1, agent: 'any', volatile: [], steps });
    const { recording, log, read } = await start({ 'scenario.json': scenario, 'prompt.lock.json': lock }, upstream.url);
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'read both' }] });
    const answer = await fetch(`${recording.url}/v1/chat/completions`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
    expect(await recording.close()).toEqual({ exitCode: 1 });
    expect(log.at(-1)).toContain('the new run did not finish');
    expect(await read()).toBe(scenario);
  });
});
