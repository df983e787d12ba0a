import { expect, it } from 'vitest';
import { claimCall } from '../../../../mock-llm-server/wire/pairing.ts';

const given = (id: string, name: string) => ({ id, name, hasOwnId: true });
const placed = (id: string, name: string) => ({ id, name, hasOwnId: false });

it.each([
  ['the id', [given('a', 'x'), given('b', 'x')], { id: 'b', name: 'x' }, 'b'],
  ['the id under another name', [given('a', 'x')], { id: 'a', name: 'y' }, 'a'],
  ['the first of the name without an id', [given('a', 'y'), given('b', 'x'), given('c', 'x')], { name: 'x' }, 'b'],
  ["the name where the id is the client's own", [placed('p', 'x')], { id: 'mine', name: 'x' }, 'p'],
  ['none where the ids differ', [given('a', 'x')], { id: 'mine', name: 'x' }, undefined],
  ['none of another name', [given('a', 'x')], { name: 'y' }, undefined],
  ['none where nothing is asked for', [given('a', 'x')], {}, undefined],
  ['none of none', [], { id: 'a', name: 'x' }, undefined],
])('accepts %s', (_name, open, { id, name }: { id?: string; name?: string }, taken) => {
  const before = open.length;
  expect(claimCall(open, { id, name })?.id).toBe(taken);
  expect(open.map((call) => call.id)).not.toContain(taken);
  expect(open).toHaveLength(taken === undefined ? before : before - 1);
});
