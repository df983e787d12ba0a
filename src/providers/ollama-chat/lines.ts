import type { FinishReason, ModelEvent } from '../../agent/ports/language-model.ts';
import { conforms } from '../../schema/conforms.ts';
import { garbled } from '../http/read-form.ts';
import { OLLAMA_LINE } from '../schemas.data.ts';

/** One line of an answer: its events, or the error that it reports as JSON. */
export type Line =
  | { readonly type: 'events'; readonly events: readonly ModelEvent[] }
  | { readonly type: 'error'; readonly body: string };

/**
 * Returns a function that reads the lines of one answer. The last one has the usage and the finish reason. The function
 * rejects with `FailedRequest` for a value that is no line of an answer.
 */
export function createLineReader(): (line: unknown) => Line | Promise<never> {
  let calls = 0;
  return (line) => {
    const error = errorIn(line);
    if (error !== undefined) return { type: 'error', body: JSON.stringify({ error }) };
    if (!conforms(line, OLLAMA_LINE)) return garbled(line, loadSchema);
    const { message, done } = line;
    const { content, thinking, tool_calls: toolCalls } = message ?? {};
    const events: ModelEvent[] = [];
    if (thinking) events.push({ type: 'reasoning_delta', text: thinking });
    if (content) events.push({ type: 'text_delta', text: content });
    // The calls arrive whole. Their own indexes are not used, because some servers start again with each line.
    for (const { id, function: called } of toolCalls ?? []) {
      const args = called.arguments ?? {};
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      const named = { index: calls, ...(id ? { id } : {}), name: called.name };
      events.push({ type: 'tool_call_delta', ...named, arguments: text });
      calls += 1;
    }
    if (done === true) events.push(...endOf(line, calls > 0));
    return { type: 'events', events };
  };
}

const loadSchema = async () => (await import('./schemas.ts')).lineSchema;

function errorIn(line: unknown): unknown {
  return typeof line === 'object' && line !== null && 'error' in line ? (line.error ?? undefined) : undefined;
}

function endOf(line: NonNullable<typeof OLLAMA_LINE.value>, hasCalls: boolean): ModelEvent[] {
  const { prompt_eval_count: inputTokens, eval_count: outputTokens } = line;
  const finish = { type: 'finish', reason: finishReason(line.done_reason ?? 'stop', hasCalls) } as const;
  // A server may leave out the counts.
  if (typeof inputTokens !== 'number') return [finish];
  return [{ type: 'usage', inputTokens, outputTokens: outputTokens ?? 0 }, finish];
}

function finishReason(reason: string, hasCalls: boolean): FinishReason {
  switch (reason) {
    case 'stop':
      return hasCalls ? 'tool_calls' : 'stop';
    case 'length':
      return 'length';
    default:
      return 'unknown';
  }
}
