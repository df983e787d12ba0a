import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FileSystemError } from '../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { FileSystemErrorCode } from '../../../src/agent/ports/file-system.ts';
import { createReadFile } from '../../../src/tools/files/read-file.ts';
import { createWriteFile } from '../../../src/tools/files/write-file.ts';
import { errorTexts, MEANINGS } from '../../../tooling/docs/errors.ts';
import { configuredRun, MODEL, type RunScript } from '../../support/agent/configured-run.ts';
import { CONTEXT, fileWorkspace, finish } from '../../support/tools/file-tools.ts';

const FILES = {
  '/work/a.txt': 'one\none\n',
  '/work/binary': 'a\0b',
  '/work/blocked/x': '',
};

const LARGE = { '/work/large': 'x'.repeat(11_000_000) };

/** The result of one call, as the model and scripts receive it. */
async function resultOf(name: string, args: object, script: RunScript = {}) {
  const { screen } = await configuredRun({
    config: { llm: MODEL, safety: { permission_mode: 'full-access', sandbox_blocked_paths: ['/work/blocked'] } },
    files: FILES,
    answers: [{ calls: [{ id: '1', name, arguments: JSON.stringify(args) }] }, { text: 'Done.' }],
    ...script,
    options: { outputFormat: 'json', ...script.options },
  });
  for (const line of screen.trimEnd().split('\n')) {
    const event: AgentEvent = JSON.parse(line);
    if (event.type === 'tool_result') return event;
  }
  throw new Error('no result');
}

const READ_ONLY = { llm: MODEL, safety: { permission_mode: 'read-only' } };
const ASK = { llm: MODEL, safety: { permission_mode: 'ask' } };

it.each<[code: string, name: string, args: object, script?: RunScript]>([
  ['invalid_arguments', 'read_file', {}],
  ['invalid_arguments', 'no_such_tool', {}],
  ['path_outside_workspace', 'write_file', { path: '/elsewhere/a', content: '' }],
  ['path_blocked', 'read_file', { path: 'blocked/x' }],
  ['not_found', 'read_file', { path: 'none' }],
  ['is_directory', 'read_file', { path: 'blocked/..' }],
  ['not_a_directory', 'read_file', { path: 'a.txt/b' }],
  ['binary_file', 'edit_file', { path: 'binary', old_text: 'a', new_text: 'b' }],
  ['too_large', 'edit_file', { path: 'large', old_text: 'a', new_text: 'b' }, { files: LARGE }],
  ['edit_not_found', 'edit_file', { path: 'a.txt', old_text: 'two', new_text: 'b' }],
  ['edit_ambiguous', 'edit_file', { path: 'a.txt', old_text: 'one', new_text: 'b' }],
  ['invalid_pattern', 'search_files', { pattern: '(', regex: true }],
  ['redaction_mark', 'write_file', { path: 'n', content: '[redacted:key]' }],
  ['denied_by_rule', 'write_file', { path: 'n', content: '' }, { config: READ_ONLY }],
  ['approval_unavailable', 'write_file', { path: 'n', content: '' }, { config: ASK }],
  ['dry_run', 'write_file', { path: 'n', content: '' }, { options: { dryRun: true } }],
])('the code %s belongs to a call of %s with %j', async (code, name, args, script) => {
  const { code: found, content, outcome } = await resultOf(name, args, script);
  expect(found).toBe(code);
  expect(content.endsWith(`\nerror: ${code}`)).toBe(outcome === 'failed');
});

it.each<[FileSystemErrorCode, code: string]>([
  ['permission_denied', 'permission_denied'],
  ['no_space', 'no_space'],
  ['io_error', 'io_error'],
  ['moved', 'file_changed'],
])('a write that fails with %s has the code %s', async (failure, code) => {
  const { ports } = fileWorkspace({}, () => ({
    replaceFile: (directory) => Promise.reject(new FileSystemError(failure, directory)),
  }));
  const planned = await createWriteFile(ports).plan({ path: 'a', content: '' }, CONTEXT);
  await expect(finish(planned)).rejects.toMatchObject({ name: 'ToolError', code });
});

it.each<[cause: string, FileSystemErrorCode, code: string, message: string]>([
  [
    'EROFS',
    'permission_denied',
    'permission_denied',
    'The file system of a is read-only, so nothing was written. Use another path, or tell the user.',
  ],
  [
    'EFBIG',
    'io_error',
    'no_space',
    'The limit of the file size (ulimit -f) is reached, so a was not written. Tell the user.',
  ],
])('a write that fails by %s reports that', async (platform, failure, code, message) => {
  const cause = Object.assign(new Error('x'), { code: platform });
  const { ports } = fileWorkspace({}, () => ({
    replaceFile: (directory) => Promise.reject(new FileSystemError(failure, directory, { cause })),
  }));
  const planned = await createWriteFile(ports).plan({ path: 'a', content: '' }, CONTEXT);
  await expect(finish(planned)).rejects.toMatchObject({ code, message });
});

it('a read of a device has the code not_a_file', async () => {
  const { ports } = fileWorkspace({ a: '' }, () => ({
    readFile: (file) => Promise.reject(new FileSystemError('not_a_file', file)),
  }));
  const planned = await createReadFile(ports).plan({ path: 'a' }, CONTEXT);
  await expect(finish(planned)).rejects.toMatchObject({ code: 'not_a_file' });
});

it('docs/errors.md has a text for each code of a tool', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  for (const code of Object.keys(MEANINGS)) expect(page).toContain(`| \`${code}\` |`);
  const texts = errorTexts([
    `throw new ToolError('not_found', \`\${a(b)} is not there. It's {x}\`);`,
    "const TEXT = 'It is far too large for us.';\nfunction f() {\n  throw new ToolError('too_large', TEXT);\n}",
    `return ['is_directory', \`This is a directory of \${x}.\`]; const y = ['other', 'not a code at all'];`,
    'throw new ToolError(code, text);',
  ]);
  expect(texts).toEqual([
    { code: 'too_large', text: 'It is far too large for us.' },
    { code: 'is_directory', text: 'This is a directory of ….' },
    { code: 'not_found', text: "… is not there. It's {x}" },
  ]);
});
