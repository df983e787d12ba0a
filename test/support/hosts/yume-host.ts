import path from 'node:path';
import { expect } from 'vitest';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import type { HostMain } from './host-main.ts';
import { yumeProblems } from './yume-lines.ts';

/**
 * A home directory and a directory that several processes share. `start` runs the command line, as a process or in the
 * test.
 */
export function yumePlace<Host>(
  url: string,
  start: (
    args: readonly string[],
    options: { readonly directory: string; readonly environment: Readonly<Record<string, string>> },
  ) => Host,
) {
  const home = temporaryDirectory();
  const directory = temporaryDirectory();
  const environment = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: path.join(home, '.config') };
  const base = ['--provider', 'mock', '--api-base', url, '--cwd', directory];
  const options = { directory, environment };
  return {
    directory,
    /** Starts ybs like Yume for one message. */
    turn: (prompt: string, ...more: readonly string[]) =>
      start([...base, ...more, '--prompt', prompt, '--output-format', 'yume-json', '--verbose'], options),
    persist: (...more: readonly string[]) => start(['start', ...base, '--protocol-version', '1', ...more], options),
  };
}

/** Waits for the end of a run, whose lines must all be valid. `kinds` are their types, in order. */
export async function finishYume(host: Pick<HostMain, 'lines' | 'ended'>) {
  const { code, stderr } = await host.ended;
  expect(yumeProblems(host.lines)).toEqual([]);
  return { code, stderr, kinds: host.lines.map(({ type }) => type).join(' ') };
}

/** Texts of the results among the lines. */
export function yumeResults({ lines }: Pick<HostMain, 'lines'>): readonly unknown[] {
  return lines.flatMap((line) => (line['type'] === 'result' ? [line['result']] : []));
}
