import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { checkExpectations, describeUnmet } from '../../../../mock-llm-server/matching/check-expectations.ts';
import type { ExpectSpecification } from '../../../../mock-llm-server/scenario/format/expect-format.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { assistant, call, conversation, scenarioSet, user } from '../../../support/stories/builders.ts';

const request: Conversation = {
  ...conversation(user('go'), assistant(call('a'), call('b')), {
    role: 'user',
    parts: [
      { type: 'tool_result', callId: 'a', content: 'Error: no such file', isError: true },
      { type: 'tool_result', callId: 'b', content: 'two lines\nof text' },
    ],
  }),
  model: 'gpt-5-mini',
  system: ['You are a coding agent.', 'Plan mode is on.'],
  tools: [
    { name: 'read_file', input: 'json' },
    { name: 'write_file', input: 'json' },
  ],
};
const headers = { 'user-agent': 'my-agent/2' };

/** The expectations of a file that the request does not meet, as sentences. */
function unmet(specification: ExpectSpecification, asked = request): readonly string[] {
  const scenario = { name: 's', trigger: 'go', steps: [{ expect: specification, response: { content: 'x' } }] };
  const expectations = scenarioSet({ scenarios: [scenario] }).scenarios[0]?.steps[0]?.expect ?? [];
  return checkExpectations(expectations, asked, { headers }).map(describeUnmet);
}

describe('an expectation that is met', () => {
  it.each<[string, ExpectSpecification]>([
    ['a part of the model, in any case', { model: 'GPT-5' }],
    ['an expression for the model', { model: { regex: '^gpt-5' } }],
    ['a text of the second system text', { system: 'plan mode' }],
    ['offered tools', { tools: ['write_file', 'read_file'] }],
    ['a header by a name in any case', { header: { 'User-Agent': 'my-agent' } }],
    ['a text in one of several results', { tool_result: 'no such file' }],
    ['a text in a result, in any case', { tool_result: { contains: 'TWO LINES' } }],
    ['an expression that a result matches', { tool_result: { matches: '^of', flags: 'm' } }],
    ['a whole result', { tool_result: { equals: 'two lines\nof text' } }],
    ['a failed call', { tool_result: { contains: 'file', is_error: true } }],
    ['a call that did not fail', { tool_result: { contains: 'lines', is_error: false } }],
    ['several results', { tool_result: ['no such file', { equals: 'two lines\nof text' }] }],
    ['a number of messages', { messages: 3 }],
    ['a range of messages', { messages: { min: 3, max: 3 } }],
    ['a smallest number of messages', { messages: { min: 1 } }],
  ])('%s', (_name, specification) => {
    expect(unmet(specification)).toEqual([]);
  });
});

describe('an expectation that is not met', () => {
  it.each<[string, ExpectSpecification, string]>([
    ['the model', { model: 'claude' }, 'model: expected claude, found "gpt-5-mini"'],
    ['the system text', { system: 'act' }, 'system: expected act, found "You are a coding agent., Plan mode is on."'],
    ['a tool', { tools: ['read_file', 'shell'] }, 'tools: expected shell, found "read_file, write_file"'],
    ['a header', { header: { 'X-Team': 'a' } }, 'header x-team: expected a, found nothing'],
    [
      'a result with both properties',
      { tool_result: { contains: 'lines', is_error: true } },
      'tool_result: expected contains "lines", is_error: true, found "Error: no such file\\ntwo lines\\nof text"',
    ],
    [
      'an expression, in its case',
      { tool_result: { matches: 'TWO', flags: '' } },
      'tool_result: expected matches /TWO/, found "Error: no such file\\ntwo lines\\nof text"',
    ],
    [
      'a whole result',
      { tool_result: { equals: 'two lines' } },
      'tool_result: expected equals "two lines", found "Error: no such file\\ntwo lines\\nof text"',
    ],
    ['a number of messages', { messages: 4 }, 'messages: expected 4, found "3"'],
    ['a smallest number of messages', { messages: { min: 4 } }, 'messages: expected at least 4, found "3"'],
    ['a largest number of messages', { messages: { max: 2 } }, 'messages: expected at most 2, found "3"'],
    ['a range of messages', { messages: { min: 1, max: 2 } }, 'messages: expected 1 to 2, found "3"'],
  ])('names %s', (_name, specification, sentence) => {
    expect(unmet(specification)).toEqual([sentence]);
  });

  it('names the absence of results', () => {
    expect(unmet({ tool_result: 'ok' }, conversation('go'))).toEqual([
      'tool_result: expected contains "ok", found "no tool result"',
    ]);
  });

  it('ignores results before the last answer', () => {
    const later = {
      ...request,
      messages: [...request.messages, ...conversation(assistant('ok'), user('on')).messages],
    };
    expect(unmet({ tool_result: 'no such file' }, later)).toHaveLength(1);
  });

  it('quotes no key and no more than the start of a long result', () => {
    const key = `sk-${'k'.repeat(40)}`;
    const long: Conversation = { ...request, system: [`${'x'.repeat(190)} ${key} ${'y'.repeat(500)}`] };
    const [sentence = ''] = unmet({ system: 'nothing of this' }, long);
    expect(sentence).not.toContain('sk-');
    expect(sentence.length).toBeLessThan(260);
  });
});

describe('a mistake in an expectation', () => {
  it.each([
    ['nothing', '{}', 'expects nothing'],
    ['no header', '{"header": {}}', 'expects nothing'],
    ['an empty result', '{"tool_result": {}}', 'expects nothing'],
    ['a misspelled field', '{"tol_result": "x"}', 'write "tool_result" instead of "tol_result"'],
    ['a broken expression', '{"tool_result": {"matches": "("}}', 'tool_result.matches: Invalid regular expression'],
    ['flags without an expression', '{"tool_result": {"equals": "", "flags": "i"}}', 'needs a matches'],
    ['a range of nothing', '{"messages": {}}', 'has no min and no max'],
    ['a range that is turned around', '{"messages": {"min": 2, "max": 1}}', 'min 2 is larger than max 1'],
  ])('is refused: %s', (_name, specification, reason) => {
    const step = `{"expect": ${specification}, "response": {"content": "x"}}`;
    const file = `{"scenarios": [{"name": "a", "trigger": "b", "steps": [${step}]}]}`;
    expect(() => parseScenarioFile(file, 'f.json')).toThrow(reason);
  });
});
