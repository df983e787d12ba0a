import { expect, test } from 'vitest';
import type { ApprovalDecision } from '../../../src/agent/ports/approver.ts';
import { createRunNotes } from '../../../src/stories/record-story.ts';

const REQUEST = {
  callId: 'a',
  toolName: 'run_shell',
  effect: { summary: 'run it', paths: [] },
  reason: 'it runs a command',
  offersDirectory: { type: 'file_operations', directory: '/w/src' },
} as const;

test.for<[ApprovalDecision, unknown]>([
  [{ type: 'once' }, ['once']],
  [{ type: 'session' }, ['session']],
  [{ type: 'session', rule: REQUEST.offersDirectory }, ['directory']],
  [{ type: 'session', rule: { type: 'file_operations', directory: '/w' } }, ['workspace']],
  [{ type: 'session', rule: { type: 'sandboxed_commands' } }, ['sandbox']],
  [{ type: 'session', rule: { type: 'hosts', hosts: ['a.test'] } }, ['hosts']],
  [{ type: 'deny' }, ['deny']],
  [{ type: 'deny', feedback: ' ' }, ['deny']],
  [{ type: 'deny', feedback: 'use npm' }, [{ deny: 'use npm' }]],
  [{ type: 'unavailable' }, undefined],
])('a recorded story contains the decision %j of the user', async ([decision, approvals]) => {
  const notes = createRunNotes();
  const approver = notes.approver({ decide: async () => decision });
  expect(await approver.decide(REQUEST, new AbortController().signal)).toEqual(decision);
  const settings = {
    config: { safety: { permission_mode: 'ask' }, llm: { tool_protocol: 'xnl' } },
    dryRun: true,
  } as const;
  expect(notes.story(settings)).toBeUndefined();
  notes.addPrompt('do it');
  expect(notes.story(settings)).toEqual({
    prompts: ['do it'],
    ...(approvals !== undefined && { approvals }),
    tool_protocol: 'xnl',
    dry_run: true,
  });
});
