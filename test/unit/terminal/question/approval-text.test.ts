import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../../src/agent/ports/approver.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { approvalText } from '../../../../src/terminal/question/approval-text.ts';

const command: ApprovalRequest = {
  callId: 'c1',
  toolName: 'run_shell',
  reason: 'Commands are always asked for.',
  effect: { summary: 'run npm test', paths: [], command: 'npm test', workingDirectory: '/work/shop' },
  offers: { type: 'exact_command', command: 'npm test', workingDirectory: '/work/shop' },
  editable: true,
};

const edit: ApprovalRequest = {
  callId: 'c2',
  toolName: 'edit_file',
  reason: 'The file was not read.',
  effect: {
    summary: 'edit a.js (+1 −1)',
    paths: [{ requested: 'a.js', realPath: '/work/shop/a.js', access: 'write' }],
    preview: { path: 'a.js', unified: '--- a.js\n+++ a.js\n@@ -1 +1 @@\n-old\n+new\n same\n', added: 1, removed: 1 },
  },
};

describe('the question', () => {
  it('shows the tool of a server with all of its input, and the command line of a first start', () => {
    const mcp = { server: 'srv', tool: 't', input: '{"url":"a\\u001b[2J"}', start: 'npx -y server' };
    const effect = { summary: 'call srv__t with …', paths: [], mcp };
    const text = approvalText({ callId: 'c3', toolName: 'srv__t', reason: 'Why.', effect }, (_style, shown) => shown);
    expect(text).toContain(
      '  $ npx -y server\n    {\n      "url": "a\\u001b[2J"\n    }\n? srv__t: call srv__t with …\n  Why.\n',
    );
  });

  it('shows the program of an external tool with all of its input, safely for a terminal', () => {
    const program = { path: '/home/ada/bin/search', input: '{"query":"a\\u001b[2J \u202e","more":["x"]}' };
    const effect = { summary: 'run search with …', paths: [], program, workingDirectory: '/work/shop' };
    const request = { callId: 'c3', toolName: 'search', reason: 'It runs a program.', effect };
    expect(approvalText(request, PLAIN)).toMatchInlineSnapshot(`
      "  $ /home/ada/bin/search
          {
            "query": "a\\u001b[2J \\u{202e}",
            "more": [
              "x"
            ]
          }
        in /work/shop
      ? search: run search with …
        It runs a program.
        y yes, once
        s no, and say what to do instead
        n no (or only Enter)
      "
    `);
  });

  it('does not repeat a command of several lines in the answers', () => {
    const lines = Array.from({ length: 150 }, (_, index) => `echo ${index}`).join('\n');
    const { effect } = command;
    const request: ApprovalRequest = {
      ...command,
      effect: { ...effect, command: lines },
      offers: { type: 'exact_command', command: lines, workingDirectory: '/work/shop' },
    };
    const rows = approvalText(request, PLAIN).split('\n');
    expect(rows.filter((row) => row.includes('echo 77'))).toHaveLength(1);
    expect(rows).toContain(
      '  a yes, and for the rest of this session: run_shell: exactly this command (in /work/shop)',
    );
  });

  it('shows a command, its directory, and the offered rule', () => {
    expect(approvalText(command, PLAIN)).toMatchInlineSnapshot(`
      "  $ npm test
        in /work/shop
      ? run_shell: run npm test
        Commands are always asked for.
        y yes, once
        a yes, and for the rest of this session: run_shell: npm test (in /work/shop)
        e edit the command and run it; asks again if it needs more
        s no, and say what to do instead
        n no (or only Enter)
      "
    `);
  });

  it('shows a change as a diff, and no key for a rule when none is offered', () => {
    expect(
      approvalText(edit, (style, text) => (style === 'bold' ? text : `<${style}>${text}</>`)),
    ).toMatchInlineSnapshot(`
      "  <red>--- a.js</>
        <green>+++ a.js</>
        <cyan>@@ -1 +1 @@</>
        <red>-old</>
        <green>+new</>
         same
        file /work/shop/a.js
      <yellow>?</> edit_file: edit a.js (+1 −1)
        The file was not read.
        y yes, once
        s no, and say what to do instead
        n no (or only Enter)
      "
    `);
  });

  it('shows the real path when there is neither a diff nor a command', () => {
    const effect = { summary: 'read x', paths: [{ requested: 'x', realPath: '/real/x', access: 'read' }] } as const;
    expect(approvalText({ callId: 'c', toolName: 'read_file', reason: 'r', effect }, PLAIN)).toContain(
      '  file /real/x\n',
    );
  });

  it('shows every line and every control character of a command', () => {
    const hidden = { ...command.effect, command: 'echo a\n\trm -rf b \u001b[2K\u202e\r' };
    const text = approvalText({ ...command, effect: hidden }, PLAIN);
    expect(text).toContain('  $ echo a\n  > \\u{9}rm -rf b \\u{1b}[2K\\u{202e}\\u{d}\n');
  });

  it.each([
    [98, false],
    [99, true],
  ])('shortens a diff of more than 100 lines in the middle and offers the rest: %i lines', (lines, isLong) => {
    const unified = `--- a\n+++ a\n${'+x\n'.repeat(lines)}`;
    const preview = { path: 'a', unified, added: lines, removed: 0 };
    const text = approvalText({ ...edit, effect: { ...edit.effect, preview } }, PLAIN);
    expect(text.includes('  d show the whole diff\n')).toBe(isLong);
    expect(text.split('\n').filter((row) => row === '  +x')).toHaveLength(98);
  });

  it.each([
    [{ type: 'on', program: 'bubblewrap' }, {}, '  sandboxed (bubblewrap), no network'],
    [{ type: 'on', program: 'bubblewrap' }, { network: true }, '  sandboxed (bubblewrap), WITH NETWORK'],
    [
      { type: 'on', program: 'bubblewrap' },
      { localSockets: true },
      '  sandboxed (bubblewrap), no network, WITH LOCAL SOCKETS',
    ],
    [{ type: 'off', reason: 'no bwrap' }, {}, '  UNSANDBOXED (no bwrap), with network'],
  ] as const)('shows the sandbox %j, limits: %j', (sandbox, limits, row) => {
    const effect = { ...command.effect, ...limits };
    expect(approvalText({ ...command, effect, sandbox }, PLAIN).split('\n')[2]).toBe(row);
  });

  it('numbers several questions and shows each of them completely', () => {
    const pending = [command, { ...edit, toolName: 'write_file', effect: { ...edit.effect, summary: 'replace a.js' } }];
    const request = {
      ...edit,
      offersDirectory: { type: 'file_operations', directory: '/work/shop' } as const,
      pending,
    };
    expect(approvalText(request, PLAIN)).toMatchInlineSnapshot(`
      "  --- a.js
        +++ a.js
        @@ -1 +1 @@
        -old
        +new
         same
        file /work/shop/a.js
      ? 1 of 3: edit_file: edit a.js (+1 −1)
        The file was not read.

        $ npm test
        in /work/shop
      ? 2 of 3: run_shell: run npm test
        Commands are always asked for.

        --- a.js
        +++ a.js
        @@ -1 +1 @@
        -old
        +new
         same
        file /work/shop/a.js
      ? 3 of 3: write_file: replace a.js
        The file was not read.
        y yes, once, to number 1 only
        b yes, once, to all 3
        w yes, and for the rest of this session: every change of files in /work/shop
        s no, and say what to do instead
        n no (or only Enter)
      "
    `);
  });

  it('names tool and file on the lines next to the answers, below a long diff', () => {
    const preview = { path: 'a', unified: '+x\n'.repeat(3_000), added: 3_000, removed: 0 };
    const text = approvalText({ ...edit, effect: { ...edit.effect, preview } }, PLAIN);
    expect(text.split('\n').slice(-7)[0]).toBe('? edit_file: edit a.js (+1 −1)');
  });

  it('escapes names that come from the model', () => {
    const hostile = {
      ...command,
      toolName: 'a\u0007',
      effect: { ...command.effect, summary: 'b\nc', workingDirectory: '/d\u001b' },
    };
    const text = approvalText(hostile, PLAIN);
    expect(text).toContain('a\\u{7}: b\\u{a}c');
    expect(text).toContain('in /d\\u{1b}');
  });
});

it.each([
  [
    { type: 'edit_read_files' } as const,
    'every edit of a file that was read in this session and has not changed since',
  ],
  [
    { type: 'write_directory', directory: '/w' } as const,
    'every write of a new file, or of one read in this session, in /w',
  ],
])('the question describes the rule %j', (offers, words) => {
  expect(approvalText({ ...edit, offers }, PLAIN)).toContain(`  a yes, and for the rest of this session: ${words}\n`);
  const kept = `  a yes, and for the rest of this session and later ones: ${words}\n`;
  expect(approvalText({ ...edit, offers }, PLAIN, true)).toContain(kept);
});
