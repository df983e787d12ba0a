import { ModelError } from '../../agent/errors.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../agent/ports/language-model.ts';
import type { CreateModel, WireOptions } from '../wire-options.ts';
import { fitRequest } from './fit-request.ts';
import { nextForm } from './next-form.ts';
import type { RequestForm } from './request-form.ts';
import type { ServiceRules } from './service-rules.ts';
import { otherNames, withOwnName } from './tool-names.ts';

/** The greatest number of forms of one request. */
const MAX_FORMS = 8;

/**
 * A model whose requests have the form that its service accepts. A request that is refused for a reason which another
 * form meets is sent again in that form, as a `retry` event says; if it is answered, later requests have the form at
 * once. `maxTokens` finds out the greatest length of an answer before a request.
 */
export function inServiceForm(
  create: CreateModel,
  options: WireOptions,
  rules: ServiceRules,
  maxTokens: (signal: AbortSignal) => Promise<number>,
): LanguageModel {
  const { reasoningEffort: effort = rules.effort } = options;
  let known = { rules: rules.effort === 'sent' ? { ...rules, effort } : rules, cap: Number.POSITIVE_INFINITY };
  let current: RequestForm = { rules: known.rules, maxTokens: options.maxTokens };
  const tried = new Set<string>();
  const model = create({ ...options, form: () => current });

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, void> {
    current = { rules: known.rules, maxTokens: Math.min(known.cap, await maxTokens(signal)) };
    let found = known;
    for (let count = 1; ; count += 1) {
      const names = otherNames(current.rules.renamedTools);
      let answered = false;
      try {
        for await (const event of model.stream(fitRequest(request, current.rules), signal)) {
          answered = true;
          known = found;
          yield withOwnName(event, names);
        }
        return;
      } catch (error) {
        if (answered || signal.aborted || count === MAX_FORMS || !(error instanceof ModelError)) throw error;
        const own = JSON.stringify(current.rules);
        const next = nextForm(error, current, request, new Set([...tried, own]));
        // A server that was only busy has not refused this form.
        if (next !== undefined || error.code === 'bad_request') tried.add(own);
        if (next === undefined) throw error;
        current = next.form;
        if (next.keeps === 'rules') found = { ...found, rules: current.rules };
        if (next.keeps === 'maxTokens') found = { ...found, cap: current.maxTokens };
        const message = `${error.message} The request is sent again ${next.how}.`;
        yield { type: 'retry', attempt: 1, delayMs: 0, code: error.code, message };
      }
    }
  }
  return { ...model, stream };
}
