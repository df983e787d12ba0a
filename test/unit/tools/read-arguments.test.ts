import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../src/agent/errors.ts';
import { conforms, type ExplainedSchema, withDefaults } from '../../../src/schema/conforms.ts';
import { ARGUMENT_SCHEMAS, type ToolArguments } from '../../../src/tools/definitions.data.ts';
import { coerceArguments, readArguments } from '../../../src/tools/read-arguments.ts';

const TASK = { content: 'Fix the sum', status: 'pending' };

/** Values for each schema, at the limits of each property and beyond them. */
const VALUES: { readonly [Name in keyof ToolArguments]: readonly unknown[] } = {
  read_file: [
    { path: 'a' },
    { path: 'a', offset: 1, limit: 1, other: 1 },
    { path: 'a', offset: 100_000_000, limit: 100_000 },
    ...[0, -1, 1.5, 100_000_001, '2', null].map((offset) => ({ path: 'a', offset })),
    ...[0, 100_001, true].map((limit) => ({ path: 'a', limit })),
    { path: 1 },
    { offset: 1 },
  ],
  write_file: [{ path: 'a', content: '' }, { path: 'a', content: 'a\0😀' }, { path: 'a' }, { content: '' }],
  edit_file: [
    { path: 'a', old_text: '', new_text: '' },
    ...[true, false, 'true', null, 1].map((replace_all) => ({ path: 'a', old_text: 'a', new_text: 'b', replace_all })),
    { path: 'a', old_text: 'a' },
  ],
  run_shell: [
    { command: '' },
    { command: 'ls', working_dir: 'src', timeout: 600 },
    ...[0, 1, 601, 1.5, null].map((timeout) => ({ command: 'ls', timeout })),
    { command: ['ls'] },
    { command: 'ls', working_dir: null },
  ],
  list_files: [
    { pattern: '*' },
    { pattern: '*', path: 'src', max_results: 1000 },
    ...['', 'x'.repeat(1000), 'x'.repeat(1001), '😀'.repeat(1000), 1].map((pattern) => ({ pattern })),
    ...[0, 1001].map((max_results) => ({ pattern: '*', max_results })),
  ],
  search_files: [
    { pattern: 'a' },
    { pattern: 'a', path: 'src', file_pattern: '*.ts', context_lines: 0, max_results: 1 },
    ...['', 'x'.repeat(1001), null].map((file_pattern) => ({ pattern: 'a', file_pattern })),
    ...[-1, 20, 21].map((context_lines) => ({ pattern: 'a', context_lines })),
    { pattern: '' },
  ],
  update_tasks: [
    { tasks: [] },
    { tasks: [TASK, { ...TASK, id: '1', activeForm: 'Fixing', other: 1 }] },
    ...[
      { ...TASK, id: 'x'.repeat(65) },
      { ...TASK, id: null },
      { ...TASK, status: 'done' },
      { ...TASK, content: '' },
      { ...TASK, content: 'x'.repeat(501) },
      { ...TASK, activeForm: '' },
      'task',
      null,
    ].map((task) => ({ tasks: [task] })),
    { tasks: Array.from({ length: 100 }, () => TASK) },
    { tasks: Array.from({ length: 101 }, () => TASK) },
    { tasks: TASK },
  ],
  read_range: [
    { path: 'a', endLine: -1 },
    { path: 'a', offset: 2, endLine: 3, maxBytes: 1 },
    ...[-2, 100_000_001].map((endLine) => ({ path: 'a', endLine })),
    { path: 'a', maxBytes: 0 },
  ],
  insert_lines: [
    { path: 'a', insertAfter: 0, new_text: 'x', action: 'insert' },
    { path: 'a', insertAfter: -1, new_text: 'x' },
    { path: 'a', insertAfter: 0, new_text: '' },
  ],
  delete_lines: [...[[1, 2], [1], [1, 2, 3], [0, 1], 'x', {}].map((range) => ({ path: 'a', range })), { path: 'a' }],
  several_edits: [
    { path: 'a', edits: [{ old_text: 'a', new_text: 'b' }] },
    { path: 'a', edits: [{ old_text: 'a', new_text: 'b', replace_all: true, other: 1 }], other: 1 },
    ...[[], [{ old_text: 'a' }], ['a'], 'a', null].map((edits) => ({ path: 'a', edits })),
    ...[100, 101].map((length) => ({
      path: 'a',
      edits: Array.from({ length }, () => ({ old_text: 'a', new_text: '' })),
    })),
    { path: 'a' },
  ],
  search_output: [
    ...['lines', 'files', 'counts', 'content', null].map((output) => ({ pattern: 'a', output })),
    { pattern: 'a' },
  ],
  run_with_limits: [
    ...[true, false, 'yes', null].flatMap((value) => [
      { command: 'ls', network: value },
      { command: 'ls', local_sockets: value },
    ]),
    ...[['a.org'], ['::1'], ['a b'], [''], [1], 'a.org', [], Array.from({ length: 11 }, () => 'a')].map((hosts) => ({
      ...{ command: 'ls', hosts },
    })),
    { command: 'ls' },
  ],
  run_milliseconds: [
    ...[1_000, 600_000, 999, 600_001].map((timeoutMs) => ({ command: 'ls', timeoutMs })),
    { command: 'ls', working_dir: 'src', timeoutMs: 1_000, timeout: 5 },
    { command: 'ls' },
  ],
};

const schemas = Object.entries<ExplainedSchema<unknown>>(ARGUMENT_SCHEMAS);
const examplesOf = new Map(Object.entries(VALUES));

describe.each(schemas)('the arguments %s', async (name, data) => {
  const examples = examplesOf.get(name) ?? [];
  const zod = await data.zod();
  /** Problem that the schema as data finds in a value; `undefined` if it does not fit. */
  const read = (value: unknown): unknown => {
    const filled = withDefaults(value, data.json);
    return conforms(filled, data) ? filled : undefined;
  };

  it('are read as zod reads them', () => {
    const values = [...examples, {}, [], [1], null, 'a', 1];
    const fits = values.map((value) => zod.safeParse(value).success);
    expect(new Set(fits)).toEqual(new Set([true, false]));
    for (const value of values) expect([value, read(value)]).toEqual([value, zod.safeParse(value).data]);
  });

  it('are read as zod reads them, whatever properties they have', () => {
    const values = examples.flatMap((value) => (typeof value === 'object' ? Object.entries(value ?? {}) : []));
    const entry = fc.oneof(fc.constantFrom(...values), fc.tuple(fc.constantFrom('path', 'x'), fc.jsonValue()));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
        const value = Object.fromEntries(entries);
        expect(read(value)).toEqual(zod.safeParse(value).data);
      }),
      { numRuns: 100 },
    );
  });
});

describe('readArguments', () => {
  it('reports each wrong field with the reason', async () => {
    const message =
      'The arguments of read_file do not fit its schema:\n✖ Invalid input: expected string, received undefined\n' +
      '  → at path\n✖ Too small: expected number to be >=1\n  → at offset';
    await expect(readArguments('read_file', { offset: 0 }, ARGUMENT_SCHEMAS.read_file)).rejects.toEqual(
      new ToolError('invalid_arguments', message),
    );
  });

  it('refuses a lone surrogate in a list', async () => {
    const tasks = [TASK, { ...TASK, content: '\udfff' }];
    await expect(readArguments('update_tasks', { tasks }, ARGUMENT_SCHEMAS.update_tasks)).rejects.toThrow(
      '✖ contains a lone surrogate (\\ud800 to \\udfff)\n  → at tasks[1].content',
    );
  });

  it('accepts a surrogate pair', async () => {
    const args = { path: 'a', content: '😀' };
    expect(await readArguments('write_file', args, ARGUMENT_SCHEMAS.write_file)).toEqual(args);
  });
});

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
    [{ tasks: '[{"id":1,"content":"a","rank":"2"}]' }, { tasks: [{ id: '1', content: 'a', rank: 2 }] }],
    [{ tasks: "[{'content': 'a'}]" }, { tasks: [{ content: 'a' }] }],
    [{ tasks: ['{"content":"a","rank":"2"}', 'b'] }, { tasks: [{ content: 'a', rank: 2 }, 'b'] }],
    [{ tasks: { content: 'a', rank: '2' } }, { tasks: [{ content: 'a', rank: 2 }] }],
    [{ tasks: '{"content":"a"}' }, { tasks: '{"content":"a"}' }],
    [{ tasks: 'none' }, { tasks: 'none' }],
    ['{"count":"1"}', { count: 1 }],
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
