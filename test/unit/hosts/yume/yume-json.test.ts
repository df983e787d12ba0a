import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { createApprover } from '../../../../src/app/driver/questions.ts';
import { drive, type HostPorts } from '../../../../src/hosts/drive.ts';
import { readFrames } from '../../../../src/hosts/read-frames.ts';
import { createLineWriter } from '../../../../src/hosts/write-lines.ts';
import { createYumeJson } from '../../../../src/hosts/yume/yume-json.ts';
import { answers, createFakeAgent, DONE, type FakeRun } from '../../../support/fakes/fake-agent.ts';
import { createFakeHost } from '../../../support/hosts/fake-host.ts';
import { yumeProblems } from '../../../support/hosts/yume-lines.ts';

const signal = new AbortController().signal;

/** A conversation whose lines are kept. */
function conversation() {
  const host = createFakeHost();
  const yume = createYumeJson({ asksHost: true }, { writeLine: createLineWriter(host.write), now: () => 0 });
  return { host, ...yume, approver: createApprover(() => yume.approvals, yume.requests.questions) };
}

/** Drives a fake agent with these runs. */
function start(runs: readonly FakeRun[], changes: Partial<HostPorts> = {}) {
  const { host, format, writeLine, requests, approver } = conversation();
  const agent = createFakeAgent(runs);
  const ports = {
    ...{ writeLine, requests, prompts: [], openInput: host.openInput, onStop: () => () => {} },
    openSession: async () => ({ agent, close: async () => {} }),
    setMode: async (_agent: unknown, mode: string) => agent.setPermissionMode(mode === 'ask' ? 'ask' : 'read-only'),
    setModel: async () => {},
  };
  return { host, agent, approver, outcome: drive(format, { ...ports, ...changes }) };
}

const user = (content: string) => ({ type: 'user', content });
const problem = (message: string) => ({ type: 'system', subtype: 'error', code: 'invalid_frame', message });

describe('yume-json', () => {
  it('changes the permission mode, and answers each change, also one to the mode that is on', async () => {
    const { host, agent, outcome } = start([]);
    host.send({ type: 'set_permission_mode', mode: 'deny' }, { type: 'set_permission_mode', mode: 'plan' });
    host.send(
      { type: 'set_permission_mode', mode: 'auto' },
      { type: 'set_permission_mode', mode: 'bypassPermissions' },
    );
    host.end();
    await outcome;
    expect(agent.inputs).toEqual(['mode read-only', 'mode plan', 'mode full-access', 'mode full-access']);
    expect(host.lines.map(({ subtype, permissionMode }) => [subtype, permissionMode])).toEqual([
      ['init', 'default'],
      ['permission_mode', 'deny'],
      ['permission_mode', 'plan'],
      ['permission_mode', 'auto'],
      ['permission_mode', 'auto'],
    ]);
  });

  it('begins with the first line of the session, and names a mode as the host has named it', async () => {
    const { host, outcome } = start([answers('1')]);
    await host.waitFor(({ subtype }) => subtype === 'init');
    host.send({ type: 'set_permission_mode', mode: 'interactive' });
    await host.waitFor(({ subtype }) => subtype === 'permission_mode');
    expect(host.lines.at(-1)).toMatchObject({ permissionMode: 'interactive' });
    host.send({ type: 'set_permission_mode', mode: 'default' }, user('go'));
    host.end();
    expect(await outcome).toBe('done');
    expect(host.lines.map(({ type }) => type)).toEqual([
      ...['system', 'system', 'system', 'text', 'result', 'message_stop'],
    ]);
    expect(yumeProblems(host.lines)).toEqual([]);
  });

  it('reports that the session cannot be opened', async () => {
    const openSession = () => Promise.reject(new Error('There is no session x.'));
    const { host, outcome } = start([], { openSession });
    host.send({ type: 'set_permission_mode', mode: 'deny' }, user('go'));
    await expect(outcome).rejects.toThrow('There is no session x.');
    expect(host.lines.map(({ type, subtype = '' }) => `${type} ${subtype}`)).toEqual([
      'system error',
      'result error_during_execution',
      'message_stop ',
    ]);
    expect(yumeProblems(host.lines)).toEqual([]);
  });

  it.each([
    ['auth', 'auth'],
    [undefined, 'failed'],
  ] as const)('names the code of a failure at the start: %s', (given, code) => {
    const [line] = conversation().format.fail('No key.', given);
    expect(line).toEqual({ type: 'system', subtype: 'error', code, message: 'No key.' });
  });

  it('repairs lone surrogates, which Yume cannot read', async () => {
    const call: AgentEvent = {
      type: 'tool_call',
      call: { id: 'c', name: 'Write', arguments: '{"a":[{"b":"\\ud83d"},1]}' },
    };
    const { host, outcome } = start([[{ type: 'text_delta', text: 'a\udc00' }, call, DONE]]);
    host.send(user('go'));
    host.end();
    await outcome;
    expect(host.lines.slice(1, 3)).toEqual([
      { type: 'text', content: 'a\ufffd' },
      { type: 'tool_use', id: 'c', name: 'Write', input: { a: [{ b: '\ufffd' }, 1] } },
    ]);
  });
});

describe('a frame', () => {
  const types = 'Send one of user, interrupt, set_permission_mode, tool_approval.';
  it.each<readonly [string | object, string]>([
    ['no JSON', 'The line is not JSON'],
    ['[1]', 'The line is not a JSON object: [1]'],
    [{}, `The type of the frame is missing. ${types}`],
    [{ type: 'stop' }, `The type of the frame is "stop". ${types}`],
    [{ type: 'x'.repeat(200) }, `The type of the frame is "${'x'.repeat(79)}. ${types}`],
    [{ type: 7 }, `The type of the frame is 7. ${types}`],
    [{ type: 'user' }, 'The frame user cannot be read'],
    [{ type: 'user', content: [] }, 'The frame user cannot be read'],
    [user(' \n'), 'The frame user has no text in content.'],
    [
      { type: 'set_permission_mode', mode: 'yolo' },
      'There is no permission mode "yolo". Send one of ask, accept-edits, plan, read-only',
    ],
    [{ type: 'tool_approval', id: 'c1' }, 'The frame tool_approval cannot be read'],
    [{ type: 'tool_approval', id: 'c1', approved: true }, 'No question about the call c1 waits for an answer.'],
  ])('%j gets an answer', async (sent, expected) => {
    const { host, outcome } = start([]);
    host.send(sent);
    host.end();
    expect(await outcome).toBeUndefined();
    expect(host.lines.filter(({ subtype }) => subtype !== 'init')).toEqual([
      problem(expect.stringContaining(expected)),
    ]);
  });
});

describe('a question', () => {
  const effect = { summary: 'run ls', paths: [], command: 'ls' };
  const request = { callId: 'c1', toolName: 'run_shell', effect, reason: 'It runs a command.' };
  const call: AgentEvent = {
    type: 'tool_call',
    call: { id: 'c1', name: 'Bash', arguments: '{"command":"ls","description":"List"}' },
  };
  const asked = { type: 'approval_request', id: 'c1', reason: request.reason };

  it.each<readonly [object, object]>([
    [{ approved: true }, { type: 'once' }],
    [{ approved: true, input: null, message: null }, { type: 'once' }],
    [{ approved: true, input: { command: 'ls', description: 'List' } }, { type: 'once' }],
    [
      { approved: true, input: { command: 'ls -a' } },
      { type: 'change', arguments: { command: 'ls -a' } },
    ],
    [{ approved: false }, { type: 'deny' }],
    [
      { approved: false, message: 'Use Glob.', input: { command: 'x' } },
      { type: 'deny', feedback: 'Use Glob.' },
    ],
  ])('that is answered with %j is decided as %j', async (answer, decision) => {
    const { host, format, requests, approver } = conversation();
    format.encode(call, createFakeAgent([]));
    const decided = approver.decide(request, signal);
    host.send({ type: 'tool_approval', id: 'c1', ...answer });
    host.end();
    for await (const frame of readFrames(host.openInput(signal))) {
      const command = await format.decode(frame);
      if (command.type === 'answer') requests.questions.answer(command.id, command.answer);
    }
    expect(await decided).toEqual(decision);
    expect(host.lines).toEqual([{ ...asked, name: 'Bash', input: { command: 'ls', description: 'List' } }]);
    expect(yumeProblems([{ type: 'tool_use', id: 'c1', name: 'Bash', input: {} }, ...host.lines])).toHaveLength(1);
  });

  it('about an input that the host has changed is not asked again, unlike one about a later call with the same id', async () => {
    const { host, format, requests, approver } = conversation();
    format.encode(call, createFakeAgent([]));
    const ask = () => {
      const decided = approver.decide(request, signal);
      requests.questions.answer('c1', { type: 'tool_approval', id: 'c1', approved: true, input: { command: 'pwd' } });
      return decided;
    };
    expect([await ask(), await ask()]).toEqual([{ type: 'change', arguments: { command: 'pwd' } }, { type: 'once' }]);
    expect(host.lines).toHaveLength(1);
    await ask();
    approver.forget('c1');
    expect(await ask()).toEqual({ type: 'change', arguments: { command: 'pwd' } });
    expect(host.lines).toHaveLength(3);
  });

  it('about a call that was not seen has the name of the tool in ybs', async () => {
    const { host, requests, approver } = conversation();
    const decided = approver.decide(request, signal);
    requests.questions.disconnect();
    expect(await decided).toEqual({ type: 'unavailable', host: true });
    expect(host.lines).toEqual([{ ...asked, name: 'run_shell', input: {} }]);
  });

  it('that is no longer pending gets no answer', async () => {
    const { host, format, approver } = conversation();
    const stop = new AbortController();
    const decided = approver.decide(request, stop.signal);
    stop.abort();
    await expect(decided).rejects.toThrow();
    const late = await format.decode({ type: 'frame', value: { type: 'tool_approval', id: 'c1', approved: true } });
    expect(late).toEqual({ type: 'reply', lines: [problem(expect.stringContaining('waits for an answer'))] });
    expect(host.lines).toHaveLength(1);
  });
});
