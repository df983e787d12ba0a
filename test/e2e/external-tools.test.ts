import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startInTerminal } from '../support/processes/pty.ts';
import { temporaryDirectory, writeFiles } from '../support/processes/temporary-directory.ts';
import { startRecordingServer } from '../support/wires/recording-server.ts';

const ENTER = '\r';
const tool = (name: string): string => `#!/bin/sh
touch "$0.started"
if [ "$1" = --schema ]; then
  echo '{"name": "${name}", "description": "Greet.", "parameters": {"who": {"type": "string", "required": true}}}'
  exit
fi
name=$(printf %s "$1" | sed -n 's/.*"who":"\\([A-Za-z]*\\)".*/\\1/p')
printf '{"success": true, "result": "Hello, %s: %s!"}\\n' "$name" "$(wc -c)"
`;
const STORY = {
  scenarios: [
    {
      name: 'greet',
      trigger: 'greet Ada',
      steps: [
        { response: { tool_calls: [{ name: 'greet', arguments: { who: 'Ada' } }] } },
        { response: { content: 'I have greeted her.' } },
      ],
    },
  ],
};

it.runIf(process.platform !== 'win32')('a chat finds, shows and asks about external tools', async () => {
  const home = temporaryDirectory();
  const directory = temporaryDirectory();
  writeFiles(directory, { 'tools/deploy': tool('deploy') });
  writeFiles(home, { '.ybs/tools/broken': '#!/nowhere/sh\n', '.config/ybs/tools/greet': tool('greet') });
  for (const file of [path.join(directory, 'tools/deploy'), path.join(home, '.ybs/tools/broken')])
    chmodSync(file, 0o755);
  const server = await startRecordingServer(STORY);
  const environment = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const terminal = startInTerminal(['-p', 'mock', '--endpoint', server.url], { directory, environment });
  await terminal.waitForPrompt();

  terminal.type(`/tools${ENTER}`);
  await terminal.waitForText('deploy');
  await terminal.waitForPrompt();
  expect(terminal.screen()).toContain('! The tool broken (~/.ybs/tools/broken) is not available: --schema failed');
  expect(terminal.screen()).toContain('it is inside the project');
  expect(terminal.screen()).toContain('it is not executable');

  chmodSync(path.join(home, '.config/ybs/tools/greet'), 0o755);
  terminal.type(`/reload-tools${ENTER}`);
  await terminal.waitForText('  • greet: Greet. (new)');

  await terminal.waitForPrompt();
  terminal.type(`greet Ada${ENTER}`);
  await terminal.waitForPrompt('▌   > ');
  expect(terminal.screen()).toContain(
    `▌   $ ${home}/.config/ybs/tools/greet\n▌     {\n▌       "who": "Ada"\n▌     }\n▌   in ${directory}\n`,
  );
  terminal.type('y');
  await terminal.waitForText('I have greeted her.');
  expect(server.resultsInLastRequest()).toEqual(['Hello, Ada: 13!']);
  expect(existsSync(path.join(directory, 'tools/deploy.started'))).toBe(false);
  await terminal.waitForPrompt();
  terminal.type('\u0004');
  expect((await terminal.ended).exitCode).toBe(0);
});

it.runIf(process.platform !== 'win32')('Ctrl-C ends the wait for a tool that does not describe itself', async () => {
  const home = temporaryDirectory();
  writeFiles(home, { '.ybs/tools/slow': '#!/bin/sh\nsleep 300\n' });
  chmodSync(path.join(home, '.ybs/tools/slow'), 0o755);
  const environment = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const terminal = startInTerminal(['-p', 'mock'], { directory: temporaryDirectory(), environment });
  await terminal.waitForPrompt();
  terminal.type(`what can you do${ENTER}`);
  await terminal.waitFor('the end of the line', (text) => text.includes('> what') && terminal.cursorLine() === '');
  terminal.type('\u0003');
  await terminal.waitForText('Stopped.');
  // The message was not sent, so it is in the input line again.
  await terminal.waitFor('the message', () => terminal.cursorLine().endsWith('> what can you do'));
  terminal.type('\u0015\u0004');
  expect((await terminal.ended).exitCode).toBe(0);
  expect(terminal.screen()).not.toContain('The tool slow');
});
