import { expect, it } from 'vitest';
import type { LanguageModel, ModelIdentity } from '../../../../src/agent/ports/language-model.ts';
import { createBudget } from '../../../../src/providers/target/budget.ts';
import { createScriptedModel } from '../../../support/fakes/scripted-model.ts';

const REQUEST = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;
const million = { text: 'a', usage: { inputTokens: 1_000_000, outputTokens: 0 } };

async function ask(model: LanguageModel): Promise<void> {
  for await (const _event of model.stream(REQUEST, never));
}

it('a budget counts the requests of all models, and refuses the one after it is spent', async () => {
  const budget = createBudget(2, { 'scripted-model': { input: 1, output: 1 } });
  await ask(budget.limit(createScriptedModel(million)));
  await ask(budget.limit(createScriptedModel(million)));
  const third = createScriptedModel(million);
  await expect(ask(budget.limit(third))).rejects.toMatchObject({ code: 'budget_spent' });
  expect(third.requests).toEqual([]);
});

it('a model that stands in for another one has its own price, or that of the other', async () => {
  const budget = createBudget(10, { 'scripted-model': { input: 4, output: 1 }, cheap: { input: 1, output: 1 } });
  const scripted = createScriptedModel(million, million, million, million);
  let { identity }: { identity: ModelIdentity } = scripted;
  const limited = budget.limit({
    get identity() {
      return identity;
    },
    stream: scripted.stream,
    contextWindow: async () => ({ tokens: 5 }),
  });
  expect(await limited.contextWindow?.(never)).toEqual({ tokens: 5 });
  expect(await budget.limit(scripted).contextWindow?.(never)).toBeUndefined();
  for (const model of ['scripted-model', 'cheap', 'unknown', 'unknown']) {
    identity = { ...identity, model };
    await ask(limited);
    expect(limited.identity.model).toBe(model);
  }
  await expect(ask(limited)).rejects.toThrow('Stopped: the requests have cost $13.0000 of a budget of $10');
});

it('a model on a machine of the user costs nothing, unless the configuration has a price', async () => {
  const own = createScriptedModel(million, million, million);
  const model = { ...own, identity: { ...own.identity, provider: 'ollama' } };
  const free = createBudget(1, {}).limit(model);
  await ask(free);
  await ask(free);
  const priced = createBudget(1, { 'scripted-model': { input: 2, output: 2 } }).limit(model);
  await ask(priced);
  await expect(ask(priced)).rejects.toMatchObject({ code: 'budget_spent' });
  const unknown = { ...own, identity: { ...own.identity, provider: 'openai', model: 'nobody-knows' } };
  expect(() => createBudget(1, {}).limit(unknown)).toThrow('A budget needs the price of openai/nobody-knows');
});
