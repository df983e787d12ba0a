import { ModelError, UsageError } from '../../agent/errors.ts';
import type { LanguageModel, ModelIdentity } from '../../agent/ports/language-model.ts';
import type { Price } from '../limits/known-model.ts';
import { costOf, priceOf } from './price.ts';

/** A limit for the cost of all requests to models. */
export interface Budget {
  /**
   * The model within the budget: once the requests have cost that much, the next one throws the `ModelError`
   * `budget_spent`. The last request may exceed the budget. Throws `UsageError` if the model has no price.
   */
  limit(model: LanguageModel): LanguageModel;
}

/** Their models run on a machine of the user, who pays nothing for a token. */
const OWN_MACHINES: ReadonlySet<string> = new Set(['ollama', 'lmstudio', 'apple', 'mock']);
const FREE: Price = { input: 0, output: 0 };

/** Creates a budget of this many US dollars. `prices` are those of the configuration. */
export function createBudget(dollars: number, prices: Readonly<Record<string, Price>>): Budget {
  let spent = 0;
  const priceFor = (identity: ModelIdentity): Price => {
    const price = priceOf(identity, prices) ?? (OWN_MACHINES.has(identity.provider) ? FREE : undefined);
    if (price !== undefined) return price;
    throw new UsageError(
      `A budget needs the price of ${identity.provider}/${identity.model}: set it in models.prices (--max-budget-usd).`,
    );
  };
  return {
    limit(model) {
      const price = priceFor(model.identity);
      return {
        get identity() {
          return model.identity;
        },
        contextWindow: async (signal) => model.contextWindow?.(signal),
        async *stream(request, signal) {
          if (spent >= dollars) throw new ModelError('budget_spent', spentText(spent, dollars));
          for await (const event of model.stream(request, signal)) {
            // Another model may stand in for this one.
            if (event.type === 'usage') spent += costOf(event, priceOf(model.identity, prices) ?? price);
            yield event;
          }
        },
      };
    },
  };
}

function spentText(spent: number, dollars: number): string {
  return `Stopped: the requests have cost $${spent.toFixed(4)} of a budget of $${dollars} (--max-budget-usd).`;
}
