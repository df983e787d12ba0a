import { expect, it } from 'vitest';
import { startInTerminal } from '../support/pty.ts';
import { startRecordingServer } from '../support/recording-server.ts';

const ANSWER = [
  '## The *parser* is fixed',
  '',
  'It read **one byte too many**; see [the docs](https://a.example/parser), which say where it must stop.',
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

async function ask(environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const server = await startRecordingServer({
    scenarios: [{ name: 'answer', trigger: { regex: 'explain' }, steps: [{ response: { content: ANSWER } }] }],
  });
  const args = ['-p', 'mock', '--endpoint', server.url, 'explain'];
  const terminal = startInTerminal(args, { columns: 60, environment });
  expect((await terminal.ended).exitCode).toBe(0);
  return terminal.screen();
}

it.runIf(process.platform !== 'win32')('an answer in a terminal is rendered for its width', async () => {
  expect((await ask()).replace(/^▌.*$/gm, '').trim()).toBe(
    [
      'The parser is fixed',
      '',
      'It read one byte too many; see the docs',
      '(https://a.example/parser), which say where it must stop.',
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
    ].join('\n'),
  );
});

it.runIf(process.platform !== 'win32')('an answer in a terminal with NO_COLOR is as the model wrote it', async () => {
  const screen = await ask({ NO_COLOR: '1' });
  expect(screen).toContain('## The *parser* is fixed\n');
  expect(screen).toContain('   ```sh\n   npm test # all\n');
  expect(screen).toContain('   - [ ] \\u{258c} lexer\n');
});
