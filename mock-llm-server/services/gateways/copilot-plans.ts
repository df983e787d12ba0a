import type { Check } from '../service.ts';

/** The plan of a token by the name of its product, of which the first that fits counts. */
const PLANS: readonly (readonly [product: RegExp, plan: Plan])[] = [
  [/^free_limited/, 'free'],
  [/^free_educational/, 'student'],
  [/^plus_/, 'pro+'],
  [/^(?:copilot_for_individuals|monthly|yearly)/, 'pro'],
];
type Plan = 'free' | 'student' | 'pro' | 'pro+';

/**
 * The models that a plan does not have:
 * https://github.com/github/docs/blob/main/data/tables/copilot/model-supported-plans.yml
 */
const MISSING: Readonly<Record<Plan, RegExp>> = {
  free: /^(?:claude-(?!haiku-4\.5)|gemini-|gpt-5(?!-mini)|grok-)/,
  student: /^(?:claude-(?!haiku-4\.5)|gemini-3\.5|gpt-5\.(?:3-codex|4(?!-mini)|5))/,
  pro: /^(?:claude-opus|gpt-5\.5)/,
  'pro+': /^claude-opus-4\.[56]/,
};

/** Refuses a model that the plan of the token lacks. A token that names no product has every model. */
export const refuseOtherPlans: Check = ({ headers, model }) => {
  const product = /;sku=([^;]+)/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  const plan = PLANS.find(([pattern]) => pattern.test(product))?.[1];
  if (plan === undefined || !MISSING[plan].test(model)) return undefined;
  return { message: 'The requested model is not supported.', param: 'model', code: 'model_not_supported' };
};
