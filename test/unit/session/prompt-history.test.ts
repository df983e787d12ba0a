import { describe, expect, it } from 'vitest';
import { computeDigest } from '../../../src/node/system.ts';
import { PromptHistory } from '../../../src/session/prompt-history.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const DIRECTORY = '/home/ada/.config/ybs/history';

function setUp() {
  const { fileSystem, volume } = createMemoryFileSystem({ '/home/ada/.config/ybs/config.json': '{}' });
  const open = (workspace = '/work/shop') =>
    new PromptHistory({
      fileSystem,
      digest: computeDigest,
      directory: DIRECTORY,
      workspace,
      redact: (text) => text.replaceAll('hunter2', '[redacted:password]'),
    });
  const file = `${DIRECTORY}/${computeDigest(new TextEncoder().encode('/work/shop'))}.jsonl`;
  return { open, volume, file };
}

describe('the history of messages', () => {
  it('keeps messages across sessions, with their line feeds and without secrets', async () => {
    const { open, volume, file } = setUp();
    expect(await open().load()).toEqual([]);
    await open().add('fix the test');
    await open().add('the password\nis hunter2');
    expect(await open().load()).toEqual(['fix the test', 'the password\nis [redacted:password]']);
    expect(volume.readFileSync(file, 'utf8')).toBe('"fix the test"\n"the password\\nis [redacted:password]"\n');
  });

  it('belongs to one workspace', async () => {
    const { open } = setUp();
    await open().add('one');
    expect(await open('/work/other').load()).toEqual([]);
  });

  it('is readable for its owner only', async () => {
    const { open, volume, file } = setUp();
    await open().add('one');
    const modes = [DIRECTORY, file].map((place) => Number(volume.statSync(place).mode) & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    volume.chmodSync(file, 0o666);
    expect(await open().load()).toEqual([]);
  });

  it('ignores lines that are damaged', async () => {
    const { open, volume, file } = setUp();
    await open().add('one');
    volume.appendFileSync(file, '{"a":1}\n"half\n""\n');
    await open().add('two');
    expect(await open().load()).toEqual(['one', 'two']);
  });

  it('keeps the last thousand messages, without very long ones', async () => {
    const { open, volume, file } = setUp();
    await open().add('first');
    const lines = Array.from({ length: 2_500 }, (_, index) => `"message ${index}"\n`);
    volume.appendFileSync(file, lines.join(''));
    await open().add('x'.repeat(20_000));
    const loaded = await open().load();
    expect([loaded.length, loaded.at(0), loaded.at(-1)]).toEqual([1_000, 'message 1500', 'message 2499']);
    expect(String(volume.readFileSync(file, 'utf8')).split('\n')).toHaveLength(1_001);
  });

  it('is truncated when its file is too large', async () => {
    const { open, volume, file } = setUp();
    await open().add('first');
    volume.appendFileSync(file, `"${'x'.repeat(9_000)}"\n`.repeat(150));
    expect((await open().load()).length).toBeLessThan(150);
    expect(volume.statSync(file).size).toBeLessThan(512 * 1024);
    expect(Number(volume.statSync(file).mode) & 0o777).toBe(0o600);
  });

  it('stays in memory when its file cannot be used', async () => {
    const { open, volume } = setUp();
    volume.writeFileSync(DIRECTORY, 'a file');
    await open().add('one');
    expect(await open().load()).toEqual([]);
  });
});
