import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { defineScenarios, startMockLlm } from '../../../mock-llm-server/testing.ts';
import { type Received, type TestClient, withAcpClient } from '../../support/acp-client.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

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
    name: 'slow',
    trigger: 'wait',
    steps: [{ response: { content: 'Waiting for a long time.' }, fault: { stall: 'forever', at: 'before_finish' } }],
  },
]);

interface Prompted extends Received {
  readonly workspace: string;
  readonly stopReason: string;
}

/** One prompt in a new session, in a workspace with the file `a.js`. */
async function prompt(text: string, client: Partial<TestClient> = {}): Promise<Prompted> {
  await using server = await startMockLlm({ scenarios });
  const workspace = temporaryDirectory();
  writeFileSync(path.join(workspace, 'a.js'), '// shop\nconst price = 1;\n');
  const options = { provider: 'mock', endpoint: server.url, dryRun: false, noSandbox: true, ...client.options };
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
  it('says what it can do, and in which modes', async () => {
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

  it('edits a file after a question, and shows text, call, change and place', async () => {
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
    const ends = only(updates, 'tool_call_update').flatMap(({ status }) => status ?? []);
    expect(ends).toEqual(['in_progress', 'completed', 'in_progress', 'completed']);
  });

  it('changes nothing after a no, and says so', async () => {
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
});
