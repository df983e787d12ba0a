import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MODULE = path.join(import.meta.dirname, '../../../src/node/memory.ts');

/**
 * Prints whether garbage of so many bytes is still in memory after a turn. It runs in a process of its own, because the
 * flags of V8 hold for a whole process.
 */
const TURN = `
  const { keepMemorySmall } = await import(process.argv[1]);
  keepMemorySmall();
  let garbage = new Uint8Array(Number(process.argv[2])).fill(1);
  const kept = new WeakRef(garbage);
  garbage = undefined;
  // The object of a weak reference stays until the end of the job that has made it.
  await new Promise((resolve) => setTimeout(resolve));
  keepMemorySmall();
  console.log(kept.deref() === undefined ? 'collected' : 'kept', typeof globalThis.gc);
`;

describe('the memory of a process that stays', () => {
  it.each([
    ['is collected when it has grown much', 12_000_000, 'collected'],
    ['is left to V8 when it has grown little', 1_000_000, 'kept'],
  ])('%s', async (_name, bytes, expected) => {
    const args = ['--input-type=module', '--eval', TURN, MODULE, String(bytes)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe(`${expected} undefined\n`);
  });
});
