import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { LanguageModel, ModelErrorCode, ModelEvent } from '../../../src/agent/ports/language-model.ts';
import { withFallback } from '../../../src/providers/fallback.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../support/fakes/scripted-model.ts';

const REQUEST = { system: '', messages: [], tools: [] };
const never = new AbortController().signal;

async function events(model: LanguageModel, signal = never): Promise<ModelEvent[]> {
  const seen: ModelEvent[] = [];
  for await (const event of model.stream(REQUEST, signal)) seen.push(event);
  return seen;
}

function fallback(...answers: readonly ScriptedAnswer[]) {
  const other = createScriptedModel(...answers);
  return { ...other, identity: { ...other.identity, model: 'other' } };
}

describe('a model with a fallback', () => {
  it.each<ModelErrorCode>(['overloaded', 'rate_limit', 'unknown_model'])(
    'is replaced after %s, with a warning, for all later requests',
    async (code) => {
      const model = createScriptedModel({ text: 'half', end: new ModelError(code, 'No.') });
      const other = fallback({ text: 'whole' }, { text: 'again' });
      const both = withFallback(model, async () => other);
      expect(await events(both)).toEqual([
        { type: 'text_delta', text: 'half' },
        { type: 'retry', attempt: 1, delayMs: 0, code, message: 'No.' },
        {
          type: 'warning',
          code: 'fallback_model',
          message: 'scripted-model is not available, so other answers from now on.',
        },
        { type: 'text_delta', text: 'whole' },
        { type: 'finish', reason: 'stop' },
      ]);
      expect(both.identity.model).toBe('other');
      expect(await events(both)).toContainEqual({ type: 'text_delta', text: 'again' });
    },
  );

  it.each<ModelErrorCode>(['auth', 'bad_request', 'network'])('is not replaced after %s', async (code) => {
    const both = withFallback(createScriptedModel({ end: new ModelError(code, 'No.') }), () => {
      throw new Error('opened');
    });
    await expect(events(both)).rejects.toMatchObject({ code });
    expect(both.identity.model).toBe('scripted-model');
  });

  it('answers itself while it can, and tells its own window', async () => {
    const model = { ...createScriptedModel({ text: 'hi' }), contextWindow: async () => ({ tokens: 7 }) };
    const both = withFallback(model, () => {
      throw new Error('opened');
    });
    expect(await events(both)).toContainEqual({ type: 'text_delta', text: 'hi' });
    expect(await both.contextWindow?.(never)).toEqual({ tokens: 7 });
    const unknown = withFallback(createScriptedModel(), async () => model);
    expect(await unknown.contextWindow?.(never)).toBeUndefined();
  });
});
