import { PassThrough } from 'node:stream';
import { collectLines } from '../processes/printed-lines.ts';
import { type MainOptions, runMain } from '../processes/run-main.ts';
import type { HostBin } from './host-bin.ts';

/** `ybs` as a host drives it, in this process; see `runMain`. It supports neither signals nor a closed output. */
export interface HostMain extends Pick<HostBin, 'lines' | 'send' | 'end' | 'waitFor'> {
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Starts `ybs` for a host in this process. */
export function startHostMain(
  args: readonly string[],
  options: Pick<MainOptions, 'directory' | 'environment'>,
): HostMain {
  const input = new PassThrough();
  const { lines, add, finish, waitFor } = collectLines();
  return {
    lines,
    waitFor,
    ended: runMain(args, { ...options, input, onOutput: add }).finally(() => finish('')),
    send(...sent) {
      for (const line of sent) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    },
    end: () => {
      input.end();
    },
  };
}
