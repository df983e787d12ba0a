import { expect, it } from 'vitest';
import { startInTerminal } from '../support/processes/pty.ts';
import { startRecordingServer } from '../support/wires/recording-server.ts';

const ANSWER = [
  '## The *parser* is fixed',
  '',
  'It read **one byte too many**; see [the docs](https://a.example/parser), which say where it must stop, and why.',
  '',
  '1. Run the tests:',
  '   ```sh',
  '   npm test # all',
  '   ```',
  '2. Done:',
  '   - [x] parser',
  '   - [ ] ▌ lexer',
  '',
  '| File | Lines |',
  '| --- | ---: |',
  '| `src/日本.ts` | 12 |',
].join('\n');

/** The answer as a terminal shows it, with these rows for its paragraph. */
const rendered = (...rows: readonly string[]): string =>
  [
    'The parser is fixed',
    '',
    ...rows,
    '',
    '1. Run the tests:',
    '   sh',
    '     npm test # all',
    '2. Done:',
    '   ☑ parser',
    '   ☐ \\u{258c} lexer',
    '',
    'File        │ Lines',
    '────────────┼──────',
    'src/日本.ts │    12',
  ].join('\n');

const ANSWERED = { name: 'answer', trigger: { regex: 'explain' }, steps: [{ response: { content: ANSWER } }] };

async function ask(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const server = await startRecordingServer({ scenarios: [ANSWERED] });
  const args = ['-p', 'mock', '--endpoint', server.url, 'explain'];
  const terminal = startInTerminal(args, { columns: 60, environment });
  expect((await terminal.ended).exitCode).toBe(0);
  return terminal.screen();
}

it.runIf(process.platform !== 'win32')('an answer in a terminal is rendered for its width', async () => {
  expect((await ask()).replace(/^▌.*$/gm, '').trim()).toBe(
    rendered(
      'It read one byte too many; see the docs',
      '(https://a.example/parser), which say where it must stop,',
      'and why.',
    ),
  );
});

it.runIf(process.platform !== 'win32')('an answer in a terminal with NO_COLOR is not rendered', async () => {
  const screen = await ask({ NO_COLOR: '1' });
  expect(screen).toContain('## The *parser* is fixed\n');
  expect(screen).toContain('   ```sh\n   npm test # all\n');
  expect(screen).toContain('   - [ ] \\u{258c} lexer\n');
});

it.runIf(process.platform !== 'win32')(
  'a chat renders an answer for a wider terminal, and shows all lines of an output at Ctrl-O',
  async () => {
    const call = { name: 'run_shell', arguments: { command: 'seq 101 140' } };
    const steps = [{ response: { tool_calls: [call] } }, { response: { content: 'Counted.' } }];
    const counted = { name: 'count', trigger: { regex: 'count' }, steps };
    const server = await startRecordingServer({ scenarios: [ANSWERED, counted] });
    const args = ['-p', 'mock', '--endpoint', server.url, '--permission-mode', 'full-access', '--no-sandbox'];
    const terminal = startInTerminal(args, { columns: 100 });
    await terminal.waitForPrompt();
    terminal.type('explain\r');
    const rows = [
      'It read one byte too many; see the docs (https://a.example/parser), which say where it must stop,',
      'and why.',
    ];
    await terminal.waitForText(`\n${rendered(...rows)}\n`);
    await terminal.waitForPrompt();
    terminal.type('count\r');
    await terminal.waitForText('Counted.');
    await terminal.waitForPrompt();
    expect(terminal.screen()).toContain('▌     [… 20 lines hidden; Ctrl-O shows all …]\n');
    terminal.type('half\u000f');
    await terminal.waitForText('▌ ● run seq 101 140, all lines');
    await terminal.waitFor('the line that is typed', () => terminal.cursorLine() === '> half');
    const numbers = Array.from({ length: 40 }, (_, index) => `▌     ${index + 101}\n`).join('');
    expect(terminal.screen()).toContain(`▌ ● run seq 101 140, all lines\n${numbers}> half`);
    terminal.type('\u0015\u0004');
    expect((await terminal.ended).exitCode).toBe(0);
  },
);
