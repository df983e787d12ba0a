import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../mock-llm-server/scenario/load.ts';
import { createScenarioSet } from '../../mock-llm-server/scenario/prepare.ts';
import { type RunningServer, startMockServer } from '../../mock-llm-server/server/listen.ts';
import { createNodeFileSystem } from '../../src/adapters/files/node-file-system.ts';
import { WorkerTextSearch } from '../../src/adapters/search/worker-text-search.ts';
import { createNodeShell } from '../../src/adapters/shell/node-shell.ts';
import { chooseShellProgram } from '../../src/adapters/shell/shell-program.ts';
import { computeDigest, systemClock } from '../../src/adapters/system.ts';
import type { Agent } from '../../src/app/session.ts';
import { createAgent } from '../../src/app/session.ts';
import type { AgentEvent } from '../../src/ports/events.ts';
import { createOpenAiChat } from '../../src/providers/openai-chat/openai-chat.ts';

const PLAYGROUND = path.resolve('examples/playground');

describe('the whole agent on the mock server', () => {
  let server: RunningServer;
  let workspace: string;
  let agent: Agent;

  beforeAll(async () => {
    const scenarios = createScenarioSet(await loadScenarioFiles([path.resolve('scenarios')], nodeScenarioFiles));
    server = await startMockServer({ scenarios });
    workspace = await realpath(await mkdtemp(path.join(os.tmpdir(), 'ybs-test-')));
    await cp(PLAYGROUND, workspace, { recursive: true });
    const program = chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync });
    agent = await createAgent(
      {
        sessionId: 'session',
        modelName: 'mock',
        permissionMode: 'full-access',
        dryRun: false,
        maxIterations: 25,
        maxToolOutputChars: 10_000,
        allowedPaths: ['.'],
        blockedPaths: ['~/.ssh'],
        blockedCommands: ['sudo'],
        disabledTools: [],
      },
      {
        model: createOpenAiChat({
          endpoint: `${server.url}/v1`,
          label: 'mock',
          model: 'mock-model',
          maxTokens: 4096,
          timeoutMs: 10_000,
          clock: systemClock,
        }),
        approver: { decide: () => Promise.reject(new Error('nothing is asked in full access')) },
        fileSystem: createNodeFileSystem(),
        shell: createNodeShell({ program }),
        textSearch: new WorkerTextSearch(),
        clock: systemClock,
        digest: computeDigest,
        platform: 'posix',
        shellName: program.name,
        environment: { PATH: process.env['PATH'] ?? '' },
        workspace,
        home: os.homedir(),
        outputDirectory: path.join(workspace, '..', `${path.basename(workspace)}-output`),
      },
    );
  });

  afterAll(async () => {
    await server.close();
    await rm(workspace, { recursive: true });
  });

  it('reads, edits, runs the tests and reports', async () => {
    const events: AgentEvent[] = [];
    for await (const event of agent.run('fix the failing test', new AbortController().signal)) events.push(event);
    expect(
      events.filter((event) => event.type === 'tool_result').map((event) => `${event.toolName}: ${event.outcome}`),
    ).toEqual(['run_shell: ok', 'read_file: ok', 'edit_file: ok', 'run_shell: ok']);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
    expect(await readFile(path.join(workspace, 'src/cart.js'), 'utf8')).toContain('amount >= FREE_SHIPPING_FROM');
  });
});
