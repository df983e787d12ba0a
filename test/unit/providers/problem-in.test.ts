import { expect, it } from 'vitest';
import * as z from 'zod';
import { problemIn } from '../../../src/providers/problem-in.ts';

const schema = z.object({ text: z.string(), count: z.number() });

it('describes each problem of a value in one line', () => {
  expect(problemIn({ text: 1 }, schema)).toBe(
    '✖ Invalid input: expected string, received number → at text ✖ Invalid input: expected number, received undefined → at count',
  );
});

it('has words for a value in which the schema finds no problem', () => {
  expect(problemIn({ text: 'a', count: 1 }, schema)).toBe('unexpected value');
});
