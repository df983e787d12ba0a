import { describe, expect, it } from 'vitest';
import { createSessionFiles } from '../../../src/session/session-files.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

function files() {
  const { fileSystem, volume } = createMemoryFileSystem();
  const session = createSessionFiles(fileSystem, '/state/s/outputs');
  return { ...session, volume, read: (file: string) => volume.readFileSync(file, 'utf8') };
}

describe('a saved tool output', () => {
  it('is a file of its own that only its owner may read', async () => {
    const { saveOutput, volume, read } = files();
    const file = await saveOutput('call_1', 'the whole text');
    expect(file).toBe('/state/s/outputs/call_1.txt');
    expect([read(file), volume.statSync(file).mode & 0o777]).toEqual(['the whole text', 0o600]);
  });

  it('is stored once per text', async () => {
    const { saveOutput, read } = files();
    const [first, same, longer, other] = [
      await saveOutput('a', 'one'),
      await saveOutput('a', 'one'),
      await saveOutput('a', 'one and more'),
      await saveOutput('a', 'two'),
    ];
    expect([first, same, longer, other].map((file) => file.slice('/state/s/outputs/'.length))).toEqual([
      'a.txt',
      'a.txt',
      'a-2.txt',
      'a-3.txt',
    ]);
    expect([read(first), read(longer), read(other)]).toEqual(['one', 'one and more', 'two']);
  });

  it.each([
    ['../../etc/passwd', '______etc_passwd.txt'],
    ['', 'output.txt'],
    ['x'.repeat(300), `${'x'.repeat(80)}.txt`],
  ])('has a safe file name for the call %j', async (callId, name) => {
    expect(await files().saveOutput(callId, 'text')).toBe(`/state/s/outputs/${name}`);
  });

  it('reports a directory that cannot be created', async () => {
    const { saveOutput, volume } = files();
    volume.mkdirSync('/state');
    volume.writeFileSync('/state/s', 'a file');
    await expect(saveOutput('a', 'text')).rejects.toMatchObject({ code: 'not_a_directory' });
  });
});
