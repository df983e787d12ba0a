import type { JsonObject } from '../../agent/ports/json.ts';
import type { PlannedEffect, Tool, ToolResult, ToolSet } from '../../agent/ports/tool.ts';

/** A call that a hook checks, with the name and the arguments that the model sent, or those that the user has changed. */
export interface HookedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: unknown;
}

/** The answer of a hook before a call. A changed call is planned and decided like one of the model. */
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

const DEFAULT_REASON = "The host's hook decided this.";

/** The tools with hooks around their calls. `redact` replaces secrets in the texts of the hooks for the model. */
export function withHooks(tools: ToolSet, hooks: CallHooks, redact: (text: string) => string): ToolSet {
  /** The answers of each run, because a call is planned more than once. */
  const answers = new WeakMap<AbortSignal, Map<string, ReturnType<NonNullable<CallHooks['beforeCall']>>>>();
  const ask = (call: HookedCall, signal: AbortSignal): ReturnType<NonNullable<CallHooks['beforeCall']>> => {
    if (hooks.beforeCall === undefined) return Promise.resolve(undefined);
    const known = answers.get(signal) ?? new Map<string, Promise<HookAnswer | undefined>>();
    answers.set(signal, known);
    const key = JSON.stringify([call.callId, call.arguments]);
    const answer = known.get(key) ?? hooks.beforeCall(call, signal);
    known.set(key, answer);
    return answer;
  };
  const hooked = (tool: Tool, toolName: string): Tool => ({
    ...tool,
    async plan(given, context) {
      const { callId, signal } = context;
      const answer = await ask({ callId, toolName, arguments: given }, signal);
      const args = answer?.arguments ?? given;
      const planned = await tool.plan(args, context);
      const { verdict, reason = DEFAULT_REASON } = answer ?? {};
      return {
        effect: verdict === undefined ? planned.effect : { ...planned.effect, host: { verdict, reason } },
        async *run(limits) {
          const result = yield* planned.run(limits);
          const note = await hooks.afterCall?.({ callId, toolName, arguments: args }, result, signal);
          return note === undefined ? result : { ...result, content: `${result.content}\n\n${redact(note)}` };
        },
      };
    },
  });
  return {
    get definitions() {
      return tools.definitions;
    },
    find(name) {
      const tool = tools.find(name);
      return tool === undefined ? undefined : hooked(tool, name);
    },
    nearest: (name) => tools.nearest(name),
  };
}
