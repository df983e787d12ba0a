import { describe, expect, it } from 'vitest';
import { reasoningTokensOf } from '../../../../mock-llm-server/wire/encode.ts';
import { fullReply, readCase, WIRE_CASES } from './wire-requests.ts';

const usage = { inputTokens: 3, outputTokens: 20 };

it.each([
  ['nothing', undefined, 0],
  ['an empty text', '', 0],
  ['a text', 'think twice', 3],
  ['more than was written', 'x'.repeat(1000), 20],
])('counts the reasoning tokens of %s', (_name, reasoning, tokens) => {
  expect(reasoningTokensOf({ reasoning, usage })).toBe(tokens);
});

describe('the usage of a reply', () => {
  it.each([
    ['openai-chat', 'completion_tokens_details'],
    ['openai-responses', 'output_tokens_details'],
  ])('of %s contains the reasoning tokens', (protocol, field) => {
    const wire = WIRE_CASES.find((each) => each.protocol === protocol);
    if (wire === undefined) throw new Error(`no ${protocol}`);
    const read = readCase(wire);
    const details = { [field]: expect.objectContaining({ reasoning_tokens: 3 }) };
    expect(read.encode(fullReply({ reasoning: 'think twice' }))).toMatchObject({ usage: details });
    const none = { [field]: expect.objectContaining({ reasoning_tokens: 0 }) };
    expect(read.encode(fullReply())).toMatchObject({ usage: none });
  });
});
