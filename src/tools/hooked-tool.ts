import type { JsonObject } from '../ports/json.ts';
import type { PlannedEffect, Tool, ToolContext, ToolResult } from '../ports/tool.ts';

/** A call that a hook looks at, with the arguments of the model, or those that the user has changed. */
export interface HookedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: unknown;
}

/** The answer of a hook before a call. A changed call is planned and judged like one of the model. */
export interface HookAnswer extends Partial<NonNullable<PlannedEffect['host']>> {
  readonly arguments?: JsonObject;
}

/**
 * The hooks of the program that drives ybs. `beforeCall` is asked once about a call and its arguments, before the rules
 * decide; `undefined` leaves it to them, and so does a verdict `allow` where they deny. `afterCall` returns a text to add
 * to the result. A hook that throws makes the call fail.
 */
export interface CallHooks {
  beforeCall?(call: HookedCall, signal: AbortSignal): Promise<HookAnswer | undefined>;
  afterCall?(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<string | undefined>;
}

const DEFAULT_REASON = 'A hook of the program that drives ybs has decided so.';

/** A tool whose calls the hooks look at. */
export function withHooks(tool: Tool, hooks: CallHooks): Tool {
  const toolName = tool.definition.name;
  /** The answers of each run, because a call is planned more than once. */
  const answers = new WeakMap<AbortSignal, Map<string, Promise<HookAnswer | undefined>>>();
  const ask = (args: unknown, { callId, signal }: ToolContext): Promise<HookAnswer | undefined> | undefined => {
    if (hooks.beforeCall === undefined) return undefined;
    const known = answers.get(signal) ?? new Map<string, Promise<HookAnswer | undefined>>();
    answers.set(signal, known);
    const key = JSON.stringify([callId, args]);
    const answer = known.get(key) ?? hooks.beforeCall({ callId, toolName, arguments: args }, signal);
    known.set(key, answer);
    return answer;
  };
  return {
    ...tool,
    async plan(given, context) {
      const answer = await ask(given, context);
      const args = answer?.arguments ?? given;
      const planned = await tool.plan(args, context);
      const { verdict, reason = DEFAULT_REASON } = answer ?? {};
      return {
        effect: verdict === undefined ? planned.effect : { ...planned.effect, host: { verdict, reason } },
        async *run() {
          const result = yield* planned.run();
          const call = { callId: context.callId, toolName, arguments: args };
          const note = await hooks.afterCall?.(call, result, context.signal);
          return note === undefined ? result : { ...result, content: `${result.content}\n\n${note}` };
        },
      };
    },
  };
}
