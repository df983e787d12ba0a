import * as z from 'zod';
import type { JsonObject } from '../../agent/ports/json.ts';
import type { HookAnswer } from '../../tools/wrappers/hooked-tools.ts';
import type { HostRequests } from '../host-requests.ts';
import type { Initialization } from './frames.data.ts';
import type { HookEvent, HostHooks } from './hook-events.ts';

export interface HostHookPorts {
  readonly requests: HostRequests;
  readonly newId: () => string;
  /** Fields of every question: the session, its directory and its permission mode. */
  readonly facts: () => object;
  /** Resolves after this many seconds, or when the signal aborts. */
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<void>;
}

const SECONDS = 60;
const DENIED = 'A hook of the host has denied it.';
const UNANSWERED = 'A hook of the host did not answer.';

const output = z.object({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  decision: z.enum(['approve', 'block']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .object({
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: z.string().optional(),
      updatedInput: z.record(z.string(), z.json()).optional(),
      additionalContext: z.string().optional(),
    })
    .optional(),
});
const answerSchema = z.object({ response: output.optional(), error: z.string().optional() });

type HookOutput = z.infer<typeof output>;

/** An answer that stops what the hook was asked about. */
const BLOCKED: HookOutput = { decision: 'block', reason: UNANSWERED };

export function createHostHooks(registered: NonNullable<Initialization['hooks']>, ports: HostHookPorts): HostHooks {
  /** The answers of the hooks of an event, in their order. A hook that fails is ignored, unless it must block. */
  const ask = async (event: HookEvent, input: object, signal: AbortSignal, subject?: HookSubject) => {
    const callbacks = (registered[event] ?? [])
      .filter(({ matcher }) => subject === undefined || matches(matcher, subject.toolName))
      .flatMap(({ hookCallbackIds, timeout = SECONDS, onFailure }) =>
        hookCallbackIds.map((id) => ({ id, timeout, failed: onFailure === 'block' ? BLOCKED : {} })),
      );
    return Promise.all(callbacks.map((callback) => askOne(callback, event, input, signal, subject)));
  };
  const askOne = async (
    callback: { readonly id: string; readonly timeout: number; readonly failed: HookOutput },
    event: HookEvent,
    input: object,
    signal: AbortSignal,
    subject: HookSubject | undefined,
  ): Promise<HookOutput> => {
    const id = ports.newId();
    const request = {
      subtype: 'hook_callback',
      callback_id: callback.id,
      input: { hook_event_name: event, ...ports.facts(), ...input },
      ...(subject !== undefined && { tool_use_id: subject.callId }),
    };
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    try {
      const answered = ports.requests.ask(id, { type: 'control_request', request_id: id, request }, either);
      const answer = await Promise.race([answered, ports.wait(callback.timeout, either)]);
      const read = answerSchema.safeParse(answer);
      return read.success && read.data.error === undefined ? (read.data.response ?? {}) : callback.failed;
    } finally {
      over.abort();
    }
  };
  return {
    calls: {
      async beforeCall({ callId, toolName, arguments: args }, signal) {
        const input = { tool_name: toolName, tool_input: args, tool_use_id: callId };
        return combine(await ask('PreToolUse', input, signal, { callId, toolName }));
      },
      async afterCall({ callId, toolName, arguments: args }, result, signal) {
        const response = { content: result.content, is_error: result.isError };
        const input = { tool_name: toolName, tool_input: args, tool_response: response, tool_use_id: callId };
        return textOf(await ask('PostToolUse', input, signal, { callId, toolName }));
      },
    },
    async beforePrompt(prompt, signal) {
      const outputs = await ask('UserPromptSubmit', { prompt }, signal);
      const blocking = outputs.find(isBlocking);
      if (blocking !== undefined) return { type: 'blocked', reason: reasonOf(blocking) };
      return { type: 'run', added: textOf(outputs) };
    },
    async afterRun(again, signal) {
      const outputs = await ask('Stop', { stop_hook_active: again }, signal);
      if (outputs.some((answer) => answer.continue === false)) return undefined;
      const blocking = outputs.find(({ decision }) => decision === 'block');
      return blocking === undefined ? undefined : reasonOf(blocking);
    },
  };
}

interface HookSubject {
  readonly callId: string;
  readonly toolName: string;
}

/** True if a matcher means the tool: no matcher, `*`, a name, or a regular expression of the whole name. */
function matches(matcher: string | undefined, toolName: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || matcher === toolName) return true;
  try {
    return new RegExp(`^(?:${matcher})$`).test(toolName);
  } catch {
    return false;
  }
}

/** The strictest answer decides: deny, then ask, then allow. The last changed input counts. */
function combine(outputs: readonly HookOutput[]): HookAnswer | undefined {
  const denied = outputs.find((answer) => isBlocking(answer) || verdictOf(answer) === 'deny');
  if (denied !== undefined) return { verdict: 'deny', reason: reasonOf(denied) };
  const updated: JsonObject | undefined = outputs.findLast((answer) => answer.hookSpecificOutput?.updatedInput)
    ?.hookSpecificOutput?.updatedInput;
  const changed = updated === undefined ? {} : { arguments: updated };
  for (const verdict of ['ask', 'allow'] as const) {
    const found = outputs.find((answer) => verdictOf(answer) === verdict);
    if (found !== undefined) return { verdict, reason: reasonOf(found), ...changed };
  }
  return updated === undefined ? undefined : changed;
}

function verdictOf({ decision, hookSpecificOutput }: HookOutput): string | undefined {
  return hookSpecificOutput?.permissionDecision ?? (decision === 'approve' ? 'allow' : undefined);
}

function isBlocking({ decision, continue: goesOn }: HookOutput): boolean {
  return decision === 'block' || goesOn === false;
}

function reasonOf({ hookSpecificOutput, reason, stopReason }: HookOutput): string {
  return hookSpecificOutput?.permissionDecisionReason ?? reason ?? stopReason ?? DENIED;
}

function textOf(outputs: readonly HookOutput[]): string | undefined {
  const texts = outputs.flatMap((answer) => [
    ...(answer.decision === 'block' && answer.reason !== undefined ? [answer.reason] : []),
    ...[answer.hookSpecificOutput?.additionalContext ?? []].flat(),
  ]);
  return texts.length === 0 ? undefined : texts.join('\n');
}
