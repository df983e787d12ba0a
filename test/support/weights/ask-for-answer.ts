import { ModelError } from '../../../src/agent/errors.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { systemClock } from '../../../src/node/system.ts';
import { withRetry } from '../../../src/providers/retry.ts';
import { loadWire, type Wire } from '../../../src/providers/wires.ts';
import { type ChatMessage, TOOL } from './histories.ts';

/** A model that a server offers on a wire. */
interface Asked {
  readonly wire: Wire;
  readonly endpoint: string;
  readonly model: string;
}

/** The texts with which a model replaces the errors of the mock. */
const TEXTS: readonly (readonly [error: RegExp, text: string])[] = [
  [/No scenario matches this request/, 'No scenario of this model matches the prompt.'],
  [/The request has the tool results of step/, 'The scenario has no step for this number of tool results.'],
];

/** A text and the arguments of calls as one text. */
export function describeAnswer(content: string, calls: readonly string[]): string {
  return [content.trim(), ...calls.map((text) => JSON.stringify(JSON.parse(text)))].join(' ').trim();
}

/**
 * The answer to a history over a wire, of three tries as in a run of ybs; for an error of the mock, the text by which a
 * model replaces it.
 */
export async function askForAnswer({ wire, ...server }: Asked, history: readonly ChatMessage[]): Promise<string> {
  const create = await loadWire(wire);
  const options = { provider: 'server', label: 'The server', ...server, timeoutMs: 60_000, maxTokens: 500 };
  const model = withRetry(create({ ...options, clock: systemClock }), systemClock, { attempts: 2, backoffBaseMs: 100 });
  const { name, description, parameters } = TOOL.function;
  const request = {
    system: history.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n'),
    messages: history.flatMap(messageOf),
    tools: [{ name, description, parameters, effect: 'read' as const }],
  };
  let content = '';
  const calls = new Map<number, string>();
  try {
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (event.type === 'retry') {
        content = '';
        calls.clear();
      }
      if (event.type === 'text_delta') content += event.text;
      if (event.type !== 'tool_call_delta') continue;
      calls.set(event.index, (calls.get(event.index) ?? '') + event.arguments);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return TEXTS.find(([pattern]) => pattern.test(error.message))?.[1] ?? `${error.code}: ${error.message}`;
  }
  return describeAnswer(content, [...calls.values()]);
}

function messageOf({
  role,
  content,
  tool_calls: calls = [],
  tool_call_id: callId = '',
}: ChatMessage): readonly Message[] {
  switch (role) {
    case 'system':
      return [];
    case 'user':
      return [{ role, content }];
    case 'assistant':
      return [{ role, content, toolCalls: calls.map(({ id, function: call }) => ({ id, ...call })) }];
    case 'tool':
      return [{ role, toolCallId: callId, content, isError: false }];
  }
}
