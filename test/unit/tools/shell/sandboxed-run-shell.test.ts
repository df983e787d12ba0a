import { describe, expect, it } from 'vitest';
import { TOOL_DEFINITIONS } from '../../../../src/tools/definitions.data.ts';
import { comparableReport, summarizeExit } from '../../../../src/tools/shell/command-report.ts';
import { sandboxedDefinition } from '../../../../src/tools/shell/sandboxed-definition.ts';
import { configuredRun, MODEL, type RunScript } from '../../../support/configured-run.ts';

const ON = { type: 'on', program: 'bubblewrap' } as const;

function installs(script: RunScript) {
  const args = JSON.stringify({ command: 'npm ci', network: true });
  return configuredRun({
    config: { llm: MODEL },
    answers: [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }],
    commands: [{ command: 'npm ci', end: 0 }],
    typed: ['y'],
    ...script,
  });
}

describe('run_shell in the sandbox', () => {
  it('tells the model of its limits and of the argument that lifts one', () => {
    const { description, parameters } = sandboxedDefinition(TOOL_DEFINITIONS.run_shell);
    expect(description).toContain(TOOL_DEFINITIONS.run_shell.description);
    expect(description).toMatch(/no network, files outside the workspace read-only/);
    expect(parameters['properties']).toMatchObject({ command: {}, network: { type: 'boolean' } });
    expect(sandboxedDefinition({ ...TOOL_DEFINITIONS.run_shell, parameters: {} }).parameters['properties']).toEqual({
      network: expect.anything(),
    });
  });

  it('asks for the network in full access, too, and shows that in the question', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' } };
    const { screen, requests } = await installs({ sandbox: ON, config });
    expect(JSON.stringify(requests[0]?.body['tools'])).toContain('Commands run in a sandbox');
    expect(screen).toContain('WITH NETWORK');
    expect(screen).toContain('It may use the network and could send what it reads');
    expect(screen).toContain('exit code 0');
  });

  it.each<[string, RunScript]>([
    ['sandboxed (bubblewrap), no network', { sandbox: ON }],
    ['UNSANDBOXED (no bwrap)', { sandbox: { type: 'off', reason: 'no bwrap' } }],
    ['UNSANDBOXED (--no-sandbox)', { sandbox: ON, options: { noSandbox: true } }],
  ])('shows %s', async (shown, script) => {
    const args = JSON.stringify({ command: 'npm ci' });
    const answers = [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }];
    expect((await installs({ ...script, answers })).screen).toContain(shown);
  });

  it('offers no argument without a sandbox, and ignores it', async () => {
    const { screen, requests } = await installs({ sandbox: { type: 'off', reason: 'no bwrap' } });
    expect(JSON.stringify(requests[0]?.body['tools'])).not.toContain('sandbox');
    expect(screen).not.toContain('NETWORK');
    expect(screen).toContain('exit code 0');
  });

  it('runs no command without a sandbox and without a user', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' } };
    const script: RunScript = { sandbox: { type: 'off', reason: 'no bwrap' }, config };
    const args = JSON.stringify({ command: 'npm ci' });
    const run = await configuredRun({
      ...script,
      answers: [{ calls: [{ id: 'c', name: 'run_shell', arguments: args }] }, { text: 'Done.' }],
    });
    expect(run.outcome).toBe(3);
    expect(JSON.stringify(run.requests.at(-1)?.body['messages'])).toContain('--no-sandbox');
  });
});

describe('the report of a command that created files which other programs obey', () => {
  const exit = { type: 'exit', cause: 'exited', exitCode: 0, durationMs: 0, leftProcesses: false } as const;
  const output = { head: '', tail: '', lines: 0 };

  it.each([
    [['/w/.envrc'], '/w/.envrc'],
    [['/a', '/b', '/c', '/d', '/e', '/f', '/g'], '/a, /b, /c, /d, /e and 2 more files'],
  ])('names %j', (created, named) => {
    expect(summarizeExit({ ...exit, created })).toBe(
      `exit code 0 after 0.0 s; created ${named}, which other programs run or obey`,
    );
    const report = { exit: { ...exit, created }, output, log: {} };
    expect(comparableReport(report, { directory: '.', timeoutMs: 1 })).toContain(`note: the command created ${named},`);
  });
});
