import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';

const tracer = path.join(import.meta.dirname, 'trace-modules.ts');

/** The output of a command line, and the libraries whose code it loaded, bundled or not. */
export interface TracedRun {
  readonly stdout: string;
  readonly exitCode: number | undefined;
  readonly files: readonly string[];
  /** The modules of Node.js itself, with the internal ones: `http`, `internal/deps/undici/undici`. */
  readonly internals: readonly string[];
  readonly libraries: readonly string[];
}

/** Variables with which a Node process appends every file that it loads to `traceFile`, in order. */
export function traceModules(traceFile: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${pathToFileURL(tracer).href}`, YBS_TRACE_MODULES: traceFile };
}

/** Runs a JavaScript or TypeScript file with Node and records every module that it loads. `input` is its standard input. */
export async function traceRun(
  entry: string,
  args: readonly string[],
  traceFile: string,
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<TracedRun> {
  const { stdout, exitCode } = await execa(process.execPath, ['--import', pathToFileURL(tracer).href, entry, ...args], {
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    env: { ...env, YBS_TRACE_MODULES: traceFile },
  });
  const lines = readFileSync(traceFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const files = lines.filter((line) => !line.startsWith('node:'));
  const internals = lines.filter((line) => line.startsWith('node:')).map((line) => line.slice('node:'.length));
  const libraries = new Set(files.flatMap((file) => librariesIn(file)));
  return { stdout, exitCode, files, internals, libraries: [...libraries].sort() };
}

/** The library of a file, or all libraries in a bundle, whose comments name the bundled modules. */
export function librariesIn(file: string): readonly string[] {
  const named = file.includes('node_modules') ? file : readFileSync(file, 'utf8');
  const matches = named.matchAll(/node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\\s]+)(?=[/\\])/g);
  return [...new Set([...matches].flatMap((match) => match[1] ?? []))];
}
