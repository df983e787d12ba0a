import type { ReasoningEffort } from '../../agent/ports/language-model.ts';
import { type EffortLevel, type ServiceRules, WIRE_RULES } from './service-rules.ts';

/** The form of a request. A refusal changes it. */
export interface RequestForm {
  readonly rules: ServiceRules;
  /** The maximum length of an answer, in tokens. */
  readonly maxTokens: number;
}

/** The form of the next request of a wire, and the effort in it; `undefined` for that of the model. */
export function formOf({
  form,
  maxTokens,
  reasoningEffort,
}: {
  readonly form?: (() => RequestForm) | undefined;
  readonly maxTokens: number;
  readonly reasoningEffort?: ReasoningEffort | undefined;
}): RequestForm & { readonly effort: EffortLevel | undefined } {
  const next = form?.() ?? { rules: WIRE_RULES['openai-chat'], maxTokens };
  const { effort } = next.rules;
  if (effort === 'left out') return { ...next, effort: undefined };
  return { ...next, effort: effort === 'sent' ? reasoningEffort : effort };
}
