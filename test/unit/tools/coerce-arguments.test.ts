import { describe, expect, it } from 'vitest';
import { coerceArguments } from '../../../src/tools/read-arguments.ts';

const schema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    all: { type: 'boolean' },
    odd: true,
    tasks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['content'],
        properties: { id: { type: 'string' }, content: { type: 'string' }, rank: { type: 'integer' } },
      },
    },
  },
};

describe('coerceArguments', () => {
  it.each([
    [{ count: '10' }, { count: 10 }],
    [{ count: '-3' }, { count: -3 }],
    [{ ratio: '0.5' }, { ratio: 0.5 }],
    [{ all: 'true' }, { all: true }],
    [{ all: 'false' }, { all: false }],
    [{ all: 'yes' }, { all: 'yes' }],
    [{ count: '' }, { count: '' }],
    [{ count: ' 1' }, { count: ' 1' }],
    [{ count: '1e3' }, { count: '1e3' }],
    [{ text: '10' }, { text: '10' }],
    [{ text: 'true' }, { text: 'true' }],
    [
      { odd: '10', unknown: '10' },
      { odd: '10', unknown: '10' },
    ],
    [{ count: 10, all: null }, { count: 10 }],
    [
      { text: null, odd: null, unknown: null },
      { text: null, odd: null, unknown: null },
    ],
    [{ text: 10 }, { text: '10' }],
    [{ text: -1 }, { text: '-1' }],
    // Such a number has more than one form.
    [{ text: 0.5 }, { text: 0.5 }],
    [{ text: 2 ** 60 }, { text: 2 ** 60 }],
    [{ text: true }, { text: true }],
    [
      { tasks: [{ id: 1, content: 'a', rank: '2' }, { id: null, content: null }, 'b'] },
      { tasks: [{ id: '1', content: 'a', rank: 2 }, { content: null }, 'b'] },
    ],
    [null, null],
    ['10', '10'],
    [['10'], ['10']],
  ])('converts %j to %j', (args, expected) => {
    expect(coerceArguments(args, schema)).toEqual(expected);
  });

  it.each([true, { type: 'object' }, { type: 'object', properties: [] }])(
    'changes nothing with the schema %j',
    (empty) => {
      expect(coerceArguments({ count: '10' }, empty)).toEqual({ count: '10' });
    },
  );
});
