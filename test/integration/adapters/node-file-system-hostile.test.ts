import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/adapters/files/node-file-system.ts';
import { codeOf } from '../../support/contracts/file-system.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { LONG } from '../../support/property.ts';

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

/** True if this process may mount a small file system, which containers often forbid even to root. */
const mayMount = ((): boolean => {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  const root = newRoot();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root], { stdio: 'ignore' });
    execFileSync('umount', [root]);
    return true;
  } catch {
    return false;
  }
})();

// The unit tests do the same with a simulated full disk.
describe.skipIf(!mayMount)('the file system, on a full disk (needs permission to mount one)', () => {
  it('keeps the old file and removes the temporary one', async () => {
    const root = newRoot();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root]);
    try {
      fs.writeFileSync(`${root}/a`, 'old');
      expect(await codeOf(fileSystem.replaceFile(root, 'a', new Uint8Array(1_000_000)))).toBe('no_space');
      expect(fs.readdirSync(root)).toEqual(['a']);
      expect(fs.readFileSync(`${root}/a`, 'utf8')).toBe('old');
    } finally {
      execFileSync('umount', [root]);
    }
  });
});

/** Swaps `inside` for a link to `outside` and back, as fast as possible, until it is terminated. Counts the swaps. */
const SWAPPER = `
  const fs = require('node:fs');
  const { inside, outside, swaps } = require('node:worker_threads').workerData;
  const aside = inside + '-aside';
  for (;;) {
    try {
      fs.renameSync(inside, aside);
      fs.symlinkSync(outside, inside);
      fs.unlinkSync(inside);
      fs.renameSync(aside, inside);
      Atomics.add(swaps, 0, 1);
    } catch {
      // The other thread created the directory again while it was missing.
      try {
        fs.rmSync(inside, { recursive: true, force: true });
        fs.renameSync(aside, inside);
      } catch {}
    }
  }
`;

/** How much longer to wait for a race on a busy machine. */
const EXTRA_MS = 20_000;

// Other platforms compare real paths. A race can exploit that, as the adapter documents.
describe.skipIf(process.platform !== 'linux')(
  'the file system, with a parent directory that is swapped for a link',
  () => {
    /**
     * Repeats `attempt` while a thread swaps the directory, until an attempt escapes, or for `ms` and until both have
     * really raced. An attempt returns true if it escaped.
     */
    const race = async (
      attempt: (inside: string, outside: string) => Promise<boolean>,
      ms: number,
    ): Promise<{ readonly escaped: boolean; readonly isRace: boolean }> => {
      const root = newRoot();
      const inside = `${root}/inside`;
      const outside = `${root}/outside`;
      for (const [directory, content] of [
        [inside, 'public'],
        [outside, 'secret'],
      ] as const) {
        fs.mkdirSync(directory);
        fs.writeFileSync(`${directory}/a`, content);
      }
      const swaps = new Int32Array(new SharedArrayBuffer(4));
      const swapper = new Worker(SWAPPER, { eval: true, workerData: { inside, outside, swaps } });
      const end = performance.now() + ms;
      let attempts = 0;
      const isRace = (): boolean => attempts > 50 && Atomics.load(swaps, 0) > 50;
      try {
        while (performance.now() < end || (!isRace() && performance.now() < end + EXTRA_MS)) {
          attempts++;
          if (await attempt(inside, outside)) return { escaped: true, isRace: true };
        }
        return { escaped: false, isRace: isRace() };
      } finally {
        await swapper.terminate();
      }
    };
    const ignoreErrors = (operation: Promise<unknown>): Promise<unknown> => operation.catch(() => undefined);
    const isUnchanged = (outside: string): boolean =>
      fs.readdirSync(outside).join() === 'a' && fs.readFileSync(`${outside}/a`, 'utf8') === 'secret';
    const guardedMs = LONG ? 20_000 : 400;

    it('(control: a race can evade a check of the path before a write)', { timeout: 60_000 }, async () => {
      const { escaped } = await race(async (inside, outside) => {
        await ignoreErrors(
          fs.promises.realpath(inside).then(async (real) => {
            if (real === inside) await fs.promises.writeFile(`${inside}/b`, 'x');
          }),
        );
        return !isUnchanged(outside);
      }, 30_000);
      expect(escaped).toBe(true);
    });

    it('never writes outside with replaceFile', { timeout: 60_000 }, async () => {
      const result = await race(async (inside, outside) => {
        await ignoreErrors(fileSystem.replaceFile(inside, 'b', bytes));
        return !isUnchanged(outside);
      }, guardedMs);
      expect(result).toEqual({ escaped: false, isRace: true });
    });

    it('never creates a directory outside with replaceFile', { timeout: 60_000 }, async () => {
      let names = 0;
      const result = await race(async (inside, outside) => {
        await ignoreErrors(fileSystem.replaceFile(`${inside}/new-${++names}/deeper`, 'b', bytes));
        return !isUnchanged(outside);
      }, guardedMs);
      expect(result).toEqual({ escaped: false, isRace: true });
    });

    it('(control: a race can evade a check of the path before a read)', { timeout: 60_000 }, async () => {
      const { escaped } = await race(async (inside) => {
        const text = await ignoreErrors(
          fs.promises
            .realpath(`${inside}/a`)
            .then((real) => (real === `${inside}/a` ? fs.promises.readFile(real, 'utf8') : 'refused')),
        );
        return text === 'secret';
      }, 30_000);
      expect(escaped).toBe(true);
    });

    it('never reads outside with readFile and refused links', { timeout: 60_000 }, async () => {
      let reads = 0;
      const result = await race(async (inside) => {
        const read = await fileSystem.readFile(`${inside}/a`, 100, 'refuse').catch(() => undefined);
        if (read !== undefined) reads++;
        return read !== undefined && new TextDecoder().decode(read.bytes) === 'secret';
      }, guardedMs);
      expect({ ...result, hasRead: reads > 0 }).toEqual({ escaped: false, isRace: true, hasRead: true });
    });
  },
);
