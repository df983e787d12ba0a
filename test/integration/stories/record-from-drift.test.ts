import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

/** A scenario that reads `seed.txt` and writes `text` to `a.txt`. */
const scenario = <Trigger>(name: string, trigger: Trigger, text: string) => ({
  name,
  trigger,
  steps: [
    { response: { tool_calls: [{ name: 'read_file', arguments: { path: 'seed.txt' } }] } },
    { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: text } }] } },
    { response: { content: `Wrote ${text}` } },
  ],
});

/** A story in `one`, with `more` in it, and the commands to re-record it with the model at `url`. */
function setUp(url: string, more: object = {}) {
  const directory = temporaryDirectory();
  writeFiles(directory, {
    'one/scenario.json': JSON.stringify({
      scenarios: [scenario('one', { regex: '^write' }, 'first')],
      story: { prompts: ['write it'], approvals: ['once'], ...more },
    }),
    'one/workspace/seed.txt': '1\n',
    'one/expected/seed.txt': '1\n',
    'one/expected/a.txt': 'first',
    'one/note.md': 'mine',
    'one/session.jsonl': '',
    'config.json': '{"agent":{"retry_attempts":0}}',
  });
  const run = (...args: readonly string[]) => runMain(args, { directory });
  return {
    directory,
    run,
    record: (...args: readonly string[]) =>
      run('record', ...args, 'one', '-c', 'config.json', '--provider', 'mock', '--endpoint', `${url}/v1`),
    read: (file: string) => readFileSync(path.join(directory, 'one', file), 'utf8'),
    seed: (text: string) => writeFiles(directory, { 'one/workspace/seed.txt': text, 'one/expected/seed.txt': text }),
  };
}

it('ybs record re-records a story from the first drift of its prompt, and asks for a single answer', async () => {
  await using live = await startMockLlm({ scenarios: [scenario('live', 'write it', 'second')] });
  const { run, record, read, seed } = setUp(live.url);
  expect(await record('--from-drift')).toMatchObject({ code: 2, stderr: expect.stringContaining('ybs test --rebase') });
  expect(await run('test', '--rebase', 'one')).toMatchObject({ code: 0 });
  const before = read('scenario.json');

  const unchanged = await record('--from-drift');
  expect(unchanged).toMatchObject({ code: 0, stderr: expect.stringContaining('No prompt differs') });
  expect(live.requests).toEqual([]);

  seed('2\n');
  expect((await run('test', 'one')).stdout).toContain('drift: step 1, tool result 1: differs\n');

  const compared = await record('--step', '1');
  expect(compared.code).toBe(0);
  expect(compared.stdout).toMatch(
    /^recorded, answer 1 {2,}now from \S+\n─+ {3}─+\n→ write_file .*first.* \| → write_file .*second/,
  );
  expect(live.requests.map(({ step }) => step)).toEqual([1]);
  expect([read('scenario.json'), read('expected/a.txt')]).toEqual([before, 'first']);
  expect((await record('--step', '3')).stderr).toContain('has no answer number 3');

  const anew = await record('--from-drift');
  expect(anew.stderr).toContain('The model answered from here on: step 1, tool result 1: differs');
  expect(anew).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
  // The story answered the first step.
  expect(live.requests.map(({ step }) => step)).toEqual([1, 1, 2]);
  const [{ name, trigger, steps }] = JSON.parse(read('scenario.json')).scenarios;
  expect({ name, trigger, first: steps[0] }).toEqual({
    ...{ name: 'one', trigger: { regex: '^write' } },
    first: JSON.parse(before).scenarios[0].steps[0],
  });
  expect(steps[2].response.content).toBe('Wrote second');
  expect([read('expected/a.txt'), read('expected/seed.txt'), read('note.md')]).toEqual(['second', '2\n', 'mine']);
  expect(await run('test', '--drift', 'fail', 'one')).toMatchObject({ code: 0 });
});

it('ybs record keeps the recording when the model cannot be reached', async () => {
  const { run, record, read, seed } = setUp('http://127.0.0.1:9');
  expect(await run('test', '--rebase', 'one')).toMatchObject({ code: 0 });
  seed('2\n');
  const before = read('scenario.json');
  expect(await record('--from-drift')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the recording stays as it is'),
  });
  expect(read('scenario.json')).toBe(before);
});

it('ybs record types the commands of a story, and sends the files that it names, when the model is asked again', async () => {
  const scenarios = [
    { name: 'note', trigger: 'remember', steps: [{ response: { content: 'Noted.' } }] },
    { name: 'next', trigger: 'what now', steps: [{ response: { content: 'Nothing.' } }] },
  ];
  const live = await startRecordingServer({ scenarios });
  const { directory, run, record, seed } = setUp(live.url);
  seed('7 sheep\n');
  rmSync(path.join(directory, 'one/expected/a.txt'));
  writeFiles(directory, {
    'one/scenario.json': JSON.stringify({
      scenarios,
      story: { prompts: ['remember @file:seed.txt', '/rewind 1', 'what now?'] },
    }),
  });
  const asked = () => live.requests().at(-1)?.body;
  expect((await record('--step', '0')).stdout).toContain('Noted.');
  expect(asked()).toContain('7 sheep');
  expect((await record('--step', '1')).stdout).toContain('Nothing.');
  expect(asked()).toContain('what now?');
  expect(asked()).not.toMatch(/rewind 1|7 sheep/);

  expect(await run('test', '--rebase', 'one')).toMatchObject({ code: 0 });
  seed('8 sheep\n');
  expect(await record('--from-drift')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 passed, 0 failed'),
  });
});

it('ybs record does not ask the model about a story that continues a session', async () => {
  const live = await startRecordingServer({ scenarios: [scenario('live', 'write it', 'second')] });
  const { record } = setUp(live.url, { session: 'session.jsonl' });
  const { code, stderr } = await record('--step', '0');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('one continues a session') });
  expect(live.requests()).toEqual([]);
});
