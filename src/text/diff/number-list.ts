/** Small, because the words of each changed row of a diff make lists of a few numbers. */
const CHUNK_BITS = 10;
const CHUNK_LENGTH = 2 ** CHUNK_BITS;

/**
 * A list of 32-bit integers that may have millions of entries. It grows without copying them: an array of 10 million
 * lines would stop all other work for 300 ms while it grows, and a run must end sooner (test/long/responsiveness).
 */
export class NumberList {
  readonly #chunks: Int32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(value: number): void {
    const offset = this.#length % CHUNK_LENGTH;
    if (offset === 0) this.#chunks.push(new Int32Array(CHUNK_LENGTH));
    const chunk = this.#chunks.at(-1);
    if (chunk !== undefined) chunk[offset] = value;
    this.#length++;
  }

  /** The entry at an index; 0 past the end. */
  at(index: number): number {
    return this.#chunks[index >> CHUNK_BITS]?.[index % CHUNK_LENGTH] ?? 0;
  }
}
