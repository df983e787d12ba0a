import { expect, it } from 'vitest';
import { meantName } from '../../../../mock-llm-server/scenario/meant-name.ts';

const FIELDS = ['name', 'arguments', 'tool_calls', 'content', 'time_to_first_token_ms', 'trigger', 'id'];

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
])('%j is %j', (given, expected) => {
  expect(meantName(given, FIELDS)).toBe(expected);
});
