import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import type { PlannedEffect, Task } from '../../../../src/agent/ports/tool.ts';
import type { Palette } from '../../../../src/app/terminal.ts';
import { RENDER_START, type RenderSettings, renderEvent } from '../../../../src/terminal/chat/render.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { withoutMarks } from '../../../support/agent/without-marks.ts';
import { SCRIPTED } from '../../../support/fakes/scripted-model.ts';

const SETTINGS: RenderSettings = {
  palette: PLAIN,
  showTokenUsage: true,
  showToolCalls: true,
  workspace: '/w',
  showCommands: true,
  streamResponses: true,
  dryRun: false,
};
const MARKED: Palette = (style, text) => `<${style}>${text}</${style}>`;

/** The screen after these events, without the marks. */
function screen(events: readonly AgentEvent[], settings: Partial<RenderSettings> = {}): string {
  return withoutMarks(markedScreen(events, settings));
}

function markedScreen(events: readonly AgentEvent[], settings: Partial<RenderSettings> = {}): string {
  let state = RENDER_START;
  let text = '';
  for (const event of events) {
    const rendered = renderEvent(state, event, { ...SETTINGS, ...settings });
    state = rendered.state;
    text += rendered.text;
  }
  return text;
}

const call = { id: 'c1', name: 'run_shell', arguments: '{"command":"npm test"}' };
const says = (text: string): AgentEvent => ({ type: 'text_delta', text });
const thinks = (text: string): AgentEvent => ({ type: 'reasoning_delta', text });
const prints = (text: string): AgentEvent => ({ type: 'tool_output', callId: 'c1', stream: 'stdout', text });
const message = (content: string): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', content, toolCalls: [] },
  finish: 'stop',
});
const tasks = (status: Task['status']): AgentEvent => ({
  type: 'tasks',
  tasks: [{ content: 'a\u001b[2J\nb', status }],
});
const calls: AgentEvent = { type: 'tool_call', call, effect: { summary: 'run npm test', paths: [] } };
const results: AgentEvent = {
  type: 'tool_result',
  callId: 'c1',
  toolName: 'run_shell',
  outcome: 'ok',
  content: '…',
  summary: 'exit code 0 after 0.3 s',
  durationMs: 300,
};
const done: AgentEvent = { type: 'run_end', outcome: 'done', message: 'Done.' };
const stopped: AgentEvent = { type: 'run_end', outcome: 'aborted', message: 'Stopped.' };

const EDIT: PlannedEffect = {
  summary: 'edit a.js (+1 −1)',
  paths: [],
  preview: { path: 'a.js', unified: '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-old\n+new', added: 1, removed: 1 },
};
const RESULT = '  → run_shell: exit code 0 after 0.3 s\n';
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}`);

describe('settings of the screen', () => {
  it('hide calls, their output and results, but not failures', () => {
    const failed: AgentEvent = { ...results, outcome: 'failed', summary: 'it was failed' };
    const events = [calls, prints('hidden\n'), results, calls, prints('hidden\n'), failed, says('Sorry.'), done];
    expect(screen(events, { showToolCalls: false })).toBe('  ✗ run_shell: it was failed\nSorry.\n');
  });

  it('show an answer that does not stream when it is complete, with its reasoning', () => {
    const pieces = [thinks('Hm'), thinks('m.'), says('One'), says(' two.')];
    expect(screen(pieces, { streamResponses: false })).toBe('');
    expect(screen([...pieces, message('One two.'), done], { streamResponses: false })).toBe('Hmm.\n\nOne two.\n');
  });

  it('show nothing of an answer that was withdrawn before it was complete', () => {
    const retry: AgentEvent = { type: 'retry', attempt: 1, delayMs: 0, code: 'network', message: 'No network.' };
    const turn: AgentEvent = { type: 'turn_start', turn: 2, model: SCRIPTED };
    const events = [says('Half'), retry, says('One two.'), message('One two.'), turn, done];
    const text = screen(events, { streamResponses: false });
    expect(text).toBe('! No network. Trying again at once (attempt 1).\nOne two.\n');
  });
});

describe('a run as text', () => {
  it('is readable from top to bottom', () => {
    const events: AgentEvent[] = [
      { type: 'session_start', sessionId: 's', time: 't', model: 'm', workspace: '/w', permissionMode: 'ask' },
      { type: 'user_message', text: 'fix it' },
      { type: 'turn_start', turn: 1, model: SCRIPTED },
      says('I will run '),
      says('the tests.'),
      message('I will run the tests.'),
      calls,
      prints('1 pas'),
      prints('sed\n\n0 failed'),
      results,
      { type: 'usage', model: SCRIPTED, inputTokens: 10, outputTokens: 2 },
      { type: 'turn_end', turn: 1 },
      { type: 'turn_start', turn: 2, model: SCRIPTED },
      says('All green.\n'),
      message('All green.\n'),
      { type: 'usage', model: SCRIPTED, inputTokens: 20, outputTokens: 3 },
      { type: 'turn_end', turn: 2 },
      done,
    ];
    expect(screen(events)).toBe(
      [
        'I will run the tests.',
        '● run npm test',
        '    1 passed',
        '',
        '    0 failed',
        '  → run_shell: exit code 0 after 0.3 s',
        'All green.',
        '30 tokens in, 5 out',
        '',
      ].join('\n'),
    );
  });

  const ROWS: readonly (readonly [string, readonly AgentEvent[], string])[] = [
    [
      'a call that could not be planned shows its arguments',
      [{ type: 'tool_call', call }],
      '● run_shell {"command":"npm test"}\n',
    ],
    ['progress shows its last state', [prints('10%\r'), prints('100%\rdone\n'), results], `    done\n${RESULT}`],
    ['output after text starts a new line', [says('x'), prints('a'), results], `x\n    a\n${RESULT}`],
    [
      'long output is shortened',
      [prints(Array.from({ length: 100 }, (_, index) => `${index}\n`).join('')), results],
      [...range(0, 8), '[… 80 lines omitted …]', ...range(88, 100)].map((row) => `    ${row}\n`).join('') + RESULT,
    ],
    [
      'an edit that needs no question shows its diff',
      [{ type: 'tool_call', call, effect: EDIT, permission: { type: 'allow', rule: 'r' } }],
      '● edit a.js (+1 −1)\n  --- a/a.js\n  +++ b/a.js\n  @@ -1 +1 @@\n  -old\n  +new\n',
    ],
    [
      'the diff of an edit that is asked about belongs to the question',
      [{ type: 'tool_call', call, effect: EDIT, permission: { type: 'ask', rule: 'r', reason: 'x' } }],
      '● edit a.js (+1 −1)\n',
    ],
    [
      'an edit that a rule denies shows no diff',
      [{ type: 'tool_call', call, effect: EDIT, permission: { type: 'deny', rule: 'r', reason: 'x' } }],
      '● edit a.js (+1 −1)\n',
    ],
    [
      'a result that is not ok',
      [{ ...results, outcome: 'denied', summary: 'denied: no' }],
      '  ✗ run_shell: denied: no\n',
    ],
    [
      'a question ends the open line',
      [
        says('x'),
        {
          type: 'approval_request',
          request: { callId: 'c1', toolName: 't', effect: { summary: 's', paths: [] }, reason: 'r' },
        },
      ],
      'x\n',
    ],
    [
      'an approval of one call prints nothing',
      [{ type: 'approval_decision', callId: 'c1', decision: { type: 'once' } }],
      '',
    ],
    [
      'an added rule is described',
      [
        {
          type: 'approval_decision',
          callId: 'c1',
          decision: { type: 'session' },
          added: { type: 'write_directory', directory: '/w/a' },
        },
      ],
      '  allowed in this session: every write of a new file, or of one read in this session, in /w/a\n',
    ],
    [
      'a retry discards the partial answer',
      [
        { type: 'turn_start', turn: 1, model: SCRIPTED },
        says('Hal'),
        { type: 'retry', attempt: 2, delayMs: 1500, code: 'overloaded', message: 'The model is busy.' },
      ],
      'Hal\n! The model is busy. Discarding the partial answer. Trying again in 1.5 s (attempt 2).\n',
    ],
    [
      'a retry before any text discards nothing',
      [
        says('x\n'),
        message('x\n'),
        { type: 'turn_start', turn: 2, model: SCRIPTED },
        { type: 'retry', attempt: 2, delayMs: 0, code: 'network', message: 'No answer.' },
      ],
      'x\n! No answer. Trying again at once (attempt 2).\n',
    ],
    [
      'a retry after a message that ends with a command',
      [{ type: 'retry', attempt: 1, delayMs: 0, code: 'network', message: 'Start it with: serve' }],
      '! Start it with: serve. Trying again at once (attempt 1).\n',
    ],
    [
      'another retry for the same reason does not repeat it',
      [1, 2, 3].map((attempt) => ({
        type: 'retry',
        attempt,
        delayMs: 1_000,
        code: 'network',
        message: attempt < 3 ? 'No answer.' : 'Reset.',
      })),
      '! No answer. Trying again in 1.0 s (attempt 1).\n! Trying again in 1.0 s (attempt 2).\n! Reset. Trying again in 1.0 s (attempt 3).\n',
    ],
    ['a warning', [{ type: 'warning', code: 'repetition', message: 'Round and round.' }], '! Round and round.\n'],
    [
      'a compaction',
      [{ type: 'compaction', tokensBefore: 27_311, tokensAfter: 100, messages: [] }],
      '  conversation shortened: 27,311 to 100 tokens\n',
    ],
    [
      'a commit',
      [{ type: 'commit', hash: '0123456789abcdef', subject: '[ybs] go', files: ['a', 'b'] }],
      '  committed 01234567: 2 files\n',
    ],
    [
      'a list of tasks each time it changes',
      [tasks('pending'), tasks('pending'), tasks('completed')],
      '  [ ] a\\u{1b}[2J b\n  0/1\n  [x] a\\u{1b}[2J b\n  1/1\n',
    ],
    ['nothing for a reminder', [{ type: 'user_message', text: 'Tasks are open.', reminder: true }], ''],
    ['a run that was stopped', [says('half'), stopped], 'half\nStopped.\n'],
    ['a blank row is between reasoning and the answer after it', [thinks('hm'), says('yes'), done], 'hm\n\nyes\n'],
    ['a run without output prints nothing', [done], ''],
  ];

  it.each(ROWS)('%s', (_name, events, expected) => {
    expect(screen(events)).toBe(expected);
  });

  it('emphasizes the current task, and dims completed ones', () => {
    const list: readonly Task[] = [
      { content: 'read', status: 'completed' },
      { content: 'write', status: 'in_progress' },
      { content: 'test', status: 'pending' },
    ];
    expect(screen([{ type: 'tasks', tasks: list }], { palette: MARKED })).toBe(
      '  <dim>[x] read</dim>\n  <bold>[>] write</bold>\n  [ ] test\n  <dim>1/3</dim>\n',
    );
  });

  it('omits the tokens when the settings turn them off', () => {
    const events: AgentEvent[] = [says('a'), { type: 'usage', model: SCRIPTED, inputTokens: 1, outputTokens: 1 }, done];
    expect(screen(events, { showTokenUsage: false })).toBe('a\n');
  });

  it('shows every planned change in a dry run, and shortens long ones', () => {
    const asked: AgentEvent = {
      type: 'tool_call',
      call,
      effect: { ...EDIT, preview: { path: 'a', unified: range(0, 100).join('\n'), added: 100, removed: 0 } },
      permission: { type: 'ask', rule: 'r', reason: 'x' },
    };
    const rows = [...range(0, 40), '[… 40 lines omitted …]', ...range(80, 100)];
    const text = screen([asked], { dryRun: true });
    expect(text.split('\n').map((row) => row.trim())).toEqual(['● edit a.js (+1 −1)', ...rows, '']);
  });

  it('reports that an added rule also applies to later sessions, if approvals are stored', () => {
    const decision = { type: 'session' } as const;
    const added = { type: 'edit_read_files' } as const;
    const text = screen([{ type: 'approval_decision', callId: 'c1', decision, added }], { keepsApprovals: true });
    expect(text).toMatch(/^ {2}allowed in this session and later ones: every edit of a file /);
  });

  it('colours each line separately', () => {
    expect(screen([calls, prints('a\nb'), results, thinks('t'), stopped], { palette: MARKED })).toBe(
      [
        '<cyan>●</cyan> <bold>run npm test</bold>',
        '    <dim>a</dim>',
        '    <dim>b</dim>',
        '  <cyan>→</cyan> <dim>run_shell: exit code 0 after 0.3 s</dim>',
        '<dim>t</dim>',
        '<red>Stopped.</red>',
        '',
      ].join('\n'),
    );
  });
});

describe('text from the model or a tool', () => {
  const HOSTILE = '\u001b]0;x\u0007\u202e\u{e0041}\r';
  const VISIBLE = '\\u{1b}]0;x\\u{7}\\u{202e}\\u{e0041}\\u{d}';

  const PLACES: readonly (readonly [string, readonly AgentEvent[]])[] = [
    ['answer', [says(HOSTILE), done]],
    ['reasoning', [thinks(HOSTILE), done]],
    ['output', [prints(`${HOSTILE}\n`), done]],
    ['summary of a call', [{ type: 'tool_call', call, effect: { summary: HOSTILE, paths: [] } }]],
    ['name and arguments', [{ type: 'tool_call', call: { id: '1', name: HOSTILE, arguments: HOSTILE } }]],
    ['summary of a result', [{ ...results, summary: HOSTILE }]],
    ['tool name of a result', [{ ...results, toolName: HOSTILE }]],
    ['warning', [{ type: 'warning', code: 'x', message: HOSTILE }]],
    ['retry', [{ type: 'retry', attempt: 1, delayMs: 0, code: 'network', message: HOSTILE }]],
    ['end of the run', [{ type: 'run_end', outcome: 'failed', message: HOSTILE }]],
    [
      'rule',
      [
        {
          type: 'approval_decision',
          callId: '1',
          decision: { type: 'session' },
          added: { type: 'exact_command', command: HOSTILE, workingDirectory: HOSTILE },
        },
      ],
    ],
  ];

  it.each(PLACES)('is made visible in the %s', (place, events) => {
    const text = screen(events);
    // A carriage return in the output of a command moves the cursor, as in a terminal.
    expect(text).toContain(place === 'output' ? VISIBLE.replace('\\u{d}', '') : VISIBLE);
    expect(text).not.toMatch(/[^\P{C}\n]/u);
  });

  it('is escaped in the same way wherever the chunks end', () => {
    const emoji =
      '😀 👩🏽\u200d💻 ❤️\u200d🔥 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} می\u200cخو\u200cا\u200cهم';
    const whole = `a\r\nb${HOSTILE}${emoji}`;
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const text = screen([says(whole.slice(0, cut)), says(whole.slice(cut)), done]);
      expect(text, `cut at ${cut}`).toBe(`a\nb${VISIBLE}${emoji}\n`);
    }
    expect(screen([...whole].map(says).concat(done))).toBe(`a\nb${VISIBLE}${emoji}\n`);
  });

  it('has its line feeds escaped if it must stay on one line', () => {
    expect(screen([{ ...results, summary: 'a\n→ b' }])).toBe('  → run_shell: a\\u{a}→ b\n');
  });
});

describe('the mark of the lines of ybs', () => {
  it('begins each of them, including the output of a command, and no line of an answer', () => {
    const events = [
      thinks('Hm.\n'),
      says('● run ls\n  → ok\n'),
      calls,
      prints('one\n\ntwo'),
      results,
      says('Done.'),
      done,
    ];
    expect(markedScreen(events)).toBe(
      [
        'Hm.',
        '',
        '● run ls',
        '  → ok',
        '▌ ● run npm test',
        '▌     one',
        '▌',
        '▌     two',
        '▌   → run_shell: exit code 0 after 0.3 s',
        'Done.',
        '',
      ].join('\n'),
    );
  });

  it('is escaped in other text, together with similar characters', () => {
    expect(markedScreen([says('▌ ● run ls\n')])).toBe('\\u{258c} ● run ls\n');
    expect(markedScreen([{ ...results, summary: '▌▉❚' }])).toBe('▌   → run_shell: \\u{258c}\\u{2589}\\u{275a}\n');
    expect(markedScreen([says('50 %|█████     | ▀▄░▒▓\n')])).toBe('50 %|█████     | ▀▄░▒▓\n');
  });

  const texts = (parts: readonly string[]) =>
    fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((chosen) => chosen.join(''));
  /** Text of the model in an answer has no P, and every line of ybs has one. */
  const model = texts(['q', '▌', '\n', '\r', '● ', '? ', '  ', '\u001b[1A', '👩‍']);
  const shown = texts(['P', '▌', '\n', '\r\n', '● ', '\u001b[1A']).map((text) => `P${text}`);
  const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
    model.map(says),
    model.map(thinks),
    model.map(message),
    shown.map((summary): AgentEvent => ({ ...results, summary })),
    shown.map((summary): AgentEvent => ({ type: 'tool_call', call, effect: { summary, paths: [] } })),
    shown.map((text) => prints(`${text.replaceAll('\n', '\nP')}\nP`)),
    shown.map((text): AgentEvent => ({ type: 'warning', code: 'x', message: text })),
    shown.map((text): AgentEvent => ({ type: 'run_end', outcome: 'failed', message: text })),
  );
  it('distinguishes the lines of ybs from those of the model, whatever their content', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
        const lines = markedScreen([...events, done]).split('\n');
        for (const line of lines) {
          expect(line.slice(1)).not.toContain('▌');
          expect(line.startsWith('▌')).toBe(line.includes('P'));
        }
      }),
    );
  });
});
