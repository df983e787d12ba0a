import type { SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../../agent/ports/events.ts';
import type { ImageContent } from '../../agent/ports/messages.ts';
import type { Task } from '../../agent/ports/tool.ts';
import { jsonOr } from '../../text/json.ts';
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
      case 'assistant_message': {
        if (!replays) return [];
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
        return [
          {
            sessionUpdate: 'tool_call',
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
        return [{ sessionUpdate: 'plan', entries: event.tasks.map(planEntry) }];
      case 'usage':
        if (facts.window === undefined || event.purpose !== undefined) return [];
        return [{ sessionUpdate: 'usage_update', used: event.inputTokens + event.outputTokens, size: facts.window }];
      case 'retry':
      case 'warning':
        return notices ? [{ sessionUpdate: 'notice', severity: 'warning', title: event.message }] : [];
      case 'run_end':
        return event.outcome === 'limit' || event.outcome === 'stuck' || event.outcome === 'denied'
          ? [chunk('agent_message_chunk', `\n\n${event.message}`)]
          : [];
      default:
        return [];
    }
  };
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

function planEntry({ content, status }: Task) {
  return { content, status, priority: 'medium' } as const;
}
