import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../../src/agent/ports/language-model.ts';
import { addDelta, finishCalls, writtenPiece } from '../../../../src/agent/turn/assemble-calls.ts';

const isTool = (name: string): boolean => ['read_file', 'run_shell'].includes(name);

type Delta = Omit<Extract<ModelEvent, { type: 'tool_call_delta' }>, 'type'>;

function assemble(deltas: readonly Delta[]): string[] {
  const calls = deltas.reduce<Parameters<typeof addDelta>[0]>(
    (known, delta) => addDelta(known, { type: 'tool_call_delta', ...delta }),
    [],
  );
  return finishCalls(calls, 3, isTool).map((call) => `${call.id} ${call.name} ${call.arguments}`);
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
    'an empty id in the later pieces',
    [
      { index: 0, id: 'a', name: 'read', arguments: '{' },
      { index: 0, id: '', arguments: '}' },
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
    ['call_3_1 unnamed {}'],
  ],
  ['a call without a name gets one', [{ index: 0, id: 'a', arguments: '{}' }], ['a unnamed {}']],
];

describe('assembling tool calls', () => {
  it.each(rows)('%s', (_name, deltas, expected) => {
    expect(assemble(deltas)).toEqual(expected);
  });
});

describe('the problem of a call', () => {
  const finished = (problem?: string) =>
    finishCalls(
      addDelta([], {
        type: 'tool_call_delta',
        index: 0,
        id: 'a',
        name: 'read',
        arguments: '',
        ...(problem && { problem }),
      }),
      1,
      isTool,
    );

  it('is a property of the call, and is missing if there is none', () => {
    const call = { id: 'a', name: 'read', arguments: '' };
    expect(finished('It has no end.')).toStrictEqual([{ ...call, problem: 'It has no end.' }]);
    expect(finished()).toStrictEqual([call]);
  });
});

describe('the name of a finished call', () => {
  it.each([
    ['read_file', 'read_file'],
    ['mcp__server-1__tool', 'mcp__server-1__tool'],
    ['', 'unnamed'],
    [' ', '_'],
    ['a b\n', 'a_b_'],
    ['\u001b[31mread', '__31mread'],
    ['functions.read_file', 'read_file'],
    ['functions.read_file:0', 'read_file'],
    ['default_api.run_shell', 'run_shell'],
    ['default_api:run_shell', 'run_shell'],
    ['tools/read_file', 'read_file'],
    ['creating:read_file', 'read_file'],
    ['some.server.read_file', 'read_file'],
    ['read_file<|channel|>commentary', 'read_file'],
    ['read_file<|constrain|>json\n', 'read_file'],
    ['<tool_call> read_file', 'read_file'],
    ['"read_file"', 'read_file'],
    ['read_file()', 'read_file'],
    ['read_file\n', 'read_file'],
    ['functions.other', 'functions_other'],
    ['run_shell.read_file', 'run_shell_read_file'],
    ['other<|channel|>json', 'other__channel__json'],
    ['læs', 'l_s'],
    ['👩', '__'],
    [`read_file${' '.repeat(32)}!`, `read_file${'_'.repeat(33)}`],
    [`read_file${' >"'.repeat(10)}`, 'read_file'],
    [`read_file${' '.repeat(300)}`, `read_file${'_'.repeat(55)}`],
    ['x'.repeat(300), 'x'.repeat(64)],
  ])('%j becomes %j, which every provider accepts', (name, expected) => {
    const [call] = finishCalls([{ index: 0, id: 'a', name, arguments: '' }], 1, isTool);
    expect(call?.name).toBe(expected);
    expect(expected).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

describe('the arguments of a finished call', () => {
  it.each([
    ['{"path": "a.txt"}', '{"path": "a.txt"}'],
    ["{'path': 'a.txt',}", '{"path":"a.txt"}'],
    ['{"path": "a.t', '{"path": "a.t'],
    ['  ', '  '],
    ['', ''],
  ])('%j become %j', (text, expected) => {
    expect(finishCalls([{ index: 0, id: 'a', name: 'read_file', arguments: text }], 1, isTool)[0]?.arguments).toBe(
      expected,
    );
  });
});

it.each([
  [`{"a":${'['.repeat(99)}${']'.repeat(99)}}`, false],
  [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, true],
  [`{"a":${'['.repeat(100_000)}`, true],
  [`{"a":${'[],'.repeat(1000)}`, false],
  [JSON.stringify({ a: '[{'.repeat(1000), b: `\\"${'['.repeat(1000)}` }), false],
  [`{"a":"${'['.repeat(1000)}`, false],
])('arguments that are nested deeper than 100 levels are cut: case %#', (text, cut) => {
  const [call] = finishCalls([{ index: 0, id: 'a', name: 'read_file', arguments: text }], 1, isTool);
  expect(call?.arguments).toBe(cut ? text.slice(0, 100) : text);
});

describe('the id of a finished call', () => {
  const idOf = (id: string): string | undefined =>
    finishCalls([{ index: 0, id, name: 'a', arguments: '' }], 7, isTool)[0]?.id;

  it.each(['call_1', 'toolu_01A', 'functions.read_file:0', 'a'.repeat(64), 'x+/='])('%j is kept', (id) => {
    expect(idOf(id)).toBe(id);
  });

  it.each(['', ' ', 'a b', 'a\n', '\u001b[31m', 'é', 'a'.repeat(65), 'a'.repeat(300)])('%j is replaced', (id) => {
    expect(idOf(id)).toBe('call_7_1');
  });

  it('is unique among the longest ids, too', () => {
    const calls = [0, 1, 2].map((index) => ({ index, id: 'a'.repeat(64), name: 'a', arguments: '' }));
    const ids = finishCalls(calls, 1, isTool).map(({ id }) => id);
    expect(ids).toEqual(['a'.repeat(64), `${'a'.repeat(56)}_2`, `${'a'.repeat(56)}_3`]);
  });
});

describe('a piece of a call that is being written', () => {
  const call = { index: 0, id: 'a', name: 'read_file', arguments: '{"pa' };

  it.each([
    ['no new text', [call], [call], undefined],
    ['no name yet', [], [{ ...call, name: '' }], undefined],
    ['the first piece', [], [call], '{"pa'],
    ['the text before the name', [{ ...call, name: '' }], [call], '{"pa'],
    ['the next piece', [call], [{ ...call, arguments: '{"path' }], 'th'],
    ['an id alone', [{ ...call, id: '' }], [call], undefined],
  ])('is found: %s', (_name, before, after, text) => {
    expect(writtenPiece(before, after, text ?? '', 1, isTool)?.text).toBe(text);
  });
});
