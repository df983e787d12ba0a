import { expect, it } from 'vitest';
import { typedMessage } from '../../../src/text/user-command.ts';

it.each([
  ['[Shell command output]\nCommand: echo hi\nexit_code: 0', '!echo hi'],
  ['[Shell command failed]\nCommand: for x in 1; do\n  echo hi\ndone\nexit_code: 0', '!for x in 1; do'],
  ['[Shell command output]\nno command', '[Shell command output]\nno command'],
  ['Command: echo hi', 'Command: echo hi'],
  ['fix it', 'fix it'],
])('the message %j is shown to the user as %j', (message, expected) => {
  expect(typedMessage(message)).toBe(expected);
});
