import * as z from 'zod';
import type { FinishReason, ModelEvent } from '../../ports/language-model.ts';

const callSchema = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.union([z.looseObject({}), z.string()]).nullish() }),
});

const count = z.number().int().nonnegative().nullish();

/** The parts of a line that are read. Servers may omit any of them or set it to null; other keys are ignored. */
const lineSchema = z.object({
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(callSchema).nullish(),
    })
    .nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: count,
  eval_count: count,
});

const errorSchema = z.object({ error: z.unknown().refine((error) => error !== undefined && error !== null) });

/** One line of an answer: its events, the error that it reports as JSON, or why it is no line of an answer. */
export type Line =
  | { readonly type: 'events'; readonly events: readonly ModelEvent[] }
  | { readonly type: 'error'; readonly body: string }
  | { readonly type: 'invalid'; readonly detail: string };

/** Returns a function that reads the lines of one answer. The last one has the usage and the finish reason. */
export function createLineReader(): (line: unknown) => Line {
  let calls = 0;
  return (line) => {
    const error = errorSchema.safeParse(line);
    if (error.success) return { type: 'error', body: JSON.stringify(error.data) };
    const parsed = lineSchema.safeParse(line);
    if (!parsed.success) return { type: 'invalid', detail: z.prettifyError(parsed.error).replace(/\s+/g, ' ') };
    const { message, done } = parsed.data;
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
    if (done === true) events.push(...endOf(parsed.data, calls > 0));
    return { type: 'events', events };
  };
}

function endOf(line: z.output<typeof lineSchema>, hasCalls: boolean): ModelEvent[] {
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
