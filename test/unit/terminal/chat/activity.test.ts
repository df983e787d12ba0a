import { describe, expect, it } from 'vitest';
import type { AgentEvent, WrittenCall } from '../../../../src/agent/ports/events.ts';
import { type Activity, activityOf } from '../../../../src/terminal/chat/activity.ts';

const model = { provider: 'p', wire: 'w', model: 'm' };
const writes = (written: Partial<WrittenCall>): AgentEvent => ({
  ...{ type: 'tool_call_delta', callId: 'c', name: 'write_file', text: '' },
  written: { size: 0, tail: '', ...written },
});
const calls = (type: 'allow' | 'ask'): AgentEvent => ({
  type: 'tool_call',
  call: { id: 'c', name: 'read_file', arguments: '{}' },
  permission: { type, rule: 'r', reason: '' },
});
const quiet = 'waiting for the server';
const before: Activity = { label: 'before', quiet };

describe('the activity of a run', () => {
  it.each<readonly [string, AgentEvent, Activity | undefined]>([
    ['the start of a request', { type: 'turn_start', turn: 1, model }, { label: quiet }],
    ['a thought', { type: 'reasoning_delta', text: 'x' }, { label: 'thinking', quiet }],
    ['a text', { type: 'text_delta', text: 'x' }, { label: 'answering', quiet }],
    [
      'the start of a write',
      writes({ name: 'write_file', effect: 'write' }),
      { label: 'writing a call of write_file', size: undefined, rows: [], quiet },
    ],
    [
      'a write',
      writes({ name: 'write_file', effect: 'write', path: 'src/a\u001b.ts', size: 3_175, tail: '1\n2\n\t3\n\u009b4' }),
      { label: 'writing src/a\\u{1b}.ts', size: '3.1 KB', rows: ['2', '  3', '\\u{9b}4'], quiet },
    ],
    [
      'a command',
      writes({ name: 'run_shell', effect: 'execute', size: 2, tail: 'ls' }),
      { label: 'writing a command', size: '2 bytes', rows: ['ls'], quiet },
    ],
    [
      'a read',
      writes({ name: 'read_file', effect: 'read', path: 'a' }),
      { label: 'writing a call of read_file: a', size: undefined, rows: [], quiet },
    ],
    ['a text that may be a call', writes({}), { label: 'writing a call', size: undefined, rows: [], quiet }],
    ['a piece without its facts', { type: 'tool_call_delta', text: '' }, before],
    [
      'the end of an answer',
      { type: 'assistant_message', message: { role: 'assistant', content: '', toolCalls: [] }, finish: 'stop' },
      { label: 'before' },
    ],
    ['a call that runs', calls('allow'), { label: 'running' }],
    ['a call that needs approval', calls('ask'), before],
    [
      'a retry',
      { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'x' },
      { label: 'waiting to try again' },
    ],
    ['a warning', { type: 'warning', code: 'c', message: 'm' }, before],
    ['the end', { type: 'run_end', outcome: 'done', message: '' }, undefined],
  ])('follows %s', (_name, event, expected) => {
    expect(activityOf(event, before)).toEqual(expected);
  });

  it('remains empty at the end of an answer without earlier events', () => {
    const message = { role: 'assistant', content: '', toolCalls: [] } as const;
    expect(activityOf({ type: 'assistant_message', message, finish: 'stop' }, undefined)).toBe(undefined);
  });
});
