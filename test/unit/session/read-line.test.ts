import { expect, it } from 'vitest';
import { readLine } from '../../../src/session/log/read-line.ts';

const TIME = '"timestamp":"2026-11-20T09:00:00.000Z"';
const EFFECT = '"effect":{"summary":"run ls","paths":[],"command":"ls","workingDirectory":"/w"}';
const RULE = '{"type":"exact_command","command":"ls","workingDirectory":"/w"}';

it.each([
  [
    'a question of a version without digests',
    `{${TIME},"type":"approval_request","request":{"callId":"c","toolName":"run_shell",${EFFECT},"reason":"r","offers":${RULE}}}`,
  ],
  [
    'a question',
    `{${TIME},"type":"approval_request","request":{"callId":"c","toolName":"run_shell",${EFFECT},"reason":"r","digest":"d","editable":true,"sandbox":{"type":"on","program":"bubblewrap"},"pending":[{"callId":"d","toolName":"run_shell",${EFFECT},"reason":"r","digest":"e"}]}}`,
  ],
  ['a yes', `{${TIME},"type":"approval_decision","callId":"c","decision":{"type":"once"}}`],
  ['a yes to all', `{${TIME},"type":"approval_decision","callId":"c","decision":{"type":"once","all":true}}`],
  ['a rule', `{${TIME},"type":"approval_decision","callId":"c","decision":{"type":"session"},"added":${RULE}}`],
  [
    'a rule for a directory',
    `{${TIME},"type":"approval_decision","callId":"c","decision":{"type":"session","scope":"directory"},"added":{"type":"file_operations","directory":"/w"}}`,
  ],
  ['an edit', `{${TIME},"type":"approval_decision","callId":"c","decision":{"type":"edit","command":"ls -l"}}`],
  [
    'no answer',
    `{${TIME},"type":"approval_decision","callId":"c","decision":{"type":"unavailable","afterSeconds":300}}`,
  ],
])('the log of %s is read', (_name, line) => {
  const { timestamp: _timestamp, ...event } = JSON.parse(line);
  expect(readLine(line)).toMatchObject({ type: 'event', event });
});

it('the log of a question without an effect is damaged', () => {
  const line = `{${TIME},"type":"approval_request","request":{"callId":"c","toolName":"run_shell","reason":"r"}}`;
  expect(() => readLine(line)).toThrow('not a complete approval_request');
});
