import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ClientContext, SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { defineScenarios, startMockLlm } from '../../../mock-llm-server/testing.ts';
import type { SessionOptions } from '../../../src/app/settings.ts';
import { type Received, type TestClient, withAcpClient } from '../../support/hosts/acp-client.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const scenarios = defineScenarios([
  {
    name: 'edit',
    trigger: 'raise the price',
    steps: [
      {
        response: {
          reasoning: 'Look first.',
          content: 'I look.',
          tool_calls: [{ name: 'read_file', arguments: { path: 'a.js' } }],
        },
      },
      {
        response: {
          tool_calls: [
            { name: 'edit_file', arguments: { path: 'a.js', old_text: 'price = 1', new_text: 'price = 2' } },
          ],
        },
      },
      { response: { content: 'Raised.' } },
    ],
  },
  {
    name: 'write',
    trigger: 'write a list',
    steps: [
      {
        response: {
          tool_calls: [{ name: 'update_tasks', arguments: { tasks: [{ content: 'Write', status: 'in_progress' }] } }],
        },
      },
      { response: { tool_calls: [{ name: 'write_file', arguments: { path: 'list.txt', content: 'one\n' } }] } },
      { response: { content: 'Written.' } },
    ],
  },
  {
    name: 'command',
    trigger: 'run it',
    steps: [
      { response: { tool_calls: [{ name: 'run_shell', arguments: { command: 'touch made && echo out' } }] } },
      { response: { content: 'Ran.' } },
    ],
  },
  {
    name: 'outside',
    trigger: 'read the secrets',
    steps: [
      { response: { tool_calls: [{ name: 'read_file', arguments: { path: '/etc/passwd' } }] } },
      { response: { content: 'Denied.' } },
    ],
  },
  { name: 'greeting', trigger: 'hello', steps: [{ response: { content: 'Hello.' } }] },
  { name: 'refused', trigger: 'forbidden', steps: [{ response: { content: '' }, fault: { status: 401 } }] },
  { name: 'broken', trigger: 'broken', steps: [{ response: { content: '' }, fault: { status: 400 } }] },
  {
    name: 'slow',
    trigger: 'wait',
    steps: [{ response: { content: 'Waiting for a long time.' }, fault: { stall: 'forever', at: 'before_finish' } }],
  },
]);

const SERVER_OPTIONS = { provider: 'mock', dryRun: false, noSandbox: true } as const;

interface Prompted extends Received {
  readonly workspace: string;
  readonly stopReason: string;
}

/** One prompt in a new session, in a workspace with the file `a.js`. */
async function prompt(text: string, client: Partial<TestClient> = {}): Promise<Prompted> {
  await using server = await startMockLlm({ scenarios });
  const workspace = temporaryDirectory();
  writeFileSync(path.join(workspace, 'a.js'), '// shop\nconst price = 1;\n');
  const options = { ...SERVER_OPTIONS, endpoint: server.url, ...client.options };
  return await withAcpClient({ ...client, options }, async (agent, received) => {
    const { sessionId } = await agent.request('session/new', { cwd: workspace, mcpServers: [] });
    const { stopReason } = await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    return { ...received, workspace, stopReason };
  });
}

function only<Kind extends SessionUpdate['sessionUpdate']>(
  updates: readonly SessionUpdate[],
  kind: Kind,
): Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
  return updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
  );
}

function textOf(updates: readonly SessionUpdate[], kind: 'agent_message_chunk' | 'agent_thought_chunk'): string {
  return only(updates, kind)
    .map(({ content }) => (content.type === 'text' ? content.text : ''))
    .join('');
}

describe('ybs acp, driven by the official client', () => {
  it('reports its capabilities and modes', async () => {
    await using server = await startMockLlm({ scenarios });
    const options = { provider: 'mock', endpoint: server.url, dryRun: false };
    await withAcpClient({ options }, async (agent) => {
      const initialized = await agent.request('initialize', { protocolVersion: 1 });
      expect(initialized).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'ybs', version: '1.2.3' } });
      const { modes } = await agent.request('session/new', { cwd: temporaryDirectory(), mcpServers: [] });
      expect(modes?.currentModeId).toBe('ask');
      expect(modes?.availableModes.map(({ id }) => id)).toEqual(expect.arrayContaining(['ask', 'full-access']));
    });
  });

  it('releases memory only after each turn', async () => {
    let saved = 0;
    const { updates } = await prompt('raise the price', {
      answers: ['once'],
      afterTurn: async () => {
        saved += 1;
      },
      onQuestion: () => expect(saved).toBe(1),
    });
    expect(textOf(updates, 'agent_message_chunk')).toBe('I look.Raised.');
    expect(saved).toBe(3);
  });

  it('edits a file after a question, and shows text, call, change and location', async () => {
    const { workspace, updates, questions, stopReason } = await prompt('raise the price', { answers: ['once'] });
    expect(stopReason).toBe('end_turn');
    expect(readFileSync(path.join(workspace, 'a.js'), 'utf8')).toBe('// shop\nconst price = 2;\n');
    expect(textOf(updates, 'agent_message_chunk')).toBe('I look.Raised.');
    expect(textOf(updates, 'agent_thought_chunk')).toBe('Look first.');
    const file = path.join(workspace, 'a.js');
    const diff = {
      type: 'diff',
      path: file,
      oldText: '// shop\nconst price = 1;\n',
      newText: '// shop\nconst price = 2;\n',
    };
    expect(only(updates, 'tool_call')).toMatchObject([
      { title: 'read_file a.js', kind: 'read', status: 'pending' },
      { title: 'edit_file a.js', kind: 'edit', status: 'pending' },
    ]);
    expect(only(updates, 'tool_call_update').filter(({ status }) => status === 'pending')).toMatchObject([
      { title: 'read a.js', kind: 'read', status: 'pending', locations: [{ path: file }] },
      { kind: 'edit', content: [diff], locations: [{ path: file, line: 2 }], rawInput: { path: 'a.js' } },
    ]);
    expect(questions).toMatchObject([{ toolCall: { kind: 'edit', content: [diff, { type: 'content' }] } }]);
    expect(questions[0]?.options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'allow_always',
      'allow_always',
      'reject_once',
    ]);
    expect(only(updates, 'usage_update').map(({ used, size }) => used > 0 && used < size)).toEqual([true, true, true]);
    const ends = only(updates, 'tool_call_update').flatMap(({ status }) => status ?? []);
    expect(ends).toEqual(['pending', 'in_progress', 'completed', 'pending', 'in_progress', 'completed']);
  });

  it('changes nothing after a no, and reports that', async () => {
    const { workspace, updates, stopReason } = await prompt('write a list', { answers: ['deny'] });
    expect(stopReason).toBe('end_turn');
    expect(existsSync(path.join(workspace, 'list.txt'))).toBe(false);
    expect(only(updates, 'plan')).toEqual([
      { sessionUpdate: 'plan', entries: [{ content: 'Write', status: 'in_progress', priority: 'medium' }] },
    ]);
    expect(only(updates, 'tool_call_update').at(-1)).toMatchObject({
      status: 'failed',
      rawOutput: { code: 'denied_by_user' },
    });
  });

  it('shows the whole command and its limits before it runs, and its output', async () => {
    const { workspace, updates, questions } = await prompt('run it', { answers: ['once'] });
    expect(existsSync(path.join(workspace, 'made'))).toBe(true);
    const asked = JSON.stringify(questions[0]?.toolCall);
    expect(asked).toContain('$ touch made && echo out');
    expect(asked).toContain('UNSANDBOXED');
    expect(JSON.stringify(only(updates, 'tool_call_update'))).toContain('out\\n');
  });

  it('stops at session/cancel, and continues with the next prompt', async () => {
    await using server = await startMockLlm({ scenarios });
    const options = { ...SERVER_OPTIONS, endpoint: server.url };
    await withAcpClient({ options }, async (agent, { updates }) => {
      const { sessionId } = await agent.request('session/new', { cwd: temporaryDirectory(), mcpServers: [] });
      const running = agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'wait' }] });
      await expect(ask(agent, sessionId, 'wait')).rejects.toThrow('A prompt of this session is running.');
      await agent.notify('session/cancel', { sessionId });
      expect(await running).toEqual({ stopReason: 'cancelled' });
      expect(await ask(agent, sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
      expect(textOf(updates, 'agent_message_chunk')).toContain('Hello.');
    });
  });

  it('adds a prompt during a run to its next request, or runs it after the run, as the client requests', async () => {
    await using server = await startMockLlm({ scenarios });
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, 'a.js'), '// shop\nconst price = 1;\n');
    const more: Promise<unknown>[] = [];
    const send: { now?: () => void } = {};
    const client = {
      options: { ...SERVER_OPTIONS, endpoint: server.url },
      answers: ['once'],
      onQuestion: () => send.now?.(),
    };
    await withAcpClient(client, async (agent) => {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      const deliver = (text: string, delivery: string) =>
        agent.request('session/prompt', {
          ...{ sessionId, prompt: [{ type: 'text', text }], _meta: { 'ybs.delivery': delivery } },
        });
      send.now = () => {
        more.push(deliver('and the docs', 'next_request'), deliver('hello', 'after_run'));
      };
      expect(await ask(agent, sessionId, 'raise the price')).toEqual({ stopReason: 'end_turn' });
      expect(await Promise.all(more)).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
      expect(JSON.stringify(server.requests.slice(0, 2))).not.toContain('and the docs');
      expect(JSON.stringify(server.requests[2])).toContain('and the docs');
      expect(JSON.stringify(server.requests.at(-1))).toContain('hello');
    });
  });

  it('decides in the mode of session/set_mode, and rejects an unknown one', async () => {
    await using server = await startMockLlm({ scenarios });
    const options = { ...SERVER_OPTIONS, endpoint: server.url };
    await withAcpClient({ options }, async (agent) => {
      const cwd = temporaryDirectory();
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      await agent.request('session/set_mode', { sessionId, modeId: 'accept-edits' });
      expect(await ask(agent, sessionId, 'write a list')).toEqual({ stopReason: 'end_turn' });
      expect(readFileSync(path.join(cwd, 'list.txt'), 'utf8')).toBe('one\n');
      await expect(agent.request('session/set_mode', { sessionId, modeId: 'yolo' })).rejects.toThrow(
        'There is no mode "yolo"',
      );
    });
  });

  it('shows a plan for approval in plan mode, and carries it out in the mode that the user chooses', async () => {
    const call = { name: 'present_plan', arguments: { plan: '1. Write list.txt' } };
    const write = { name: 'write_file', arguments: { path: 'list.txt', content: 'one\n' } };
    const steps = [
      { response: { tool_calls: [call] } },
      { response: { tool_calls: [write] } },
      { response: { content: 'Written.' } },
    ];
    await using server = await startMockLlm({ scenarios: [{ name: 'plan', trigger: 'plan a list', steps }] });
    const options = { ...SERVER_OPTIONS, endpoint: server.url };
    await withAcpClient({ options, answers: ['plan_accept_edits'] }, async (agent, { updates, questions }) => {
      const cwd = temporaryDirectory();
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      await agent.request('session/set_mode', { sessionId, modeId: 'plan' });
      expect(await ask(agent, sessionId, 'plan a list')).toEqual({ stopReason: 'end_turn' });
      expect(JSON.stringify(questions[0]?.toolCall.content)).toContain('1. Write list.txt');
      expect(readFileSync(path.join(cwd, 'list.txt'), 'utf8')).toBe('one\n');
      expect(only(updates, 'current_mode_update').map(({ currentModeId }) => currentModeId)).toContain('accept-edits');
    });
  });

  it('lists stored sessions, loads one with its history, and continues it', async () => {
    await using server = await startMockLlm({ scenarios });
    const home = temporaryDirectory();
    const cwd = temporaryDirectory();
    writeFileSync(path.join(cwd, 'a.js'), '// shop\nconst price = 1;\n');
    const client = { options: { ...SERVER_OPTIONS, endpoint: server.url }, home, answers: ['once'] };
    const stored = await withAcpClient(client, async (agent) => {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      await ask(agent, sessionId, 'raise the price');
      await agent.request('session/close', { sessionId });
      await expect(ask(agent, sessionId, 'hello')).rejects.toThrow(`The session ${sessionId} is not open.`);
      return sessionId;
    });
    await withAcpClient(client, async (agent, { updates }) => {
      const { sessions } = await agent.request('session/list', { cwd });
      expect(sessions).toMatchObject([{ sessionId: stored, cwd, title: 'raise the price' }]);
      expect((await agent.request('session/list', { cwd: temporaryDirectory() })).sessions).toEqual([]);
      const { modes } = await agent.request('session/load', { sessionId: stored, cwd, mcpServers: [] });
      expect(modes?.currentModeId).toBe('ask');
      expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
        'user_message_chunk',
        'agent_thought_chunk',
        'agent_message_chunk',
        ...['tool_call', 'tool_call_update', 'tool_call_update'],
        ...['tool_call', 'tool_call_update', 'tool_call_update'],
        'agent_message_chunk',
      ]);
      expect(await ask(agent, stored, 'hello')).toEqual({ stopReason: 'end_turn' });
    });
    await withAcpClient(client, async (agent, { updates }) => {
      await agent.request('session/resume', { sessionId: stored, cwd, mcpServers: [] });
      expect(updates).toEqual([]);
    });
  });

  it('reads and changes unsaved text of the client', async () => {
    await using server = await startMockLlm({ scenarios });
    const cwd = temporaryDirectory();
    const file = path.join(cwd, 'a.js');
    writeFileSync(file, '// shop\r\nconst price = 0;\r\n');
    const buffers = new Map([[file, '// unsaved\nconst price = 1;\n']]);
    const capabilities = { fs: { readTextFile: true, writeTextFile: true } };
    const options = { ...SERVER_OPTIONS, endpoint: server.url };
    await withAcpClient({ options, capabilities, buffers, answers: ['once', 'once'] }, async (agent, { updates }) => {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      await ask(agent, sessionId, 'raise the price');
      expect(buffers).toEqual(new Map([[file, '// unsaved\r\nconst price = 2;\r\n']]));
      const [read] = only(updates, 'tool_call_update').filter(({ status }) => status === 'completed');
      expect(JSON.stringify(read)).toContain('// unsaved');
      // A new file is created on the disk, with the checks of ybs.
      await ask(agent, sessionId, 'write a list');
      expect(readFileSync(path.join(cwd, 'list.txt'), 'utf8')).toBe('one\n');
    });
  });

  it('changes nothing when the unsaved text has changed since the question', async () => {
    await using server = await startMockLlm({ scenarios });
    const cwd = temporaryDirectory();
    const file = path.join(cwd, 'a.js');
    writeFileSync(file, '// saved\nconst price = 1;\n');
    const buffers = new Map([[file, '// unsaved\nconst price = 1;\n']]);
    const client = {
      options: { ...SERVER_OPTIONS, endpoint: server.url },
      capabilities: { fs: { readTextFile: true, writeTextFile: true } },
      buffers,
      answers: ['once'],
      onQuestion: () => void buffers.set(file, '// typed meanwhile\nconst price = 1;\n'),
    };
    await withAcpClient(client, async (agent, { updates }) => {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      await ask(agent, sessionId, 'raise the price');
      expect(only(updates, 'tool_call_update').at(-1)).toMatchObject({
        status: 'failed',
        rawOutput: { code: 'file_changed' },
      });
      expect(buffers.get(file)).toBe('// typed meanwhile\nconst price = 1;\n');
    });
  });

  it('does not ask the client for a file outside the workspace', async () => {
    await using server = await startMockLlm({ scenarios });
    const cwd = temporaryDirectory();
    const capabilities = { fs: { readTextFile: true, writeTextFile: true } };
    const options = { ...SERVER_OPTIONS, endpoint: server.url, permissionMode: 'accept-edits' } as const;
    const asked: string[] = [];
    const buffers = new Map<string, string>();
    buffers.get = (file) => void asked.push(file);
    await withAcpClient({ options, capabilities, buffers, answers: ['deny'] }, async (agent) => {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
      await ask(agent, sessionId, 'read the secrets');
    });
    expect(asked).toEqual([]);
  });

  it('uses the additional directories of the client without a question', async () => {
    const cwd = temporaryDirectory();
    const more = temporaryDirectory();
    writeFileSync(path.join(more, 'notes.txt'), 'in another directory');
    const call = { name: 'read_file', arguments: { path: path.join(more, 'notes.txt') } };
    const steps = [{ response: { tool_calls: [call] } }, { response: { content: 'Read.' } }];
    await using server = await startMockLlm({ scenarios: [{ name: 'notes', trigger: 'read the notes', steps }] });
    const options = { ...SERVER_OPTIONS, endpoint: server.url };
    await withAcpClient({ options }, async (agent, { updates }) => {
      const { sessionId } = await agent.request('session/new', {
        ...{ cwd, additionalDirectories: [more] },
        mcpServers: [],
      });
      await ask(agent, sessionId, 'read the notes');
      expect(JSON.stringify(only(updates, 'tool_call_update').at(-1))).toContain('in another directory');
    });
  });

  it('sends the pictures and the files of a prompt to the model', async () => {
    const steps = [{ response: { content: 'Seen.' } }];
    const server = await startRecordingServer({ scenarios: [{ name: 'seen', trigger: 'look', steps }] });
    await withAcpClient({ options: { ...SERVER_OPTIONS, endpoint: server.url } }, async (agent) => {
      const { sessionId } = await agent.request('session/new', { cwd: temporaryDirectory(), mcpServers: [] });
      await agent.request('session/prompt', {
        sessionId,
        prompt: [
          { type: 'text', text: 'look ' },
          { type: 'resource_link', uri: 'file:///w/a%20b.js', name: 'a b.js' },
          { type: 'resource', resource: { uri: 'file:///w/c.js', text: 'let c;' } },
          { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
        ],
      });
    });
    const body = server.requests().at(-1)?.body;
    expect(body).toContain('look /w/a b.js\\n<file path=\\"/w/c.js\\">\\nlet c;\\n</file>');
    expect(body).toContain('data:image/png;base64,iVBORw0KGgo=');
  });

  it.each<readonly [string, Partial<SessionOptions>, string, { readonly code: number; readonly message: RegExp }]>([
    ['a missing key', { provider: 'openai' }, 'hello', { code: -32000, message: /needs an API key.*ybs doctor/ }],
    ['an unknown provider', { provider: 'opnai' }, 'hello', { code: -32602, message: /opnai/ }],
    ['a rejected key', {}, 'forbidden', { code: -32000, message: /ybs doctor/ }],
    ['a failing model', {}, 'broken', { code: -32603, message: /./ }],
  ])('answers %s with an error that gives advice', async (_name, changes, text, error) => {
    await using server = await startMockLlm({ scenarios });
    const { provider } = changes;
    const options = { ...SERVER_OPTIONS, ...(provider === undefined && { endpoint: server.url }), ...changes };
    const asked = withAcpClient({ options }, async (agent) => {
      const { sessionId } = await agent.request('session/new', { cwd: temporaryDirectory(), mcpServers: [] });
      await ask(agent, sessionId, text);
    });
    await expect(asked).rejects.toMatchObject({ code: error.code, message: expect.stringMatching(error.message) });
  });

  it('runs several sessions at once, each with its own conversation', async () => {
    await using server = await startMockLlm({ scenarios });
    const options = { ...SERVER_OPTIONS, endpoint: server.url };
    await withAcpClient({ options, answers: ['once'] }, async (agent) => {
      const [waiting, other] = [temporaryDirectory(), temporaryDirectory()];
      const first = await agent.request('session/new', { cwd: waiting, mcpServers: [] });
      const second = await agent.request('session/new', { cwd: other, mcpServers: [] });
      const running = ask(agent, first.sessionId, 'wait');
      expect(await ask(agent, second.sessionId, 'write a list')).toEqual({ stopReason: 'end_turn' });
      expect(existsSync(path.join(other, 'list.txt'))).toBe(true);
      await agent.notify('session/cancel', { sessionId: first.sessionId });
      expect(await running).toEqual({ stopReason: 'cancelled' });
    });
  });
});

function ask(agent: ClientContext, sessionId: string, text: string) {
  return agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}
