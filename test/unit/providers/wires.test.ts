import { expect, it } from 'vitest';
import { readApiKind } from '../../../src/providers/wires.ts';

it.each([
  ['openai', 'openai-chat'],
  ['anthropic', 'anthropic-messages'],
  ['ollama', 'ollama-chat'],
  ['openai-responses', 'openai-responses'],
  ['gemini', 'gemini'],
])('reads the apiKind %s as the wire %s', (apiKind, wire) => {
  expect(readApiKind(apiKind)).toBe(wire);
});

it('names all kinds for one that does not exist', () => {
  expect(readApiKind('constructor')).toEqual({
    names: [
      'openai',
      'anthropic',
      'ollama',
      'openai-chat',
      'openai-responses',
      'anthropic-messages',
      'gemini',
      'ollama-chat',
    ],
  });
});
