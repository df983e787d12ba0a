import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { shownEvent } from '../../../src/web/session/shown-event.ts';

const exit = { cause: 'exited', exitCode: 0 } as const;

it.each<[string, Partial<Extract<AgentEvent, { type: 'receipt' }>>, readonly string[] | undefined]>([
  ['nothing', {}, undefined],
  ['a command', { commands: [{ command: 'ls', exit }] }, ['1 command ran: ls (exit code 0)']],
  [
    'a command with a hidden character',
    { commands: [{ command: 'ls \u202eslr.', exit }] },
    ['1 command ran: ls \\u{202e}slr. (exit code 0)'],
  ],
  [
    'a change without tests',
    { files: [{ realPath: '/work/a.js', change: 'changed', added: 2, removed: 1 }] },
    ['1 file changed: a.js (+2 −1)', 'no tests ran after the last change', '/undo puts the files back.'],
  ],
  [
    'a change with tests',
    { files: [{ realPath: '/work/a.js', change: 'created' }], tests: { command: 'npm test', exit } },
    [
      '1 file changed: a.js (new)',
      'tests ran after the last change: npm test (exit code 0)',
      '/undo puts the files back.',
    ],
  ],
])('the page reports at the end of a run %s', (_name, receipt, rows) => {
  const shown = shownEvent({ type: 'receipt', files: [], commands: [], ...receipt }, '/work');
  expect(shown).toEqual(rows === undefined ? undefined : { type: 'receipt_rows', rows });
});

it('the page distinguishes a step back of the user from a summary', () => {
  const compaction = { type: 'compaction', tokensBefore: 2, tokensAfter: 1, messages: [] } as const;
  expect(shownEvent(compaction, '/work')).toEqual(compaction);
  expect(shownEvent({ ...compaction, rewind: { prompt: 3 } }, '/work')).toEqual({ type: 'rewind', prompt: 3 });
  expect(shownEvent({ ...compaction, rewind: {} }, '/work')).toEqual({ type: 'rewind' });
});

it('the page receives only the shown parts of a call that is being written, without control characters', () => {
  const event = { type: 'tool_call_delta', callId: 'c', name: 't', text: '{"x' } as const;
  expect(shownEvent(event, '/work')).toBe(undefined);
  const written = { path: 'a\u202eb', size: 1, tail: '\u001b[2Jx' };
  expect(shownEvent({ ...event, written }, '/work')).toEqual({
    ...event,
    text: '',
    written: { path: 'a\\u{202e}b', size: 1, tail: '\\u{1b}[2Jx' },
  });
});
