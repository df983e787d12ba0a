import { describe, expect, it } from 'vitest';
import { describeUndo, UNDO_COMMANDS } from '../../../../../src/app/commands/session/undo-commands.ts';
import { runChat } from '../../../../../src/cli/run-chat.ts';
import { computeDigest } from '../../../../../src/node/system.ts';
import type { UndoReport } from '../../../../../src/session/writes/undo.ts';
import { WriteJournal } from '../../../../../src/session/writes/write-journal.ts';
import { rememberedWrites } from '../../../../../src/session/writes/write-storage.ts';
import { configuredRun, MODEL, type RunScript } from '../../../../support/agent/configured-run.ts';
import { withoutMarks } from '../../../../support/agent/without-marks.ts';
import { commandText } from '../../../../support/commands/command-text.ts';
import { createFakeAgent } from '../../../../support/fakes/fake-agent.ts';
import { createMemoryFileSystem } from '../../../../support/fakes/memory-file-system.ts';

const call = (name: string, args: object, id = name) => ({
  calls: [{ id, name, arguments: JSON.stringify(args) }],
});
const write = (path: string, content: string) => call('write_file', { path, content }, `${path} ${content}`);
const DONE = { text: 'Done.' };

const chat = (typed: readonly string[], answers: RunScript['answers'] = [DONE], script: RunScript = {}) =>
  configuredRun({
    config: { llm: MODEL, safety: { permission_mode: 'full-access' }, ui: { color: false } },
    files: { '/work/a.txt': 'one\ntwo\n' },
    typed,
    answers,
    run: (wiring, user, options) => runChat(options, wiring, user, async () => []),
    ...script,
  });

/** The last output that a chat command has printed. */
const lastOf = ({ written }: Awaited<ReturnType<typeof chat>>): string =>
  withoutMarks(written.findLast((text) => !text.startsWith('>') && !text.includes('To continue: ')) ?? '').trimEnd();

describe('/undo in a chat', () => {
  it('restores the files and tells the model in the next request', async () => {
    const run = await chat(
      ['go', '/undo', 'what now?'],
      [write('a.txt', 'new\n'), write('src/b.txt', 'b\n'), call('run_shell', { command: 'make' }), DONE],
      { commands: [{ command: 'make' }] },
    );
    expect(withoutMarks(run.screen)).toContain(
      [
        '2 files are as they were before checkpoint 1.',
        '  restored  a.txt',
        '  removed   src/b.txt',
        'What commands have changed is not undone. 1 command ran:',
        '  make',
        '/undo 3 takes this back.',
      ].join('\n'),
    );
    expect(run.readFile('/work/a.txt')).toBe('one\ntwo\n');
    expect(run.listFiles('/work')).toEqual(['README.md', 'a.txt']);
    const [reminder, prompt] = JSON.stringify(run.requests.at(-1)?.body['messages']).split('what now?');
    expect(reminder).toContain('- a.txt: restored\\n- src/b.txt: removed');
    expect(prompt).toBeDefined();
  });

  it.each([
    [['/undo'], 'There is nothing to undo: no change of this session is left.'],
    [['/undo 1'], 'There is no checkpoint 1: this session has none.'],
    [['/checkpoints'], 'This session has changed no file.'],
    [['/checkpoints 7'], 'There is no checkpoint 7: this session has none.'],
    [['/undo x'], '"x" is not the number of a checkpoint. /checkpoints lists them.'],
    [['/undo 0'], '"0" is not the number of a checkpoint. /checkpoints lists them.'],
  ])('answers %s without a checkpoint', async (typed, expected) => {
    expect(lastOf(await chat(typed))).toBe(expected);
  });
});

describe('/checkpoints', () => {
  const answers = [write('a.txt', 'one\n'), write('b.txt', 'b\n'), write('b.txt', 'b\n'), DONE];

  it('lists the calls that changed files, and the undos', async () => {
    expect(lastOf(await chat(['go', '/undo 2', '/checkpoints'], answers))).toMatchInlineSnapshot(`
      "  1. a.txt (+0 −1)
        2. b.txt (new, +1 −0, undone)
        3. undo from 2 on (1 file)
      /checkpoints NUMBER shows a file as it was before, /undo NUMBER puts all files from there on back."
    `);
    expect(lastOf(await chat(['go', '/checkpoints'], [write('a.txt', 'one\ntwo\n'), DONE]))).toBe(
      'This session has changed no file.',
    );
  });

  it.each([
    [['/checkpoints 1'], 'a.txt before checkpoint 1:\n    one\n    two'],
    [['/checkpoints 2'], 'b.txt did not exist before checkpoint 2.'],
    [['/undo 1', '/undo 1', '/checkpoints 4'], 'Checkpoint 4 has no files.'],
  ])('shows the files before a checkpoint: %s', async (typed, expected) => {
    const run = await chat(['go', ...typed], [write('a.txt', 'one\n'), write('b.txt', 'b\n'), DONE]);
    expect(lastOf(run)).toBe(expected);
  });

  it('escapes and truncates the content of a file', async () => {
    const long = `\u001b[31m\n${'line\n'.repeat(500)}`;
    const run = await chat(['go', '/checkpoints 1'], [write('a.txt', 'x'), DONE], { files: { '/work/a.txt': long } });
    expect(lastOf(run)).toContain('    \\u{1b}[31m\n    line\n');
    expect(lastOf(run)).toContain('[… 101 lines omitted …]');
  });

  it('does not show binary content', async () => {
    const run = await chat(['go', '/checkpoints 1'], [write('a.txt', 'x'), DONE], { files: { '/work/a.txt': 'a\0b' } });
    expect(lastOf(run)).toBe('a.txt before checkpoint 1:\n    (binary, 3 bytes)');
  });

  it('gives the reason if the bytes are unknown', async () => {
    const { fileSystem } = createMemoryFileSystem({ '/work/a.txt': 'one' });
    const storage = { ...rememberedWrites(), read: async () => undefined };
    const writes = new WriteJournal({ fileSystem, digest: computeDigest, storage });
    await writes.start({ run: 0, call: 'c', path: '/work/a.txt' });
    const fake = createFakeAgent([]);
    const agent = { ...fake, record: { ...fake.record, writes } };
    const command = UNDO_COMMANDS.find(({ name }) => name === 'checkpoints');
    expect(await commandText(command, agent, '1')).toBe(
      'a.txt before checkpoint 1 is not known: its content before was not kept.',
    );
    expect(await commandText(command, agent)).toContain('  1. a.txt (changed)');
  });
});

describe('the report of an undo', () => {
  const report: UndoReport = { from: 2, number: 5, restored: [], kept: [], commands: [] };
  it.each<[string, Partial<UndoReport>, string]>([
    ['nothing to do', {}, 'The files are already as they were before checkpoint 2.'],
    [
      'one file',
      { restored: [{ path: '/w/a\n', change: 'restored' }] },
      '1 file is as it was before checkpoint 2.\n  restored  a\\u{a}\n/undo 5 takes this back.',
    ],
    [
      'no file',
      { kept: [{ path: '/w/a', reason: 'it was changed since' }] },
      'No file was put back as it was before checkpoint 2.\n  not done  a: it was changed since',
    ],
    [
      'commands',
      { commands: ['a\nb', 'x'.repeat(100), '3', '4', '5', '6', '7'] },
      [
        'The files are already as they were before checkpoint 2.',
        'What commands have changed is not undone. 7 commands ran:',
        `  a …\n  ${'x'.repeat(80)}…\n  3\n  4\n  5\n  and 2 more`,
      ].join('\n'),
    ],
  ])('%s', (_name, more, expected) => {
    expect(describeUndo({ ...report, ...more }, '/w', '/undo')).toBe(expected);
  });
});
