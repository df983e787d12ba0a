import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../../src/agent/errors.ts';
import { runPrompt } from '../../../../src/cli/run-prompt.ts';
import { auditCommand } from '../../../../src/cli/subcommands/sessions/audit-command.ts';
import { configuredRun, MODEL, type RunScript } from '../../../support/agent/configured-run.ts';

const NAME = 'session-20261120-090000-0000';
const call = (name: string, args: object, id: string) => ({ id, name, arguments: JSON.stringify(args) });
const sh = (command: string, id: string) => call('run_shell', { command }, id);
const write = (path: string, id: string) => call('write_file', { path, content: 'x' }, id);

/** Runs a prompt whose model makes these calls, one after the other, and then `ybs audit`. */
function auditAfter(calls: readonly ReturnType<typeof call>[], script: RunScript = {}, json = true) {
  return configuredRun({
    config: { llm: MODEL, safety: { permission_mode: 'ask' }, ui: { color: false } },
    files: { '/work/a.txt': 'one\n' },
    answers: [...calls.map((one) => ({ calls: [one] })), { text: 'Done.' }],
    ...script,
    run: async (wiring, user, options, machine) => {
      await runPrompt('go', options, wiring, user);
      await user.write('---\n');
      const ownOptions = new Map(json ? [['json', ['']]] : []);
      return auditCommand({ args: [], options, ownOptions }, { wiring, machine, user }).catch(async (error: unknown) =>
        user.write(`${messageOf(error)}\n`).then(() => 2),
      );
    },
  });
}

async function decisions(...args: Parameters<typeof auditAfter>) {
  const { screen } = await auditAfter(...args);
  const report: { session: string; decisions: readonly Readonly<Record<string, unknown>>[] } = JSON.parse(
    screen.split('---\n').at(-1) ?? '',
  );
  expect(report.session).toBe(NAME);
  return report.decisions;
}

describe('ybs audit', () => {
  it('lists each call with its rule, who decided it, and its outcome', async () => {
    const calls = [
      call('read_file', { path: 'a.txt' }, '1'),
      sh('sudo id', '2'),
      sh('make', '3'),
      write('b.txt', '4'),
      call('nothing', {}, '5'),
    ];
    const rows = await decisions(calls, { typed: ['y', 'n'], commands: [{ command: 'make', end: 2 }] });
    expect(rows).toMatchObject([
      {
        callId: '1',
        tool: 'read_file',
        verdict: 'allow',
        by: 'mode',
        rule: 'permission mode ask',
        decidedBy: 'automatic',
      },
      { callId: '2', tool: 'run_shell', verdict: 'deny', by: 'rule', decidedBy: 'blocked command', ms: 0 },
      {
        ...{
          decidedBy: 'question',
          callId: '3',
          verdict: 'allow',
          by: 'user',
          command: 'make',
          summary: 'run make',
          sandbox: 'off',
        },
        ...{ outcome: 'ok', exit: { cause: 'exited', exitCode: 2 } },
      },
      { callId: '4', tool: 'write_file', verdict: 'deny', by: 'user', outcome: 'denied', summary: 'create b.txt (+1)' },
    ]);
    for (const { digest } of rows) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(rows.map(({ digest }) => digest)).size).toBe(4);
  });

  it('contains the digest of the question, and the state of the sandbox', async () => {
    const script: RunScript = {
      typed: ['y'],
      sandbox: { type: 'on', program: 'bwrap' },
      commands: [{ command: 'make' }],
    };
    const [row] = await decisions([sh('make', '1')], script);
    const { screen } = await auditAfter([sh('make', '1')], { ...script, options: { outputFormat: 'json' } });
    const request = /"type":"approval_request".*?"digest":"([0-9a-f]{64})"/.exec(screen)?.[1];
    expect(request).toBeDefined();
    expect(row).toMatchObject({ sandbox: 'on', by: 'user', digest: request });
  });

  it('reports that no user was there to answer', async () => {
    expect(await decisions([write('b.txt', '1')])).toMatchObject([{ verdict: 'deny', by: 'host', outcome: 'denied' }]);
  });

  it('reports the command that the user edited', async () => {
    const rows = await decisions([sh('make', '1')], {
      typed: ['e', 'make all', 'y'],
      commands: [{ command: 'make all' }],
    });
    expect(rows).toMatchObject([{ verdict: 'allow', by: 'user', command: 'make all' }]);
  });

  it('contains the decisions of a dry run, in which nothing is written', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' } };
    const rows = await decisions([write('a.txt', '1')], { config, options: { dryRun: true } });
    expect(rows).toMatchObject([{ verdict: 'allow', by: 'mode', outcome: 'not_run' }]);
  });

  it('contains the permission mode that the user chose, in JSON and in the table', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'plan' }, ui: { color: false } };
    const script: RunScript = { config, typed: ['y', 'y'] };
    const calls = [call('present_plan', { plan: '1. Write b.txt.' }, '1'), write('b.txt', '2')];
    const rows = await decisions(calls, script);
    expect(rows.map(({ tool, summary, by }) => [tool, summary, by])).toMatchInlineSnapshot(`
      [
        [
          "present_plan",
          "carry out this plan",
          "user",
        ],
        [
          "/mode",
          "ask",
          "user",
        ],
        [
          "write_file",
          "create b.txt (+1)",
          "user",
        ],
        [
          "/mode",
          "plan",
          "mode",
        ],
      ]
    `);
    const { screen } = await auditAfter(calls, script, false);
    const table = screen.split('---\n').at(-1) ?? '';
    expect(table.split('\n').filter((line) => line.includes('/mode'))).toMatchInlineSnapshot(`
      [
        "2026-11-20 09:00:00  /mode         allow     user  chosen by the user                                                     ask",
        "2026-11-20 09:00:00  /mode         allow     mode  end of the approved plan                                               plan",
      ]
    `);
  });

  it('prints a table', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' }, ui: { color: false } };
    const calls = [sh('make', '1'), sh('a\u001b[31m', '2'), write('b.txt', '3')];
    const script: RunScript = {
      config,
      commands: [
        { command: 'make', steps: [{ wait: 20 }], end: 2 },
        { command: 'a\u001b[31m', end: { signal: 'SIGSEGV' } },
      ],
      timePasses: true,
    };
    const { screen } = await auditAfter(calls, script, false);
    expect(
      screen
        .split('---\n')
        .at(-1)
        ?.replaceAll(/[0-9a-f]{12}/g, 'DIGEST______'),
    ).toMatchInlineSnapshot(`
      "time                 tool        decision  by    rule                         row                 sandbox  result  ms  digest        call
      2026-11-20 09:00:00  run_shell   allow     mode  permission mode full-access  automatic           off      exit 2  20  DIGEST______  run make
      2026-11-20 09:00:00  run_shell   deny      host  unreadable command           unreadable command  off      denied  0   DIGEST______  run a\\u{1b}[31m
      2026-11-20 09:00:00  write_file  allow     mode  permission mode full-access  automatic                    ok      0   DIGEST______  create b.txt (+1)
      "
    `);
  });

  it('rejects a session without a decision', async () => {
    const { screen, outcome } = await auditAfter([], {}, false);
    expect([outcome, screen.split('---\n').at(-1)]).toEqual([2, `The session ${NAME} has no decisions.\n`]);
    expect(await decisions([])).toEqual([]);
  });
});
