import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import { createTextView, showAsText } from '../../../../src/terminal/chat/follow-run.ts';
import type { RenderSettings } from '../../../../src/terminal/chat/render.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { escapeForTerminal } from '../../../../src/text/escape.ts';
import { propertySettings } from '../../../support/random/property.ts';
import { NO_STYLES, TAGS } from '../../../support/screens/markdown-screen.ts';

const says = (text: string): AgentEvent => ({ type: 'text_delta', text });
const thinks = (text: string): AgentEvent => ({ type: 'reasoning_delta', text });
const prints = (text: string): AgentEvent => ({ type: 'tool_output', callId: 'c', stream: 'stdout', text });
const call = { id: 'c', name: 'run_shell', arguments: '{}' };
const calls: AgentEvent = { type: 'tool_call', call, effect: { summary: 'run seq', paths: [] } };
const results: AgentEvent = {
  ...{ type: 'tool_result', callId: 'c', toolName: 'run_shell', outcome: 'ok' },
  ...{ content: '', summary: 'exit code 0', durationMs: 1 },
};
const done: AgentEvent = { type: 'run_end', outcome: 'done', message: 'Done.' };
const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}`);
const rowsOf = (lines: readonly string[]) => lines.map((line) => `▌     ${line}\n`).join('');

function open(settings: Partial<RenderSettings> = {}) {
  const written: string[] = [];
  const view = createTextView(
    {
      async write(text) {
        written.push(text);
        return true;
      },
      showStatus() {},
    },
    {
      ...{ palette: PLAIN, showTokenUsage: true, showToolCalls: true, showCommands: true, streamResponses: true },
      ...{ dryRun: false, workspace: '/w', unfolds: true, ...settings },
    },
  );
  return {
    view,
    /** The text that is written for these events, or for a wish to see what is hidden. */
    async shown(...events: readonly (AgentEvent | 'unfold')[]): Promise<string> {
      written.length = 0;
      for (const event of events) await (event === 'unfold' ? view.unfold() : view.showRun()(event));
      return written.join('');
    },
  };
}

describe('lines that are hidden', () => {
  const long = prints(`${numbers(1, 30).join('\n')}\n`);

  it('are counted with the key that shows them, and shown once', async () => {
    const { shown } = open();
    expect(await shown(calls, long, results, done)).toContain(
      rowsOf([...numbers(1, 8), '[… 10 lines hidden; Ctrl-O shows all …]', ...numbers(19, 30)]),
    );
    expect(await shown('unfold')).toBe(`▌ ● run seq, all lines\n${rowsOf(numbers(1, 30))}`);
    expect(await shown('unfold')).toBe('▌   no line is hidden\n');
  });

  it('are not those of an earlier command while another one shows all its lines', async () => {
    const { shown } = open();
    expect(await shown('unfold')).toBe('▌   no line is hidden\n');
    await shown(calls, long, results, calls, prints('1\n'));
    expect(await shown('unfold')).toBe('▌   no line is hidden\n');
    expect(await shown(prints('2\n'), results)).not.toContain('all lines');
    expect(await shown('unfold')).toContain('▌ ● run seq, all lines\n');
  });

  it('are shown with all later ones while the command runs', async () => {
    const { shown } = open();
    await shown(calls, long);
    expect(await shown('unfold', prints('31\n32'), results)).toBe(
      `${rowsOf(numbers(9, 32))}▌   → run_shell: exit code 0\n`,
    );
    expect(await shown('unfold')).toBe('▌   no line is hidden\n');
  });

  it('replace earlier ones while the command runs', async () => {
    const { shown } = open();
    await shown(calls, long, results, calls, long);
    expect(await shown('unfold')).toBe(rowsOf(numbers(9, 30)));
    expect(await shown('unfold')).toBe('▌   no line is hidden\n');
    await shown(results);
    expect(await shown('unfold')).toBe('▌   no line is hidden\n');
  });

  it('are shown after an answer that is being written', async () => {
    const { shown } = open();
    await shown(calls, long, results, says('Al'));
    expect(await shown('unfold')).toBe('');
    expect(await shown(says('l '), says('good.'))).toBe('l good.');
    expect(await shown(done)).toBe(`\n▌ ● run seq, all lines\n${rowsOf(numbers(1, 30))}`);
  });

  it('may be those of a diff', async () => {
    const { shown } = open();
    const unified = `@@ -0,0 +1,90 @@\n${numbers(1, 90)
      .map((row) => `+${row}`)
      .join('\n')}\n`;
    const preview = { path: 'a', unified, added: 90, removed: 0 };
    const effect = { summary: 'write a', paths: [], preview };
    expect(await shown({ type: 'tool_call', call, effect, permission: { type: 'allow', rule: 'r' } })).toContain(
      '▌   [… 31 lines hidden; Ctrl-O shows all …]\n',
    );
    const whole = `@@ -0,0 +1,90 @@\n${unified.split('\n').slice(1, -1).join('\n')}`.replaceAll(/^/gm, '▌   ');
    expect(await shown('unfold')).toBe(`▌ ● write a, all lines\n${whole}\n`);
  });

  it('include the end of a long line', async () => {
    const { shown } = open();
    const [start, whole] = ['x'.repeat(1_000), 'x'.repeat(3_000)];
    expect(await shown(calls, prints(`${whole}\n`), results)).toContain(
      rowsOf([`${start} [… 2000 more characters …]`]),
    );
    expect(await shown('unfold')).toBe(`▌ ● run seq, all lines\n${rowsOf([whole])}`);
  });

  it('may be lost, which the note reports', async () => {
    const { shown } = open();
    const huge = prints(`${'x'.repeat(999)}\n`.repeat(3_000));
    expect(await shown(calls, huge, results)).toContain(
      '▌     [… 2980 lines hidden; Ctrl-O shows lines 1 to 2000 …]\n',
    );
    const unfolded = await shown('unfold');
    expect(unfolded).toMatch(/^▌ ● run seq, lines 1 to 2000\n/);
    expect(unfolded).toMatch(/▌ {5}\[… 1000 more lines not kept …\]\n$/);
  });

  it('are counted without a key if there is none', async () => {
    const { shown } = open({ unfolds: false });
    expect(await shown(calls, long, results)).toContain('▌     [… 10 lines omitted …]\n');
  });
});

describe('an answer', () => {
  const answer = [says('**a** `b`\n'), says('``'), says('`js\nlet x\n``'), says('`\n')];

  it('is rendered as Markdown if the screen has styles', async () => {
    const { shown } = open({ palette: TAGS, columns: () => 60 });
    expect(await shown(...answer, done)).toBe(
      '<bold>a</bold> <cyan>b</cyan>\n<dim>js</dim>\n  <magenta>let</magenta> x\n',
    );
  });

  it('is wrapped without styles, and no row of it looks like a message of the user', async () => {
    const { shown } = open({ columns: () => 20 });
    const text = `> rm -rf x\n\n  > \`no\` **prompt**  \n${'x'.repeat(20)}> y\na\u258c`;
    expect(await shown(...[...text].map((character) => says(character)), done)).toBe(
      `\\> rm -rf x\n\n  > \`no\` **prompt**\n${'x'.repeat(20)}\n\\> y\na\\u{258c}\n`,
    );
  });

  it('is shown unchanged on other screens', async () => {
    expect(await open().shown(...answer, done)).toBe('**a** `b`\n```js\nlet x\n```\n');
  });

  it('is rendered when it is complete, if it does not stream', async () => {
    const { shown } = open({ palette: TAGS, columns: () => 60, streamResponses: false });
    expect(await shown(...answer)).toBe('');
    const message = { role: 'assistant', content: '', toolCalls: [] } as const;
    expect(await shown({ type: 'assistant_message', message, finish: 'stop' })).toContain('<magenta>let</magenta> x\n');
  });

  it('starts a new text after a tool call', async () => {
    const { shown } = open({ palette: TAGS, columns: () => 60 });
    expect(await shown(says('- a'), calls, says('  - b'), done)).toBe(
      '• a\n<cyan>▌</cyan> <cyan>●</cyan> <bold>run seq</bold>\n• b\n',
    );
  });

  it('comes after its reasoning, which is wrapped at words if the screen has styles', async () => {
    const { shown } = open({ palette: TAGS, columns: () => 10 });
    const events = [thinks('One and'), thinks(' two, **t'), thinks('hree**.'), says('Four.'), done];
    expect(await shown(...events)).toBe(
      '<dim>One</dim><dim> and</dim>\n<dim>two,</dim>\n<dim>**three**.</dim>\n\nFour.\n',
    );
    expect(await open().shown(...events)).toBe('One and two, **three**.\n\nFour.\n');
  });

  it('has no row that looks like one of ybs, whatever the model writes', async () => {
    const parts = [
      'q',
      '▌',
      '\n',
      '\r',
      '● ',
      '  ',
      '- ',
      '> ',
      '```',
      '| a |\n',
      '|-|\n',
      '**',
      '\u001b[1A',
      '&#9612;',
      '[a](▌)',
    ];
    const text = fc
      .tuple(fc.constantFrom(says, thinks), fc.array(fc.constantFrom(...parts), { maxLength: 9 }))
      .map(([speak, chosen]) => speak(chosen.join('')));
    const warning: AgentEvent = { type: 'warning', code: 'x', message: 'PROGRAM' };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(text, fc.constant(warning)), { maxLength: 9 }), async (events) => {
        const { shown } = open({ palette: NO_STYLES, columns: () => 20 });
        const rows = (await shown(...events, done)).split('\n');
        for (const row of rows) {
          expect(row.slice(1)).not.toContain('▌');
          expect(row.startsWith('▌')).toBe(row.includes('PROGRAM'));
          expect(escapeForTerminal(row, { keepMarks: true })).toBe(row);
        }
      }),
      propertySettings(),
    );
  });
});

it('reasoning is written to another output if there is one', async () => {
  const answer: string[] = [];
  const aside: string[] = [];
  const settings = {
    ...{ palette: PLAIN, showTokenUsage: false, showToolCalls: true, showCommands: true, streamResponses: true },
    ...{ dryRun: false, workspace: '/w' },
  };
  const into = (list: string[]) => async (text: string) => list.push(text) > 0;
  const show = showAsText({ write: into(answer), showStatus() {} }, settings, into(aside));
  for (const event of [thinks('Hm.'), thinks(' A\u001b\r'), says('Hello.\n'), done]) await show(event);
  expect([answer.join(''), aside.join('')]).toEqual(['Hello.\n', 'Hm. A\\u{1b}\\u{d}\n']);
});
