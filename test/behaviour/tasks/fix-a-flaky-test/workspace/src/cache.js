import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export class Cache {
  constructor(directory, lifetimeMs) {
    this.directory = directory;
    this.lifetimeMs = lifetimeMs;
    mkdirSync(directory, { recursive: true });
  }

  set(key, value) {
    writeFileSync(this.#file(key), JSON.stringify({ value, at: Date.now() }));
  }

  get(key) {
    try {
      const { value, at } = JSON.parse(readFileSync(this.#file(key), 'utf8'));
      return Date.now() - at <= this.lifetimeMs ? value : undefined;
    } catch {
      return undefined;
    }
  }

  clear() {
    rmSync(this.directory, { recursive: true, force: true });
    mkdirSync(this.directory, { recursive: true });
  }

  #file(key) {
    return path.join(this.directory, encodeURIComponent(key));
  }
}
