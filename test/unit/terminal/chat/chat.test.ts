import { describe, expect, it } from 'vitest';
import { FileSystemError, UsageError } from '../../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { SessionDriver } from '../../../../src/app/driver/session-driver.ts';
import type { TerminalInput } from '../../../../src/app/terminal.ts';
import { NotSavedError } from '../../../../src/session/log/session-log.ts';
import { chat } from '../../../../src/terminal/chat/chat.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { withoutMarks } from '../../../support/agent/without-marks.ts';
import { answers, createFakeAgent, DONE, type FakeAgent, type FakeRun } from '../../../support/fakes/fake-agent.ts';
import { createScriptedTerminal } from '../../../support/fakes/scripted-terminal.ts';

const INTERRUPT: TerminalInput = { type: 'interrupt', cleared: false };
const CLEARED: TerminalInput = { type: 'interrupt', cleared: true };
const SETTINGS = {
  palette: PLAIN,
  showTokenUsage: true,
  showToolCalls: true,
  workspace: '/w',
  showCommands: true,
  streamResponses: true,
  dryRun: false,
};

interface Script {
  readonly inputs: Parameters<typeof createScriptedTerminal>[0];
  readonly agent?: FakeAgent;
  /** Called for every write; its result is that of the write. */
  readonly onWrite?: (text: string, pressInterrupt: () => number) => boolean;
  /** Number of times that the agent is not there before the user presses Ctrl-C. */
  readonly slowStarts?: number;
  /** The user presses Ctrl-C right after the Enter of this message. */
  readonly stoppedAtOnce?: string;
}

async function talk(script: Script) {
  const agent = script.agent ?? createFakeAgent([]);
  const terminal = createScriptedTerminal(script.inputs);
  let screen = '';
  let slowStarts = script.slowStarts ?? 0;
  const statuses: (string | undefined)[] = [];
  const driver = new SessionDriver({ openSession: async () => ({ agent, close: async () => {} }) });
  const code = await chat({
    driver,
    terminal: {
      ...terminal,
      async readLine(question, signal) {
        const input = await terminal.readLine(question, signal);
        if (input.type === 'line' && input.text === script.stoppedAtOnce) terminal.pressInterrupt();
        return input;
      },
    },
    settings: SETTINGS,
    models: { use: async () => undefined, list: async () => [{ name: 'large' }, { name: 'small' }] },
    currentDirectory: '/here',
    async agent() {
      if (slowStarts === 0) return agent;
      slowStarts -= 1;
      terminal.pressInterrupt();
      return new Promise<never>(() => {});
    },
    showStatus: (status) => statuses.push(status?.detail ?? status?.label),
    async write(text) {
      screen += text;
      return script.onWrite?.(text, () => terminal.pressInterrupt()) ?? true;
    },
  });
  return {
    code,
    screen: withoutMarks(screen),
    unmarked: screen.split('\n').filter((row) => row !== '' && !row.startsWith('▌')),
    received: agent.inputs,
    questions: terminal.questions,
    statuses,
  };
}

const runs = (...list: readonly FakeRun[]): FakeAgent => createFakeAgent(list);

describe('a chat', () => {
  it.each([
    [['/model', '2', '/quit'], true],
    [['/model', { type: 'interrupt', cleared: false }, '/quit'], false],
  ] as const)('offers the models to choose from: %j', async (inputs, isChosen) => {
    const { screen } = await talk({ inputs: [...inputs] });
    expect(screen).toMatch(/The provider lists 2 models; \/model NAME uses one\.\n.*\n$|2\. small\n {2}1\. large\n/s);
    expect(screen.includes('from the next request on')).toBe(isChosen);
  });

  it('gives messages to the agent and shows its answers', async () => {
    const { code, screen, received } = await talk({
      inputs: ['hello', '', 'two\nlines', '/quit', 'never read'],
      agent: runs(answers('Hi.'), answers('Both.')),
    });
    expect({ code, screen, received }).toEqual({ code: 0, screen: 'Hi.\nBoth.\n', received: ['hello', 'two\nlines'] });
  });

  it.each(['hello', '!ls', '/tools', '/compact'])('does not wait for the agent after Ctrl-C: %s', async (message) => {
    const { code, screen, received } = await talk({
      inputs: [message, 'again', '/quit'],
      agent: runs(answers('Hi.')),
      slowStarts: 1,
    });
    expect({ code, screen, received }).toEqual({ code: 0, screen: 'Stopped.\nHi.\n', received: ['again'] });
  });

  it.each(['hello', '!ls'])('stops a message when Ctrl-C follows its Enter at once: %s', async (message) => {
    const { code, screen, received } = await talk({
      inputs: [message, 'again', '/quit'],
      agent: createFakeAgent([answers('Hi.')], { ls: { output: ['a.md\n'] } }),
      stoppedAtOnce: message,
    });
    expect({ code, screen, received }).toEqual({ code: 0, screen: 'Stopped.\nHi.\n', received: ['again'] });
  });

  it.each([
    [
      new NotSavedError('/s.jsonl', new FileSystemError('no_space', '/s.jsonl')),
      'The session cannot be saved in /s.jsonl: the disk is full. Nothing more was done: fix this, then try again.\n',
    ],
    [new FileSystemError('no_space', '/s.lock'), 'Not done: /s.lock: the disk is full.\n'],
  ])('continues after an error of the disk, and returns the message: %s', async (error, expected) => {
    const fail = async (): Promise<never> => {
      throw error;
    };
    const agent: FakeAgent = {
      ...runs(answers('Hi.')),
      clear: fail,
      async *runUserCommand() {
        yield await fail();
        return { summary: '' };
      },
    };
    const { code, screen, questions } = await talk({ inputs: ['!ls', '/clear', 'hello', '/quit'], agent });
    expect({ code, screen }).toEqual({ code: 0, screen: `${expected}${expected}Hi.\n` });
    expect(questions.map(({ text }) => text)).toEqual([undefined, '!ls', '/clear', undefined]);
  });

  it('ends at /exit and at the end of the input', async () => {
    expect((await talk({ inputs: ['/exit', 'x'] })).code).toBe(0);
    expect((await talk({ inputs: [] })).code).toBe(0);
  });

  it('marks each of its lines, and no line of the model or of a command', async () => {
    const agent = createFakeAgent([answers('Hi.')], { ls: { output: ['a.md\n'] } });
    const attach = () => Promise.reject(new UsageError('There is no file b.md.'));
    const { screen, unmarked } = await talk({
      inputs: ['/help', '/tools', '/toosl', '!', '!!ls', '/compact', INTERRUPT, 'hello', 'see @file:b.md', '@agent:x'],
      agent: { ...agent, attach },
    });
    expect(screen).toContain('There is no file b.md.\n');
    expect(unmarked).toEqual(['a.md', 'Hi.']);
  });

  it('puts a text of a command into the input line, and only once', async () => {
    const agent = { ...createFakeAgent([]), messages: [{ role: 'user', content: 'fix it' }] } as const;
    const { questions } = await talk({ inputs: ['/rewind 1', '/quit'], agent });
    expect(questions.map(({ text }) => text)).toEqual([undefined, 'fix it']);
    const next = await talk({ inputs: ['/rewind 1', '/tools', '/quit'], agent });
    expect(next.questions.map(({ text }) => text)).toEqual([undefined, 'fix it', undefined]);
  });

  it('answers /help, /tools and /clear without the model', async () => {
    const { screen, received } = await talk({ inputs: ['/help', '/tools', '/clear', '/toosl', '!'] });
    expect(screen).toMatch(/^\/clear +Begin a new session/m);
    expect(screen).toContain('read_file  Reads a file.\n');
    expect(screen).toContain('Cleared the conversation, the list of files read and the permissions given.\n');
    expect(screen).toContain('Unknown command /toosl. Did you mean /tools?\n');
    expect(screen).toContain('Type a command after the !, for example !git status\n');
    expect(received).toEqual(['/clear']);
  });

  it('shows a list of tasks again in a later run only if it has changed', async () => {
    const tasks: AgentEvent = { type: 'tasks', tasks: [{ content: 'Fix the sum', status: 'pending' }] };
    const done: AgentEvent = { type: 'tasks', tasks: [{ content: 'Fix the sum', status: 'completed' }] };
    const agent = { ...runs([tasks, done, DONE]), tasks: tasks.tasks };
    const { screen } = await talk({ inputs: ['go on'], agent });
    expect(screen.split('\n').filter((row) => row.includes('Fix the sum'))).toHaveLength(1);
  });

  it('passes the files that a message names to the agent, and lists them', async () => {
    const agent = runs(answers('Seen.'));
    const { screen, received } = await talk({ inputs: ['look at @file:a.md'], agent });
    expect({ screen, received }).toEqual({
      screen: '@file:a.md (1 line, 7 bytes)\nSeen.\n',
      received: ['look at @file:a.md', '  @file:a.md'],
    });
  });

  it('sends nothing when a file cannot be used, and returns the message to the input line', async () => {
    const agent = {
      ...runs(answers('Hi.')),
      attach: () => Promise.reject(new UsageError('@file:b.md cannot be read: it does not exist.')),
    };
    const { screen, received, questions } = await talk({ inputs: ['look at @file:b.md', 'look'], agent });
    expect(screen).toBe('@file:b.md cannot be read: it does not exist.\nHi.\n');
    expect(received).toEqual(['look']);
    expect(questions.map(({ text }) => text)).toEqual([undefined, 'look at @file:b.md', undefined]);
  });

  it.each(['/nope', '/mode paln', '/clear all', '!'])(
    'returns the queued messages to the input line after %s was rejected, but not the command',
    async (command) => {
      const { received, questions } = await talk({ inputs: [command] });
      expect(received).toEqual([]);
      expect(questions.map(({ text }) => text)).toEqual([undefined, '']);
    },
  );

  it('rethrows other errors', async () => {
    const agent = { ...runs(), attach: () => Promise.reject(new TypeError('broken')) };
    await expect(talk({ inputs: ['@file:b.md'], agent })).rejects.toThrow(TypeError);
  });

  it('escapes an unknown command', async () => {
    expect((await talk({ inputs: ['/\u001b[2J'] })).screen).toContain('/\\u{1b}[2J');
  });
});

describe('/compact', () => {
  const COMPACTION: AgentEvent = { type: 'compaction', tokensBefore: 900, tokensAfter: 100, messages: [] };

  it.each([
    ['shows the sizes', [COMPACTION], '  conversation shortened: 900 to 100 tokens\n'],
    ['reports that there is nothing to shorten', [], 'There is nothing to shorten.\n'],
    [
      'shows the reason if there is no summary',
      [{ type: 'warning', code: 'no_summary', message: 'The model did not.' }],
      '! The model did not.\nThere is nothing to shorten.\n',
    ],
  ] as const)('%s', async (_name, events, shown) => {
    const { screen, received, statuses } = await talk({
      inputs: ['/compact', 'next', '/quit'],
      agent: createFakeAgent([answers('Yes.')], {}, [events]),
    });
    expect({ screen, received }).toEqual({ screen: `${shown}Yes.\n`, received: ['/compact', 'next'] });
    expect(statuses).toContain('summarizing');
  });

  it('stops at Ctrl-C and when the output is closed', async () => {
    const retry: AgentEvent = { type: 'retry', attempt: 1, delayMs: 0, code: 'network', message: 'Lost.' };
    for (const onWrite of [(_: string, press: () => number) => press() === 1, () => false]) {
      const agent = createFakeAgent([], {}, [[retry, 'hang', COMPACTION]]);
      const { screen } = await talk({ inputs: ['/compact', '/quit'], agent, onWrite });
      expect(screen).toBe('! Lost. Trying again at once (attempt 1).\nStopped.\n');
    }
  });
});

describe('Ctrl-C', () => {
  it('at the prompt, twice in a row, leaves with 130', async () => {
    const { code, screen } = await talk({ inputs: [INTERRUPT, INTERRUPT, 'never read'] });
    expect({ code, screen }).toEqual({ code: 130, screen: '(Ctrl-C again to leave)\n' });
  });

  it.each([
    ['a line, then an empty one', [CLEARED, INTERRUPT]],
    ['an empty one, then a line', [INTERRUPT, CLEARED]],
    ['two lines', [CLEARED, CLEARED]],
    ['an empty one on both sides of a line', [INTERRUPT, CLEARED, INTERRUPT]],
  ])('that clears %s does not end the chat', async (_name, inputs) => {
    const { code, screen } = await talk({ inputs: [...inputs, '/quit'] });
    const hints = inputs.filter((input) => input === INTERRUPT).length;
    expect({ code, screen }).toEqual({ code: 0, screen: '(Ctrl-C again to leave)\n'.repeat(hints) });
  });

  it('twice, but not in a row, does not end the chat', async () => {
    const { code } = await talk({ inputs: [INTERRUPT, '/help', INTERRUPT, '/quit'] });
    expect(code).toBe(0);
  });

  it('in a run stops it, and returns to the prompt', async () => {
    const { code, screen, received } = await talk({
      inputs: ['one', 'two', '/quit'],
      agent: runs([{ type: 'text_delta', text: 'working' }, 'hang', DONE], answers('Yes.')),
      onWrite: (text, press) => text !== 'working' || press() === 1,
    });
    expect({ code, screen, received }).toEqual({
      code: 0,
      screen: 'working\nStopped.\nYes.\n',
      received: ['one', 'two'],
    });
  });

  it('after a command does not stop the next message', async () => {
    const { screen, received } = await talk({
      inputs: ['/tools', 'hello', '/quit'],
      agent: runs(answers('Hi.')),
      onWrite(text, press) {
        if (text.includes('read_file')) press();
        return true;
      },
    });
    expect(received).toEqual(['hello']);
    expect(screen).toMatch(/Hi\.\n$/);
  });
});

describe('!command', () => {
  const commands = {
    ls: { output: ['a.js\n', 'b.js'], report: 'I ran ls: a.js b.js' },
    true: { output: [], report: 'I ran true: exit code 0' },
    slow: { output: ['waiting\n', 'hang'], report: 'never given' },
    evil: { output: ['\u001b[31m\u{d83d}', '\u{de00}\r', '\n'], report: 'x' },
  };

  it('runs in the current directory, prints its output and gives it to the model', async () => {
    const agent = createFakeAgent([answers('Two files.')], commands);
    const { screen, received } = await talk({ inputs: ['!ls'], agent });
    expect(screen).toBe('a.js\nb.js\nexit code 0 after 0.1 s\nTwo files.\n');
    expect(received).toEqual(['!ls in /here', 'I ran ls: a.js b.js']);
  });

  it('that begins with !! prints its output and is not passed to the model', async () => {
    const { screen, received } = await talk({ inputs: ['!!ls', '!! true'], agent: createFakeAgent([], commands) });
    expect(screen).toBe('a.js\nb.js\nexit code 0 after 0.1 s\nexit code 0 after 0.1 s\n');
    expect(received).toEqual(['!ls in /here', '!true in /here']);
  });

  it('shows its activity and its unfinished line, and no activity at the prompt', async () => {
    const { statuses } = await talk({ inputs: ['!ls'], agent: createFakeAgent([[DONE]], commands) });
    expect(statuses).toEqual(['running', 'running', 'b.js', undefined, undefined]);
  });

  it('is stopped by Ctrl-C and then not passed to the model', async () => {
    const { screen, received } = await talk({
      inputs: ['!slow', '/quit'],
      agent: createFakeAgent([], commands),
      onWrite: (text, press) => text !== 'waiting\n' || press() === 1,
    });
    expect({ screen, received }).toEqual({
      screen: 'waiting\nStopped. The output was not given to the model.\n',
      received: ['!slow in /here'],
    });
  });

  it('that is blocked is reported to the user but not to the model', async () => {
    const blocked = { sudo: { output: [], summary: 'Not run: \u001b blocked.' } } as const;
    const { screen, received } = await talk({ inputs: ['!sudo', '/quit'], agent: createFakeAgent([], blocked) });
    expect({ screen, received }).toEqual({ screen: 'Not run: \\u{1b} blocked.\n', received: ['!sudo in /here'] });
  });

  it('has its output escaped', async () => {
    const { screen } = await talk({ inputs: ['!evil'], agent: createFakeAgent([answers('Hm.')], commands) });
    expect(screen).toBe('\\u{1b}[31m😀\nexit code 0 after 0.1 s\nHm.\n');
  });

  it('that shows its progress prints the last state of the line', async () => {
    const progress = { install: { output: ['10%\r5', '0%\r100%\r', '\ndone\r\n'], report: 'x' } };
    const { screen } = await talk({ inputs: ['!install'], agent: createFakeAgent([[DONE]], progress) });
    expect(screen).toBe('100%\ndone\nexit code 0 after 0.1 s\n');
  });

  it('prints all lines of its output', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `${index}\n`).join('');
    const { screen } = await talk({
      inputs: ['!seq'],
      agent: createFakeAgent([[DONE]], { seq: { output: [lines, 'x'.repeat(2_000)], report: 'x' } }),
    });
    expect(screen).toBe(`${lines}${'x'.repeat(2_000)}\nexit code 0 after 0.1 s\n`);
  });
});

it('a chat stops the run when the output has been closed', async () => {
  const agent = runs([{ type: 'text_delta', text: 'a' }, 'hang', DONE]);
  const { received } = await talk({ inputs: ['one', '/quit'], agent, onWrite: () => false });
  expect(received).toEqual(['one']);
});
