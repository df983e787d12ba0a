import { describe, expect, it } from 'vitest';
import { FileSystemError } from '../../../../src/agent/errors.ts';
import type { FileSystem } from '../../../../src/agent/ports/file-system.ts';
import type { FileSystemPromises, HandleLike } from '../../../../src/node/files/file-system-promises.ts';
import {
  createNodeFileSystem,
  type NodeFileSystemOptions,
  platformOptions,
} from '../../../../src/node/files/node-file-system.ts';
import { createMemoryFileSystem, type MemoryFileSystem } from '../../../support/fakes/memory-file-system.ts';

const bytes = new TextEncoder().encode('new');

const failWith = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(`${code}: injected by the test`), { code });
};

type Calls = Partial<FileSystemPromises>;

/** The adapter over a volume with one file, `/w/a`. Some calls of the volume, and some options, are replaced. */
function adapter(
  calls: (memory: MemoryFileSystem) => Calls = () => ({}),
  handleCalls: Partial<HandleLike> = {},
  options: Partial<NodeFileSystemOptions> = {},
): MemoryFileSystem {
  const memory = createMemoryFileSystem({ '/w/a': 'old' });
  const promises: FileSystemPromises = {
    ...memory.promises,
    open: async (path, flags, mode) => ({ ...(await memory.promises.open(path, flags, mode)), ...handleCalls }),
    ...calls(memory),
  };
  const fileSystem = createNodeFileSystem(promises, {
    ...{ flags: memory.volume.promises.constants, swapProtection: 'real_path', currentUser: () => undefined },
    uniqueName: () => 'unique',
    ...options,
  });
  return { ...memory, promises, fileSystem };
}

const codeOf = async (operation: Promise<unknown>): Promise<string> => {
  const error: unknown = await operation.then(
    () => 'resolved',
    (reason: unknown) => reason,
  );
  return error instanceof FileSystemError ? error.code : String(error);
};

it('createFile leaves no partial file on a full disk, so that it can be retried', async () => {
  const full = adapter(undefined, { writeFile: failWith('ENOSPC') });
  expect(await codeOf(full.fileSystem.createFile('/w/log', bytes))).toBe('no_space');
  expect(full.volume.readdirSync('/w')).toEqual(['a']);
});

describe('replaceFile of a mount point, over which nothing can be renamed', () => {
  /**
   * A volume whose `/w/a` is a mount point. The calls of its handles fail as `failing` says, by the position of a
   * write.
   */
  const mounted = (failing: (position: number) => string | undefined = () => undefined) =>
    adapter((memory) => ({
      rename: failWith('EBUSY'),
      open: async (path, flags, mode) => {
        const handle = await memory.promises.open(path, flags, mode);
        return {
          ...handle,
          write: async (from, offset, length, position) => {
            const code = position === undefined ? undefined : failing(position);
            if (code !== undefined) await failWith(code)();
            return handle.write(from, offset, length, position);
          },
        };
      },
    }));

  it.each(['', 'n', 'new', 'new and longer'])('overwrites it with %j', async (text) => {
    const { fileSystem, volume } = mounted();
    await fileSystem.replaceFile('/w', 'a', new TextEncoder().encode(text), 0o640);
    expect(volume.readFileSync('/w/a', 'utf8')).toBe(text);
    expect(volume.statSync('/w/a').mode & 0o777).toBe(0o640);
    expect(volume.readdirSync('/w')).toEqual(['a']);
  });

  it.each([
    ['no_space', (position: number) => (position === 3 ? 'ENOSPC' : undefined)],
    ['no_space', once((position) => (position === 0 ? 'EDQUOT' : undefined))],
    ['io_error', once((position) => (position === 0 ? 'EIO' : undefined))],
  ])('has the old content after the failure %s', async (code, failing) => {
    const { fileSystem, volume } = mounted(failing);
    expect(await codeOf(fileSystem.replaceFile('/w', 'a', new TextEncoder().encode('new and longer')))).toBe(code);
    expect(volume.readFileSync('/w/a', 'utf8')).toBe('old');
    expect(volume.readdirSync('/w')).toEqual(['a']);
  });

  it('does not create a file that is not there', async () => {
    const { fileSystem, volume } = mounted();
    expect(await codeOf(fileSystem.replaceFile('/w', 'b', bytes))).toBe('io_error');
    expect(volume.readdirSync('/w')).toEqual(['a']);
  });
});

/** The function, which returns its first result that is not `undefined` only once. */
function once(failing: (position: number) => string | undefined): (position: number) => string | undefined {
  let failed = false;
  return (position) => {
    const code = failed ? undefined : failing(position);
    failed ||= code !== undefined;
    return code;
  };
}

describe('replaceFile after a failure', () => {
  it.each<readonly [string, string, Partial<HandleLike>]>([
    ['writing to a full disk', 'no_space', { writeFile: failWith('ENOSPC') }],
    ['writing beyond the quota', 'no_space', { writeFile: failWith('EDQUOT') }],
    ['flushing', 'io_error', { sync: failWith('EIO') }],
    ['setting the mode', 'permission_denied', { chmod: failWith('EPERM') }],
    ['closing', 'no_space', { close: failWith('ENOSPC') }],
  ])('keeps only the old file if %s fails with %s', async (_name, code, handleCalls) => {
    const { fileSystem, volume } = adapter(undefined, handleCalls);
    expect(await codeOf(fileSystem.replaceFile('/w', 'a', bytes))).toBe(code);
    expect([volume.readdirSync('/w'), volume.readFileSync('/w/a', 'utf8')]).toEqual([['a'], 'old']);
  });

  const mkdirOnce = ({ promises }: MemoryFileSystem): Calls => ({
    mkdir: (path, options) => (path === '/w/x/y' ? failWith('ENOSPC')() : promises.mkdir(path, options)),
  });

  it.each<readonly [string, typeof mkdirOnce | undefined, Partial<HandleLike>]>([
    ['', undefined, { writeFile: failWith('ENOSPC') }],
    [' before one could not be created', mkdirOnce, {}],
  ])('removes the directories that it created%s', async (_when, calls, handleCalls) => {
    const { fileSystem, volume } = adapter(calls, handleCalls);
    expect(await codeOf(fileSystem.replaceFile('/w/x/y', 'a', bytes))).toBe('no_space');
    expect(volume.readdirSync('/w')).toEqual(['a']);
  });

  it('keeps a directory that it created when another program has created a file in it', async () => {
    const calls = ({ volume }: MemoryFileSystem): Calls => ({
      rename: async () => {
        volume.writeFileSync('/w/x/other', '');
        throw Object.assign(new Error('injected by the test'), { code: 'EIO' });
      },
    });
    const { fileSystem, volume } = adapter(calls);
    expect(await codeOf(fileSystem.replaceFile('/w/x/y', 'a', bytes))).toBe('io_error');
    expect(volume.readdirSync('/w/x')).toEqual(['other']);
  });

  it('removes the temporary file when renaming fails', async () => {
    const { fileSystem, volume } = adapter(() => ({ rename: failWith('EACCES') }));
    expect(await codeOf(fileSystem.replaceFile('/w', 'a', bytes))).toBe('permission_denied');
    expect(volume.readdirSync('/w')).toEqual(['a']);
  });

  it('reports the first failure when removing the temporary file fails too', async () => {
    const calls = { rename: failWith('EROFS'), unlink: failWith('EIO') };
    expect(await codeOf(adapter(() => calls).fileSystem.replaceFile('/w', 'a', bytes))).toBe('permission_denied');
  });

  it('reports a failure to read the status of the old file', async () => {
    const calls = ({ promises }: MemoryFileSystem): Calls => ({
      lstat: (path) => (path === '/w/a' ? failWith('EIO')() : promises.lstat(path)),
    });
    expect(await codeOf(adapter(calls).fileSystem.replaceFile('/w', 'a', bytes))).toBe('io_error');
  });

  it('does not overwrite a file that has the temporary name', async () => {
    const { fileSystem, volume } = adapter();
    volume.writeFileSync('/w/.ybs-0-unique.tmp', 'of another program');
    expect(await codeOf(fileSystem.replaceFile('/w', 'a', bytes))).toBe('already_exists');
    expect(volume.readFileSync('/w/.ybs-0-unique.tmp', 'utf8')).toBe('of another program');
  });

  it('detects a directory that is swapped for a link during the write', async () => {
    const calls = ({ promises, volume }: MemoryFileSystem): Calls => ({
      open: async (path, flags, mode) => {
        const handle = await promises.open(path, flags, mode);
        volume.renameSync('/w', '/was-w');
        volume.mkdirSync('/elsewhere');
        volume.symlinkSync('/elsewhere', '/w');
        return handle;
      },
    });
    const { fileSystem, volume } = adapter(calls);
    expect(await codeOf(fileSystem.replaceFile('/w', 'a', bytes))).toBe('moved');
    expect([volume.readdirSync('/elsewhere'), volume.readFileSync('/was-w/a', 'utf8')]).toEqual([[], 'old']);
  });
});

describe('the owner of a replaced file', () => {
  /** Replaces a file of the user 7 and returns the owners that the new file got, and the result. */
  async function replace(chown: HandleLike['chown'] | undefined): Promise<readonly unknown[]> {
    const owners: (readonly number[])[] = [];
    const { fileSystem, volume } = adapter(undefined, {
      chown: async (uid, gid) => {
        owners.push([uid, gid]);
        await chown?.(uid, gid);
      },
    });
    volume.chownSync('/w/a', 7, 8);
    return [owners, await codeOf(fileSystem.replaceFile('/w', 'a', bytes)), volume.readFileSync('/w/a', 'utf8')];
  }

  it('is kept', async () => {
    expect(await replace(undefined)).toEqual([[[7, 8]], 'resolved', 'new']);
  });

  it('changes if this process may not keep it', async () => {
    expect(await replace(failWith('EPERM'))).toEqual([[[7, 8]], 'resolved', 'new']);
  });

  it('is reported when it cannot be kept for another reason', async () => {
    expect(await replace(failWith('EIO'))).toEqual([[[7, 8]], 'io_error', 'old']);
  });
});

describe('the attributes of a replaced file', () => {
  /** Replaces `/w/a`, or creates `/w/b`, and returns the operations on each open file, in order. */
  async function replace(name: string, mode?: number, isReadable = true): Promise<readonly string[]> {
    const steps: string[] = [];
    const opened = new Map<number, string>();
    const calls = ({ promises }: MemoryFileSystem): Calls => ({
      open: async (path, flags, newMode) => {
        if (path === '/w/a' && !isReadable) await failWith('EACCES')();
        const handle = await promises.open(path, flags, newMode);
        opened.set(handle.fd, path);
        return {
          ...handle,
          writeFile: async (content) => {
            steps.push(`write ${path}`);
            await handle.writeFile(content);
          },
          close: async () => {
            opened.delete(handle.fd);
            await handle.close();
          },
        };
      },
    });
    const copyAttributes = async (from: number, to: number) =>
      void steps.push(`copy ${opened.get(from)} ${opened.get(to)}`);
    const { fileSystem, volume } = adapter(calls, {}, { copyAttributes });
    await fileSystem.replaceFile('/w', name, bytes, mode);
    return [...steps, ...opened.values(), String(volume.readFileSync(`/w/${name}`, 'utf8'))];
  }

  it('are copied before the content, because they include the time of the last change', async () => {
    expect(await replace('a')).toEqual(['copy /w/a /w/.ybs-0-unique.tmp', 'write /w/.ybs-0-unique.tmp', 'new']);
  });

  it('are not copied to a new file, to one with its own mode, or from one that cannot be read', async () => {
    const written = ['write /w/.ybs-0-unique.tmp', 'new'];
    expect(await replace('b')).toEqual(written);
    expect(await replace('a', 0o600)).toEqual(written);
    expect(await replace('a', undefined, false)).toEqual(written);
  });
});

describe('temporary files of killed processes', () => {
  const LEFT = ['.ybs-7-a.tmp', '.ybs-8-b-2.tmp'];
  const OWN = ['.ybs-5-mine.tmp', '.ybs-9-running.tmp'];
  const OTHERS = [...OWN, '.ybs-7.tmp', '.ybs-a-b.tmp', 'x.ybs-7-a.tmp', '.ybs-7-a.txt'];

  /** A directory with all of them, and the file system of process 5, beside which only process 9 runs. */
  function setUp(calls: Calls = {}) {
    const isRunning = (pid: number): boolean => pid === 5 || pid === 9;
    const memory = adapter(() => calls, {}, { processes: { pid: 5, isRunning } });
    for (const name of [...LEFT, ...OTHERS]) memory.volume.writeFileSync(`/w/${name}`, 'old');
    return memory;
  }

  it('are removed with the first write to their directory', async () => {
    const { fileSystem, volume } = setUp();
    await fileSystem.replaceFile('/w', 'a', bytes);
    expect(volume.readdirSync('/w').toSorted()).toEqual(['a', ...OTHERS].toSorted());
    volume.writeFileSync('/w/.ybs-7-later.tmp', '');
    await fileSystem.replaceFile('/w', 'a', bytes);
    expect(volume.existsSync('/w/.ybs-7-later.tmp')).toBe(true);
  });

  it('stay after a write that fails', async () => {
    const { fileSystem, volume } = setUp({ rename: failWith('EIO') });
    expect(await codeOf(fileSystem.replaceFile('/w', 'a', bytes))).toBe('io_error');
    expect(volume.readdirSync('/w').toSorted()).toEqual(['a', ...LEFT, ...OTHERS].toSorted());
  });

  it.each(['readdir', 'unlink'])('do not make a write fail that succeeded, if %s fails', async (call) => {
    const { fileSystem, volume } = setUp({ [call]: failWith('EIO') });
    await fileSystem.replaceFile('/w', 'a', bytes);
    expect(volume.readFileSync('/w/a', 'utf8')).toBe('new');
  });
});

describe('the descriptor of the parent directory', () => {
  /** A file system in which `readlink` of a descriptor returns `target`. */
  const withDescriptor = (target: string, calls: Calls = {}): FileSystem =>
    adapter(() => ({ readlink: async () => target, ...calls }), {}, { swapProtection: 'descriptor' }).fileSystem;

  it.each(['/elsewhere', '/w (deleted)'])('causes the error `moved` when it points to %s', async (target) => {
    expect(await codeOf(withDescriptor(target).replaceFile('/w', 'a', bytes))).toBe('moved');
    expect(await codeOf(withDescriptor(target).readFile('/w/a', 9, 'refuse'))).toBe('moved');
  });

  it.each([
    ['ELOOP', 'moved'],
    ['ENOTDIR', 'moved'],
    ['EACCES', 'permission_denied'],
    ['ENOENT', 'not_found'],
  ])('turns %s on opening into %s', async (name, code) => {
    expect(await codeOf(withDescriptor('/w', { open: failWith(name) }).replaceFile('/w', 'a', bytes))).toBe(code);
  });
});

describe('a missing directory', () => {
  it('is used if another process creates it meanwhile', async () => {
    const calls = ({ promises, volume }: MemoryFileSystem): Calls => ({
      mkdir: (path, options) => {
        volume.mkdirSync(path);
        return promises.mkdir(path, options);
      },
    });
    const { fileSystem, volume } = adapter(calls);
    await fileSystem.replaceFile('/w/new', 'a', bytes);
    expect(volume.readFileSync('/w/new/a', 'utf8')).toBe('new');
  });

  it('is reported if it cannot be created', async () => {
    const { fileSystem } = adapter(() => ({ mkdir: failWith('EACCES') }));
    expect(await codeOf(fileSystem.replaceFile('/w/new', 'a', bytes))).toBe('permission_denied');
  });
});

describe('platform errors', () => {
  it.each([
    ['ENOENT', 'not_found'],
    ['ENOTDIR', 'not_a_directory'],
    ['EISDIR', 'is_directory'],
    ['EEXIST', 'already_exists'],
    ['EACCES', 'permission_denied'],
    ['EPERM', 'permission_denied'],
    ['EROFS', 'permission_denied'],
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
    ['ELOOP', 'link_loop'],
    ['ENXIO', 'not_a_file'],
    ['ENODEV', 'not_a_file'],
    ['EMFILE', 'io_error'],
    ['ERR_INVALID_ARG_VALUE', 'io_error'],
  ])('with the code %s become %s', async (name, code) => {
    const { fileSystem } = adapter(() => ({ realpath: failWith(name) }));
    const error: unknown = await fileSystem.realPath('/w/a').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'FileSystemError',
      code,
      path: '/w/a',
      message: expect.stringMatching(/^\/w\/a: \w.*\w$/),
    });
  });

  it('become an io_error for any other thrown value', async () => {
    const { fileSystem } = adapter(() => ({ realpath: () => Promise.reject('not even an error') }));
    expect(await codeOf(fileSystem.realPath('/w/a'))).toBe('io_error');
  });
});

describe('readFile', () => {
  it('stops at the end of a file that shrinks meanwhile', async () => {
    const { fileSystem } = adapter(undefined, { read: async () => ({ bytesRead: 0 }) });
    expect(await fileSystem.readFile('/w/a', 9)).toMatchObject({ bytes: new Uint8Array(0), size: 3 });
  });

  it('continues after a short read', async () => {
    const calls = ({ promises }: MemoryFileSystem): Calls => ({
      open: async (path, flags) => {
        const handle = await promises.open(path, flags);
        return { ...handle, read: (into, offset, _length, position) => handle.read(into, offset, 1, position) };
      },
    });
    const { bytes: read } = await adapter(calls).fileSystem.readFile('/w/a', 9);
    expect(new TextDecoder().decode(read)).toBe('old');
  });

  it('rejects a file that became a directory after the check', async () => {
    const calls = ({ promises, volume }: MemoryFileSystem): Calls => ({
      open: (path, flags) => {
        volume.unlinkSync('/w/a');
        volume.mkdirSync('/w/a');
        return promises.open(path, flags);
      },
    });
    expect(await codeOf(adapter(calls).fileSystem.readFile('/w/a', 9))).toBe('is_directory');
  });
});

it.each([
  ['linux', 'descriptor'],
  ['darwin', 'real_path'],
  ['win32', 'real_path'],
] as const)('on %s the swap protection is %s', (platform, protection) => {
  const { uniqueName, ...options } = platformOptions(platform);
  expect(options.swapProtection).toBe(protection);
  expect(uniqueName()).not.toBe(uniqueName());
});

describe('an append that fails', () => {
  /** A log with one line, whose next writes end as `writes` says: the number of bytes written, or an error code. */
  async function log(writes: (number | string)[], truncates: string[] = []) {
    const { fileSystem, volume } = adapter(({ promises }) => ({
      open: async (path, flags, mode) => {
        const handle = await promises.open(path, flags, mode);
        return {
          ...handle,
          async write(bytes) {
            const next = writes.shift();
            if (typeof next === 'string') return failWith(next)();
            return handle.write(next === undefined ? bytes : bytes.subarray(0, next));
          },
          async truncate(size) {
            const next = truncates.shift();
            if (next !== undefined) return failWith(next)();
            return handle.truncate(size);
          },
        };
      },
    }));
    volume.writeFileSync('/w/a', 'one\n');
    return { file: await fileSystem.openAppend('/w/a'), text: () => volume.readFileSync('/w/a', 'utf8') };
  }
  const line = new TextEncoder().encode('two\n');

  it.each([
    ['in the middle of a line', [2, 'ENOSPC'], 'no_space'],
    ['in the middle of a line, at the limit of the file size', [2, 'EFBIG'], 'io_error'],
    ['in the middle of a line, without a reason', [2, 0], 'no_space'],
    ['at its start', ['ENOSPC'], 'no_space'],
    ['for another reason', ['EIO'], 'io_error'],
  ] as const)('%s leaves the file as it was', async (_name, failing, code) => {
    const { file, text } = await log([...failing]);
    expect(await codeOf(file.append(line))).toBe(code);
    expect(text()).toBe('one\n');
    await file.append(line);
    expect(text()).toBe('one\ntwo\n');
  });

  it('continues after a short write', async () => {
    const { file, text } = await log([2]);
    await file.append(line);
    expect(text()).toBe('one\ntwo\n');
  });

  it('is removed before the next one if it could not be removed at once', async () => {
    const { file, text } = await log([2, 'ENOSPC'], ['EIO', 'EIO']);
    expect(await codeOf(file.append(line))).toBe('no_space');
    expect(text()).toBe('one\ntw');
    expect(await codeOf(file.append(line))).toBe('io_error');
    expect(text()).toBe('one\ntw');
    await file.append(line);
    expect(text()).toBe('one\ntwo\n');
  });
});

it('a private directory is rejected if it belongs to another user', async () => {
  const { fileSystem, volume } = adapter(undefined, {}, { currentUser: () => ({ uid: 8, groups: [] }) });
  volume.chownSync('/w', 7, 7);
  expect(await codeOf(fileSystem.createDirectory('/w', 'owner'))).toBe('permission_denied');
});

it.each([
  [1_000, 1_000, undefined],
  [1_000, 0, undefined],
  [1_000, 1_001, true],
  [0, 1_000, true],
  [undefined, 1_000, undefined],
])('for user %s, a file of user %s is foreign: %s', async (uid, owner, isForeign) => {
  const currentUser = () => (uid === undefined ? undefined : { uid, groups: [] });
  const { fileSystem, volume } = adapter(undefined, {}, { currentUser });
  volume.chownSync('/w/a', owner, 0);
  expect((await fileSystem.stat('/w/a')).isForeign).toBe(isForeign);
});

it('a file that shrinks while it is read ends early', async () => {
  const { fileSystem } = adapter(undefined, { read: async () => ({ bytesRead: 0 }) });
  const pieces: Uint8Array[] = [];
  for await (const piece of fileSystem.readPieces('/w/a')) pieces.push(piece);
  expect(pieces).toEqual([]);
});
