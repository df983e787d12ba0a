import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AgentEvent, Clock, ComputeDigest, LanguageModel, ModelEvent, ToolCall } from '../src/agent/index.ts';

/** The time of this machine, which the agent gets as a value. */
export const clock: Clock = { now: Date.now, sleep: (ms, signal) => wait(ms, undefined, { signal }) };

/** SHA-256, by which the agent recognizes a plan that a user has approved. */
export const digest: ComputeDigest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** One answer of a scripted model: a text, or calls of tools by name with their arguments. */
export type ScriptedAnswer = string | Readonly<Record<string, object>>;

/** A model that gives these answers, one per request. */
export function scriptedModel(...answers: readonly ScriptedAnswer[]): LanguageModel {
  let requests = 0;
  return {
    identity: { provider: 'chapters', wire: 'none', model: 'script' },
    async *stream() {
      const answer = answers[requests] ?? 'I have nothing more to say.';
      requests += 1;
      if (typeof answer === 'string') {
        yield { type: 'text_delta', text: answer };
      } else {
        yield* callsOf(answer, requests);
      }
      yield { type: 'finish', reason: typeof answer === 'string' ? 'stop' : 'tool_calls' };
    },
  };
}

function callsOf(answer: Readonly<Record<string, object>>, request: number): readonly ModelEvent[] {
  return Object.entries(answer).map(([name, args], index) => {
    const id = `call_${request}_${index + 1}`;
    return { type: 'tool_call_delta', index, id, name, arguments: JSON.stringify(args) } as const;
  });
}

/** Prints an event as one line, apart from those that the next chapters do not need. */
export function show(event: AgentEvent): void {
  const line = lineOf(event);
  if (line !== undefined) console.log(line);
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'user_message':
      return `user       ${event.text}`;
    case 'turn_start':
      return `request ${event.turn}`;
    case 'text_delta':
      return `  text     ${event.text}`;
    case 'tool_call':
      return `  call     ${textOf(event.call)}${event.effect === undefined ? '' : ` → ${event.effect.summary}`}`;
    case 'approval_request':
      return `  question ${event.request.effect.summary}? (${event.request.reason})`;
    case 'approval_decision':
      return `  answer   ${event.decision.type}`;
    case 'tool_output':
      return `  output   ${event.text.trimEnd()}`;
    case 'tool_result':
      return `  result   ${event.outcome}: ${event.content.replaceAll('\n', '\n             ')}`;
    case 'compaction':
      return `  shorter  ${event.tokensBefore} → ${event.tokensAfter} tokens`;
    case 'warning':
      return `  warning  ${event.message}`;
    case 'run_end':
      return `end        ${event.outcome}: ${event.message}`;
    default:
      return undefined;
  }
}

function textOf({ name, arguments: args }: ToolCall): string {
  return `${name} ${args}`;
}
