import { expect, it } from 'vitest';
import { claimCall } from '../../../../mock-llm-server/wire/pairing.ts';

const call = (id: string, name: string) => ({ id, name });

it.each([
  ['the call with the id', [call('a', 'x'), call('b', 'x')], { id: 'b', name: 'x' }, 'b'],
  ['the call with the id, although the name differs', [call('a', 'x')], { id: 'a', name: 'y' }, 'a'],
  [
    'the first call of the name for a result without an id',
    [call('a', 'y'), call('b', 'x'), call('c', 'x')],
    { name: 'x' },
    'b',
  ],
  ['the call of the name when the client invented the id', [call('p', 'x')], { id: 'mine', name: 'x' }, 'p'],
  ['no call of another name', [call('a', 'x')], { name: 'y' }, undefined],
  ['no call for a result without id and name', [call('a', 'x')], {}, undefined],
  ['no call when none is open', [], { id: 'a', name: 'x' }, undefined],
])('claims %s', (_name, open, { id, name }: { id?: string; name?: string }, claimed) => {
  const before = open.length;
  expect(claimCall(open, { id, name })?.id).toBe(claimed);
  expect(open.map((one) => one.id)).not.toContain(claimed);
  expect(open).toHaveLength(claimed === undefined ? before : before - 1);
});
