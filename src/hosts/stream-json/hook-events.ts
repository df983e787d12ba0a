import type { CallHooks } from '../../tools/wrappers/hooked-tools.ts';

/** The hooks of a host that have an effect. */
export const KNOWN_HOOKS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const;

/** The name of a hook of a host. */
export type HookEvent = (typeof KNOWN_HOOKS)[number];

/** A prompt after the hooks: with what they add, or not to be run. */
export type HookedPrompt =
  | { readonly type: 'run'; readonly added: string | undefined }
  | { readonly type: 'blocked'; readonly reason: string };

/** The hooks of a host around calls, prompts and the end of a run. */
export interface HostHooks {
  readonly calls: CallHooks;
  beforePrompt(prompt: string, signal: AbortSignal): Promise<HookedPrompt>;
  /** Returns a text with which the run goes on; `undefined`: it ends. `again`: it has gone on like this before. */
  afterRun(again: boolean, signal: AbortSignal): Promise<string | undefined>;
}
