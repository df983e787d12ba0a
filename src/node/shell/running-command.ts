import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import type { ShellExit, ShellOutput } from '../../agent/ports/shell.ts';
import { OutputQueue } from './output-queue.ts';
import type { ProcessTree } from './process-tree.ts';
import { type MisplacedMount, superviseStart } from './sandbox-descriptors.ts';

/** The state of the sandbox around a command. */
export interface SandboxMonitor {
  /** The command itself has started. */
  started: boolean;
  /** The filter of system calls that the sandbox reads. */
  readonly filter?: Uint8Array | undefined;
  /** See `ConfinedCommand`. */
  readonly misplaced?: MisplacedMount | undefined;
  /** The reason why the sandbox was not let to start the command. */
  refused?: string;
  /** The proxy that the bridge of the sandbox reaches. */
  readonly proxy?: { serve(channel: Duplex): void } | undefined;
}

/** A started process whose output pipes have not been read. */
interface StartedProcess {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly tree: ProcessTree;
  /**
   * The report of a sandbox: lines of text that end with the command, `started`, and `left` if the command left processes
   * behind.
   */
  readonly report?: { readonly stream: Duplex; readonly monitor: SandboxMonitor } | undefined;
}

/** Timeout and abort signal of a command. */
interface CommandLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly at: number;
}

/** The time between TERM and KILL, by the cause of the end. */
const GRACE_MS = { timed_out: 2_000, aborted: 500 } as const;
/** Time in which output is still collected after the end of the command. */
const DRAIN_MS = 250;
/** Time for background processes to finish by themselves, such as the `tee` of `> >(tee log)`, which still writes. */
const BACKGROUND_GRACE_MS = 150;
const POLL_MS = 25;
/** The queue size at which the command has to wait for its reader. */
const MAX_QUEUED = 64 * 1024;
/** The additional queue size after the end of the command, because the kernel may still buffer that much output. */
const MAX_QUEUED_AT_END = 1024 * 1024;

/**
 * One command, from its start to its `exit` event, which is the last one. Its timers do not depend on calls of `next`.
 * Only one call of `next` may be pending.
 */
export class RunningCommand {
  readonly #process: StartedProcess;
  readonly #limits: CommandLimits;
  readonly #started = performance.now();
  readonly #queue = new OutputQueue();
  readonly #open = new Set<ShellOutput['stream'] | 'report'>();
  readonly #timers = new Map<'timeout' | 'kill' | 'sweep' | 'finish' | 'poll', NodeJS.Timeout>();
  readonly #settled: Promise<void>;
  #resolveSettled: () => void = () => {};
  #wakeReader: () => void = () => {};
  #cause: keyof typeof GRACE_MS | undefined;
  #killAt = Number.POSITIVE_INFINITY;
  #ended: ProcessEnd | undefined;
  #leftProcesses = false;
  #discarding = false;
  #exit: ShellExit | undefined;

  constructor(process: StartedProcess, limits: CommandLimits) {
    this.#process = process;
    this.#limits = limits;
    this.#settled = new Promise((resolve) => {
      this.#resolveSettled = resolve;
    });
    this.#collect('stdout', process.stdout);
    this.#collect('stderr', process.stderr);
    if (process.report !== undefined) this.#watch(process.report);
    process.child.once('exit', (exitCode, signal) => this.#onExit({ exitCode, signal, at: performance.now() }));
    this.#timers.set(
      'timeout',
      setTimeout(() => this.#terminate('timed_out'), limits.timeoutMs),
    );
    limits.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Waits for the next event. */
  async next(): Promise<ShellOutput | ShellExit> {
    for (;;) {
      const piece = this.#queue.shift();
      if (piece !== undefined) {
        this.#applyBackpressure();
        return piece;
      }
      if (this.#exit !== undefined) return this.#exit;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  /** Ends the command like an abort if it still runs. Resolves when all of its processes have ended. */
  async stop(): Promise<void> {
    if (this.#exit !== undefined) return;
    this.#discarding = true;
    this.#queue.clear();
    this.#applyBackpressure();
    this.#terminate('aborted');
    await this.#settled;
  }

  readonly #onAbort = (): void => this.#terminate('aborted');

  #collect(name: ShellOutput['stream'], stream: Readable): void {
    stream.on('data', (bytes: Uint8Array) => {
      if (this.#discarding) return;
      this.#queue.push(name, bytes);
      this.#applyBackpressure();
      this.#wakeReader();
    });
    this.#awaitClose(name, stream);
  }

  #watch({ stream, monitor }: NonNullable<StartedProcess['report']>): void {
    superviseStart(stream, monitor.misplaced ?? (() => undefined), {
      start() {
        monitor.started = true;
      },
      refuse(reason) {
        monitor.refused = reason;
      },
      hear: (text) => {
        if (text.includes('left')) this.#leftProcesses = true;
      },
    });
    this.#awaitClose('report', stream);
  }

  #awaitClose(name: ShellOutput['stream'] | 'report', stream: Readable): void {
    this.#open.add(name);
    // A broken pipe is treated as closed.
    stream.on('error', () => {});
    const onClosed = (): void => {
      this.#open.delete(name);
      this.#settleWhenDone();
    };
    // `close` follows `end` in a later phase of the event loop, which may come after the timers of the end.
    stream.once('end', onClosed).once('close', onClosed);
  }

  #applyBackpressure(): void {
    const limit = this.#ended === undefined ? MAX_QUEUED : MAX_QUEUED + MAX_QUEUED_AT_END;
    const full = this.#queue.size >= limit;
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      if (full) stream.pause();
      else if (stream.isPaused()) stream.resume();
    }
  }

  #terminate(cause: keyof typeof GRACE_MS): void {
    if (this.#ended !== undefined && this.#cause === undefined) return;
    const killAt = performance.now() + GRACE_MS[cause];
    if (killAt >= this.#killAt) return;
    this.#killAt = killAt;
    clearTimeout(this.#timers.get('kill'));
    this.#timers.set(
      'kill',
      setTimeout(() => this.#kill(), GRACE_MS[cause]),
    );
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#process.tree.signal('SIGTERM');
  }

  #kill(): void {
    this.#process.tree.signal('SIGKILL');
    this.#finishAfterDrain();
  }

  #onExit(ended: ProcessEnd): void {
    this.#ended = ended;
    clearTimeout(this.#timers.get('timeout'));
    this.#applyBackpressure();
    if (this.#cause === undefined) {
      this.#timers.set(
        'sweep',
        setTimeout(() => this.#sweep(), BACKGROUND_GRACE_MS),
      );
      this.#finishAfterDrain();
    }
    this.#timers.set(
      'poll',
      setInterval(() => this.#settleWhenDone(), POLL_MS),
    );
    this.#settleWhenDone();
  }

  #sweep(): void {
    if (!this.#process.tree.isAlive()) return;
    this.#leftProcesses = true;
    this.#process.tree.signal('SIGTERM');
  }

  #settleWhenDone(): void {
    if (this.#ended !== undefined && this.#open.size === 0 && !this.#process.tree.isAlive()) this.#settle();
  }

  #finishAfterDrain(): void {
    const finish = (): void => {
      if (this.#process.tree.isAlive()) this.#process.tree.signal('SIGKILL');
      // Read the pipes once more, in case this process was too busy to read them before.
      setImmediate(() => this.#settle());
    };
    this.#timers.set('finish', setTimeout(finish, DRAIN_MS));
  }

  #settle(): void {
    if (this.#exit !== undefined) return;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#limits.signal.removeEventListener('abort', this.#onAbort);
    this.#queue.end('stdout');
    this.#queue.end('stderr');
    const leftProcesses = this.#leftProcesses || this.#open.size > 0;
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
    this.#process.report?.stream.destroy();
    this.#process.child.unref();
    this.#exit = {
      type: 'exit',
      ...this.#ending(),
      durationMs: Math.round((this.#ended?.at ?? performance.now()) - this.#started),
      leftProcesses,
    };
    this.#wakeReader();
    this.#resolveSettled();
  }

  #ending(): Pick<ShellExit, 'cause' | 'exitCode' | 'signal'> {
    const exitCode = this.#ended?.exitCode ?? undefined;
    const signal = this.#ended?.signal ?? undefined;
    if (signal !== undefined) return { cause: this.#cause ?? 'signalled', signal };
    const cause = this.#cause ?? 'exited';
    return exitCode === undefined ? { cause } : { cause, exitCode };
  }
}
