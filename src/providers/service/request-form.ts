import { type ServiceRules, WIRE_RULES } from './service-rules.ts';

/** The form of a request. A refusal changes it. */
export interface RequestForm {
  readonly rules: ServiceRules;
  /** The maximum length of an answer, in tokens. */
  readonly maxTokens: number;
}

/** The form of the next request of a wire. */
export function formOf({
  form,
  maxTokens,
}: {
  readonly form?: (() => RequestForm) | undefined;
  readonly maxTokens: number;
}): RequestForm {
  return form?.() ?? { rules: WIRE_RULES['openai-chat'], maxTokens };
}
