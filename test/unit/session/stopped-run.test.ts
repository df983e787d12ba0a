import { expect, it } from 'vitest';
import type { PermissionMode } from '../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { answer, EVENTS, result, START } from '../../support/agent/session-events.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const question = EVENTS.find(({ type }) => type === 'approval_request') ?? START;
const asked: readonly AgentEvent[] = [
  { type: 'user_message', text: 'go' },
  { type: 'turn_start', turn: 1, model: { provider: 'p', wire: 'w', model: 'm' } },
];
const partial: AgentEvent = {
  type: 'assistant_message',
  message: { role: 'assistant', content: 'a', toolCalls: [] },
  finish: 'aborted',
};
const stopped: AgentEvent = { type: 'run_end', outcome: 'aborted', message: 'Stopped.' };
const UNANSWERED = 'before the answer was complete; pieces of it are not kept';
const done: AgentEvent = { type: 'run_end', outcome: 'done', message: 'Done.' };
const action = (name: '/rewind' | '/agent'): AgentEvent => ({ type: 'user_action', action: name, detail: '' });

it.each<[string | undefined, readonly AgentEvent[]]>([
  [undefined, []],
  [UNANSWERED, asked],
  [UNANSWERED, [...asked, stopped, { type: 'user_message', text: 'note', reminder: true }]],
  ['while the model answered', [...asked, partial, stopped]],
  ['at a question about read_file', [...asked, question]],
  ['at a question about read_file', [...asked, question, { ...result('c'), outcome: 'denied' }, stopped]],
  ['during a call of read_file', [...asked, question, { ...result('c'), outcome: 'interrupted' }, stopped]],
  [UNANSWERED, [...asked, question, result('c'), stopped]],
  [undefined, [...asked, answer('a'), done]],
  [undefined, [...asked, stopped, action('/rewind')]],
  [UNANSWERED, [...asked, stopped, action('/agent')]],
])('a log shows what its last run did when it was stopped: %s', async (expected, events) => {
  const store = createTestStore(createMemoryFileSystem().fileSystem);
  const record = await store.create('a');
  for (const event of [START, ...events]) await record.append(event, '');
  await record.close();
  expect((await store.read('a')).stopped).toBe(expected);
});

const mode = (name: PermissionMode): AgentEvent => ({ type: 'permission_mode', mode: name });
const decided = (callId: string): AgentEvent => ({
  type: 'approval_decision',
  callId,
  decision: { type: 'once', mode: 'accept-edits' },
});
const planned: readonly AgentEvent[] = [mode('plan'), ...asked, { type: 'plan', callId: 'c', text: '1. Add.' }];

it.each<[string, PermissionMode, readonly AgentEvent[]]>([
  ['of the session', 'plan', [mode('plan'), ...asked]],
  ['before an approved plan, which ends with its run', 'plan', [...planned, decided('c'), mode('accept-edits')]],
  ['that was chosen after it', 'read-only', [...planned, decided('c'), mode('accept-edits'), mode('read-only')]],
  ['that was chosen after another answer', 'ask', [...planned, decided('d'), mode('ask')]],
  ['that was chosen after the run', 'ask', [...planned, decided('c'), done, mode('ask')]],
])('a log has the mode %s: %s', async (_what, expected, events) => {
  const store = createTestStore(createMemoryFileSystem().fileSystem);
  const record = await store.create('a');
  for (const event of [START, ...events]) await record.append(event, '');
  await record.close();
  expect((await store.read('a')).permissionMode).toBe(expected);
});
