import { describe, expect, it } from 'vitest';
import { configuredRun, MODEL, type RunScript } from '../../support/agent/configured-run.ts';
import { parseEvents } from '../../support/agent/published-schema.ts';

const call = (name: string, args: object, id = `${name} ${JSON.stringify(args)}`) => ({
  calls: [{ id, name, arguments: JSON.stringify(args) }],
});
const write = (path: string, content: string) => call('write_file', { path, content });
const sh = (command: string) => call('run_shell', { command });
const DONE = { text: 'Done.' };

/** Runs a prompt whose model gives these answers; nobody is asked. */
function run(answers: NonNullable<RunScript['answers']>, script: RunScript = {}) {
  return configuredRun({
    config: { llm: MODEL, safety: { permission_mode: 'full-access' }, ui: { color: false } },
    files: { '/work/a.txt': 'one\ntwo\n', '/work/b.bin': 'a\0b' },
    answers,
    ...script,
  });
}

/** The receipt of a run, and the type of the event after it. */
async function receiptOf(answers: NonNullable<RunScript['answers']>, script: RunScript = {}) {
  const { screen } = await run(answers, { ...script, options: { outputFormat: 'json', ...script.options } });
  const events = parseEvents(screen);
  const index = events.findIndex(({ type }) => type === 'receipt');
  if (index < 0) return undefined;
  expect(events[index + 1]?.type).toBe('run_end');
  const receipt = events[index];
  if (receipt?.type !== 'receipt') throw new Error('not a receipt');
  const { type: _type, ...facts } = receipt;
  return facts;
}

const OK = { cause: 'exited', exitCode: 0 };

describe('the receipt of a run', () => {
  it('contains the changed files, the commands, and the tests after the last write', async () => {
    const answers = [
      write('a.txt', 'one\n'),
      sh('npm test'),
      write('a.txt', 'one\nthree\nfour\n'),
      write('src/new.txt', 'x\n'),
      write('b.bin', 'text'),
      write('same.txt', 'x'),
      sh('rm same.txt'),
      sh('npm test'),
      DONE,
    ];
    const receipt = await receiptOf(answers, {
      commands: [{ command: 'npm test' }, { command: 'rm same.txt', end: 2 }, { command: 'npm test', end: 1 }],
    });
    expect(receipt).toEqual({
      files: [
        { realPath: '/work/a.txt', change: 'changed', added: 2, removed: 1 },
        { realPath: '/work/src/new.txt', change: 'created', added: 1, removed: 0 },
        { realPath: '/work/b.bin', change: 'changed' },
        { realPath: '/work/same.txt', change: 'created', added: 1, removed: 0 },
      ],
      commands: [
        { command: 'npm test', exit: OK },
        { command: 'rm same.txt', exit: { cause: 'exited', exitCode: 2 } },
        { command: 'npm test', exit: { cause: 'exited', exitCode: 1 } },
      ],
      tests: { command: 'npm test', exit: { cause: 'exited', exitCode: 1 } },
    });
  });

  it('omits tests that ran before the last write', async () => {
    const receipt = await receiptOf([sh('npm test'), write('a.txt', 'x'), DONE], {
      commands: [{ command: 'npm test' }],
    });
    expect(receipt).toMatchObject({ files: [{ realPath: '/work/a.txt' }], commands: [{ command: 'npm test' }] });
    expect(receipt).not.toHaveProperty('tests');
  });

  it('names the first command after the tests that may have changed the tested files', async () => {
    const receipt = await receiptOf([write('a.txt', 'x'), sh('npm test'), sh('echo broken > a.txt'), sh('b'), DONE], {
      commands: [{ command: 'npm test' }, { command: 'echo broken > a.txt' }, { command: 'b' }],
    });
    expect(receipt?.tests).toEqual({ command: 'npm test', exit: OK, followedBy: 'echo broken > a.txt' });
  });

  it('names no command before the last tests', async () => {
    const receipt = await receiptOf([sh('npm test'), sh('npm run lint'), sh('npm test'), DONE], {
      commands: [{ command: 'npm test' }, { command: 'npm run lint' }, { command: 'npm test' }],
    });
    expect(receipt?.tests).toEqual({ command: 'npm test', exit: OK });
  });

  it.each<[string, NonNullable<RunScript['answers']>, RunScript]>([
    ['nothing was written or run', [call('read_file', { path: 'a.txt' }), DONE], {}],
    ['the files have their earlier content', [write('a.txt', 'x'), write('a.txt', 'one\ntwo\n'), DONE], {}],
    ['a call failed', [call('edit_file', { path: 'none', old_text: 'a', new_text: 'b' }), DONE], {}],
    ['no call was approved', [write('a.txt', 'x'), DONE], { config: { llm: MODEL } }],
    ['the run was a dry run', [write('a.txt', 'x'), sh('ls'), DONE], { options: { dryRun: true } }],
  ])('is omitted when %s', async (_name, answers, script) => {
    expect(await receiptOf(answers, script)).toBeUndefined();
  });
});

describe('the receipt on the screen', () => {
  it.each<[string, NonNullable<RunScript['answers']>, RunScript, string]>([
    [
      'files and tests',
      [write('a.txt', 'one\n'), write('n.txt', 'x'), sh('npm test'), DONE],
      { commands: [{ command: 'npm test' }] },
      `  2 files changed: a.txt (+0 −1), n.txt (new, +1 −0)
  1 command ran: npm test (exit code 0)
  tests ran after the last change: npm test (exit code 0)
`,
    ],
    [
      'a file alone',
      [write('b.bin', 'x'), DONE],
      {},
      '  1 file changed: b.bin\n  no tests ran after the last change\n',
    ],
    [
      'a command after the tests',
      [write('a.txt', 'one\n'), sh('npm test'), sh('npm run lint'), DONE],
      { commands: [{ command: 'npm test' }, { command: 'npm run lint', end: 1 }] },
      `  1 file changed: a.txt (+0 −1)
  2 commands ran: npm test (exit code 0), npm run lint (exit code 1)
  tests ran after the last change: npm test (exit code 0), before npm run lint
`,
    ],
    [
      'tests whose exit code is hidden',
      [write('a.txt.ts', 'x'), sh('npm test 2>&1 | tail -40'), DONE],
      { commands: [{ command: 'npm test 2>&1 | tail -40' }] },
      `  1 file changed: a.txt.ts (new, +1 −0)
  1 command ran: npm test 2>&1 | tail -40 (exit code 0)
  tests may have run, but their exit code is hidden: npm test 2>&1 | tail -40 (exit code 0)
`,
    ],
    [
      'tests before a change of prose',
      [write('a.ts', 'x'), sh('npm test'), write('CHANGELOG.md', 'x'), DONE],
      { commands: [{ command: 'npm test' }] },
      `  2 files changed: a.ts (new, +1 −0), CHANGELOG.md (new, +1 −0)
  1 command ran: npm test (exit code 0)
  tests ran after the last change of code: npm test (exit code 0)
`,
    ],
    ['a change of prose', [write('docs/README', 'x'), DONE], {}, '  1 file changed: docs/README (new, +1 −0)\n'],
    [
      'many commands with different exits',
      [sh('a'), sh('b\nc'), sh('d'.repeat(70)), sh('e'), sh('f'), sh('g'), DONE],
      {
        timePasses: true,
        commands: [
          { command: 'a', end: { signal: 'SIGSEGV' } },
          { command: 'b\nc', end: 'never' },
          { command: 'd'.repeat(70) },
          { command: 'e' },
          { command: 'f' },
          { command: 'g' },
        ],
      },
      `  6 commands ran: a (ended by SIGSEGV), b … (timed out), ${'d'.repeat(60)}… (exit code 0), e (exit code 0), f (exit code 0), 1 more\n`,
    ],
  ])('shows %s', async (_name, answers, script, expected) => {
    expect((await run(answers, script)).screen).toContain(
      `\nDone.\n${expected.replaceAll(/^/gm, '▌ ').replace(/▌ $/, '')}`,
    );
  });

  it('names the command that undoes an incomplete run', async () => {
    const config = { llm: MODEL, safety: { permission_mode: 'full-access' }, agent: { max_iterations: 1 } };
    const limit = (autoSave: boolean) => ({
      config: { ...config, session: { auto_save: autoSave }, ui: { color: false } },
    });
    const { screen } = await run([write('a.txt', 'x')], limit(true));
    expect(screen).toMatch(
      /Say "go on" to continue\.\n▌ ybs --continue "go on" does that\.\n▌ ybs undo puts the changed files back\.\n/,
    );
    expect((await run([write('a.txt', 'x')], limit(false))).screen).not.toContain('ybs undo');
    expect((await run([sh('ls')], { ...limit(true), commands: [{ command: 'ls' }] })).screen).not.toContain('ybs undo');
    expect((await run([write('a.txt', 'x'), DONE])).screen).not.toContain('ybs undo');
  });
});
