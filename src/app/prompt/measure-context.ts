import { type ContextSettings, findWindow, requestLimit } from '../../agent/context/fit-into-window.ts';
import { scaleOf, sizeOfAll, sizeOfFrame } from '../../agent/context/request-size.ts';
import type { LanguageModel } from '../../agent/ports/language-model.ts';
import type { Message } from '../../agent/ports/messages.ts';
import type { ToolSet } from '../../agent/ports/tool.ts';
import { repairHistory } from '../../agent/repair-history.ts';
import type { SessionState } from '../../agent/session-state.ts';
import { estimateTokens } from '../../text/tokens.ts';

/** Contents of the context window. All sizes are tokens: estimates, which the last count of the provider corrects. */
export interface ContextUse {
  /** The parts of the next request, in its order: those of the system prompt, the tools, the messages by role. */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly tokens: number;
  /** Size of the context window. */
  readonly window: number;
  /** A larger request is shortened before it is sent. */
  readonly limit: number;
}

/** A conversation and the model that it is for. */
interface MeasuredConversation {
  readonly model: LanguageModel;
  readonly session: { readonly state: SessionState };
  readonly tools: ToolSet;
  readonly promptParts: readonly { readonly name: string; readonly text: string }[];
  readonly settings: { readonly system: string };
}

const ROLES: readonly (readonly [Message['role'], string])[] = [
  ['user', 'user messages'],
  ['assistant', 'assistant messages'],
  ['tool', 'tool results'],
];

/** Measures the next request of a conversation, without its prompt. Asks the server for the window of the model. */
export async function measureContext(
  { model, session: { state }, tools, promptParts, settings: { system } }: MeasuredConversation,
  settings: ContextSettings,
  signal: AbortSignal,
): Promise<ContextUse> {
  const window = await findWindow(model, settings, signal);
  const request = { model, system, tools: tools.definitions };
  const scale = scaleOf(state.counted, request);
  const messages = repairHistory(state.messages);
  const frame = sizeOfFrame(request);
  const sizes = [
    ...promptParts.map(({ name, text }) => ({ name: `system prompt: ${name}`, size: estimateTokens(text) })),
    { name: 'tools', size: frame - sizeOfFrame({ ...request, tools: [] }) },
    ...ROLES.map(([role, name]) => ({ name, size: sizeOfAll(messages.filter((message) => message.role === role)) })),
  ];
  return {
    parts: sizes.map(({ name, size }) => ({ name, tokens: Math.ceil(size * scale) })),
    tokens: Math.ceil((frame + sizeOfAll(messages)) * scale),
    window: window.tokens,
    limit: Math.floor(requestLimit(window, settings)),
  };
}
