import type { FinishReason, ModelEvent } from '../../agent/ports/language-model.ts';
import { conforms, type ValueOf } from '../../schema/conforms.ts';
import { finishReason } from '../finish-reasons.ts';
import { garbled } from '../http/read-form.ts';
import { tokensIn } from '../http/server-error.ts';
import type { AnswerReader } from '../http/stream-answer.ts';
import { callDelta, endOfAnswer } from '../provider-state.ts';
import { OLLAMA_LINE } from './schemas.data.ts';

/** Creates a reader for the lines of one answer. The last one has the usage and the finish reason. */
export function createLineReader(): AnswerReader {
  let calls = 0;
  const read: AnswerReader['read'] = (line) => {
    if (!conforms(line, OLLAMA_LINE)) return garbled(line, OLLAMA_LINE);
    const { message, done } = line;
    const { content, thinking, tool_calls: toolCalls } = message ?? {};
    const events: ModelEvent[] = [];
    if (thinking) events.push({ type: 'reasoning_delta', text: thinking });
    if (content) events.push({ type: 'text_delta', text: content });
    // The calls arrive whole. Their own indexes are not used, because some servers start again with each line.
    for (const { id, function: called } of toolCalls ?? []) {
      const args = called.arguments ?? {};
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      events.push(callDelta(calls, text, { id: id === undefined || id === null ? '' : String(id), name: called.name }));
      calls += 1;
    }
    if (done === true) events.push(...endOf(line, calls > 0));
    return events;
  };
  return { read };
}

function endOf(line: ValueOf<typeof OLLAMA_LINE>, hasCalls: boolean): readonly ModelEvent[] {
  const inputTokens = tokensIn(line, 'prompt_eval_count');
  // A server may leave out the counts.
  const usage =
    inputTokens === undefined ? undefined : { inputTokens, outputTokens: tokensIn(line, 'eval_count') ?? 0 };
  return endOfAnswer(finishOf(line.done_reason || 'stop', hasCalls), usage);
}

function finishOf(reason: string, hasCalls: boolean): FinishReason {
  const finish = finishReason('ollama-chat', reason);
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish;
}
