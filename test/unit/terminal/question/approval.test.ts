import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../../../src/agent/async/abort.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import { createApprover } from '../../../../src/app/driver/questions.ts';
import type { TerminalInput } from '../../../../src/app/terminal.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { type ApprovalAnswer, readApprovalAnswer } from '../../../../src/terminal/question/approval.ts';
import { askAtTerminal } from '../../../../src/terminal/question/ask-at-terminal.ts';
import { createScriptedTerminal } from '../../../support/fakes/scripted-terminal.ts';

const request: ApprovalRequest = {
  callId: 'c1',
  toolName: 'run_shell',
  reason: 'Commands are always asked for.',
  effect: { summary: 'run npm test', paths: [], command: 'npm test', workingDirectory: '/w' },
  offers: { type: 'exact_command', command: 'npm test', workingDirectory: '/w' },
  editable: true,
};

const GRANTED: ApprovalRequest = {
  ...request,
  effect: { ...request.effect, command: 'npm test -- a b' },
  offersMore: [{ type: 'command_prefix', words: ['npm', 'test'] }, { type: 'sandboxed_commands' }],
};

type Input = string | Exclude<TerminalInput, { type: 'line' }>;

function ask(...inputs: readonly Input[]) {
  return askAbout(request, ...inputs);
}

function askAbout(asked: ApprovalRequest, ...inputs: readonly Input[]) {
  return askOn(undefined, asked, ...inputs);
}

function askOn(
  size: { readonly columns: number; readonly rows: number } | undefined,
  asked: ApprovalRequest,
  ...inputs: readonly Input[]
) {
  const stop = new AbortController();
  const scripted = createScriptedTerminal(inputs);
  const terminal = size === undefined ? scripted : { ...scripted, size: () => size };
  let screen = '';
  const approver = createApprover(() =>
    askAtTerminal({
      terminal,
      palette: PLAIN,
      interruptRun: () => stop.abort(new Error('stopped at the question')),
      async write(text) {
        screen += text;
        return true;
      },
    }),
  );
  return { decision: approver.decide(asked, stop.signal), screen: () => screen, terminal, stop };
}

describe('a question at the terminal', () => {
  it('is drawn before it is answered, and accepts only later keys', async () => {
    const { decision, screen, terminal } = ask('y');
    expect(await decision).toEqual({ type: 'once' });
    expect(screen()).toMatch(/^(?:▌ .*\n)+$/);
    expect(screen()).toContain('▌   $ npm test\n');
    const keys = ['y', 'a', 'e', 's', 'n'];
    expect(terminal.questions).toEqual([{ prompt: '▌   > ', fresh: true, keys, above: screen() }]);
  });

  it('passes a sentence on as feedback, after its key or, if lines are read, without it', async () => {
    const { decision, screen, terminal } = ask('s', ' use pnpm ');
    expect(await decision).toEqual({ type: 'deny', feedback: 'use pnpm' });
    expect(terminal.questions[1]).toEqual({ prompt: '▌   instead: ', fresh: true, above: screen() });
    expect(await ask('use pnpm').decision).toEqual({ type: 'deny', feedback: 'use pnpm' });
  });

  it.each([
    ['nothing', ' ', 'You typed no sentence.'],
    ['Ctrl-C', { type: 'interrupt', cleared: true }, 'Nothing was sent.'],
    ['a command of the chat', '/tools', 'Commands work after the answer.'],
  ] as const)('is asked again instead of a sentence after %s', async (_name, input, note) => {
    const { decision, screen } = ask('s', input, 'y');
    expect(await decision).toEqual({ type: 'once' });
    expect(screen()).toContain(`  ${note} Answer the question, or n for no.\n`);
  });

  it('is denied at the end of the input instead of a sentence', async () => {
    expect(await ask('s', { type: 'end' }).decision).toEqual({ type: 'deny' });
  });

  it('is asked again after a command of the chat, which is not taken as the reason of a denial', async () => {
    const { decision, screen, terminal } = ask('/permissions', 'n');
    expect(await decision).toEqual({ type: 'deny' });
    expect(screen()).toMatch(/ {2}Commands work after the answer\. Answer the question, or n for no\.\n$/);
    expect(terminal.questions).toHaveLength(2);
  });

  it('lets the user edit the command, which is in the line from the start', async () => {
    const { decision, screen, terminal } = ask('e', 'npm test -- --run');
    expect(await decision).toEqual({ type: 'edit', command: 'npm test -- --run' });
    expect(terminal.questions[1]).toEqual({ prompt: '▌   $ ', fresh: true, text: 'npm test', above: screen() });
  });

  it.each([
    ['an empty line', ['e', '  ', 'y'], { type: 'once' }],
    ['Ctrl-C', ['e', { type: 'interrupt', cleared: true }, 'y'], { type: 'once' }],
    ['the end of the input', ['e', { type: 'end' }], { type: 'deny' }],
  ] as const)('does not change the command after %s', async (_name, inputs, expected) => {
    expect(await ask(...inputs).decision).toEqual(expected);
  });

  it('changes the text of a plan', async () => {
    const asked = { ...request, effect: { summary: 'carry out this plan', paths: [], plan: '1. Add.\n2. Go.' } };
    const { decision, screen } = askAbout(asked, 'e', '1. Add.\n2. Test.');
    expect(await decision).toEqual({ type: 'change', arguments: { plan: '1. Add.\n2. Test.' } });
    expect(screen()).toContain('1. Add.');
    expect(screen()).toContain('y yes, and ask before each change');
    expect(screen()).not.toContain('yes, once');
  });

  it('shows the whole diff on request', async () => {
    const unified = Array.from({ length: 150 }, (_, index) => `+line ${index}\n`).join('');
    const effect = { summary: 's', paths: [], preview: { path: 'a', unified, added: 150, removed: 0 } };
    const { decision, screen, terminal } = askAbout({ ...request, effect }, 'd', 'y');
    expect(await decision).toEqual({ type: 'once' });
    const { above = '' } = terminal.questions[0] ?? {};
    expect(above).not.toContain('+line 75\n');
    const diff = unified.replace(/\n$/, '').replaceAll(/^/gm, '▌   ').concat('\n');
    expect(screen().slice(above.length, above.length + diff.length)).toBe(diff);
  });

  it('is denied at the end of the input', async () => {
    expect(await ask({ type: 'end' }).decision).toEqual({ type: 'deny' });
  });

  it('stops the run at Ctrl-C', async () => {
    const { decision, stop } = ask({ type: 'interrupt', cleared: false });
    await expect(decision).rejects.toThrow('The run was stopped.');
    expect(stop.signal.aborted).toBe(true);
  });

  it('is denied at Ctrl-C when there is no run to stop', async () => {
    const approver = createApprover(() =>
      askAtTerminal({
        terminal: createScriptedTerminal([{ type: 'interrupt', cleared: false }]),
        palette: PLAIN,
        interruptRun: () => {},
        write: async () => true,
      }),
    );
    expect(await approver.decide(request, new AbortController().signal)).toEqual({ type: 'deny' });
  });

  it('ends with the run', async () => {
    const { decision, stop } = ask('wait');
    await Promise.resolve();
    stop.abort();
    await expect(decision).rejects.toThrow(AbortedError);
  });
});

describe('without a terminal', () => {
  it('the unavailable approver does not ask', async () => {
    expect(await createApprover(() => undefined).decide(request, new AbortController().signal)).toEqual({
      type: 'unavailable',
    });
  });
});

const REQUEST: ApprovalRequest = { callId: 'c1', toolName: 'run', reason: 'r', effect: { summary: 's', paths: [] } };
const RULED: ApprovalRequest = {
  ...REQUEST,
  offers: { type: 'edit_read_files' },
  offersDirectory: { type: 'file_operations', directory: '/w' },
};
const BELOW: ApprovalRequest = {
  ...REQUEST,
  offersDirectory: { type: 'file_operations', directory: '/w/src' },
  offersMore: [{ type: 'file_operations', directory: '/w' }],
};
const SHELL: ApprovalRequest = { ...REQUEST, effect: { ...REQUEST.effect, command: 'ls -l' }, editable: true };
const BATCH: ApprovalRequest = { ...REQUEST, pending: [REQUEST] };
const unified = '+x\n'.repeat(200);
const LONG: ApprovalRequest = {
  ...REQUEST,
  effect: { ...REQUEST.effect, preview: { path: 'a', unified, added: 200, removed: 0 } },
};

const PLAN: ApprovalRequest = { ...REQUEST, effect: { ...REQUEST.effect, plan: '1. Add.' } };

const decision = (value: ApprovalDecision): ApprovalAnswer => ({ type: 'decision', decision: value });
const YES = decision({ type: 'once' });
const NO = decision({ type: 'deny' });
const no = (feedback: string): ApprovalAnswer => decision({ type: 'deny', feedback });
const notOffered = (key: string): ApprovalAnswer => ({ type: 'again', note: `${key} is not offered here.` });
const COMMAND: ApprovalAnswer = { type: 'again', note: 'Commands work after the answer.' };

it.each<[line: string, question: string, request: ApprovalRequest, answer: ApprovalAnswer]>([
  ['y', 'a plan', PLAN, decision({ type: 'once', mode: 'ask' })],
  ['yes', 'a plan', PLAN, decision({ type: 'once', mode: 'ask' })],
  ['A', 'a plan', PLAN, decision({ type: 'once', mode: 'accept-edits' })],
  ['e', 'a plan', PLAN, { type: 'edit', command: '1. Add.' }],
  ['', 'a plan', PLAN, NO],
  ['n', 'a plan', PLAN, NO],
  ['no', 'a plan', PLAN, NO],
  ['b', 'a plan', PLAN, no('b')],
  ['only the sum', 'a plan', PLAN, no('only the sum')],
  ['/help', 'a plan', PLAN, COMMAND],
  ['y', 'a question', RULED, YES],
  ['Y', 'a question', REQUEST, YES],
  [' yes ', 'a question', REQUEST, YES],
  ['a', 'a question that offers rules', RULED, decision({ type: 'session' })],
  ['always', 'a question that offers rules', RULED, decision({ type: 'session' })],
  [
    'w',
    'a question about a file in the root',
    RULED,
    decision({ type: 'session', rule: { type: 'file_operations', directory: '/w' } }),
  ],
  ['f', 'a question about a file in the root', RULED, notOffered('f')],
  [
    'w',
    'a question about a file',
    BELOW,
    decision({ type: 'session', rule: { type: 'file_operations', directory: '/w' } }),
  ],
  [
    'f',
    'a question about a file',
    BELOW,
    decision({ type: 'session', rule: { type: 'file_operations', directory: '/w/src' } }),
  ],
  ['x', 'a question in the sandbox', GRANTED, decision({ type: 'session', rule: { type: 'sandboxed_commands' } })],
  [
    'p',
    'a question with words to allow',
    GRANTED,
    {
      ...{ type: 'prefix', words: ['npm', 'test'] },
      decision: { type: 'session', rule: { type: 'command_prefix', words: ['npm', 'test'] } },
    },
  ],
  ['k', 'a question whose answers are not stored', GRANTED, notOffered('k')],
  ['a', 'a question without rules', REQUEST, notOffered('a')],
  ['always', 'a question without rules', REQUEST, notOffered('always')],
  ['F', 'a question without rules', REQUEST, notOffered('F')],
  ['e', 'a command', SHELL, { type: 'edit', command: 'ls -l' }],
  ['e', 'a question without a command', REQUEST, notOffered('e')],
  ['d', 'a long diff', LONG, { type: 'diff' }],
  ['d', 'a batch with a long diff', { ...REQUEST, pending: [LONG] }, { type: 'diff' }],
  ['d', 'a question without a diff', REQUEST, notOffered('d')],
  ['b', 'several questions', BATCH, decision({ type: 'once', all: true })],
  ['all', 'several questions', BATCH, decision({ type: 'once', all: true })],
  ['b', 'one question', REQUEST, notOffered('b')],
  ['n', 'a question', RULED, NO],
  ['No', 'a question', RULED, NO],
  ['', 'a question', RULED, NO],
  ['   ', 'a question', BATCH, NO],
  ['yy', 'a question', RULED, no('yy')],
  ['yes please', 'a question', RULED, no('yes please')],
  ['y\ny', 'a question', RULED, no('y\ny')],
  ['use npm instead', 'a question', RULED, no('use npm instead')],
  ['да', 'a question', RULED, no('да')],
  ['/permissions', 'a question', RULED, COMMAND],
  ['/Permissions run_shell denied', 'a question', RULED, COMMAND],
  ['/reload-tools', 'a question', RULED, COMMAND],
  ['/etc/hosts must stay as it is', 'a question', RULED, no('/etc/hosts must stay as it is')],
])('%j at %s', (line, _question, request, answer) => {
  expect(readApprovalAnswer(line, request)).toEqual(answer);
});

describe('the words that an approval allows', () => {
  it('are in the line, and may be changed', async () => {
    const { decision, terminal, screen } = askAbout(GRANTED, 'p', 'npm test -- a *');
    expect(await decision).toEqual({
      ...{ type: 'session', rule: { type: 'command_prefix', words: ['npm', 'test', '--', 'a'] } },
    });
    const prompt = '▌   words (Enter agrees): ';
    expect(terminal.questions[1]).toMatchObject({ prompt, text: 'npm test *', fresh: true });
    expect(screen()).toContain(
      'p yes, and for the rest of this session: run_shell: npm test * (words can be changed; never rm, git push, interpreters, shells …)',
    );
  });

  it.each([
    ['bash *', 'bash runs whatever its arguments say'],
    ['npm run x', 'does not begin with these words'],
  ])('are rejected with the reason: %s', async (typed, reason) => {
    const { decision, screen } = askAbout(GRANTED, 'p', typed, 'n');
    expect(await decision).toEqual({ type: 'deny' });
    expect(screen()).toContain(reason);
  });

  it('are not allowed after Ctrl-C or the end of the input', async () => {
    const interrupted = askAbout(GRANTED, 'p', { type: 'interrupt', cleared: false }, 'n');
    expect(await interrupted.decision).toEqual({ type: 'deny' });
    expect(interrupted.screen()).toContain('Nothing was allowed.');
    expect(await askAbout(GRANTED, 'p', { type: 'end' }).decision).toEqual({ type: 'deny' });
  });
});

describe('a question on a narrow screen', () => {
  const SMALL = { columns: 20, rows: 60 };

  it('shows the answers that allow more only after m, and accepts none of them before', async () => {
    const { decision, screen, terminal } = askOn(SMALL, GRANTED, 'x', 'm', 'x');
    expect(await decision).toEqual({ type: 'session', rule: { type: 'sandboxed_commands' } });
    expect(terminal.questions.map(({ keys }) => keys)).toEqual([
      ['y', 'e', 'm', 's', 'n'],
      ['y', 'e', 'm', 's', 'n'],
      ['y', 'a', 'p', 'x', 'e', 's', 'n'],
    ]);
    const [before, after] = screen().split('x is not offered here.');
    expect(before).toContain('  m more answers\n');
    expect(before).not.toContain('session');
    expect(after).toContain('  x yes, and for the rest of this session');
  });

  it('shows all answers at once if none allows more, or the screen is wider', async () => {
    const { offers: _, ...once } = request;
    expect(askOn(SMALL, once, 'y').screen()).not.toContain('more answers');
    const wide = askOn({ columns: 40, rows: 60 }, GRANTED, 'x');
    expect(await wide.decision).toMatchObject({ type: 'session' });
  });

  it('shows many answers in parts, and takes no after the first part as a denial', async () => {
    const { decision, screen, terminal } = askOn({ columns: 20, rows: 24 }, GRANTED, 'm', 'n');
    expect(await decision).toEqual({ type: 'deny' });
    expect(screen()).toContain('▌   a yes, and for ');
    // The keys are in a row that is wrapped, because the end of a long prompt is not on such a screen.
    expect(screen()).toContain('▌   part 1 of 3: m or Enter shows more, n is no\n');
    expect(terminal.questions.at(-1)?.prompt).toBe('▌   > ');
  });

  it.each([40, 50, 55, 56])('shows the keys of a part where they fit on a screen of %i columns', async (columns) => {
    const { decision, screen, terminal } = askOn({ columns, rows: 9 }, GRANTED, 'n');
    expect(await decision).toEqual({ type: 'deny' });
    const keys = expect.stringMatching(/^▌ {3}part 1 of \d+: m or Enter shows more, n is no$/);
    const rows = screen().split('\n');
    expect([...rows, terminal.questions[0]?.prompt.replace(/ > $/, '')]).toContainEqual(keys);
    expect(terminal.questions[0]?.prompt.length).toBeLessThan(columns);
  });
});
