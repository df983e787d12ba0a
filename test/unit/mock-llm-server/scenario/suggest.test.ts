import { describe, expect, it } from 'vitest';
import { suggest, suggestField } from '../../../../mock-llm-server/scenario/suggest.ts';
import { suggestTemplate } from '../../../../mock-llm-server/scenario/templates.ts';

const FIELDS = ['name', 'arguments', 'tool_calls', 'content', 'time_to_first_token_ms', 'trigger', 'id'];

describe('suggestField', () => {
  it.each<readonly [string, string | undefined]>([
    ['nme', 'name'],
    ['naem', 'name'],
    ['Name', 'name'],
    ['arg', 'arguments'],
    ['argments', 'arguments'],
    ['args', 'arguments'],
    ['toolCalls', 'tool_calls'],
    ['tool-call', 'tool_calls'],
    ['text', 'content'],
    ['thinking', undefined],
    ['time_to_first_token', 'time_to_first_token_ms'],
    ['ids', 'id'],
    ['prompt', 'trigger'],
    ['response', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('suggests for the field %j: %j', (misspelled, expected) => {
    expect(suggestField(misspelled, FIELDS)).toBe(expected);
  });
});

describe('suggest', () => {
  it.each([
    ['pra', ['hi', 'par', 'long-story'], 'par'],
    ['gret', ['fix', 'greet'], 'greet'],
    ['fix', ['six', 'fix-the-login-form'], 'fix-the-login-form'],
    ['fix-the-login-form-now', ['know', 'fix-the-login-form'], 'fix-the-login-form'],
    ['FIX', ['fax', 'fix'], 'fix'],
    ['helo', ['hallo', 'hello', 'hell'], 'hello'],
    ['xyz', ['first', 'second'], undefined],
    ['x', [], undefined],
  ])('suggests for %j among %j: %j', (misspelled, names, expected) => {
    expect(suggest(misspelled, names)).toBe(expected);
  });

  it('accepts more names than a function takes arguments', () => {
    const names = Array.from({ length: 130_000 }, () => 'name');
    expect(suggest('greeting', [...names, 'greting'])).toBe('greting');
  });

  it('compares only the start of a very long name', () => {
    expect(suggest('x'.repeat(1_000_000), ['a', 'x'.repeat(1_000_000)])).toBe('x'.repeat(1_000_000));
  });
});

describe('suggestTemplate', () => {
  it.each([
    ['last_usr', '{{last_user}}'],
    ['lastUser', '{{last_user}}'],
    ['prompt', '{{last_user}}'],
    ['tool_result', '{{tool_result last}}'],
    ['toolResult last', '{{tool_result last}}'],
    ['tool_results 2', '{{tool_result 2}}'],
    ['tool_result[1]', '{{tool_result 1}}'],
    ['tool_result_3', '{{tool_result 3}}'],
    ['tool_result first', '{{tool_result 1}}'],
    ['tool_result 0', '{{tool_result 1}}'],
    ['result', '{{tool_result last}}'],
    ['matches.file', '{{match.file}}'],
    ['match file', '{{match.file}}'],
    ["match['file']", '{{match.file}}'],
    ['env.HOME', undefined],
    ['', undefined],
  ])('suggests for {{%s}}: %s', (written, expected) => {
    expect(suggestTemplate(written)).toBe(expected);
  });
});
