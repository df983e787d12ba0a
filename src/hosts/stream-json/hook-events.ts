import type { CallHooks } from '../../tools/wrappers/hooked-tools.ts';
import type { PromptHooks } from '../drive.ts';

/** The hooks of a host that have an effect. */
export const KNOWN_HOOKS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop'] as const;

/** The name of a hook of a host. */
export type HookEvent = (typeof KNOWN_HOOKS)[number];

/** The hooks of a host around calls, prompts and the end of a run. */
export interface HostHooks extends PromptHooks {
  readonly calls: CallHooks;
}
