import module from 'node:module';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Growth after which the garbage is collected, in bytes. V8 itself would first let the heap grow to several times this. */
const MAX_GROWTH = 8 * 1024 * 1024;

/** The state since the first call. */
let known: { readonly collect: () => void; size: number } | undefined;

/**
 * Keeps the memory of a long-running process near the size in use; to be called after each turn. The space for new objects
 * keeps its present size: V8 would let it grow to about 100 MB, and never return them, when an agent of which 15 MB are
 * in use writes many small lines. Garbage, such as the bodies of requests, is collected when it has grown by 8 MB. Best
 * called first when most modules are loaded: V8 takes no compiled code that was stored with other flags.
 */
export function keepMemorySmall(): void {
  if (known === undefined) {
    // What has been compiled until now is stored with the flags of the next start. Node.js 20 has no cache to write.
    if (typeof module.flushCompileCache === 'function') module.flushCompileCache();
    setFlagsFromString('--semi-space-growth-factor=1');
    known = { collect: garbageCollector(), size: sizeInUse() };
  } else if (sizeInUse() > known.size + MAX_GROWTH) {
    known.collect();
    known.size = sizeInUse();
  }
}

/** The size of all objects and buffers in bytes, with garbage that has not been collected. */
function sizeInUse(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/** The collector of V8, which a context has only if it is made while the flag is set. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collect === 'function' ? () => void collect() : () => {};
}
