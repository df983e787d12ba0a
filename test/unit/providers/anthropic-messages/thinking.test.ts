import { describe, expect, it } from 'vitest';
import { answerBlocks, thinkingParams } from '../../../../src/providers/anthropic-messages/thinking.ts';
import type { EffortLevel } from '../../../../src/providers/service/service-rules.ts';

const adaptive = { type: 'adaptive', display: 'summarized' };
const budget = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } });

describe('thinkingParams', () => {
  const rows: readonly (readonly [model: string, EffortLevel | undefined, maxTokens: number, expected: object])[] = [
    ['claude-opus-5', undefined, 4096, {}],
    ['claude-opus-5', 'high', 4096, { thinking: adaptive, output_config: { effort: 'high' } }],
    ['claude-opus-5', 'minimal', 4096, { thinking: adaptive, output_config: { effort: 'low' } }],
    ['claude-sonnet-4-6', 'low', 4096, { thinking: adaptive, output_config: { effort: 'low' } }],
    ['anthropic/claude-opus-4.7', 'medium', 4096, { thinking: adaptive, output_config: { effort: 'medium' } }],
    ['claude-haiku-5-5-20260901', 'low', 4096, { thinking: adaptive, output_config: { effort: 'low' } }],
    ['claude-opus-5', 'none', 4096, { thinking: { type: 'disabled' } }],
    ['claude-fable-5', 'none', 4096, { thinking: adaptive, output_config: { effort: 'low' } }],
    ['claude-mythos-5-2', 'none', 4096, { thinking: adaptive, output_config: { effort: 'low' } }],
    ['claude-sonnet-4-5', 'low', 8192, budget(2048)],
    ['claude-haiku-4-5-20251001', 'medium', 8192, budget(4096)],
    ['claude-sonnet-4-20250514', 'high', 8192, budget(6144)],
    ['claude-3-7-sonnet-latest', 'high', 8192, budget(6144)],
    ['claude-sonnet-4-5', 'none', 8192, { thinking: { type: 'disabled' } }],
    ['claude-sonnet-4-5', 'low', 2000, budget(1024)],
    ['claude-sonnet-4-5', 'high', 1024, {}],
    ['glm-5', 'high', 8192, budget(6144)],
  ];
  it.each(rows)('sets for %s and the effort %s of %i tokens', (model, effort, maxTokens, expected) => {
    expect(thinkingParams(model, effort, maxTokens)).toEqual(expected);
  });
});

describe('answerBlocks', () => {
  const call = (id: string) => ({ id, name: 'read_file', arguments: '{"path":"a"}' });
  const use = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: { path: 'a' } });
  const thought = (text: string) => ({ type: 'thinking', thinking: text, signature: `sig-${text}` });
  const message = { role: 'assistant', content: 'Reading. Done.', toolCalls: [call('c1'), call('c2')] } as const;

  it('puts text before calls', () => {
    expect(answerBlocks(message, [])).toEqual([{ type: 'text', text: 'Reading. Done.' }, use('c1'), use('c2')]);
  });

  it('puts thinking first', () => {
    const redacted = { type: 'redacted_thinking', data: 'xyz' };
    expect(answerBlocks(message, [thought('a'), redacted])).toEqual([
      thought('a'),
      redacted,
      { type: 'text', text: 'Reading. Done.' },
      use('c1'),
      use('c2'),
    ]);
  });

  it('puts thinking between text and calls where it was', () => {
    const items = [thought('a'), { type: 'text_place', length: 8 }, { type: 'call_place' }, thought('b')];
    expect(answerBlocks(message, items)).toEqual([
      thought('a'),
      { type: 'text', text: 'Reading.' },
      use('c1'),
      thought('b'),
      { type: 'text', text: ' Done.' },
      use('c2'),
    ]);
  });

  it('leaves out blank texts, items that it cannot read and places without a call', () => {
    const items = [{ type: 'text_place', length: 1 }, { type: 'later' }, { type: 'call_place' }];
    expect(answerBlocks({ role: 'assistant', content: ' \n', toolCalls: [] }, items)).toEqual([]);
  });
});
