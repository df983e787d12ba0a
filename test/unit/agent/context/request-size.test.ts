import { describe, expect, it } from 'vitest';
import { scaleOf, sizeOf, sizeOfAll, sizeOfFrame } from '../../../../src/agent/context/request-size.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import { createScriptedModel, SCRIPTED } from '../../../support/fakes/scripted-model.ts';

const hundred = 'a'.repeat(100);
const answer = { role: 'assistant', content: hundred, toolCalls: [] } as const;
const image = { mediaType: 'image/png', data: hundred } as const;

describe('the size of a message', () => {
  it.each<[string, Message, number]>([
    ['a prompt', { role: 'user', content: hundred }, 8 + 33],
    ['an answer', answer, 8 + 33],
    ['an answer with reasoning, which is not sent back', { ...answer, reasoning: hundred }, 8 + 33],
    [
      'an answer with two calls',
      { ...answer, toolCalls: ['a', 'b'].map((id) => ({ id, name: 'x'.repeat(10), arguments: 'y'.repeat(90) })) },
      8 + 33 + 2 * (8 + 33),
    ],
    [
      'an answer with provider state',
      { ...answer, providerState: { model: 'm', items: ['a'.repeat(96)] } },
      8 + 33 + 33,
    ],
    ['a result', { role: 'tool', toolCallId: 'a', content: hundred, isError: false }, 8 + 33],
    [
      'a result with two pictures',
      { role: 'tool', toolCallId: 'a', content: hundred, isError: false, images: [image, image] },
      8 + 33 + 2 * 1_600,
    ],
  ])('of %s counts all that is sent', (_name, message, size) => {
    expect(sizeOf(message)).toBeCloseTo(size, 6);
    // The second time it comes from the cache.
    expect(sizeOfAll([message, message])).toBeCloseTo(2 * size, 6);
  });
});

it('the size of a message is computed once, because each request repeats the earlier messages', () => {
  let reads = 0;
  const message: Message = {
    role: 'user',
    get content() {
      reads += 1;
      return hundred;
    },
  };
  expect([sizeOf(message), sizeOf(message), reads]).toEqual([41, 41, 1]);
});

describe('the size of a request without its messages', () => {
  it('counts the system text and the tools as JSON', () => {
    const tool = { name: 'read', description: 'Reads.', parameters: { type: 'object' }, effect: 'read' } as const;
    const json = '["read","Reads.",{"type":"object"}]'.length * 0.33;
    expect(sizeOfFrame({ system: hundred, tools: [] })).toBeCloseTo(8 + 33, 6);
    expect(sizeOfFrame({ system: hundred, tools: [tool, tool] })).toBeCloseTo(8 + 33 + 2 * (8 + json), 6);
  });
});

describe('the scale of the estimate', () => {
  const request = { model: createScriptedModel(), system: 'a'.repeat(100), tools: [] };
  const messages: readonly Message[] = [{ role: 'user', content: 'a'.repeat(100) }];
  const estimate = 41 + 41;

  it('is 1 before the first count', () => {
    expect(scaleOf(undefined, request)).toBe(1);
  });

  it.each([
    ['an equal count', estimate, 1],
    ['less', estimate / 2, 0.5],
    ['more', estimate * 3, 3],
    ['the lowest plausible count', 0.3 * estimate, 0.3],
    ['a count too low for the whole request', 1, 1],
    ['no count, from a server that does not count', 0, 1],
  ])('is the count of the provider divided by the estimate: %s', (_name, inputTokens, scale) => {
    expect(scaleOf({ model: SCRIPTED, inputTokens, messages }, request)).toBeCloseTo(scale, 6);
  });

  it.each([{ provider: 'other' }, { wire: 'other' }, { model: 'other' }])('is 1 after a count of %o', (other) => {
    expect(scaleOf({ model: { ...SCRIPTED, ...other }, inputTokens: 41, messages }, request)).toBe(1);
  });
});
