import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../src/agent/ports/approver.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { AssistantMessage } from '../../../src/agent/ports/messages.ts';
import type { PlannedEffect } from '../../../src/agent/ports/tool.ts';
import type { JsonSchema } from '../../../src/schema/conforms.ts';
import { EVENT_SCHEMAS, eventsSchemaText } from '../../../tooling/docs/events-schema.ts';
import { eventProblems } from '../../support/agent/published-schema.ts';

type Fields<Value> = { readonly [Name in keyof Required<Value>]: true };

/** The fields of the events. The compiler refuses a row with a missing or an unknown field. */
const FIELDS: { readonly [Type in AgentEvent['type']]: Fields<Extract<AgentEvent, { type: Type }>> } = {
  session_start: {
    type: true,
    sessionId: true,
    time: true,
    model: true,
    workspace: true,
    permissionMode: true,
    sandbox: true,
  },
  user_message: { type: true, text: true, images: true, reminder: true, file: true, steered: true },
  turn_start: { type: true, turn: true, model: true },
  text_delta: { type: true, text: true },
  reasoning_delta: { type: true, text: true },
  tool_call_delta: { type: true, callId: true, name: true, text: true, written: true },
  assistant_message: { type: true, message: true, finish: true },
  tool_call: { type: true, call: true, effect: true, permission: true },
  approval_request: { type: true, request: true },
  approval_decision: { type: true, callId: true, decision: true, added: true },
  tool_output: { type: true, callId: true, stream: true, text: true },
  tool_result: {
    ...{ type: true, callId: true, toolName: true, outcome: true, code: true, content: true, images: true },
    ...{ files: true, exit: true, summary: true, durationMs: true },
  },
  tasks: { type: true, tasks: true },
  usage: { type: true, model: true, purpose: true, inputTokens: true, outputTokens: true, cachedTokens: true },
  retry: { type: true, attempt: true, delayMs: true, code: true, message: true },
  warning: { type: true, code: true, message: true },
  compaction: { type: true, tokensBefore: true, tokensAfter: true, messages: true, rewind: true },
  checkpoint: { type: true, number: true, callId: true, files: true },
  commit: { type: true, hash: true, subject: true, files: true },
  receipt: { type: true, files: true, commands: true, tests: true },
  decision: {
    type: true,
    callId: true,
    verdict: true,
    rule: true,
    decidedBy: true,
    by: true,
    digest: true,
    sandbox: true,
  },
  user_action: { type: true, action: true, detail: true, blockedBy: true, sandbox: true },
  permission_mode: { type: true, mode: true, automatic: true },
  answer: { type: true, value: true },
  plan: { type: true, callId: true, text: true },
  turn_end: { type: true, turn: true },
  run_end: { type: true, outcome: true, message: true, error: true },
};

const EFFECT: Fields<PlannedEffect> = {
  ...{
    summary: true,
    paths: true,
    command: true,
    plan: true,
    reads: true,
    links: true,
    overwrites: true,
    program: true,
    view: true,
    writes: true,
    mcp: true,
    toolName: true,
    network: true,
    hosts: true,
    localSockets: true,
    host: true,
    workingDirectory: true,
  },
  ...{ preview: true, before: true, after: true, readThisSession: true, protection: true, unchanged: true },
};
const REQUEST: Fields<ApprovalRequest> = {
  ...{ callId: true, toolName: true, effect: true, reason: true, digest: true, editable: true, pending: true },
  ...{ sandbox: true, offers: true, offersDirectory: true, offersMore: true },
};
const MESSAGE: Fields<AssistantMessage> = {
  ...{ role: true, content: true, toolCalls: true, reasoning: true, partial: true, providerState: true },
};

describe('the published JSON Schema of the events', () => {
  it('is the one in the package (npm run docs writes it)', () => {
    const published = readFileSync(path.join(import.meta.dirname, '../../../schema/events.schema.json'), 'utf8');
    expect(published).toBe(eventsSchemaText());
  });

  it('has every event', () => {
    expect(Object.keys(EVENT_SCHEMAS).sort()).toEqual(Object.keys(FIELDS).sort());
  });

  const partOf = (type: string, name: string) => EVENT_SCHEMAS[type]?.properties?.[name];

  it.each<readonly [string, JsonSchema | undefined, object]>([
    ...Object.entries(FIELDS).map(([type, fields]) => [type, EVENT_SCHEMAS[type], fields] as const),
    ['the effect of a call', partOf('tool_call', 'effect'), EFFECT],
    ['a question', partOf('approval_request', 'request'), REQUEST],
    ['an answer of the model', partOf('assistant_message', 'message'), MESSAGE],
  ])('has the fields of %s, and no other', (_name, schema, fields) => {
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(Object.keys(fields).sort());
  });

  it.each<readonly [unknown, boolean]>([
    [{ type: 'text_delta', text: 'a' }, true],
    [{ type: 'text_delta', text: 'a', later: 1 }, true],
    [{ type: 'text_delta' }, false],
    [{ type: 'run_end', outcome: 'done', message: '' }, true],
    [{ type: 'run_end', outcome: 'over', message: '' }, false],
    [{ type: 'unheard_of' }, false],
    ['text', false],
  ])('decides whether %j is an event: %s', (event, isEvent) => {
    expect(eventProblems(event).length === 0).toBe(isEvent);
  });
});
