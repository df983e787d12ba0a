import { describe, expect, it } from 'vitest';
import { addDelta, finishCalls } from '../../../src/core/assemble-calls.ts';
import type { ModelEvent } from '../../../src/ports/language-model.ts';

type Delta = Omit<Extract<ModelEvent, { type: 'tool_call_delta' }>, 'type'>;

function assemble(deltas: readonly Delta[]): string[] {
  const calls = deltas.reduce<Parameters<typeof addDelta>[0]>(
    (known, delta) => addDelta(known, { type: 'tool_call_delta', ...delta }),
    [],
  );
  return finishCalls(calls, 3).map((call) => `${call.id} ${call.name} ${call.arguments}`);
}

const rows: readonly [string, readonly Delta[], readonly string[]][] = [
  ['nothing', [], []],
  ['one call in one piece', [{ index: 0, id: 'a', name: 'read', arguments: '{}' }], ['a read {}']],
  [
    'one call in pieces, the id only in the first',
    [
      { index: 0, id: 'a', name: 'read', arguments: '' },
      { index: 0, arguments: '{"pa' },
      { index: 0, arguments: 'th":1}' },
    ],
    ['a read {"path":1}'],
  ],
  [
    'the id repeated in every piece',
    [
      { index: 0, id: 'a', name: 'read', arguments: '{' },
      { index: 0, id: 'a', arguments: '}' },
    ],
    ['a read {}'],
  ],
  [
    'two calls, pieces interleaved',
    [
      { index: 0, id: 'a', name: 'read', arguments: '{' },
      { index: 1, id: 'b', name: 'list', arguments: '[' },
      { index: 0, arguments: '}' },
      { index: 1, arguments: ']' },
    ],
    ['a read {}', 'b list []'],
  ],
  [
    'two calls that collide on one index stay two',
    [
      { index: 0, id: 'a', name: 'read', arguments: '{1}' },
      { index: 0, id: 'b', name: 'list', arguments: '{2' },
      { index: 0, arguments: '}' },
    ],
    ['a read {1}', 'b list {2}'],
  ],
  [
    'the id and the name arrive late',
    [
      { index: 0, arguments: '{' },
      { index: 0, id: 'a', name: 'read', arguments: '}' },
    ],
    ['a read {}'],
  ],
  [
    'missing ids are generated from turn and position',
    [
      { index: 0, name: 'read', arguments: '{}' },
      { index: 1, id: '', name: 'list', arguments: '{}' },
    ],
    ['call_3_1 read {}', 'call_3_2 list {}'],
  ],
  [
    'a repeated id is made unique',
    [
      { index: 0, id: 'a', name: 'read', arguments: '{}' },
      { index: 1, id: 'a', name: 'list', arguments: '{}' },
      { index: 2, id: 'a', name: 'grep', arguments: '{}' },
    ],
    ['a read {}', 'a_2 list {}', 'a_3 grep {}'],
  ],
  [
    'neither the id nor the name arrives',
    [
      { index: 0, arguments: '{' },
      { index: 0, arguments: '}' },
    ],
    ['call_3_1  {}'],
  ],
  ['a call without a name is kept', [{ index: 0, id: 'a', arguments: '{}' }], ['a  {}']],
];

describe('assembling tool calls', () => {
  it.each(rows)('%s', (_name, deltas, expected) => {
    expect(assemble(deltas)).toEqual(expected);
  });
});
