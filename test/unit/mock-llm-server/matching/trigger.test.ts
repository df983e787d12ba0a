import { describe, expect, it } from 'vitest';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { createTrigger, type RequestFacts } from '../../../../mock-llm-server/scenario/trigger/trigger.ts';
import { call, conversation, ok, scenarioSet, steps } from '../../../support/stories/builders.ts';

const facts = (seed?: string): RequestFacts => ({
  model: 'm',
  system: [],
  tools: [],
  headers: seed === undefined ? {} : { 'x-mock-seed': seed },
  protocol: 'openai-chat',
  output: {},
});

const seeds = Array.from({ length: 1_000 }, (_, index) => String(index + 1));
const drawn = (chance: number, name: string) => {
  const [condition] = createTrigger({ text: 'go', chance }, name).conditions;
  return seeds.map((seed) => condition?.holds(facts(seed)));
};
const rate = (draws: readonly (boolean | undefined)[]) => draws.filter((held) => held === true).length / draws.length;

it.each([0.1, 0.5, 0.9])('a chance of %s holds for about that part of the seeds', (chance) => {
  expect(Math.abs(rate(drawn(chance, 'a')) - chance)).toBeLessThan(0.04);
});

it('a seed draws the same number in every process, and another one in each scenario', () => {
  expect(drawn(0.5, 'a').slice(0, 12).map(Number).join('')).toMatchInlineSnapshot(`"110001000101"`);
  const [first, second] = [drawn(0.5, 'a'), drawn(0.5, 'b')];
  expect(Math.abs(rate(first.map((held, index) => held === second[index])) - 0.5)).toBeLessThan(0.05);
});

it('a request without a seed has the empty one, and an error names the draw', () => {
  const [condition] = createTrigger({ text: 'go', chance: 0.5 }, 'a').conditions;
  expect(condition?.holds(facts())).toBe(condition?.holds(facts('')));
  expect(condition?.wanted).toBe('0.5 in "a"');
  expect(condition?.found(facts('7'))).toMatch(/^0\.\d{3} for the x-mock-seed "7"$/);
});

const load = (trigger: unknown) =>
  parseScenarioFile(JSON.stringify({ scenarios: [{ name: 'n', trigger, steps: steps() }] }), 'f.json');

describe('an invalid trigger', () => {
  it.each<readonly [string, unknown, string]>([
    ['no header', { header: {} }, '$.scenarios[0].trigger: has no condition'],
    ['a blank text', { text: ' ' }, '$.scenarios[0].trigger.text: must not be blank'],
    ['a blank condition', { model: '' }, '$.scenarios[0].trigger.model: must not be blank'],
    ['an expression', { tool: { regex: '(' } }, '$.scenarios[0].trigger.tool.regex: Invalid regular expression'],
    ['an expression of a header', { header: { a: { regex: '(' } } }, '$.scenarios[0].trigger.header.a.regex: Invalid'],
    ['flags alone about a result', { tool_result: { is_error: true, flags: 'i' } }, 'tool_result.flags: needs a regex'],
    ['an expression of a result', { tool_result: { regex: '(' } }, 'tool_result.regex: Invalid regular expression'],
    [
      'a protocol that does not exist',
      { protocol: 'openai' },
      'protocol: must be "openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "gemini", "gemini-interactions" or "ollama" or an object',
    ],
    ['a blank form', { response_format: '' }, '$.scenarios[0].trigger.response_format: must not be blank'],
    ['a chance above 1', { chance: 1.5 }, '$.scenarios[0].trigger.chance: must be at most 1, not 1.5'],
  ])('is refused: %s', (_name, trigger, reason) => {
    expect(() => load(trigger)).toThrow(reason);
  });
});

describe('a matcher that ignores missing results', () => {
  const set = scenarioSet({ scenarios: [{ name: 'pair', trigger: 'go', steps: steps(2, 1) }] });
  it.each([
    ['one of two results', conversation('go', [call('a'), call('b')], ok('a')), 1],
    ['no result', conversation('go', [call('a'), call('b')]), 0],
    ['a result too many', conversation('go', [call('a')], ok('a', 'x')), 1],
  ])('continues after %s', (_name, input, step) => {
    expect(matchConversation(input, set).type).toBe('unpaired_results');
    expect(matchConversation(input, set, { pairing: 'none' })).toMatchObject({ type: 'match', stepIndex: step });
  });
});
