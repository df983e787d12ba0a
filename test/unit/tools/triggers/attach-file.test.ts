import { describe, expect, it } from 'vitest';
import type { ApprovalDecision, ApprovalRequest, PermissionDecision } from '../../../../src/agent/ports/approver.ts';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import { attachFile, mayAttach } from '../../../../src/tools/triggers/attach-file.ts';
import { fileWorkspace } from '../../../support/tools/file-tools.ts';

interface Script {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly permission?: PermissionDecision;
  readonly answer?: ApprovalDecision;
  readonly change?: (fileSystem: FileSystem) => Partial<FileSystem>;
}

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]);
const OUTSIDE: PermissionDecision = { type: 'ask', rule: 'path outside the workspace', reason: 'It lies outside.' };

async function attach(path: string, script: Script = {}) {
  const { ports, volume } = fileWorkspace(script.files ?? { 'a.md': 'one\ntwo\n' }, script.change);
  for (const [link, target] of Object.entries(script.links ?? {})) volume.symlinkSync(target, `/w/${link}`);
  const asked: ApprovalRequest[] = [];
  const planned: string[] = [];
  const attached = await attachFile(
    path,
    {
      ...ports,
      rules: [],
      redact: (text) => text.replaceAll('hunter2', '[redacted]'),
      decide({ definition, effect }) {
        planned.push(`${definition.name} ${effect.summary}`);
        return script.permission ?? { type: 'allow', rule: 'test' };
      },
      approver: {
        async decide(request) {
          asked.push(request);
          return script.answer ?? { type: 'deny' };
        },
      },
    },
    new AbortController().signal,
  );
  return { attached, asked, planned, known: ports.ledger.get(`/w/${path}`) };
}

describe('attachFile', () => {
  it('reads the whole text under a header, and records the file as read', async () => {
    const { attached, planned, known } = await attach('a.md');
    expect(attached).toEqual({ file: 'a.md', text: '@file:a.md\none\ntwo\n', summary: '2 lines, 8 bytes' });
    expect(planned).toEqual(['read_file read a.md']);
    expect(known?.text).toBe('one\ntwo\n');
  });

  it.each<readonly [string, string, string, string]>([
    ['an empty file', '', '@file:a.md\n', '0 lines, 0 bytes'],
    ['a last line without an end', 'one', '@file:a.md\none', '1 line, 3 bytes'],
    ['CRLF unchanged', 'one\r\n', '@file:a.md\none\r\n', '1 line, 5 bytes'],
    ['a secret', 'key hunter2\n', '@file:a.md\nkey [redacted]\n', '1 line, 12 bytes'],
    ['text that looks like a trigger', '@file:b.md\n', '@file:a.md\n@file:b.md\n', '1 line, 11 bytes'],
  ])('reads %s', async (_name, content, text, summary) => {
    expect((await attach('a.md', { files: { 'a.md': content } })).attached).toEqual({ file: 'a.md', text, summary });
  });

  it('reads the first whole lines of a long text, which is not recorded as read', async () => {
    const files = { 'a.md': `${'x'.repeat(29_999)}\n${'y'.repeat(29_999)}\n`, 'b.md': 'z'.repeat(60_000) };
    const { attached, known } = await attach('a.md', { files });
    const note = '\n[truncated: the first 30000 characters of 58.6 KB; read_file shows the rest]';
    expect(attached.text).toBe(`@file:a.md\n${'x'.repeat(29_999)}\n${note}`);
    expect([attached.summary, known]).toEqual(['the first 1 line of 58.6 KB', undefined]);
    expect((await attach('b.md', { files })).attached.text).toHaveLength(50_000 + '@file:b.md\n'.length + note.length);
  });

  it('attaches a picture', async () => {
    expect((await attach('a.png', { files: { 'a.png': PNG } })).attached).toEqual({
      file: 'a.png',
      text: '@file:a.png',
      images: [{ mediaType: 'image/png', data: Buffer.from(PNG).toString('base64') }],
      summary: 'PNG image, 10 bytes',
    });
  });

  it.each<readonly [string, string, Script]>([
    ['aa.md', 'it does not exist. Did you mean a.md?', {}],
    ['quite/else.md', 'it does not exist.', {}],
    ['zzzzzzzz', 'it does not exist.', {}],
    ['src', 'it is a directory. Name a file in it.', { files: { 'src/a.md': '' } }],
    ['a.md/x', 'a part of the path is a file.', {}],
    ['blocked/x', 'the rules for paths block it; see safety.sandbox_blocked_paths.', {}],
    ['a.bin', 'it is neither text nor a picture (PNG, JPEG, GIF, WebP).', { files: { 'a.bin': 'a\0b' } }],
    ['../outside/secret', 'it leads out of the workspace. Type the absolute path if you mean that file.', {}],
    [
      'link',
      'it leads out of the workspace. Type the absolute path if you mean that file.',
      { links: { link: '/outside/secret' } },
    ],
  ])('refuses %j', async (path, problem, script) => {
    await expect(attach(path, script)).rejects.toThrow(`@file:${path} cannot be read: ${problem}`);
  });

  it.each([
    ['a.md', true],
    ['src/', true],
    ['inside', true],
    ['/outside/secret', true],
    ['../outside/secret', false],
    ['link', false],
    ['folder/secret', false],
    ['broken', false],
    ['blocked/x', false],
  ])('reports in advance whether a path can be read: %s', async (path, expected) => {
    const { ports, volume } = fileWorkspace({ 'a.md': 'one', 'src/b.md': 'two' });
    const links = { inside: 'src', link: '/outside/secret', folder: '/outside', broken: '/w/none' };
    for (const [link, target] of Object.entries(links)) volume.symlinkSync(target, `/w/${link}`);
    expect(await mayAttach(path, ports)).toBe(expected);
    const change = () => ({ realPath: () => Promise.reject(new TypeError('broken')) });
    await expect(mayAttach(path, fileWorkspace({}, change).ports)).rejects.toThrow(TypeError);
  });

  it('rethrows other errors', async () => {
    const change = () => ({ readFile: () => Promise.reject(new TypeError('broken')) });
    await expect(attach('a.md', { change })).rejects.toThrow(TypeError);
  });

  it.each<readonly [ApprovalDecision['type'], ApprovalDecision]>([
    ['once', { type: 'once' }],
    ['session', { type: 'session' }],
  ])('reads an absolute path outside the workspace after the answer %s', async (_name, answer) => {
    const { attached, asked } = await attach('/outside/secret', { permission: OUTSIDE, answer });
    expect(attached.text).toBe('@file:/outside/secret\nsecret');
    expect(asked).toEqual([
      {
        callId: '@file:/outside/secret',
        toolName: 'read_file',
        effect: {
          summary: 'read /outside/secret',
          paths: [{ requested: '/outside/secret', realPath: '/outside/secret', access: 'read' }],
        },
        reason: 'It lies outside.',
        digest: expect.stringMatching(/^[\da-f]{64}$/),
      },
    ]);
  });

  it.each<readonly [string, Script]>([
    ['is not read: you declined.', { permission: OUTSIDE, answer: { type: 'deny' } }],
    [
      'is not read, because nobody can be asked. It lies outside.',
      { permission: OUTSIDE, answer: { type: 'unavailable' } },
    ],
    [
      'is not read (rule: file with secrets).',
      { permission: { type: 'deny', rule: 'file with secrets', reason: 'For the model.' } },
    ],
  ])('%s', async (problem, script) => {
    await expect(attach('a.md', script)).rejects.toThrow(`@file:a.md ${problem}`);
  });

  it('asks about a path in the home directory, where ~ is expanded', async () => {
    await expect(attach('~/x', {})).rejects.toThrow('@file:~/x cannot be read: it does not exist.');
  });
});
