import { spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROGRAMS, QUOTED_PROGRAM, RUNNERS } from './random-script.ts';

/** A program that bash has started, with its operands. */
export type StartedProgram = readonly [name: string, ...operands: string[]];

/** Ends scripts whose parts wait for each other. */
const MOST_MS = 10_000;

/** Runs scripts in bash, in an empty directory, with no other programs than those of random scripts. */
export interface BashOracle {
  run(script: string): Promise<readonly StartedProgram[]>;
}

/** Creates the programs in `directory`: each writes its name and operands to descriptor 9. */
export function createBashOracle(directory: string): BashOracle {
  const [programs, place] = [path.join(directory, 'bin'), path.join(directory, 'w')];
  for (const name of [programs, place]) mkdirSync(name, { recursive: true });
  for (const name of [...PROGRAMS, QUOTED_PROGRAM]) {
    const file = path.join(programs, name);
    const status = name === 'q' || name === 's' ? 1 : 0;
    writeFileSync(file, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '\u001e' >&9\nexit ${status}\n`);
    chmodSync(file, 0o755);
  }
  for (const name of RUNNERS) symlinkSync(whichProgram(name), path.join(programs, name));
  let scripts = 0;
  return {
    async run(script) {
      const log = path.join(directory, `log-${scripts++}`);
      const descriptor = openSync(log, 'a');
      await runBash(script, programs, place, descriptor);
      closeSync(descriptor);
      return readStarts(readFileSync(log, 'utf8'));
    },
  };
}

function whichProgram(name: string): string {
  return name === 'sh' ? '/bin/bash' : `/usr/bin/${name}`;
}

function runBash(script: string, programs: string, place: string, log: number): Promise<void> {
  const unused = Array.from({ length: 6 }, () => 'ignore' as const);
  const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', script], {
    cwd: place,
    detached: true,
    env: { PATH: programs, HOME: place },
    // The pipe, which every descendant inherits, ends with the last one.
    stdio: ['ignore', 'ignore', 'ignore', ...unused, log, 'pipe'],
  });
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Every process of the group has ended.
      }
    };
    const timer = setTimeout(stop, MOST_MS);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function readStarts(log: string): readonly StartedProgram[] {
  const starts: StartedProgram[] = [];
  for (const record of log.split('\u001e\0')) {
    const [name = '', ...operands] = record.split('\0').slice(0, -1);
    if (name !== '') starts.push([name, ...operands]);
  }
  return starts;
}
