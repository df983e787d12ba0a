import { expect, it } from 'vitest';
import { createTrigger, type RequestFacts } from '../../../../mock-llm-server/scenario/trigger/trigger.ts';

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
