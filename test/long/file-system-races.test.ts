import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../src/node/files/node-file-system.ts';

const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ybs-races-')));
afterAll(() => fs.rmSync(scratch, { recursive: true }));

const fileSystem = createNodeFileSystem();
const bytes = new TextEncoder().encode('x');

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

/** Time for which the guarded operations race, and the maximum further time until both threads have raced. */
const GUARDED_MS = 20_000;
const EXTRA_MS = 60_000;
/** Maximum time until one of the unguarded operations escapes. */
const CONTROL_MS = 60_000;

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
      const root = fs.mkdtempSync(path.join(scratch, 'case-'));
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

    it('(control: a race can evade a check of the path before a write)', async () => {
      const { escaped } = await race(async (inside, outside) => {
        await ignoreErrors(
          fs.promises.realpath(inside).then(async (real) => {
            if (real === inside) await fs.promises.writeFile(`${inside}/b`, 'x');
          }),
        );
        return !isUnchanged(outside);
      }, CONTROL_MS);
      expect(escaped).toBe(true);
    });

    it('never writes outside with replaceFile', async () => {
      const result = await race(async (inside, outside) => {
        await ignoreErrors(fileSystem.replaceFile(inside, 'b', bytes));
        return !isUnchanged(outside);
      }, GUARDED_MS);
      expect(result).toEqual({ escaped: false, isRace: true });
    });

    it('never creates a directory outside with replaceFile', async () => {
      let names = 0;
      const result = await race(async (inside, outside) => {
        await ignoreErrors(fileSystem.replaceFile(`${inside}/new-${++names}/deeper`, 'b', bytes));
        return !isUnchanged(outside);
      }, GUARDED_MS);
      expect(result).toEqual({ escaped: false, isRace: true });
    });

    it('(control: a race can evade a check of the path before a read)', async () => {
      const { escaped } = await race(async (inside) => {
        const text = await ignoreErrors(
          fs.promises
            .realpath(`${inside}/a`)
            .then((real) => (real === `${inside}/a` ? fs.promises.readFile(real, 'utf8') : 'refused')),
        );
        return text === 'secret';
      }, CONTROL_MS);
      expect(escaped).toBe(true);
    });

    it('never reads outside with readFile and refused links', async () => {
      let reads = 0;
      const result = await race(async (inside) => {
        const read = await fileSystem.readFile(`${inside}/a`, 100, 'refuse').catch(() => undefined);
        if (read !== undefined) reads++;
        return read !== undefined && new TextDecoder().decode(read.bytes) === 'secret';
      }, GUARDED_MS);
      expect({ ...result, hasRead: reads > 0 }).toEqual({ escaped: false, isRace: true, hasRead: true });
    });

    it('(control: a race can evade a check of the path before a listing)', async () => {
      const { escaped } = await race(async (inside, outside) => {
        fs.writeFileSync(`${outside}/hidden`, '');
        const names = await ignoreErrors(
          fs.promises.realpath(inside).then((real) => (real === inside ? fs.promises.readdir(inside) : [])),
        );
        return Array.isArray(names) && names.includes('hidden');
      }, CONTROL_MS);
      expect(escaped).toBe(true);
    });

    it('never lists outside with list and refused links', async () => {
      let lists = 0;
      const result = await race(async (inside, outside) => {
        fs.writeFileSync(`${outside}/hidden`, '');
        const names = await fileSystem.list(inside, undefined, 'refuse').catch(() => undefined);
        if (names !== undefined) lists++;
        return names?.some(({ name }) => name === 'hidden') === true;
      }, GUARDED_MS);
      expect({ ...result, hasListed: lists > 0 }).toEqual({ escaped: false, isRace: true, hasListed: true });
    });
  },
);
