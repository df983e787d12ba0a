import type { Approver } from '../../agent/ports/approver.ts';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { Redactor } from './redact.ts';
import { RedactStream } from './redact-stream.ts';

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
      const decision = await approver.decide(redactTexts(request, redact, ''), signal);
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

/**
 * Keys of events whose values are names, which other programs use again, or bytes. Texts in values that a model made up
 * (`OPEN`) have no such keys.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['type', 'id', 'callId', 'toolCallId', 'sessionId', 'toolName', 'name', 'code', 'model', 'server', 'tool'],
  ...['path', 'realPath', 'workingDirectory', 'workspace', 'directory', 'file', 'files', 'digest', 'hash'],
  ...['before', 'after', 'data'],
]);
const OPEN: ReadonlySet<string> = new Set(['arguments', 'value']);

/** The event without secrets, in every text but names. A text that was redacted for the model stays as it is. */
function redactEvent(event: Exclude<AgentEvent, Piece>, redact: Redact): AgentEvent {
  return redactTexts(event, redact, '');
}

/** The value with marks in the texts of all its parts; `key` is its key, or the one of its list; empty for any text. */
function redactTexts<Value>(value: Value, redact: Redact, key: string, isOpen?: boolean): Value;
function redactTexts(value: unknown, redact: Redact, key: string, isOpen = OPEN.has(key)): unknown {
  if (typeof value === 'string') return isOpen || !KEPT.has(key) ? redact(value) : value;
  if (typeof value !== 'object' || value === null || (key === 'providerState' && !isOpen)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactTexts(item, redact, key, isOpen));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, redactTexts(inner, redact, name, isOpen || OPEN.has(name))]),
  );
}
