/** Shorter pieces are copied byte by byte, which is faster than the creation of a view. */
const MAX_LOOP_LENGTH = 64;

/** Collects the bytes of a file from many pieces. */
export class ByteBuilder {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** The number of bytes collected so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds the bytes of `source` from `start` to `end`, which is exclusive. */
  add(source: Uint8Array, start = 0, end = source.length): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    if (end - start > MAX_LOOP_LENGTH) this.#bytes.set(source.subarray(start, end), this.#length);
    else for (let index = start; index < end; index++) this.#bytes[this.#length + index - start] = source[index] ?? 0;
    this.#length = length;
  }

  /** Returns the collected bytes. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
