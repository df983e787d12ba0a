import type { ApprovalRequest, Approver, PermissionRule, QuestionFacts } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { JsonObject } from '../../agent/ports/json.ts';
import type { ToolCall } from '../../agent/ports/messages.ts';
import type { FileDiff, PlannedEffect } from '../../agent/ports/tool.ts';
import type { Redactor } from './redact.ts';
import { RedactStream } from './redact-stream.ts';

/** An event with a piece of a longer text. */
type Piece = Extract<AgentEvent, { type: 'text_delta' | 'reasoning_delta' | 'tool_call_delta' | 'tool_output' }>;

/** A text whose pieces arrive, and the last of them. */
interface OpenText {
  readonly stream: RedactStream;
  readonly last: Piece;
}

/** A sequence that sets colours at a terminal. */
const COLOUR = new RegExp(String.raw`${String.fromCharCode(27)}\[[\d;:]*m`, 'g');

/**
 * The events of a run as people and other programs see them, without secrets. A piece of a text is held back while a
 * secret may begin in it.
 */
export async function* redactEvents(
  events: AsyncGenerator<AgentEvent, void, void>,
  redactor: Redactor,
): AsyncGenerator<AgentEvent, void, void> {
  const open = new Map<string, OpenText>();
  for await (const event of events) {
    for (const [key, { stream, last }] of open) {
      if (!ends(event, last)) continue;
      open.delete(key);
      const text = stream.end();
      if (text !== '') yield { ...last, text };
    }
    if (!isPiece(event)) {
      yield redactEvent(event, redactor.redact);
      continue;
    }
    const key = keyOf(event);
    const stream = open.get(key)?.stream ?? new RedactStream(redactor);
    open.set(key, { stream, last: event });
    // Colours within a secret would hide it. Output is shown without them anyway.
    const text = stream.add(event.text.replaceAll(COLOUR, ''));
    if (text !== '') yield { ...event, text };
  }
}

/** The events of a run whose prompt contained a secret, with a warning. */
export async function* withNotice(
  events: AsyncGenerator<AgentEvent, void, void>,
): AsyncGenerator<AgentEvent, void, void> {
  for await (const event of events) {
    yield event;
    if (event.type !== 'user_message' || event.reminder === true) continue;
    yield { type: 'warning', code: 'redacted', message: PROMPT_REDACTED };
  }
}

const PROMPT_REDACTED =
  'Your message contained a secret. The model gets a mark such as [redacted:key] in its place. If a file needs the secret, ' +
  'write it there yourself.';

/** An approver that is asked without secrets, and whose answers have none for the model. */
export function withoutSecrets(approver: Approver, { redact }: Redactor): Approver {
  return {
    async decide(request, signal) {
      const decision = await approver.decide(redactRequest(request, redact), signal);
      if (decision.type === 'edit') return { ...decision, shown: redact(decision.command) };
      if (decision.type === 'change') return { ...decision, shown: redact(JSON.stringify(decision.arguments)) };
      if (decision.type !== 'deny' || decision.feedback === undefined) return decision;
      return { ...decision, feedback: redact(decision.feedback) };
    },
  };
}

function isPiece(event: AgentEvent): event is Piece {
  return keyOf(event) !== undefined;
}

/** A name of the text that the event belongs to; `undefined` for an event that is no piece of one. */
function keyOf(event: Piece): string;
function keyOf(event: AgentEvent): string | undefined;
function keyOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'text_delta':
    case 'reasoning_delta':
      return event.type;
    case 'tool_call_delta':
      return `call ${event.callId}`;
    case 'tool_output':
      return `${event.stream} ${event.callId}`;
    default:
      return undefined;
  }
}

/** True if no more of the text of `last` follows after `event`. */
function ends(event: AgentEvent, last: Piece): boolean {
  if (last.type !== 'tool_output') return event.type !== last.type;
  return event.type === 'run_end' || (event.type === 'tool_result' && event.callId === last.callId);
}

type Redact = Redactor['redact'];

/** The event without secrets. Texts that are names, and texts that were redacted for the model, stay as they are. */
function redactEvent(event: Exclude<AgentEvent, Piece>, redact: Redact): AgentEvent {
  switch (event.type) {
    case 'assistant_message': {
      const { content, reasoning, toolCalls } = event.message;
      const message = {
        ...event.message,
        content: redact(content),
        toolCalls: toolCalls.map((call) => redactCall(call, redact)),
        ...(reasoning !== undefined && { reasoning: redact(reasoning) }),
      };
      return { ...event, message };
    }
    case 'tool_call': {
      const { call, effect, permission } = event;
      return {
        ...event,
        call: redactCall(call, redact),
        ...(effect !== undefined && { effect: redactEffect(effect, redact) }),
        ...(permission?.type === 'ask' && { permission: { ...permission, ...redactOffers(permission, redact) } }),
      };
    }
    case 'plan':
      return { ...event, text: redact(event.text) };
    case 'approval_request':
      return { ...event, request: redactRequest(event.request, redact) };
    case 'approval_decision': {
      const { decision, added } = event;
      return {
        ...event,
        ...(decision.type === 'edit' && { decision: { ...decision, command: redact(decision.command) } }),
        ...(decision.type === 'change' && {
          decision: { ...decision, arguments: redactJson(decision.arguments, redact) },
        }),
        ...(decision.type === 'session' &&
          decision.rule !== undefined && { decision: { ...decision, rule: redactRule(decision.rule, redact) } }),
        ...(added !== undefined && { added: redactRule(added, redact) }),
      };
    }
    case 'tool_result':
      return { ...event, summary: redact(event.summary) };
    case 'retry':
    case 'warning':
      return { ...event, message: redact(event.message) };
    case 'run_end': {
      const { error } = event;
      const clean = error === undefined ? undefined : { ...error, message: redact(error.message) };
      return { ...event, message: redact(event.message), ...(clean !== undefined && { error: clean }) };
    }
    default:
      return event;
  }
}

function redactCall(call: ToolCall, redact: Redact): ToolCall {
  return { ...call, arguments: redact(call.arguments) };
}

/** The arguments without secrets; a secret cannot be part of the syntax of JSON. */
function redactJson(args: JsonObject, redact: Redact): JsonObject {
  return JSON.parse(redact(JSON.stringify(args)));
}

function redactRule(rule: PermissionRule, redact: Redact): PermissionRule {
  if (rule.type === 'command_prefix') return { ...rule, words: rule.words.map(redact) };
  return rule.type === 'exact_command' ? { ...rule, command: redact(rule.command) } : rule;
}

function redactOffers({ offers, offersMore }: QuestionFacts, redact: Redact): QuestionFacts {
  return {
    ...(offers !== undefined && { offers: redactRule(offers, redact) }),
    ...(offersMore !== undefined && { offersMore: offersMore.map((rule) => redactRule(rule, redact)) }),
  };
}

function redactRequest(request: ApprovalRequest, redact: Redact): ApprovalRequest {
  const { effect, pending } = request;
  return {
    ...request,
    effect: redactEffect(effect, redact),
    ...redactOffers(request, redact),
    ...(pending !== undefined && { pending: pending.map((question) => redactRequest(question, redact)) }),
  };
}

/** The diff without secrets, and without fields that a tool may have left in it. */
function redactDiff({ path, unified, added, removed }: FileDiff, redact: Redact): FileDiff {
  return { path, unified: redact(unified), added, removed };
}

function redactEffect(effect: PlannedEffect, redact: Redact): PlannedEffect {
  const { command, plan, program, preview } = effect;
  return {
    ...effect,
    summary: redact(effect.summary),
    ...(command !== undefined && { command: redact(command) }),
    ...(plan !== undefined && { plan: redact(plan) }),
    ...(program !== undefined && { program: { ...program, input: redact(program.input) } }),
    ...(preview !== undefined && { preview: redactDiff(preview, redact) }),
  };
}
