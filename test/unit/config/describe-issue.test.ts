import { expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssue } from '../../../src/config/layers/describe-issue.ts';

const entry = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['a', 'b']).optional(),
  size: z.int().min(1).max(9).optional(),
  tags: z.array(z.string().min(2)).min(1).max(2).optional(),
  on: z.boolean().optional(),
  more: z.record(z.string().regex(/^x/, 'must begin with x'), z.number()).optional(),
  pattern: z.string().regex(/^x/, 'must begin with x').optional(),
  when: z.date().optional(),
});

it.each([
  [{}, 'list[0].name: is missing'],
  [{ name: 1 }, 'list[0].name: must be a string'],
  [{ name: '' }, 'list[0].name: must not be empty'],
  [{ name: 'n', kind: 'c' }, 'list[0].kind: must be "a" or "b"'],
  [{ name: 'n', size: 1.5 }, 'list[0].size: must be an integer'],
  [{ name: 'n', size: 0 }, 'list[0].size: must be at least 1'],
  [{ name: 'n', size: 10 }, 'list[0].size: must be at most 9'],
  [{ name: 'n', tags: 'x' }, 'list[0].tags: must be a list'],
  [{ name: 'n', tags: [] }, 'list[0].tags: must have at least 1 entries'],
  [{ name: 'n', tags: ['ab', 'cd', 'ef'] }, 'list[0].tags: must have at most 2 entries'],
  [{ name: 'n', tags: ['a'] }, 'list[0].tags[0]: must have at least 2 characters'],
  [{ name: 'n', on: 'yes' }, 'list[0].on: must be true or false'],
  [{ name: 'n', more: [] }, 'list[0].more: must be an object'],
  [{ name: 'n', more: { y: 1 } }, 'list[0].more.y: must begin with x'],
  [{ name: 'n', pattern: 'y' }, 'list[0].pattern: must begin with x'],
  [{ name: 'n', when: 1 }, 'list[0].when: must be date'],
  [{ name: 'n', nmae: 'n' }, 'list[0]: has the unknown key "nmae"'],
  [7, 'list[0]: must be an object'],
])('the problem in %j is described', (value, expected) => {
  const { error } = z.array(entry).safeParse([value]);
  expect(error && describeIssue('list', error)).toBe(expected);
});

it('a second problem of the same value is not called another place', () => {
  const { error } = z.strictObject({ on: z.boolean().optional() }).safeParse({ no: 1, on: 2 });
  const again = new z.ZodError([...(error?.issues ?? []).toReversed(), ...(error?.issues ?? [])]);
  expect(describeIssue('mcp.servers.a', again)).toBe(
    'mcp.servers.a: has the unknown key "no" (also wrong: mcp.servers.a.on)',
  );
});

it.each([
  [[1, 'x', 2], 'list[0]: must be a string (also wrong: list[2])'],
  [[1, 2, 3, 4, 5, 6], 'list[0]: must be a string (also wrong: list[1], list[2], list[3])'],
])('the places of the next problems in %j are named', (value, expected) => {
  const { error } = z.array(z.string()).safeParse(value);
  expect(error && describeIssue('list', error)).toBe(expected);
});

it('a problem without a position is described', () => {
  expect(describeIssue('list', new z.ZodError([]))).toBe('list: is not valid');
});
