import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Job, Verdict } from './judge.ts';

const RUNNER = path.join(import.meta.dirname, 'runner.ts');

/** A process that runs one job at a time. It is started on demand, and again after a job that is endless or crashes. */
export class Runner {
  #child: ChildProcess | undefined;

  async run(job: Job): Promise<Verdict> {
    this.#child ??= fork(RUNNER, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const child = this.#child;
    return new Promise((resolve) => {
      const finish = (verdict: Verdict): void => {
        child.removeAllListeners();
        resolve(verdict);
      };
      const restart = (verdict: Verdict): void => {
        this.stop();
        finish(verdict);
      };
      child.once('exit', () => restart({ type: 'crashed' }));
      child.once('message', (verdict: Verdict) => (verdict.type === 'endless' ? restart(verdict) : finish(verdict)));
      child.send(job);
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
