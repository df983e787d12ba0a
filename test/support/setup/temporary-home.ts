import { globSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

/** Compiled sources of earlier runs, which many processes start with. Node checks that they are current. */
const COMPILED = path.join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/** More files than some runs need. Each temporary script adds one, and Node removes none. */
const MAX_COMPILED = 10_000;

/**
 * Gives the whole run and all its processes an empty home, so that the developer's configuration does not affect
 * tests. Set before the workers start, because `os.homedir()` in a thread reads the environment of the process.
 */
export default function provideTemporaryHome({ vitest }: TestProject): () => void {
  if (globSync('*/*', { cwd: COMPILED }).length > MAX_COMPILED) rmSync(COMPILED, { recursive: true, force: true });
  const home = mkdtempSync(path.join(os.tmpdir(), 'ybs-test-home-'));
  Object.assign(process.env, {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_DATA_HOME: path.join(home, '.local/share'),
    XDG_STATE_HOME: path.join(home, '.local/state'),
    // A `node --test` in a story runs its test files in one process, which takes a third of the processor time.
    ...(process.allowedNodeEnvironmentFlags.has('--test-isolation') && { NODE_OPTIONS: '--test-isolation=none' }),
    // Compiled code from a cache would make V8's coverage imprecise.
    ...(vitest.config.coverage.enabled ? { NODE_DISABLE_COMPILE_CACHE: '1' } : { NODE_COMPILE_CACHE: COMPILED }),
  });
  return () => rmSync(home, { recursive: true, force: true });
}
