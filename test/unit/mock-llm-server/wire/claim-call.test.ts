import { expect, it } from 'vitest';
import { claimCall } from '../../../../mock-llm-server/wire/pairing.ts';

const identified = (id: string, name: string) => ({ id, name, hasOwnId: true });
const unidentified = (id: string, name: string) => ({ id, name, hasOwnId: false });

it.each([
  ['the call with the id', [identified('a', 'x'), identified('b', 'x')], { id: 'b', name: 'x' }, 'b'],
  ['the call with the id, although the name differs', [identified('a', 'x')], { id: 'a', name: 'y' }, 'a'],
  [
    'the first call of the name for a result without an id',
    [identified('a', 'y'), identified('b', 'x'), identified('c', 'x')],
    { name: 'x' },
    'b',
  ],
  ['the call of the name when the client invented the id', [unidentified('p', 'x')], { id: 'mine', name: 'x' }, 'p'],
  ['no call when the ids differ', [identified('a', 'x')], { id: 'mine', name: 'x' }, undefined],
  ['no call of another name', [identified('a', 'x')], { name: 'y' }, undefined],
  ['no call for a result without id and name', [identified('a', 'x')], {}, undefined],
  ['no call when none is open', [], { id: 'a', name: 'x' }, undefined],
])('claims %s', (_name, open, { id, name }: { id?: string; name?: string }, claimed) => {
  const before = open.length;
  expect(claimCall(open, { id, name })?.id).toBe(claimed);
  expect(open.map((call) => call.id)).not.toContain(claimed);
  expect(open).toHaveLength(claimed === undefined ? before : before - 1);
});
