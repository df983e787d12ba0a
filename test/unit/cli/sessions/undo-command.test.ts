import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../../src/agent/errors.ts';
import { runPrompt } from '../../../../src/cli/run-prompt.ts';
import { undoCommand } from '../../../../src/cli/subcommands/sessions/undo-command.ts';
import { configuredRun, MODEL, type RunScript } from '../../../support/agent/configured-run.ts';

const NAME = 'session-20261120-090000-0000';
const ANSWERS = [
  { calls: [{ id: '1', name: 'write_file', arguments: JSON.stringify({ path: 'a.txt', content: 'two\n' }) }] },
  { text: 'Done.' },
];

/** Runs a prompt that writes a file, and then `ybs undo` with these words, on the same machine. */
function undoAfter(args: readonly string[], script: RunScript = {}, json = false, then = () => {}) {
  return configuredRun({
    config: { llm: MODEL, safety: { permission_mode: 'full-access' }, ui: { color: false } },
    files: { '/work/a.txt': 'one\n', '/elsewhere/x': '' },
    answers: ANSWERS,
    ...script,
    run: async (wiring, user, options, machine) => {
      await runPrompt('go', { ...options, cwd: '/work' }, wiring, user);
      then();
      await user.write('---\n');
      const ownOptions = new Map(json ? [['json', ['']]] : []);
      const code = await undoCommand({ args, options, ownOptions }, { wiring, machine, user }).catch(
        async (error: unknown) => user.write(`${messageOf(error)}\n`).then(() => 2),
      );
      return code;
    },
  });
}

const report = ({ screen }: Awaited<ReturnType<typeof undoAfter>>): string => screen.split('---\n')[1] ?? '';

describe('ybs undo', () => {
  it.each([[[]], [[NAME]], [['session-2026']]])('undoes the last run of a stored session: %s', async (args) => {
    const run = await undoAfter(args);
    expect([run.outcome, run.readFile('/work/a.txt')]).toEqual([0, 'one\n']);
    expect(report(run)).toBe(
      `${NAME}: 1 file is as it was before checkpoint 1.\n  restored  a.txt\nIn ybs --resume ${NAME}, /undo 2 takes this back.\n`,
    );
  });

  it('prints one line of JSON', async () => {
    const run = await undoAfter([], {}, true);
    expect(JSON.parse(report(run))).toEqual({
      session: NAME,
      from: 1,
      number: 2,
      restored: [{ path: '/work/a.txt', change: 'restored' }],
      kept: [],
      commands: [],
    });
  });

  it.each([
    [false, `${NAME}: There is nothing to undo: no change of this session is left.\n`],
    [true, `${JSON.stringify({ session: NAME, restored: [], kept: [], commands: [] })}\n`],
  ])('fails with a report if nothing is left to undo, as JSON: %s', async (json, expected) => {
    const run = await undoAfter([], { answers: [{ text: 'Done.' }] }, json);
    expect([run.outcome, report(run)]).toEqual([1, expected]);
  });

  it('fails if a file cannot be put back', async () => {
    let change = () => {};
    const run = await undoAfter(
      [],
      {
        prepare: (volume) => {
          change = () => volume.writeFileSync('/work/a.txt', 'mine\n');
        },
      },
      false,
      () => change(),
    );
    expect([run.outcome, run.readFile('/work/a.txt')]).toEqual([1, 'mine\n']);
    expect(report(run)).toContain('  not done  a.txt: it was changed since\n');
  });

  it.each([
    ['read-only', { permission_mode: 'read-only', permissions: { write_file: 'denied' } }, 0, '  restored  a.txt\n'],
    [
      'a blocked path',
      { sandbox_blocked_paths: ['/work/a.txt'] },
      1,
      '  not done  a.txt: it is blocked (safety.sandbox_blocked_paths: /work/a.txt)\n',
    ],
  ])('ignores modes and levels, but obeys the rules of paths: %s', async (_name, safety, code, expected) => {
    let change = () => {};
    const config = JSON.stringify({ llm: MODEL, safety });
    const prepare: RunScript['prepare'] = (volume) => {
      change = () => volume.writeFileSync('/home/ada/.ybs.json', config);
    };
    const run = await undoAfter([], { prepare }, false, () => change());
    expect([run.outcome, report(run)]).toEqual([code, expect.stringContaining(expected)]);
  });

  it.each([
    [
      [],
      { options: { cwd: '/elsewhere' } },
      'There is no session of /elsewhere. Name one of another directory; ybs --resume lists them.',
    ],
    [['nobody'], {}, 'There is no session "nobody". ybs --resume, or /sessions in the chat, lists them.'],
  ])('rejects %s with %j', async (args, script, expected) => {
    const run = await undoAfter(args, script);
    expect([run.outcome, report(run)]).toEqual([2, `${expected}\n`]);
  });

  it('names the files of a session of another directory from there', async () => {
    const run = await undoAfter([NAME], { options: { cwd: '/elsewhere' } });
    expect(report(run)).toContain('  restored  a.txt\n');
  });
});
