import type { PermissionRule } from './ports/approver.ts';
import type { AgentEvent } from './ports/events.ts';
import type { ModelIdentity } from './ports/language-model.ts';
import type { Message } from './ports/messages.ts';
import type { Task } from './ports/tool.ts';
import { isEmptyAnswer } from './repair-history.ts';

/** State of a session, folded from its events. */
export interface SessionState {
  readonly started: boolean;
  readonly messages: readonly Message[];
  /** The permission rules that the user's answers have added. */
  readonly rules: readonly PermissionRule[];
  /** The task list that the model keeps. */
  readonly tasks: readonly Task[];
  /** The last request whose tokens the provider has counted. */
  readonly counted?: CountedRequest;
  /** The name of the agent that the user has chosen; empty after leaving it. */
  readonly agent?: string;
  /** The messages of all warnings, so that one that concerns the whole session is given once. */
  readonly warnings: readonly string[];
}

/** The tokens that a provider counted in a request with these messages. */
export interface CountedRequest {
  readonly model: ModelIdentity;
  readonly inputTokens: number;
  readonly messages: readonly Message[];
}

/** State of a new session. */
export const EMPTY_SESSION: SessionState = { started: false, messages: [], rules: [], tasks: [], warnings: [] };

/** The state after one more event. Pure: folding the events of a session again gives the same state. */
export function applyEvent(state: SessionState, event: AgentEvent): SessionState {
  switch (event.type) {
    case 'session_start':
      return { ...state, started: true };
    case 'user_message': {
      const { type: _type, text: content, ...facts } = event;
      return withMessage(state, { role: 'user', content, ...facts });
    }
    case 'assistant_message':
      return isEmptyAnswer(event.message) ? state : withMessage(state, event.message);
    case 'tool_result':
      return withMessage(state, {
        role: 'tool',
        toolCallId: event.callId,
        content: event.content,
        isError: event.outcome !== 'ok',
        ...(event.images === undefined ? {} : { images: event.images }),
      });
    case 'compaction':
      return { ...state, messages: event.messages };
    case 'approval_decision':
      return event.added === undefined ? state : { ...state, rules: [...state.rules, event.added] };
    case 'tasks':
      return { ...state, tasks: event.tasks };
    case 'usage': {
      const { model, inputTokens, purpose } = event;
      return purpose === undefined ? { ...state, counted: { model, inputTokens, messages: state.messages } } : state;
    }
    case 'warning':
      return { ...state, warnings: [...state.warnings, event.message] };
    case 'user_action':
      return event.action === '/agent' ? { ...state, agent: event.detail } : state;
    case 'turn_start':
    case 'text_delta':
    case 'reasoning_delta':
    case 'tool_call_delta':
    case 'tool_call':
    case 'approval_request':
    case 'tool_output':
    case 'retry':
    case 'checkpoint':
    case 'decision':
    case 'receipt':
    case 'commit':
    case 'permission_mode':
    case 'answer':
    case 'plan':
    case 'turn_end':
    case 'run_end':
      return state;
  }
}

/** Half of a character, as of an emoji in a cut answer. Servers refuse every request that contains one. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

function withMessage(state: SessionState, message: Message): SessionState {
  const content = message.content.replace(LONE_SURROGATE, '\ufffd');
  return { ...state, messages: [...state.messages, { ...message, content }] };
}
