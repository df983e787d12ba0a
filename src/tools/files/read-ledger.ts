import type { Digest } from '../../ports/digest.ts';

/** A file as this session last saw it. */
export interface SeenFile {
  readonly digest: Digest;
  readonly text: string;
}

/** Remembers, by real path, what this session has read or written; forgotten on `/clear`. */
export class ReadLedger {
  readonly #files = new Map<string, SeenFile>();

  record(realPath: string, file: SeenFile): void {
    this.#files.set(realPath, file);
  }

  get(realPath: string): SeenFile | undefined {
    return this.#files.get(realPath);
  }

  clear(): void {
    this.#files.clear();
  }
}
