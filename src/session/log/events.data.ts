import * as z from 'zod';
import { type ApprovalDecision, PERMISSION_MODES, type PermissionDecision } from '../../agent/ports/approver.ts';
import type * as events from '../../agent/ports/events.ts';
import type { FileProtection } from '../../agent/ports/file-system.ts';
import type { JsonValue } from '../../agent/ports/json.ts';
import type { CommandEnd } from '../../agent/ports/shell.ts';
import type { Task } from '../../agent/ports/tool.ts';
import type { DataSchema } from '../../schema/conforms.ts';
import { dataSchema } from '../../schema/data-schema.ts';
import type { KeptFor } from './unions.ts';
import {
  callError,
  imageType,
  modelError,
  oneOf,
  permissionRule,
  runError,
  sandboxState,
  serverCall,
  variants,
} from './unions.ts';

const text = z.string();
const count = z.number();
/** A field that is true or absent. */
const flag = z.literal(true).exactOptional();

/** Any JSON. */
const json: z.ZodType<JsonValue, JsonValue> = z.any();

const identity = z.looseObject({ provider: text, wire: text, model: text });
const call = z.looseObject({ id: text, name: text, arguments: text });
const image = z.looseObject({ mediaType: imageType, data: text });
const assistantMessage = z.looseObject({
  role: z.literal('assistant'),
  content: text,
  toolCalls: z.array(call),
  reasoning: text.exactOptional(),
  partial: flag,
  providerState: z.looseObject({ model: text, items: z.array(json) }).exactOptional(),
});
const message = z.union([
  z.looseObject({ role: z.literal('user'), content: text, images: z.array(image).exactOptional() }),
  assistantMessage,
  z.looseObject({
    role: z.literal('tool'),
    toolCallId: text,
    content: text,
    isError: z.boolean(),
    images: z.array(image).exactOptional(),
  }),
]);
const offered = {
  sandbox: sandboxState.exactOptional(),
  offers: permissionRule.exactOptional(),
  offersDirectory: permissionRule.exactOptional(),
  offersMore: z.array(permissionRule).exactOptional(),
};
const ofRule = { rule: text, decidedBy: text.exactOptional() };
const permission = variants<PermissionDecision>({
  allow: z.looseObject({ type: z.literal('allow'), ...ofRule, inView: flag }),
  deny: z.looseObject({ type: z.literal('deny'), ...ofRule, reason: text }),
  ask: z.looseObject({ type: z.literal('ask'), ...ofRule, reason: text, ...offered }),
});
const pathUse = z.looseObject({ requested: text, realPath: text, access: z.enum(['read', 'write']) });
const effect = z.looseObject({
  summary: text,
  paths: z.array(pathUse),
  command: text.exactOptional(),
  plan: text.exactOptional(),
  reads: z.array(pathUse).exactOptional(),
  links: z.array(pathUse).exactOptional(),
  overwrites: z.array(z.string()).exactOptional(),
  view: oneOf<'files' | 'repository'>({ files: true, repository: true }).exactOptional(),
  writes: flag,
  network: flag,
  hosts: z.array(z.string()).exactOptional(),
  localSockets: flag,
  program: z.looseObject({ path: text, input: text }).exactOptional(),
  mcp: serverCall.exactOptional(),
  toolName: text.exactOptional(),
  workingDirectory: text.exactOptional(),
  preview: z.looseObject({ path: text, unified: text, added: count, removed: count }).exactOptional(),
  before: text.exactOptional(),
  after: text.exactOptional(),
  readThisSession: z.boolean().exactOptional(),
  protection: oneOf<FileProtection>({ write_protected: true, other_owner: true }).exactOptional(),
  host: z
    .looseObject({
      verdict: oneOf<'allow' | 'ask' | 'deny'>({ allow: true, ask: true, deny: true }),
      reason: text,
    })
    .exactOptional(),
  unchanged: flag,
});
const decision = variants<ApprovalDecision>({
  once: z.looseObject({ type: z.literal('once'), all: flag, mode: z.enum(PERMISSION_MODES).exactOptional() }),
  session: z.looseObject({
    type: z.literal('session'),
    rule: permissionRule.exactOptional(),
    keep: oneOf<KeptFor>({ directory: true, everywhere: true }).exactOptional(),
  }),
  edit: z.looseObject({ type: z.literal('edit'), command: text, shown: text.exactOptional() }),
  change: z.looseObject({
    type: z.literal('change'),
    arguments: z.record(text, json),
    shown: text.exactOptional(),
  }),
  deny: z.looseObject({ type: z.literal('deny'), feedback: text.exactOptional() }),
  unavailable: z.looseObject({
    ...{ type: z.literal('unavailable'), afterSeconds: count.exactOptional(), host: flag },
  }),
});
const question = {
  ...{ callId: text, toolName: text, effect, reason: text, ...offered },
  digest: text.exactOptional(),
  editable: flag,
};
const task = z.looseObject({
  id: text.optional(),
  content: text,
  status: oneOf<Task['status']>({ pending: true, in_progress: true, completed: true }),
  activeForm: text.optional(),
  createdAt: text.optional(),
  completedAt: text.optional(),
});

const exit = z.looseObject({
  cause: oneOf<CommandEnd['cause']>({
    exited: true,
    signalled: true,
    timed_out: true,
    aborted: true,
    failed_to_start: true,
  }),
  exitCode: count.exactOptional(),
  signal: text.exactOptional(),
  hosts: z.array(z.looseObject({ host: text, port: count, refused: text.exactOptional() })).exactOptional(),
});
const commandRun = z.looseObject({ command: text, exit: exit.exactOptional() });

const SCHEMAS = {
  session_start: z.looseObject({
    type: z.literal('session_start'),
    sessionId: text,
    time: text,
    model: text,
    workspace: text,
    permissionMode: text,
    sandbox: sandboxState.exactOptional(),
  }),
  user_message: z.looseObject({
    type: z.literal('user_message'),
    text,
    images: z.array(image).exactOptional(),
    ...{ reminder: flag, file: text.exactOptional(), steered: flag },
  }),
  turn_start: z.looseObject({ type: z.literal('turn_start'), turn: count, model: identity }),
  assistant_message: z.looseObject({
    type: z.literal('assistant_message'),
    message: assistantMessage,
    finish: oneOf<Extract<events.AgentEvent, { type: 'assistant_message' }>['finish']>({
      stop: true,
      tool_calls: true,
      length: true,
      window: true,
      paused: true,
      content_filter: true,
      unknown: true,
      aborted: true,
      failed: true,
    }),
  }),
  tool_call: z.looseObject({
    type: z.literal('tool_call'),
    call,
    effect: effect.exactOptional(),
    permission: permission.exactOptional(),
  }),
  approval_request: z.looseObject({
    type: z.literal('approval_request'),
    request: z.looseObject({ ...question, pending: z.array(z.looseObject(question)).exactOptional() }),
  }),
  approval_decision: z.looseObject({
    type: z.literal('approval_decision'),
    callId: text,
    decision,
    added: permissionRule.exactOptional(),
  }),
  tool_result: z.looseObject({
    type: z.literal('tool_result'),
    callId: text,
    toolName: text,
    outcome: oneOf<events.CallOutcome>({ ok: true, failed: true, denied: true, not_run: true, interrupted: true }),
    content: text,
    code: callError.exactOptional(),
    images: z.array(image).exactOptional(),
    exit: exit.exactOptional(),
    files: z.array(z.looseObject({ realPath: text, digest: text })).exactOptional(),
    summary: text,
    durationMs: count,
  }),
  tasks: z.looseObject({ type: z.literal('tasks'), tasks: z.array(task) }),
  usage: z.looseObject({
    type: z.literal('usage'),
    model: identity,
    purpose: z.literal('summary').exactOptional(),
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count.exactOptional(),
  }),
  retry: z.looseObject({
    type: z.literal('retry'),
    attempt: count,
    delayMs: count,
    code: modelError,
    message: text,
  }),
  warning: z.looseObject({ type: z.literal('warning'), code: text, message: text }),
  compaction: z.looseObject({
    type: z.literal('compaction'),
    tokensBefore: count,
    tokensAfter: count,
    messages: z.array(message),
    rewind: z.looseObject({ prompt: count.exactOptional() }).exactOptional(),
  }),
  decision: z.looseObject({
    type: z.literal('decision'),
    callId: text,
    verdict: oneOf<'allow' | 'deny'>({ allow: true, deny: true }),
    ...ofRule,
    by: oneOf<'rule' | 'mode' | 'user' | 'host'>({ rule: true, mode: true, user: true, host: true }),
    digest: text,
    sandbox: oneOf<'on' | 'off'>({ on: true, off: true }),
  }),
  checkpoint: z.looseObject({
    type: z.literal('checkpoint'),
    number: count,
    callId: text,
    files: z.array(z.looseObject({ realPath: text, problem: text.exactOptional() })),
  }),
  receipt: z.looseObject({
    type: z.literal('receipt'),
    files: z.array(
      z.looseObject({
        realPath: text,
        change: oneOf<events.RunReceipt['files'][number]['change']>({
          created: true,
          changed: true,
          deleted: true,
          unknown: true,
        }),
        ...{ added: count.exactOptional(), removed: count.exactOptional() },
      }),
    ),
    ...{ commands: z.array(commandRun), tests: commandRun.extend({ hidden: flag }).exactOptional() },
  }),
  commit: z.looseObject({ type: z.literal('commit'), hash: text, subject: text, files: z.array(text) }),
  plan: z.looseObject({ type: z.literal('plan'), callId: text, text }),
  answer: z.looseObject({ type: z.literal('answer'), value: json }),
  user_action: z.looseObject({
    type: z.literal('user_action'),
    action: z.enum(['/permissions', '/approvals', '/undo', '/rewind', '/agent', '!command']),
    ...{ detail: text, blockedBy: text.exactOptional(), sandbox: z.enum(['on', 'off']).exactOptional() },
  }),
  permission_mode: z.looseObject({
    ...{ type: z.literal('permission_mode'), mode: z.enum(PERMISSION_MODES), automatic: flag },
  }),
  turn_end: z.looseObject({ type: z.literal('turn_end'), turn: count }),
  run_end: z.looseObject({
    type: z.literal('run_end'),
    outcome: oneOf<events.RunOutcome>({
      done: true,
      aborted: true,
      limit: true,
      stuck: true,
      denied: true,
      failed: true,
    }),
    message: text,
    error: z.looseObject({ code: runError, message: text }).exactOptional(),
  }),
} satisfies { readonly [Type in StoredEvent['type']]: z.ZodType<Extract<StoredEvent, { type: Type }>> };

/** An event that a log keeps: every one but the pieces of an answer and live output. */
export type StoredEvent = Exclude<
  events.AgentEvent,
  { type: 'text_delta' | 'reasoning_delta' | 'tool_call_delta' | 'tool_output' }
>;

/**
 * The events that a log keeps, by type, with unknown fields, so that a log is read without zod. The build replaces this
 * module by its values.
 */
export const EVENTS: Readonly<Record<string, DataSchema<StoredEvent>>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([type, schema]) => [type, dataSchema<StoredEvent>(schema)]),
);
