import { Readable, Writable } from 'node:stream';
import { main } from '../../../src/cli/main.ts';
import { type BinOptions, type BinResult, binEnvironment } from './run-bin.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Options of a command line in this process. */
export interface MainOptions extends Omit<BinOptions, 'input' | 'environment'> {
  /** Variables in addition to those of every command; `undefined` removes one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Standard input; empty when absent. */
  readonly input?: string | Readable;
  /** Receives the text that is written to standard output. */
  readonly onOutput?: (text: string) => void;
}

/** A stream in place of one of the process. It stays the same, because parts of a command keep a reference. */
function createSink() {
  const decoder = new TextDecoder();
  let written = '';
  let listener: (text: string) => void = () => {};
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = decoder.decode(chunk, { stream: true });
      written += text;
      listener(text);
      done();
    },
  });
  // Each run adds a listener.
  stream.setMaxListeners(0);
  return {
    stream,
    listen(next: (text: string) => void = () => {}) {
      listener = next;
    },
    take(): string {
      const text = written;
      written = '';
      return text;
    },
  };
}

const stdout = createSink();
const stderr = createSink();

/**
 * Runs a command line of `ybs` in this process, from the sources: with its own directory, environment and standard
 * streams, which are not terminals. It takes a tenth of the processor time of a new process, so it is for all tests
 * that do not need the built command. Only one may run at a time; none may end by a signal.
 */
export function runMain(args: readonly string[], options: MainOptions = {}): Promise<BinResult> {
  return runHere(() => main(args), options);
}

/** Runs a command line of `mock-llm-server` that starts no server, like `runMain`. */
export function runMockMain(args: readonly string[], options: MainOptions = {}): Promise<BinResult> {
  // It uses the streams that the process has when it is loaded.
  return runHere(async () => (await import('../../../mock-llm-server/main.ts')).main(args), options);
}

async function runHere(command: () => Promise<void>, options: MainOptions): Promise<BinResult> {
  const { input = '' } = options;
  stdout.listen(options.onOutput);
  const restore = [
    replaceStream('stdin', typeof input === 'string' ? Readable.from([Buffer.from(input)]) : input),
    replaceStream('stdout', stdout.stream),
    replaceStream('stderr', stderr.stream),
    replaceEnvironment({ ...binEnvironment(), ...options.environment }),
    replaceDirectory(options.directory ?? temporaryDirectory()),
    keepState(),
  ];
  try {
    await command();
    return { code: Number(process.exitCode), stdout: stdout.take(), stderr: stderr.take() };
  } finally {
    for (const undo of restore.reverse()) undo();
  }
}

function replaceStream(name: 'stdin' | 'stdout' | 'stderr', value: Readable | Writable): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name);
  Object.defineProperty(process, name, { configurable: true, value });
  return () => {
    if (before !== undefined) Object.defineProperty(process, name, before);
  };
}

function replaceEnvironment(environment: Readonly<Record<string, string | undefined>>): () => void {
  const before = { ...process.env };
  setEnvironment(environment);
  return () => setEnvironment(before);
}

/** Changes the variables of the process, whose object stays the same. */
function setEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) {
    if (environment[name] === undefined) Reflect.deleteProperty(process.env, name);
  }
  Object.assign(
    process.env,
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
  );
}

function replaceDirectory(directory: string): () => void {
  const before = process.cwd();
  process.chdir(directory);
  return () => process.chdir(before);
}

/** Saves the state that a command changes because it expects its process to end. The returned function restores it. */
function keepState(): () => void {
  const code = process.exitCode;
  const before = process.listeners('SIGHUP');
  // `mock-llm-server` replaces both classes. With its classes, later tests could not report a broken connection.
  const globals = (['Request', 'Response'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  process.exitCode = undefined;
  return () => {
    for (const [name, value] of globals) if (value !== undefined) Object.defineProperty(globalThis, name, value);
    process.exitCode = code;
    for (const listener of process.listeners('SIGHUP')) if (!before.includes(listener)) process.off('SIGHUP', listener);
  };
}
