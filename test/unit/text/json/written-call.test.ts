import { describe, expect, it } from 'vitest';
import { WrittenCallReader } from '../../../../src/text/json/written-call.ts';

/** The call after each piece of this length. */
function readings(text: string, length: number) {
  const reader = new WrittenCallReader();
  return (text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? []).map((piece) => reader.add(piece));
}

const JSON_CALL = JSON.stringify({ path: 'src/a "b".ts', content: 'äé\n"x"\t{1}: y,\u0001 😀' });

describe('a call whose text arrives in pieces', () => {
  it.each([
    ['arguments in JSON', JSON_CALL, { path: 'src/a "b".ts', size: 22, tail: 'äé\n"x"\t{1}: y,\u0001 😀' }],
    [
      'a call in JSON',
      '<tool_call>\n{"name": "write_file", "arguments": {"file_path": "a", "content": "1\\n2"}}</tool_call>',
      { name: 'write_file', path: 'a', size: 3, tail: '1\n2' },
    ],
    ['edits', '{"path":"a","edits":[{"old":"xyz","new":"1"},{"old":"2"}]}', { path: 'a', size: 1, tail: '2' }],
    ['a member after the path', '{"replace_all":true,"path":"a"}', { path: 'a', size: 0, tail: '' }],
    ['a wrong escape', '{"content":"a\\uZZZZ\\q"}', { size: 5, tail: 'a\ufffdq' }],
    [
      'tags',
      '<function=write_file>\n<parameter=path>\na.html\n</parameter>\n<parameter=content>\n<b>1</b> < 2\n</parameter>\n</function>',
      { name: 'write_file', path: 'a.html', size: 12, tail: '<b>1</b> < 2' },
    ],
    [
      'tags with attributes',
      '<invoke name="run_shell">\n<parameter name="command">ls\n</parameter></invoke>',
      { name: 'run_shell', size: 2, tail: 'ls' },
    ],
    [
      'keys and values',
      '<tool_call>write_file<arg_key>path</arg_key>\n<arg_value>a</arg_value><arg_key>content</arg_key><arg_value>1</arg_value>',
      { name: 'write_file', path: 'a', size: 1, tail: '1' },
    ],
    [
      'JavaScript',
      '<tool_call id="a" lang="javascript" #>\nwrite_file({ path: \'a.ts\', content: `x "y"` })',
      { name: 'write_file', path: 'a.ts', size: 5, tail: 'x "y"' },
    ],
    ['no call', 'Hello', { size: 0, tail: '' }],
  ])('is read the same with any size of the pieces: %s', (_name, text, expected) => {
    for (const length of [1, 2, 7, 1_000]) expect(readings(text, length).at(-1)).toEqual(expected);
  });

  it('reports with each piece how much of the value has arrived', () => {
    expect(readings('{"path":"a","content":"12\\n45"}', 6).map(({ path, size }) => [path, size])).toEqual([
      [undefined, 0],
      ['a', 0],
      ['a', 0],
      ['a', 1],
      ['a', 5],
      ['a', 5],
    ]);
  });

  it('keeps only the end of a long value', () => {
    const { size, tail } = readings(JSON.stringify({ content: `${'x'.repeat(5_000)}end` }), 999).at(-1) ?? {};
    expect(size).toBe(5_003);
    expect(tail).toHaveLength(1_000);
    expect(tail).toMatch(/xend$/);
  });

  it('includes text that begins like a tag but is not one', () => {
    const text = `<parameter=content>a <${'b'.repeat(300)}`;
    expect(readings(text, 50).at(-1)?.size).toBe(303);
  });
});
