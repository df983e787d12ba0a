import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { codeOf } from '../../support/contracts/file-system.ts';
import { asOrdinaryUser } from '../../support/processes/ordinary-user.ts';

const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ybs-hostile-')));
afterAll(() => fs.rmSync(scratch, { recursive: true }));
const newRoot = (): string => fs.mkdtempSync(path.join(scratch, 'case-'));

const fileSystem = createNodeFileSystem();
const bytes = new TextEncoder().encode('x');
const windows = process.platform === 'win32';

// Windows has neither FIFOs nor permission bits.
describe.skipIf(windows)('the file system, with special files', () => {
  it('rejects a FIFO without waiting for the other end', async () => {
    const fifo = path.join(newRoot(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(await codeOf(fileSystem.readFile(fifo, 9))).toBe('not_a_file');
    expect(await codeOf(fileSystem.appendFile(fifo, bytes))).toBe('not_a_file');
    expect(await codeOf(fileSystem.replaceFile(path.dirname(fifo), 'fifo', bytes))).toBe('not_a_file');
    expect((await fileSystem.stat(fifo)).kind).toBe('other');
    expect((await fileSystem.list(path.dirname(fifo))).map(({ kind }) => kind)).toEqual(['other']);
  });

  it('does not open a FIFO that has a writer', async () => {
    const fifo = path.join(newRoot(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    const both = fs.openSync(fifo, fs.constants.O_RDWR);
    fs.writeSync(both, 'waiting');
    expect(await codeOf(fileSystem.appendFile(fifo, bytes))).toBe('not_a_file');
    fs.closeSync(both);
  });

  it.each(['/dev/zero', '/dev/null', '/dev/tty'])('rejects the device %s', async (device) => {
    expect(await codeOf(fileSystem.readFile(device, 9))).toBe('not_a_file');
  });

  it('rejects a link to a device', async () => {
    const root = newRoot();
    fs.symlinkSync('/dev/zero', path.join(root, 'zero'));
    expect(await codeOf(fileSystem.readFile(path.join(root, 'zero'), 9))).toBe('not_a_file');
  });

  it('rejects a socket', async () => {
    const socket = path.join(newRoot(), 's');
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      expect(await codeOf(fileSystem.readFile(socket, 9))).toBe('not_a_file');
    } finally {
      server.close();
    }
  });
});

it('counts the other hard links of a file', async () => {
  const root = newRoot();
  fs.writeFileSync(path.join(root, 'a'), 'x');
  expect(await fileSystem.readFile(path.join(root, 'a'), 9)).not.toHaveProperty('otherNames');
  for (const name of ['b', 'c']) fs.linkSync(path.join(root, 'a'), path.join(root, name));
  expect(await fileSystem.readFile(path.join(root, 'a'), 9)).toMatchObject({ otherNames: 2 });
});

describe.skipIf(process.platform !== 'linux')('the file system, with a file that is a mount point', () => {
  const SCRIPT = `
    const [source, target] = process.argv.slice(1);
    const { createNodeFileSystem } = await import(source);
    await createNodeFileSystem().replaceFile(target, 'a.txt', new TextEncoder().encode('new and longer'));`;

  it('writes to the file that is mounted', () => {
    const root = newRoot();
    fs.mkdirSync(path.join(root, 'w'));
    for (const name of ['host.txt', 'w/a.txt']) fs.writeFileSync(path.join(root, name), 'old');
    const mount = 'mount --bind "$1/host.txt" "$1/w/a.txt" && exec "$2" --input-type=module -e "$3" "$4" "$1/w"';
    const source = path.resolve('src/node/files/node-file-system.ts');
    execFileSync('unshare', ['-rm', 'sh', '-c', mount, 'sh', root, process.execPath, SCRIPT, source]);
    expect(fs.readFileSync(path.join(root, 'host.txt'), 'utf8')).toBe('new and longer');
    expect(fs.readFileSync(path.join(root, 'w/a.txt'), 'utf8')).toBe('old');
    expect(fs.readdirSync(path.join(root, 'w'))).toEqual(['a.txt']);
  });
});

describe.skipIf(windows)('the file system, as an ordinary user', () => {
  const layOut = (): string => {
    const root = newRoot();
    fs.chmodSync(scratch, 0o755);
    fs.chmodSync(root, 0o777);
    fs.mkdirSync(path.join(root, 'closed'), { mode: 0o000 });
    fs.mkdirSync(path.join(root, 'fixed'));
    fs.writeFileSync(path.join(root, 'fixed/file'), 'old');
    fs.writeFileSync(path.join(root, 'secret'), 'old');
    for (const [name, mode] of [
      ['fixed', 0o555],
      ['secret', 0o000],
    ] as const) {
      fs.chmodSync(path.join(root, name), mode);
    }
    return root;
  };

  it.each<readonly [string, (root: string) => Promise<unknown>]>([
    ['read a file without permission', (root) => fileSystem.readFile(`${root}/secret`, 9)],
    ['append to a file without permission', (root) => fileSystem.appendFile(`${root}/secret`, bytes)],
    ['list a closed directory', (root) => fileSystem.list(`${root}/closed`)],
    ['read the status of a file in a closed directory', (root) => fileSystem.stat(`${root}/closed/x`)],
    ['create a file in a read-only directory', (root) => fileSystem.replaceFile(`${root}/fixed`, 'new', bytes)],
    ['replace a file in a read-only directory', (root) => fileSystem.replaceFile(`${root}/fixed`, 'file', bytes)],
    ['create a directory in a read-only one', (root) => fileSystem.createDirectory(`${root}/fixed/new`)],
  ])('may not %s', async (_name, operation) => {
    const root = layOut();
    expect(await asOrdinaryUser(() => codeOf(operation(root)))).toBe('permission_denied');
    expect(fs.readdirSync(`${root}/fixed`)).toEqual(['file']);
    expect(fs.readFileSync(`${root}/fixed/file`, 'utf8')).toBe('old');
  });

  it('may create a file in a writable directory', async () => {
    const root = layOut();
    expect(await asOrdinaryUser(() => codeOf(fileSystem.replaceFile(root, 'new', bytes)))).toBe(
      'resolved with undefined',
    );
    expect(fs.readFileSync(`${root}/new`, 'utf8')).toBe('x');
  });
});

// Only root may give a file to another user.
describe.skipIf(process.geteuid?.() !== 0)('the file system, as root', () => {
  it('keeps the owner, the group and the mode of a file that it replaces', async () => {
    const root = newRoot();
    fs.writeFileSync(`${root}/a`, 'old');
    fs.chownSync(`${root}/a`, 65_534, 65_533);
    fs.chmodSync(`${root}/a`, 0o4751);
    await fileSystem.replaceFile(root, 'a', bytes);
    const { uid, gid, mode } = fs.statSync(`${root}/a`);
    expect([fs.readFileSync(`${root}/a`, 'utf8'), uid, gid, mode & 0o7777]).toEqual(['x', 65_534, 65_533, 0o4751]);
  });

  it.each([
    ['a file of root', 0, 0o644, 'write_protected'],
    ['a file of root that everybody may write', 0, 0o666, 'other_owner'],
    ['a file of the user', 65_534, 0o644, undefined],
    ['a file of the user that nobody may write', 65_534, 0o444, 'write_protected'],
  ])('reports the protection of %s to an ordinary user', async (_name, owner, mode, protection) => {
    const root = newRoot();
    fs.chmodSync(scratch, 0o755);
    fs.chmodSync(root, 0o777);
    fs.writeFileSync(`${root}/a`, 'old');
    fs.chownSync(`${root}/a`, owner, owner);
    fs.chmodSync(`${root}/a`, mode);
    const read = await asOrdinaryUser(() => fileSystem.readFile(`${root}/a`, 9));
    expect(read.protection).toBe(protection);
  });
});

/** True if the disk and the programs of this machine support access control lists and extended attributes. */
const hasAttributes = ((): boolean => {
  const file = path.join(newRoot(), 'a');
  fs.writeFileSync(file, '');
  try {
    execFileSync('setfacl', ['-m', 'u:65534:rw', file], { stdio: 'ignore' });
    execFileSync('setfattr', ['-n', 'user.kept', '-v', 'yes', file], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
})();

describe.skipIf(!hasAttributes)('the file system, with attributes besides the mode', () => {
  const attributesOf = (file: string): string =>
    execFileSync('getfacl', ['--omit-header', '--numeric', '--absolute-names', file], { encoding: 'utf8' }) +
    execFileSync('getfattr', ['--absolute-names', '--only-values', '-n', 'user.kept', file], { encoding: 'utf8' });

  it('keeps the access control list and the extended attributes, and sets the time of the change', async () => {
    const root = newRoot();
    const file = `${root}/a`;
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, 0o640);
    execFileSync('setfacl', ['-m', 'u:65534:rw,g:65533:r', file]);
    execFileSync('setfattr', ['-n', 'user.kept', '-v', 'yes', file]);
    const past = new Date('2020-01-01');
    fs.utimesSync(file, past, past);
    const before = attributesOf(file);
    await fileSystem.replaceFile(root, 'a', bytes);
    expect([attributesOf(file), fs.readFileSync(file, 'utf8')]).toEqual([before, 'x']);
    expect(before).toMatch(/user:65534:rw-.*yes$/s);
    expect(fs.statSync(file).mtime > past).toBe(true);
    await fileSystem.replaceFile(root, 'new', bytes);
    expect(execFileSync('getfattr', ['--absolute-names', `${root}/new`], { encoding: 'utf8' })).toBe('');
  });
});

describe('the file system, with a path of megabytes', () => {
  it('names no more than its beginning', async () => {
    const error = await fileSystem.stat(`/${'\0'.repeat(5_000_000)}`).catch((each: unknown) => each);
    expect(String(error).length).toBeLessThan(50_000);
  });
});

describe('the file system, with hard links', () => {
  it('does not change the other names of a file', async () => {
    const root = newRoot();
    fs.writeFileSync(`${root}/a`, 'old');
    fs.linkSync(`${root}/a`, `${root}/b`);
    await fileSystem.replaceFile(root, 'a', bytes);
    expect([fs.readFileSync(`${root}/a`, 'utf8'), fs.readFileSync(`${root}/b`, 'utf8')]).toEqual(['x', 'old']);
  });
});

/** Calls `work` with the root of a file system of 64 KB that contains one file, `a`. */
async function onSmallDisk(work: (root: string) => Promise<void>): Promise<void> {
  const root = newRoot();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root], { stdio: 'ignore' });
  try {
    fs.writeFileSync(`${root}/a`, 'old');
    await work(root);
  } finally {
    execFileSync('umount', [root]);
  }
}

/** True if this process may mount a small file system, which containers often forbid even to root. */
const mayMount =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  (await onSmallDisk(async () => {}).then(
    () => true,
    () => false,
  ));

describe.skipIf(!mayMount)('the file system, on a read-only disk (needs permission to mount one)', () => {
  it('reports that it may not write, and keeps the file', () =>
    onSmallDisk(async (root) => {
      execFileSync('mount', ['-o', 'remount,ro', root]);
      expect(await codeOf(fileSystem.replaceFile(root, 'a', bytes))).toBe('permission_denied');
      expect(await codeOf(fileSystem.replaceFile(`${root}/new`, 'a', bytes))).toBe('permission_denied');
      expect([fs.readdirSync(root), fs.readFileSync(`${root}/a`, 'utf8')]).toEqual([['a'], 'old']);
    }));
});

// The unit tests do the same with a simulated full disk.
describe.skipIf(!mayMount)('the file system, on a full disk (needs permission to mount one)', () => {
  it('keeps the old file and removes the temporary one', () =>
    onSmallDisk(async (root) => {
      expect(await codeOf(fileSystem.replaceFile(root, 'a', new Uint8Array(1_000_000)))).toBe('no_space');
      expect([fs.readdirSync(root), fs.readFileSync(`${root}/a`, 'utf8')]).toEqual([['a'], 'old']);
    }));
});
