import { describe, expect, it } from 'vitest';
import { breakReply } from '../../../../mock-llm-server/delivery/faults.ts';
import { fullReply } from '../wire/wire-requests.ts';

const partsOf = ({ reasoning, content, toolCalls, finish }: ReturnType<typeof fullReply>) => ({
  reasoning,
  content,
  calls: toolCalls.length,
  finish,
});
const asText =
  '<tool_call>\n{"name": "read_file", "arguments": {"path":"a \\"b\\".txt"}}\n</tool_call>\n' +
  '<tool_call>\n{"name": "write_file", "arguments": {"path":"ü","n":[1]}}\n</tool_call>';

describe('breakReply', () => {
  it('does not change a reply if the fault concerns its delivery', () => {
    const reply = fullReply();
    expect(breakReply(reply, { reset: true })).toBe(reply);
  });

  it('empties a reply', () => {
    const empty = breakReply(fullReply({ reasoning: 'Hm.' }), { empty_answer: true });
    expect(partsOf(empty)).toEqual({ reasoning: undefined, content: undefined, calls: 0, finish: 'stop' });
    expect(empty.usage).toMatchObject({ inputTokens: 3, outputTokens: 0, reasoningTokens: 0 });
  });

  it.each([
    ['I look.', `I look.\n${asText}`],
    [undefined, asText],
  ])('writes calls as text after %j', (content, expected) => {
    const broken = breakReply(fullReply({ content }), { tool_call_as_text: true });
    expect(partsOf(broken)).toEqual({ reasoning: undefined, content: expected, calls: 0, finish: 'stop' });
  });

  it('keeps the reason of a reply that ended early when it writes its calls as text', () => {
    const broken = breakReply(fullReply({ finish: 'length' }), { tool_call_as_text: true });
    expect(broken).toMatchObject({ toolCalls: [], finish: 'length' });
  });

  it('does not change a reply without calls to write as text', () => {
    const reply = fullReply({ toolCalls: [], finish: 'stop' });
    expect(breakReply(reply, { tool_call_as_text: true })).toBe(reply);
  });

  it.each([
    ['Hm.', 'Yes.', '<think>\nHm.\nYes.'],
    [undefined, 'Yes.', '<think>\nYes.'],
    ['Hm.', undefined, '<think>\nHm.\n'],
  ])('opens a think tag before %j and %j', (reasoning, content, expected) => {
    const broken = breakReply(fullReply({ reasoning, content }), { open_think_tag: true });
    expect(partsOf(broken)).toEqual({ reasoning: undefined, content: expected, calls: 2, finish: 'tool_calls' });
  });

  it('opens a think tag before calls that are written as text', () => {
    const broken = breakReply(fullReply({ content: undefined }), { open_think_tag: true, tool_call_as_text: true });
    expect(broken.content).toBe(`<think>\n${asText}`);
  });
});
