import process from 'node:process';
import { createSandbox } from '../../../src/node/sandbox/sandbox.ts';

const BASH = { program: '/bin/bash', args: ['--noprofile', '--norc', '-c'] } as const;

/**
 * The reason why this machine has no sandbox to test; `undefined` if it has one. With YBS_REQUIRE_SANDBOX=1 a missing
 * sandbox is an error, so that a machine that must have one never skips its tests.
 */
export async function missingSandbox(): Promise<string | undefined> {
  // The profile of macOS was never run.
  const state =
    process.platform === 'linux'
      ? await createSandbox(BASH, process.env['PATH'] ?? '').probe()
      : ({ type: 'off', reason: `it is not tested on ${process.platform}` } as const);
  if (state.type === 'on') return undefined;
  if (process.env['YBS_REQUIRE_SANDBOX'] === '1') throw new Error(`This machine must have a sandbox: ${state.reason}`);
  return state.reason;
}
