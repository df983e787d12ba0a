/** Functions that are called at an event, in the order in which they were added. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  /** Adds a function; returns one that removes it. */
  readonly add = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get size(): number {
    return this.#listeners.size;
  }

  readonly call = (): void => {
    for (const listener of this.#listeners) listener();
  };
}
