import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AgentEvent,
  type Clock,
  type ComputeDigest,
  type LanguageModel,
  type ModelEvent,
  type ToolDefinition,
  type ToolEffect,
  ToolError,
} from '../src/agent/index.ts';

/** The time of this machine, which the agent gets as a value. */
export const clock: Clock = { now: Date.now, sleep: (ms, signal) => wait(ms, undefined, { signal }) };

/** SHA-256, by which the agent recognizes a plan that a user has approved. */
export const digest: ComputeDigest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The definition of a tool whose arguments are strings. */
export function definition(name: string, effect: ToolEffect, ...names: readonly string[]): ToolDefinition {
  const properties = Object.fromEntries(names.map((each) => [each, { type: 'string' }]));
  const description = name.replaceAll('_', ' ');
  return { name, description, parameters: { type: 'object', properties, required: names }, effect };
}

/** An argument of a call. What a model sends may be anything, so every plan checks it. */
export function argument(args: unknown, name: string): string {
  const value = Object.entries(args ?? {}).find(([key]) => key === name)?.[1];
  if (typeof value === 'string') return value;
  throw new ToolError('invalid_arguments', `The argument "${name}" is missing or not a string. Send it.`);
}

/** One answer of a scripted model: a text, or calls of tools, each by name with its arguments. */
export type ScriptedAnswer = string | readonly (readonly [name: string, args: object])[];

/** A model that gives these answers, one per request. */
export function scriptedModel(...answers: ScriptedAnswer[]): LanguageModel {
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

function callsOf(calls: Exclude<ScriptedAnswer, string>, request: number): readonly ModelEvent[] {
  return calls.map(([name, args], index) => {
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
    case 'assistant_message':
      return event.message.content === '' ? undefined : `  text     ${event.message.content}`;
    case 'tool_call':
      return `  call     ${event.call.name} ${event.call.arguments}${event.effect === undefined ? '' : ` → ${event.effect.summary}`}`;
    case 'approval_request':
      return `  question ${event.request.effect.summary}? (${event.request.reason})`;
    case 'approval_decision':
      return `  answer   ${event.decision.type}`;
    case 'tool_output':
      return `  output   ${event.text.trimEnd()}`;
    case 'tool_result':
      return `  result   ${event.outcome}: ${event.content.replaceAll(/\n(?=.)/g, '\n             ')}`;
    case 'retry':
      return `  retry    ${event.attempt}: ${event.message}`;
    case 'warning':
      return `  warning  ${event.message}`;
    case 'run_end':
      return `end        ${event.outcome}: ${event.message}`;
    default:
      return undefined;
  }
}
