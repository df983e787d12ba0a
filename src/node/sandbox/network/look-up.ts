import { execFile } from 'node:child_process';
import net from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';

/** The time after which a lookup has failed, in milliseconds. */
const LOOKUP_MS = 30_000;

const LOOKUP = `require('dns').lookup(process.argv[1], { all: true }, (_error, found = []) => {
  for (const { address } of found) console.log(address);
})`;

/**
 * Looks up the addresses of a name; none if it has none. Rejects after 30 s and on abort. The process of its own can be
 * ended: Node.js gives lookups two threads, so two lookups without an answer would keep ybs from reaching its model.
 */
export async function lookUp(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (net.isIP(host) !== 0) return [host];
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', LOOKUP, '--', host], {
    ...{ signal, timeout: LOOKUP_MS, killSignal: 'SIGKILL', cwd: '/', env: {} },
  });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Creates a function that runs other functions in the order in which they come, at most `atOnce` at the same time. */
export function createTurns(atOnce: number): <Result>(act: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (act) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
