import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { observeDecisions } from '../../../src/session/audit/observe-decisions.ts';
import { readAudit } from '../../../src/session/audit/read-audit.ts';
import { UserActions } from '../../../src/session/audit/user-actions.ts';
import { eventLine } from '../../../src/session/log/log-line.ts';
import { called, EVENTS, result } from '../../support/agent/session-events.ts';

async function* linesOf(events: readonly (AgentEvent | string)[]): AsyncGenerator<string> {
  for (const event of events) {
    const line = typeof event === 'string' ? event : eventLine('2026-11-20T09:00:00.000Z', event, (text) => text);
    if (line !== undefined) yield line;
  }
}

const DECIDED = {
  type: 'decision',
  callId: 'a',
  verdict: 'allow',
  rule: 'r',
  by: 'rule',
  digest: 'd',
  sandbox: 'on',
} as const;

it('the audit reports the decisions of a run with every kind of event', async () => {
  const observer = observeDecisions({ digest: computeDigest, sandbox: 'off' });
  const reported: AgentEvent[] = [];
  for (const event of EVENTS) reported.push(...((await observer.before(event)) ?? []));
  expect(await observer.end()).toEqual([]);
  expect(
    reported.map((event) => (event.type === 'decision' ? [event.callId, event.verdict, event.by] : event)),
  ).toEqual([
    ['a', 'allow', 'rule'],
    ['b', 'allow', 'user'],
  ]);
});

it('the audit reports the decision of a hook as one of the host, and no change that is decided again', async () => {
  const observer = observeDecisions({ digest: computeDigest, sandbox: 'off' });
  const call = { id: 'h', name: 'run_shell', arguments: '{}' };
  const effect = { summary: 's', paths: [] };
  const permission = { type: 'deny', rule: 'hook', reason: 'r' } as const;
  const change = { type: 'change', arguments: {} } as const;
  const denied = await observer.before({ type: 'tool_call', call, effect, permission });
  expect(denied).toMatchObject([{ verdict: 'deny', by: 'host', rule: 'hook' }]);
  expect(await observer.before({ type: 'approval_decision', callId: 'h', decision: change })).toBeUndefined();
});

it('the audit reads a log with damaged lines, and with decisions about unknown calls', async () => {
  const lines = linesOf([
    result('z'),
    'junk',
    DECIDED,
    result('a'),
    result('a'),
    called('b', 'allow'),
    { ...DECIDED, callId: 'b' },
    { type: 'permission_mode', mode: 'ask' },
    { type: 'permission_mode', mode: 'plan', automatic: true },
    { type: 'user_message', text: 'of the file', reminder: true, file: 'a.txt' },
    { type: 'user_message', text: 'a reminder', reminder: true },
    { type: 'user_message', text: 'see @file:a.txt' },
    { type: 'user_action', action: '/undo', detail: 'from checkpoint 1 on: a.txt' },
    { type: 'user_action', action: '!command', detail: 'sudo id', blockedBy: 'sudo', sandbox: 'on' },
  ]);
  const { type: _type, sandbox: _sandbox, ...decision } = DECIDED;
  const typed = { verdict: 'allow', rule: 'typed by the user', by: 'user' };
  const time = '2026-11-20T09:00:00.000Z';
  expect(await readAudit(lines)).toEqual([
    { time, tool: 'read_file', summary: '', ...decision, outcome: 'ok', ms: 3 },
    { time, tool: 'read_file', summary: 'read a.txt', ...decision, callId: 'b' },
    { time, tool: '/mode', summary: 'ask', verdict: 'allow', rule: 'chosen by the user', by: 'user' },
    { time, tool: '/mode', summary: 'plan', verdict: 'allow', rule: 'end of the approved plan', by: 'mode' },
    { time, tool: '@file', summary: 'a.txt', ...typed },
    { time, tool: '/undo', summary: 'from checkpoint 1 on: a.txt', ...typed },
    {
      ...{ time, tool: '!command', summary: 'sudo id', command: 'sudo id', sandbox: 'on' },
      ...{ verdict: 'deny', rule: 'sudo', by: 'rule' },
    },
  ]);
});

it('actions of the user before the first run are stored when it begins', async () => {
  const stored: AgentEvent[] = [];
  let messageCount = 0;
  const actions = new UserActions({
    announce: async (event) => {
      stored.push(event);
    },
    get messageCount() {
      return messageCount;
    },
  });
  const [first, second] = ['one', 'two'].map((detail) => ({ action: '/permissions', detail }) as const);
  const told = (event: AgentEvent) => actions.observe().before(event);
  await actions.note(first ?? fail());
  expect(await told(EVENTS[0] ?? fail())).toBeUndefined();
  expect(await told({ type: 'user_message', text: 'go' })).toEqual([{ type: 'user_action', ...first }]);
  expect(await told({ type: 'user_message', text: 'go' })).toEqual([]);
  messageCount = 1;
  await actions.note(second ?? fail());
  expect(stored).toEqual([{ type: 'user_action', ...second }]);
  expect(await actions.observe().end()).toEqual([]);
});

function fail(): never {
  throw new Error('missing');
}
