import { describe, expect, it } from 'vitest';
import { readCall } from '../../../../src/providers/xnl/read-call.ts';

describe('readCall', () => {
  it.each([
    ['SysBuiltIn.bash({ command: "ls" })', { command: 'ls' }],
    ["SysBuiltIn.bash({ 'command': 'ls', })", { command: 'ls' }],
    ['  SysBuiltIn.bash(\n{ command: `a\nb` }\n);\n', { command: 'a\nb' }],
    ['SysBuiltIn.bash({ command: "a" + "b" + `c` })', { command: 'abc' }],
    [
      'SysBuiltIn.bash({ a: [1, -2, +3, 1.5e3], b: [], c: {}, d: null, e: true, 7: "x" })',
      {
        7: 'x',
        a: [1, -2, 3, 1500],
        b: [],
        c: {},
        d: null,
        e: true,
      },
    ],
    ['SysBuiltIn.bash({ "__proto__": { a: 1 } })', JSON.parse('{"__proto__":{"a":1}}')],
    ['SysBuiltIn.bash({ command: "a" + ("b" + "c") })', { command: 'abc' }],
    [`SysBuiltIn.bash({ command: ${'"x" + '.repeat(500)}"x" })`, { command: 'x'.repeat(501) }],
    ['SysBuiltIn.bash()', {}],
    ['SysBuiltIn.bash({"command":"ls \\u0041","n":1})', { command: 'ls A', n: 1 }],
  ])('reads %.60j', (text, args) => {
    expect(readCall(text)).toEqual({ type: 'call', name: 'bash', arguments: args });
  });

  it.each([
    ['SysBuiltIn.bash("ls")', 'the argument is not an object (1:16)'],
    ['SysBuiltIn.bash({}, 1)', 'there is more than one argument (1:20)'],
    ['SysBuiltIn.bash({}); rm()', 'there is more text after the call (1:19)'],
    ['SysBuiltIn.bash({});;', 'there is more text after the call (1:19)'],
    ['SysBuiltIn["bash"]({})', 'the name is not of the form SysBuiltIn.name (1:0)'],
    ['bash({})', 'the name is not of the form SysBuiltIn.name (1:0)'],
    ['fs.bash({})', 'there is no namespace fs, only SysBuiltIn (1:0)'],
    ['a.b.bash({})', 'the name is not of the form SysBuiltIn.name (1:0)'],
    ['{ command: "ls" }', 'this is not a call'],
    ['SysBuiltIn.bash({\n  command: run() })', 'only literals are allowed, and nothing is evaluated (2:11)'],
    ['SysBuiltIn.bash({ command: a })', 'only literals'],
    ['SysBuiltIn.bash({ command: undefined })', 'only literals'],
    ['SysBuiltIn.bash({ command: `$' + '{a}` })', 'only literals'],
    ['SysBuiltIn.bash({ command: tag`a` })', 'only literals'],
    ['SysBuiltIn.bash({ command: /a/ })', 'only literals'],
    ['SysBuiltIn.bash({ command: 1n })', 'only literals'],
    ['SysBuiltIn.bash({ command: 1e999 })', 'only literals'],
    ['SysBuiltIn.bash({ command: !true })', 'only literals'],
    ['SysBuiltIn.bash({ command: -"a" })', 'only literals'],
    ['SysBuiltIn.bash({ command: ~1 })', 'only literals'],
    ['SysBuiltIn.bash({ command: 1 + 2 })', 'only literals'],
    ['SysBuiltIn.bash({ command: "a" + 2 })', 'only literals'],
    ['SysBuiltIn.bash({ command: "a" - "b" })', 'only literals'],
    ['SysBuiltIn.bash({ command: (() => 1)() })', 'only literals'],
    ['SysBuiltIn.bash({ command })', 'a property must be a name and a literal'],
    ['SysBuiltIn.bash({ ["a"]: 1 })', 'a property must be a name and a literal'],
    ['SysBuiltIn.bash({ a() {} })', 'a property must be a name and a literal'],
    ['SysBuiltIn.bash({ get a() { return 1 } })', 'a property must be a name and a literal'],
    ['SysBuiltIn.bash({ ...a })', 'a spread is not a literal (1:18)'],
    ['SysBuiltIn.bash({ a: [...b] })', 'a spread is not a literal'],
    ['SysBuiltIn.bash({ a: [1,,2] })', 'an array with a gap is not a literal'],
    ['SysBuiltIn.bash({ command: "ls"', 'Unexpected token (1:31)'],
    ['SysBuiltIn.bash({ a: "1" b: "2" })', 'Unexpected token (1:25)'],
    ['', 'Unexpected token (1:0)'],
    [`SysBuiltIn.bash({ a: ${'['.repeat(50_000)}`, 'Not enough stack space'],
    [`SysBuiltIn.bash({ a: ${'['.repeat(101)}${']'.repeat(101)} })`, 'literals may be nested 100 levels deep (1:121)'],
    ['SysBuiltIn.bash({ command: "a" + ("b" - "c") })', 'only literals'],
    ['SysBuiltIn.bash({ command: #a in "b" })', 'Unexpected token'],
  ])('refuses %.60j', (text, reason) => {
    const call = readCall(text);
    expect(call).toMatchObject({ type: 'invalid', reason: expect.stringContaining(reason) });
    expect(call).toMatchObject({ reason: expect.stringContaining('Write one call with one object of literals') });
  });

  it('takes the name from the call, not from a comment before it', () => {
    const call = { type: 'call', name: 'bash', arguments: { command: 'ls' } };
    expect(readCall('// fs.remove\nSysBuiltIn.bash({ command: "ls" /* all */ })')).toEqual(call);
    expect(readCall('SysBuiltIn.bashé({})')).toMatchObject({ name: 'bashé' });
  });

  it('names the tool of a call that it refuses, if there is a name', () => {
    expect(readCall('SysBuiltIn.bash("ls")').name).toBe('bash');
    expect(readCall('nonsense').name).toBe('tool_call');
  });
});
