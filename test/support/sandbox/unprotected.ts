import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory, writeFiles } from '../processes/temporary-directory.ts';
import type { DecidedSession } from '../stories/decided-run.ts';

/** Runs a program in the directory `ws` of a home, in which `~/` in variables stands for the home. Returns its output. */
export function runInHome(
  home: string,
  [program, ...args]: readonly [string, ...string[]],
  environment: DecidedSession['environment'] = {},
): string {
  const own = Object.entries(environment).map(([name, value]) => [name, value.replaceAll('~/', `${home}/`)]);
  const env = { PATH: process.env['PATH'], HOME: home, GIT_EDITOR: 'true', ...Object.fromEntries(own) };
  return spawnSync(program, args, { cwd: path.join(home, 'ws'), env, encoding: 'utf8' }).stdout;
}

/** Runs commands of an attack as a user would, without ybs: the positive control of its test. */
export function runUnprotected(
  commands: readonly string[],
  { files = {}, links = {}, prepare, environment }: DecidedSession,
): { readonly home: string; readonly output: string } {
  const home = temporaryDirectory();
  writeFiles(home, files);
  for (const [link, target] of Object.entries(links))
    symlinkSync(target.replaceAll('~/', `${home}/`), path.join(home, link));
  prepare?.(home);
  return { home, output: commands.map((command) => runInHome(home, ['bash', '-c', command], environment)).join('') };
}
