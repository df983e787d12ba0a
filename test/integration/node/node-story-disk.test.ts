import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { systemProcesses } from '../../../src/node/processes.ts';
import { treeOf } from '../../support/fakes/memory-story-disk.ts';
import { stubEnvironment } from '../../support/fakes/stub-environment.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

async function workspaceOf(source: string | undefined): Promise<string> {
  const directory = await nodeStoryDisk.createWorkspace(source);
  onTestFinished(() => nodeStoryDisk.remove(directory));
  return directory;
}

/** Makes a new directory the temporary one until the end of the test. */
function useTemporary(): string {
  const temporary = temporaryDirectory();
  stubEnvironment({ TMPDIR: temporary, TEMP: temporary });
  return temporary;
}

const plain = (tree: ReadonlyMap<string, Uint8Array>) => new Map([...tree].map(([name, bytes]) => [name, [...bytes]]));

describe('the disk for stories', () => {
  it('copies a workspace byte for byte, including hidden files', async () => {
    const source = temporaryDirectory();
    writeFiles(source, { '.hidden': 'h', 'a/b/c.txt': 'crlf\r\n' });
    writeFileSync(path.join(source, 'binary'), Uint8Array.of(0, 255, 10));
    mkdirSync(path.join(source, 'empty'));
    const directory = await workspaceOf(source);
    const tree = await nodeStoryDisk.readTree(directory);
    const expected = treeOf({ '.hidden': 'h', 'a/b/c.txt': 'crlf\r\n' }).set('binary', Uint8Array.of(0, 255, 10));
    expect(plain(tree)).toEqual(plain(expected));
    expect(realpathSync(directory)).toBe(directory);
  });

  it('creates an empty workspace, and distinguishes a link from its target', async () => {
    const directory = await workspaceOf(undefined);
    expect(await nodeStoryDisk.readTree(directory)).toEqual(new Map());
    writeFiles(directory, { a: 'text' });
    symlinkSync('a', path.join(directory, 'b'));
    expect(plain(await nodeStoryDisk.readTree(directory))).toEqual(plain(treeOf({ a: 'text', b: 'link to a' })));
  });

  it('leaves nothing behind if a workspace cannot be copied', async () => {
    const temporary = useTemporary();
    await expect(nodeStoryDisk.createWorkspace(path.join(temporary, 'nowhere'))).rejects.toThrow('ENOENT');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('removes a workspace', async () => {
    const directory = await workspaceOf(undefined);
    writeFiles(directory, { 'a/b': '' });
    await nodeStoryDisk.remove(directory);
    expect([existsSync(directory), existsSync(`${directory}.owner`)]).toEqual([false, false]);
  });

  it('removes only the workspaces of killed processes', async () => {
    const temporary = temporaryDirectory();
    const source = temporaryDirectory();
    writeFiles(source, { 'a/b': 'text' });
    const { href } = new URL('../../../src/node/files/node-story-disk.ts', import.meta.url);
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary };
    const load = 'const { nodeStoryDisk: disk } = await import(process.argv[1]);';
    const script = `
      ${load}
      await disk.keep(await disk.createWorkspace(undefined));
      await disk.createWorkspace(process.argv[2]);
      process.kill(process.pid, 'SIGKILL');`;
    const run = (code: string) =>
      spawnSync(process.execPath, ['--input-type=module', '-e', code, href, source], { env, encoding: 'utf8' });
    expect(run(script)).toMatchObject({ signal: 'SIGKILL' });
    const workspaces = () => readdirSync(temporary).filter((name) => name.startsWith('ybs-story-'));
    const left = workspaces();
    const owners = left.filter((name) => name.endsWith('.owner'));
    expect([left.length, owners.length]).toEqual([3, 1]);
    const [owner = ''] = owners;
    const fields: unknown = JSON.parse(readFileSync(path.join(temporary, owner), 'utf8'));
    const others: Readonly<Record<string, string>> = {
      'of-another-machine': JSON.stringify({ ...Object(fields), host: 'elsewhere' }),
      'of-a-running-process': JSON.stringify(await systemProcesses.self()),
      'without-an-owner': 'null',
      'cut-short': '{"pid":',
    };
    for (const [name, text] of Object.entries(others)) {
      writeFiles(temporary, { [`ybs-story-${name}/kept`]: '', [`ybs-story-${name}.owner`]: text });
    }
    const kept = left.filter((name) => !name.startsWith(owner.slice(0, -'.owner'.length)));
    const expected = [
      ...kept,
      ...Object.keys(others).flatMap((name) => [`ybs-story-${name}`, `ybs-story-${name}.owner`]),
    ];
    const own = path.basename(run(`${load} process.stdout.write(await disk.createWorkspace(undefined));`).stdout);
    expect(own).toMatch(/^ybs-story-/);
    expect(workspaces().toSorted()).toEqual([...expected, own, `${own}.owner`].toSorted());
  });

  it('replaces a file, through links, and removes temporary files of killed processes', async () => {
    const root = temporaryDirectory();
    writeFiles(root, { 'real/lock.json': 'old', 'story/other': '' });
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    writeFiles(root, { [`real/lock.json.new-${gone}`]: 'half', [`real/lock.json.new-${process.ppid}`]: 'running' });
    const link = path.join(root, 'story/lock.json');
    symlinkSync('../real/lock.json', link);
    await nodeStoryDisk.replaceFile(link, 'new');
    vi.spyOn(process, 'cwd').mockReturnValue(path.join(root, 'story'));
    await expect(nodeStoryDisk.replaceFile(link, 'newer')).rejects.toThrow('leads out of this directory');
    expect(plain(await nodeStoryDisk.readTree(root))).toEqual(
      plain(
        treeOf({
          'real/lock.json': 'new',
          [`real/lock.json.new-${process.ppid}`]: 'running',
          'story/lock.json': 'link to ../real/lock.json',
          'story/other': '',
        }),
      ),
    );
  });

  it('refuses to replace a broken link', async () => {
    const root = temporaryDirectory();
    symlinkSync('nowhere', path.join(root, 'lock.json'));
    await expect(nodeStoryDisk.replaceFile(path.join(root, 'lock.json'), 'new')).rejects.toThrow(
      'lock.json is a link to a file that does not exist. Create that file, or delete the link.',
    );
    expect(readdirSync(root)).toEqual(['lock.json']);
  });

  it('replaces a directory completely, or creates it, and leaves no temporary files', async () => {
    const root = temporaryDirectory();
    writeFiles(root, { 'old/a': 'old', 'old/gone': 'x', 'new/a': 'new', 'new/b/c': 'c' });
    await nodeStoryDisk.replace(path.join(root, 'old'), path.join(root, 'new'));
    await nodeStoryDisk.replace(path.join(root, 'fresh/deep'), path.join(root, 'new'));
    for (const directory of ['old', 'fresh/deep']) {
      expect(plain(await nodeStoryDisk.readTree(path.join(root, directory)))).toEqual(
        plain(treeOf({ a: 'new', 'b/c': 'c' })),
      );
    }
    expect(readdirSync(root).toSorted()).toEqual(['fresh', 'new', 'old']);
    expect(readdirSync(path.join(root, 'fresh'))).toEqual(['deep']);
  });

  it.each(['recover', 'replace'] as const)('restores a directory whose replacement was killed, by %s', async (by) => {
    const root = temporaryDirectory();
    const old = path.join(root, 'old');
    const onlyOld = plain(treeOf({ 'old/a': 'old' }));
    writeFiles(root, { '.old.recording-old/a': 'old' });
    if (by === 'recover') await nodeStoryDisk.recover(old);
    else await expect(nodeStoryDisk.replace(old, path.join(root, 'nowhere'))).rejects.toThrow('ENOENT');
    expect(plain(await nodeStoryDisk.readTree(root))).toEqual(onlyOld);
    writeFiles(root, { '.old.recording-old/a': 'older' });
    await nodeStoryDisk.recover(old);
    expect(plain(await nodeStoryDisk.readTree(root))).toEqual(onlyOld);
  });

  it('keeps a directory that cannot be replaced', async () => {
    const root = temporaryDirectory();
    writeFiles(root, { 'old/a': 'old' });
    await expect(nodeStoryDisk.replace(path.join(root, 'old'), path.join(root, 'nowhere'))).rejects.toThrow('ENOENT');
    expect(readdirSync(root)).toEqual(['old']);
    expect(readdirSync(path.join(root, 'old'))).toEqual(['a']);
  });

  it('changes the fingerprint with each change of a file, and only then', async () => {
    const root = temporaryDirectory();
    writeFiles(root, { 'a/b': '1', 'a/node_modules/x': '1' });
    const paths = [path.join(root, 'a'), path.join(root, 'missing')];
    const seen = new Set([await nodeStoryDisk.fingerprint(paths)]);
    const changes: readonly Record<string, string>[] = [{ 'a/b': '22' }, { 'a/c': '' }, { 'missing/d': '' }];
    for (const change of changes) {
      writeFiles(root, change);
      const changed = await nodeStoryDisk.fingerprint(paths);
      expect(seen).not.toContain(changed);
      seen.add(changed);
    }
    writeFiles(root, { 'a/node_modules/x': '222' });
    expect(seen).toContain(await nodeStoryDisk.fingerprint(paths));
  });

  it('writes a file and its directories', async () => {
    const root = temporaryDirectory();
    await nodeStoryDisk.writeFile(path.join(root, 'a/b/c'), 'text');
    expect(await nodeStoryDisk.readFile(path.join(root, 'a/b/c'))).toBe('text');
  });
});
