import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** A source in place of the one of `file`, and the tests to run on it, in order until one fails. */
export interface Job {
  readonly file: string;
  readonly source: string;
  readonly tests: readonly string[];
}

/** The first test file that failed, if any, or the error of the run itself. */
export interface Verdict {
  readonly failed: string | undefined;
  readonly error?: string;
}

/** A mutant that needs longer than this is in an endless loop, which its tests would notice. */
const ENDLESS_MS = 120_000;
const RUNNER = path.join(import.meta.dirname, 'runner.ts');

/** A process that runs one job at a time. It is started on demand, and again after an endless job. */
export class Runner {
  #child: ChildProcess | undefined;

  async run(job: Job): Promise<Verdict> {
    this.#child ??= fork(RUNNER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const child = this.#child;
    return new Promise((resolve) => {
      const finish = (verdict: Verdict): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(verdict);
      };
      const restart = (failed: string): void => {
        this.stop();
        finish({ failed });
      };
      const timer = setTimeout(() => restart('an endless loop'), ENDLESS_MS);
      child.once('exit', () => restart('the end of the process'));
      child.once('message', (verdict: Verdict) => finish(verdict));
      child.send(job);
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
