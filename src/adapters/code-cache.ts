import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';

/** The compiled code of a file, and how many starts have stored it. */
interface StoredCode {
  readonly writes: number;
  readonly code: Buffer;
}

/** A file that has been loaded. `length` is that of its stored code. */
interface LoadedFile {
  readonly name: string;
  readonly script: Script;
  readonly writes: number;
  readonly length: number;
}

/** Starts of several commands store the code of a file, because each of them runs other functions of it. */
const MAX_WRITES = 3;
const DIGEST_BYTES = 32;
const NOTHING: StoredCode = { writes: 0, code: Buffer.alloc(0) };

/** A module is the body of a function. Joined as bytes, so that its text is in memory once. */
const START = Buffer.from('(function (exports, require, module, __filename, __dirname) { ');
const END = Buffer.from('\n})');

let save = (): void => {};

/**
 * Keeps the compiled code of the CommonJS files of `sources` in `directory`: that of all functions that starts have run.
 * The cache of Node has only the code that a file runs while it is loaded, and V8 compiles the other functions again at
 * each start. The names of the files must change with their contents.
 */
export function openCodeCache(sources: string, directory: string): void {
  const { extensions } = createRequire(path.join(sources, 'index.js'));
  const loadUncached = extensions['.js'];
  if (loadUncached === undefined) return;
  const store = path.join(directory, `${process.version}-${process.arch}`);
  const loaded: LoadedFile[] = [];
  let isOpen = true;

  extensions['.js'] = (module, filename) => {
    const { dir, base: name } = path.parse(filename);
    const source = isOpen && dir === sources ? readFileSync(filename) : undefined;
    // A script outside of the loader of Node cannot import modules.
    if (source === undefined || source.includes('import(')) return loadUncached(module, filename);
    const stored = read(path.join(store, name));
    const script = new Script(Buffer.concat([START, source, END]).toString(), {
      filename,
      ...(stored !== undefined && { cachedData: stored.code }),
    });
    const { writes, code } = script.cachedDataRejected === false && stored !== undefined ? stored : NOTHING;
    loaded.push({ name, script, writes, length: code.length });
    const require = (id: string): unknown => module.require(id);
    script.runInThisContext()(module.exports, require, module, filename, dir);
  };
  save = () => {
    save = () => {};
    isOpen = false;
    try {
      const files = loaded.filter(({ writes }) => writes < MAX_WRITES);
      // The first start stores nothing, because on many machines there is no second one.
      if (existsSync(store)) for (const file of files) write(path.join(store, file.name), file);
      else if (files.length > 0) mkdirSync(store, { recursive: true, mode: 0o700 });
    } catch {
      // The next start compiles again.
    }
  };
  process.once('exit', () => save());
}

/** Stores the code of the functions that have run. Files that are loaded later are not stored. */
export function saveCode(): void {
  save();
}

/** What is stored in a file, if it is whole: V8 does not check the code, and damaged code ends the process. */
function read(file: string): StoredCode | undefined {
  try {
    const bytes = readFileSync(file);
    const content = bytes.subarray(DIGEST_BYTES);
    if (!digestOf(content).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;
    return { writes: content.readUInt8(), code: content.subarray(1) };
  } catch {
    return undefined;
  }
}

function write(file: string, { script, writes, length }: LoadedFile): void {
  const compiled = script.createCachedData();
  // V8 drops the code of functions that have not been called for a long time.
  const code = compiled.length < length ? (read(file)?.code ?? compiled) : compiled;
  const content = Buffer.concat([Buffer.of(writes + 1), code]);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, Buffer.concat([digestOf(content), content]), { mode: 0o600 });
  renameSync(temporary, file);
}

function digestOf(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer');
}
