import type { ModelError } from '../../agent/errors.ts';
import type { ModelRequest } from '../../agent/ports/language-model.ts';
import { withSeparators } from '../../text/quantities.ts';
import { plainWords } from '../http/error-words.ts';
import { readOutputLimit } from './output-limit.ts';
import type { RequestForm } from './request-form.ts';
import { SECOND_FORMS, type SecondForm } from './second-forms.ts';
import type { ServiceRules } from './service-rules.ts';

/** The next form of a refused request, and the change in words. */
export interface NextForm {
  readonly form: RequestForm;
  readonly how: string;
  /** The part of the form that later requests have, too. */
  readonly keeps: 'rules' | 'maxTokens' | 'nothing';
}

/** The codes of the failures that another form may meet. Some servers answer 500 to a request that their template refuses. */
const CODES: ReadonlySet<ModelError['code']> = new Set(['bad_request', 'overloaded', 'context_overflow']);

/**
 * The form in which a refused request is sent once more; `undefined` if none would help. `tried` has the rules of the
 * requests before, so that none is sent twice.
 */
export function nextForm(
  { code, message }: ModelError,
  { rules, maxTokens }: RequestForm,
  request: ModelRequest,
  tried: ReadonlySet<string>,
): NextForm | undefined {
  if (!CODES.has(code)) return undefined;
  const limit = readOutputLimit(message, maxTokens);
  if (limit !== undefined) {
    const how = `with at most ${withSeparators(limit.tokens)} tokens for the answer`;
    return { form: { rules, maxTokens: limit.tokens }, how, keeps: limit.kind === 'cap' ? 'maxTokens' : 'nothing' };
  }
  if (code === 'context_overflow') return undefined;
  const text = plainWords(message);
  for (const { words, change, how } of SECOND_FORMS) {
    const changed = words.test(text) ? changeOf(change, rules, request, message) : undefined;
    const form = { rules: { ...rules, ...changed }, maxTokens };
    if (changed === undefined || tried.has(JSON.stringify(form.rules))) continue;
    return { form, how: typeof how === 'string' ? how : how(changed), keeps: 'rules' };
  }
  return undefined;
}

function changeOf(
  change: SecondForm['change'],
  ...facts: readonly [rules: ServiceRules, request: ModelRequest, error: string]
): Partial<ServiceRules> | undefined {
  return typeof change === 'function' ? change(...facts) : change;
}
