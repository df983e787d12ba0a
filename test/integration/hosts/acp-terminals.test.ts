import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { defineScenarios } from '../../../mock-llm-server/testing.ts';
import type { Machine } from '../../../src/app/settings.ts';
import { type TestClient, withAcpClient } from '../../support/hosts/acp-client.ts';
import { TestTerminals } from '../../support/hosts/acp-terminals.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../../support/wires/recording-server.ts';

const command = (name: string, trigger: string, line: string) => ({
  ...{ name, trigger },
  steps: [
    { response: { tool_calls: [{ name: 'run_shell', arguments: { command: line } }] } },
    { response: { content: 'Ran.' } },
  ],
});

const scenarios = defineScenarios([
  command('prints', 'print it', 'touch made; echo "$OPENAI_API_KEY,$EDITOR_ONLY,$PAGER"; cat; echo bad >&2; exit 3'),
  command('sleeps', 'sleep', 'sleep 600'),
]);

const EDITOR = { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'sk-secret', EDITOR_ONLY: 'inherited' };

interface Played {
  readonly text: string;
  readonly client?: Partial<TestClient>;
  readonly cancels?: boolean;
  readonly noSandbox?: boolean;
}

async function play({ text, client = {}, cancels = false, noSandbox = true }: Played) {
  const server = await startRecordingServer({ scenarios });
  const cwd = temporaryDirectory();
  const terminals = new TestTerminals(EDITOR);
  const capabilities = { terminal: true };
  const options = { provider: 'mock', dryRun: false, noSandbox, endpoint: server.url } as const;
  // An editor starts ybs in its own environment.
  const changeMachine = (machine: Machine) => ({ ...machine, environment: { ...machine.environment, ...EDITOR } });
  const test = { capabilities, answers: ['once'], terminals, changeMachine, ...client, options };
  return await withAcpClient(test, async (agent, { updates, questions }) => {
    const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] });
    if (cancels) terminals.onCreate = () => void agent.notify('session/cancel', { sessionId });
    const { stopReason } = await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    const calls = updates.filter(isCallUpdate);
    const asked = JSON.stringify(questions);
    return { cwd, terminals, calls, stopReason, asked, told: server.requests().at(-1)?.body ?? '' };
  });
}

type CallUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>;

function isCallUpdate(update: SessionUpdate): update is CallUpdate {
  return update.sessionUpdate === 'tool_call_update';
}

const TERMINAL = { type: 'terminal', terminalId: 'terminal-1' };

describe('a command without the sandbox, with a client that has terminals', () => {
  it('runs in a terminal of the client, which the call shows from its start to its end', async () => {
    const { cwd, terminals, calls, asked, stopReason } = await play({ text: 'print it' });
    expect(stopReason).toBe('end_turn');
    expect(existsSync(path.join(cwd, 'made'))).toBe(true);
    expect(terminals.created).toMatchObject([{ cwd, command: expect.stringMatching(/sh$/) }]);
    expect(asked).toContain('UNSANDBOXED (--no-sandbox), with network, in a terminal of the editor');
    const shown = calls.map(({ status, content }) => [status, content]);
    expect(shown.slice(shown.findIndex(([status]) => status === 'pending'))).toEqual([
      ['pending', undefined],
      ['in_progress', undefined],
      [undefined, [TERMINAL]],
      ['completed', [TERMINAL]],
    ]);
    expect(calls.at(-1)?.rawOutput).toMatchObject({ summary: expect.stringMatching(/^exit code 3 after /) });
    expect([terminals.killed, terminals.released]).toEqual([[], ['terminal-1']]);
  });

  it('reports its result to the model as usual, and gets no key of the editor', async () => {
    const { told } = await play({ text: 'print it' });
    expect(told).toContain('exit_code: 3\\n');
    expect(told).toContain(',inherited,cat\\nbad\\n');
    expect(told).not.toContain('sk-secret');
  });

  it('ends with the prompt that the user stops', async () => {
    const { terminals, stopReason } = await play({ text: 'sleep', cancels: true });
    expect(stopReason).toBe('cancelled');
    expect([terminals.killed, terminals.released]).toEqual([['terminal-1'], ['terminal-1']]);
  });

  it('does not run after a no', async () => {
    const { terminals, cwd } = await play({ text: 'print it', client: { answers: ['deny'] } });
    expect([terminals.created, existsSync(path.join(cwd, 'made'))]).toEqual([[], false]);
  });
});

/** A machine with a sandbox that a shell script imitates. */
function withSandbox(machine: Machine): Machine {
  return {
    ...machine,
    probeSandbox: async () => ({ type: 'on', program: 'bubblewrap' }),
    async loadSessionAdapters() {
      const adapters = await machine.loadSessionAdapters();
      return { ...adapters, openShell: (environment) => adapters.openShell(environment) };
    },
  };
}

describe('a command does not run in a terminal of the client', () => {
  it.each<readonly [string, Partial<TestClient>, boolean]>([
    ['if the client has none', { capabilities: {} }, false],
    ['if the client has only files', { capabilities: { fs: { readTextFile: true } } }, false],
    ['in the sandbox', { changeMachine: withSandbox }, true],
  ])('%s', async (_name, client, isSandboxed) => {
    const { cwd, terminals, calls, asked } = await play({ text: 'print it', client, noSandbox: !isSandboxed });
    expect(existsSync(path.join(cwd, 'made'))).toBe(true);
    expect(terminals.created).toEqual([]);
    expect(asked).not.toContain('terminal of the editor');
    expect(asked.includes('UNSANDBOXED')).toBe(!isSandboxed);
    expect(JSON.stringify(calls.at(-1)?.content)).toContain('exit_code: 3');
  });
});
