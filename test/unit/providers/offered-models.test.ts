import { expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import { withOfferedModels } from '../../../src/providers/offered-models.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createScriptedModel } from '../../support/fakes/scripted-model.ts';

const request = { system: '', messages: [{ role: 'user', content: 'hello' } as const], tools: [] };
const never = new AbortController().signal;
const list = (...names: string[]) => names.map((name) => ({ name }));

it.each([
  ['the models, the most similar first', list('zeta', 'scripte'), ' It offers: scripte, zeta.'],
  [
    'at most ten models',
    list(...Array.from({ length: 12 }, (_, index) => `m${index}`)),
    ' It offers: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more; ybs models lists them.',
  ],
  ['nothing if there are none', [], ''],
])('the error for an unknown model names %s', async (_name, offered, text) => {
  const model = createScriptedModel({ end: new ModelError('unknown_model', 'No such model.') });
  const error = await failureOf(withOfferedModels(model, async () => offered).stream(request, never));
  expect(error).toMatchObject({ code: 'unknown_model', message: `No such model.${text}` });
});

it.each<[string, ModelError]>([
  ['cannot be listed', new ModelError('unknown_model', 'No such model.')],
  ['do not matter', new ModelError('auth', 'No key.')],
])('an error stays as it is when the models %s', async (_name, error) => {
  const model = createScriptedModel({ end: error });
  const listing = () => Promise.reject(new ModelError('network', 'No network.'));
  expect(await failureOf(withOfferedModels(model, listing).stream(request, never))).toBe(error);
});

it('an answer passes through', async () => {
  const model = withOfferedModels(createScriptedModel({ text: 'a' }), async () => []);
  expect(await collect(model.stream(request, never))).toHaveLength(2);
});
