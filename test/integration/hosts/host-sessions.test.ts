import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { HOST_SCENARIOS } from '../../../tooling/agents/host/scenarios.ts';
import { createFakeHost, type FakeHost } from '../../support/hosts/fake-host.ts';
import { startHosted } from '../../support/hosts/hosted-run.ts';
import { StreamJsonLineSchema } from '../../support/hosts/stream-json-schema.ts';
import { yumeProblems } from '../../support/hosts/yume-lines.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';

type Lines = FakeHost['lines'];

/** Runs one prompt of the command line. Returns the printed lines, each of which must be valid. */
async function run(args: readonly string[], url: string, home: string, workspace: string): Promise<Lines> {
  const host = createFakeHost();
  const environment = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-test' };
  await startHosted([...args, 'say hello'], host, environment, home, workspace);
  for (const line of host.lines) expect(StreamJsonLineSchema.safeParse(line)).toMatchObject({ success: true });
  return host.lines;
}

const OWN_ID = '00000000-0000-4000-8000-000000000001';

describe('the session of a host', () => {
  it.for<readonly [name: string, args: readonly string[], changes: boolean]>([
    ['resumed', ['--resume=ID'], false],
    ['continued', ['--continue'], false],
    ['new', [], false],
    ['new with the id of the host', [`--session-id=${OWN_ID}`], false],
    ['forked', ['--resume=ID', '--fork-session'], true],
    ['forked to the id of the host', ['--resume=ID', '--fork-session', `--session-id=${OWN_ID}`], false],
  ])('warns a host about a session that is %s when its id differs', async ([, args, changes]) => {
    await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
    const [home, workspace] = [temporaryDirectory(), temporaryDirectory()];
    const before = String((await run([], server.url, home, workspace))[0]?.['session_id']);
    const given = args.map((word) => word.replace(/ID$/, before));
    const lines = await run(given, server.url, home, workspace);
    const ids = new Set(lines.map((line) => line['session_id']));
    expect(ids.size).toBe(1);
    const renamed = lines.filter(({ subtype }) => subtype === 'session_id');
    expect(renamed.map((line) => line['previous_session_id'])).toEqual(changes ? [before] : []);
    expect(lines.slice(0, 2).map(({ subtype }) => subtype)).toEqual(['init', changes ? 'session_id' : undefined]);
  });
});

it('Yume is told that a fork is a different session from the one that it has named', async () => {
  await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
  const [home, workspace] = [temporaryDirectory(), temporaryDirectory()];
  const talk = async (...args: readonly string[]) => {
    const host = createFakeHost();
    const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test' };
    await startHosted([...args, '--output-format=yume-json', 'say hello'], host, environment, home, workspace);
    expect(yumeProblems(host.lines)).toEqual([]);
    return host.lines.filter(({ type }) => type === 'system');
  };
  const before = (await talk())[0]?.['session_id'];
  const [init, renamed, ...more] = await talk('--resume', String(before), '--fork-session');
  const id = init?.['session_id'];
  expect(renamed).toEqual({ type: 'system', subtype: 'session_id', session_id: id, previous_session_id: before });
  expect(id).not.toBe(before);
  expect(more).toEqual([]);
});

describe('set_permission_mode plan', () => {
  it.for<readonly [name: string, response: object, written: boolean, content: RegExp]>([
    ['carries out a plan that the host allows', { behavior: 'allow' }, true, /^The user agrees to the plan/],
    ['tells the model why the host denies it', { behavior: 'deny', message: 'Name the test.' }, false, /Name the test/],
  ])('%s', async ([, response, written, content]) => {
    await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
    const [home, workspace] = [temporaryDirectory(), temporaryDirectory()];
    const host = createFakeHost();
    const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test' };
    const args = ['--input-format=stream-json', '--permission-prompt-tool=stdio'];
    const ended = startHosted(args, host, environment, home, workspace);
    const request = { subtype: 'set_permission_mode', mode: 'plan' };
    host.send({ type: 'control_request', request_id: 'm1', request });
    host.send({ type: 'user', message: { role: 'user', content: 'plan the file' } });
    const answer = async (answered: object) => {
      const { request_id, request: question } = await host.waitFor(({ type }) => type === 'control_request');
      const answer = { subtype: 'success', request_id, response: answered };
      host.send({ type: 'control_response', response: answer });
      return question;
    };
    const plan = { plan: '1. Write hello.txt.' };
    const asked = { subtype: 'can_use_tool', tool_name: 'ExitPlanMode', input: plan };
    expect(await answer(response)).toMatchObject(asked);
    if (written) expect(await answer({ behavior: 'allow' })).toMatchObject({ tool_name: 'Write' });
    await host.waitFor(({ type }) => type === 'result');
    host.end();
    await ended;
    const modes = host.lines.flatMap(({ permissionMode: mode }) => (mode === undefined ? [] : [mode]));
    expect(modes).toEqual(written ? ['plan', 'default', 'plan'] : ['plan']);
    expect(host.lines.find(({ type }) => type === 'user')).toMatchObject({
      message: { content: [{ content: expect.stringMatching(content) }] },
    });
    expect(existsSync(path.join(workspace, 'hello.txt'))).toBe(written);
  });
});

it('ybs start begins with the session before the first message, and goes on with the same id', async () => {
  await using server = await startMockLlm({ scenarios: HOST_SCENARIOS });
  const [home, workspace] = [temporaryDirectory(), temporaryDirectory()];
  const tokens: number[] = [];
  while (tokens.length < 2) {
    const host = createFakeHost();
    const environment = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'sk-test' };
    const ended = startHosted(['start', `--session-id=${OWN_ID}`], host, environment, home, workspace);
    const init = await host.waitFor(({ subtype }) => subtype === 'init');
    expect(init['session_id']).toBe(OWN_ID);
    host.send({ type: 'user', content: 'say hello' });
    await host.waitFor(({ type }) => type === 'message_stop');
    host.end();
    await ended;
    expect(yumeProblems(host.lines)).toEqual([]);
    const usage = host.lines.find(({ type }) => type === 'usage');
    tokens.push(Number(usage?.['input_tokens']) + Number(usage?.['cache_read_input_tokens']));
  }
  const [first = 0, second = 0] = tokens;
  expect(second).toBeGreaterThan(first);
});
