import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { ImageContent } from '../../agent/ports/messages.ts';
import { jsonOr } from '../../text/json/json.ts';
import { formatSize } from '../../text/quantities.ts';
import { takeEnd } from '../../text/truncate.ts';
import { contentOf, imageContent, locationsOf, terminalContent, textContent, toolKindOf } from './call-content.ts';

/** Facts about a session and its client. */
export interface EncoderFacts {
  /** True for the events of a stored session, which has whole messages instead of their pieces. */
  readonly replays?: boolean;
  /** True if the client shows notices. */
  readonly notices?: boolean;
  /** The terminals of the client in which calls run, by the ids of the calls. They show the output. */
  readonly terminals?: ReadonlyMap<string, string>;
  /** Context window of the model in tokens, as soon as it is known. */
  window?: number | undefined;
}

/** Maximum length of the output of a running command in an update. Each update repeats the output so far. */
const MAX_LIVE_OUTPUT = 8_000;

/** Encodes the events of one session, in their order, as updates of the Agent Client Protocol. Pure but for its state. */
export function createUpdateEncoder(facts: EncoderFacts = {}): (event: AgentEvent) => readonly SessionUpdate[] {
  const { replays = false, notices = false, terminals = new Map<string, string>() } = facts;
  /** The diffs and the output of calls without a result. */
  const calls = new Map<string, { readonly diffs: readonly ToolCallContent[]; output: string }>();
  /** The calls that the model is writing, with the size and the path that the client knows. */
  const written = new Map<string, { readonly size: number; readonly path: string | undefined }>();
  const noticeOf = (title: string): readonly SessionUpdate[] =>
    notices ? [{ sessionUpdate: 'notice', severity: 'warning', title }] : [];
  return (event) => {
    switch (event.type) {
      case 'user_message':
        if (!replays || event.reminder === true) return [];
        return [
          ...(event.text === '' ? [] : [chunk('user_message_chunk', event.text)]),
          ...(event.images ?? []).map(pictureChunk),
        ];
      case 'permission_mode':
        return [{ sessionUpdate: 'current_mode_update', currentModeId: event.mode }];
      case 'text_delta':
        return event.text === '' ? [] : [chunk('agent_message_chunk', event.text)];
      case 'reasoning_delta':
        return event.text === '' ? [] : [chunk('agent_thought_chunk', event.text)];
      case 'tool_call_delta':
        return writtenUpdates(event, written);
      case 'assistant_message': {
        // The call of an answer that was cut does not run.
        if (!replays) return failedUpdates(written, new Set(event.message.toolCalls.map(({ id }) => id)));
        const { reasoning = '', content } = event.message;
        return [
          ...(reasoning === '' ? [] : [chunk('agent_thought_chunk', reasoning)]),
          ...(content === '' ? [] : [chunk('agent_message_chunk', content)]),
        ];
      }
      case 'tool_call': {
        const { call, effect } = event;
        const diffs = effect === undefined ? [] : contentOf(effect);
        calls.set(call.id, { diffs, output: '' });
        const isKnown = written.delete(call.id);
        return [
          {
            sessionUpdate: isKnown ? 'tool_call_update' : 'tool_call',
            toolCallId: call.id,
            title: effect?.summary ?? call.name,
            name: call.name,
            kind: toolKindOf(call.name, effect),
            status: 'pending',
            rawInput: jsonOr(call.arguments, call.arguments),
            ...(diffs.length > 0 && { content: diffs }),
            ...(effect !== undefined && { locations: locationsOf(effect) }),
          },
        ];
      }
      case 'decision':
        return event.verdict === 'deny'
          ? []
          : [{ sessionUpdate: 'tool_call_update', toolCallId: event.callId, status: 'in_progress' }];
      case 'tool_output': {
        const call = calls.get(event.callId);
        if (call === undefined || terminals.has(event.callId)) return [];
        call.output = takeEnd(call.output + event.text, MAX_LIVE_OUTPUT);
        const content = [...call.diffs, textContent(call.output)];
        return [{ sessionUpdate: 'tool_call_update', toolCallId: event.callId, content }];
      }
      case 'tool_result': {
        const diffs = calls.get(event.callId)?.diffs ?? [];
        calls.delete(event.callId);
        const isOk = event.outcome === 'ok';
        const terminal = terminals.get(event.callId);
        const shown = [...(isOk ? diffs : []), ...(terminal === undefined ? [] : [terminalContent(terminal)])];
        // A diff says what an edit has done, and a terminal what a command has; the result repeats it for the model.
        const text = isOk && shown.length > 0 ? [] : [textContent(event.content)];
        return [
          {
            sessionUpdate: 'tool_call_update',
            toolCallId: event.callId,
            status: isOk ? 'completed' : 'failed',
            content: [...shown, ...text, ...(event.images ?? []).map(imageContent)],
            rawOutput: { outcome: event.outcome, summary: event.summary, ...(event.code && { code: event.code }) },
          },
        ];
      }
      case 'tasks':
        return [
          {
            sessionUpdate: 'plan',
            entries: event.tasks.map(({ content, status }) => ({ content, status, priority: 'medium' as const })),
          },
        ];
      case 'usage':
        if (facts.window === undefined || event.purpose !== undefined) return [];
        return [{ sessionUpdate: 'usage_update', used: event.inputTokens + event.outputTokens, size: facts.window }];
      case 'retry':
        return [...failedUpdates(written), ...noticeOf(event.message)];
      case 'warning':
        return noticeOf(event.message);
      case 'run_end':
        return event.outcome === 'limit' || event.outcome === 'stuck' || event.outcome === 'denied'
          ? [chunk('agent_message_chunk', `\n\n${event.message}`)]
          : [];
      default:
        return [];
    }
  };
}

/** Growth of a call after which the client gets its end again, in bytes. */
const WRITTEN_STEP = 256;

type Written = Map<string, { readonly size: number; readonly path: string | undefined }>;

/** The updates for a piece of a call: the call itself at its first piece, then its path and the end of its content. */
function writtenUpdates(event: Extract<AgentEvent, { type: 'tool_call_delta' }>, known: Written): SessionUpdate[] {
  const { callId: toolCallId, name, written } = event;
  if (toolCallId === undefined || name === undefined || written === undefined) return [];
  const { effect, path, size, tail } = written;
  const before = known.get(toolCallId);
  if (before !== undefined && before.path === path && size < before.size + WRITTEN_STEP) return [];
  known.set(toolCallId, { path, size });
  const title = `${name}${path === undefined ? '' : ` ${path}`}${size === 0 ? '' : ` (${formatSize(size)})`}`;
  const content = size === 0 ? {} : { content: [textContent(tail)] };
  if (before !== undefined) return [{ sessionUpdate: 'tool_call_update', toolCallId, title, ...content }];
  const kind = effect === undefined ? 'other' : WRITTEN_KINDS[effect];
  return [{ sessionUpdate: 'tool_call', toolCallId, title, name, kind, status: 'pending', ...content }];
}

const WRITTEN_KINDS = { read: 'read', write: 'edit', execute: 'execute' } as const;

/** The ends of the calls that were being written, except these, which never become calls. */
function failedUpdates(known: Written, kept: ReadonlySet<string> = new Set()): SessionUpdate[] {
  const cut = [...known.keys()].filter((id) => !kept.has(id));
  for (const id of cut) known.delete(id);
  return cut.map((toolCallId) => ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' }));
}

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } };
}

function pictureChunk({ mediaType, data }: ImageContent): SessionUpdate {
  return { sessionUpdate: 'user_message_chunk', content: { type: 'image', mimeType: mediaType, data } };
}
