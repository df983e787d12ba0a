import { describe, expect, it } from 'vitest';
import { providerState, stateItems } from '../../../src/providers/provider-state.ts';

const identity = { provider: 'anthropic', wire: 'anthropic-messages', model: 'm1' };
const items = [{ type: 'thinking', signature: 'abc' }];
const message = {
  role: 'assistant',
  content: 'Hi.',
  toolCalls: [],
  providerState: providerState(identity, items),
} as const;

describe('stateItems', () => {
  it('returns the items to the model that made them', () => {
    expect(stateItems(message, identity)).toEqual(items);
  });

  it.each([
    ['another provider', { ...identity, provider: 'gateway' }],
    ['another wire', { ...identity, wire: 'openai-chat' }],
    ['another model', { ...identity, model: 'm2' }],
  ])('returns nothing to %s', (_name, other) => {
    expect(stateItems(message, other)).toEqual([]);
  });

  it('returns nothing for an answer without a state', () => {
    expect(stateItems({ role: 'assistant', content: 'Hi.', toolCalls: [] }, identity)).toEqual([]);
  });
});
