/** The number of steps that checking one command may take. Enough for any readable command of the maximum length. */
const MAX_STEPS = 500_000;

/** Thrown when checking a command takes more steps than allowed. */
export class TooManySteps extends Error {
  constructor() {
    super('Checking the command takes too many steps.');
  }
}

/**
 * Counts the work of checking one command: the characters and syntax nodes that are parsed, and the words that are
 * compared. Counting steps instead of time gives the same decision on every machine.
 */
export class StepBudget {
  used = 0;
  readonly #limit: number;

  constructor(limit = MAX_STEPS) {
    this.#limit = limit;
  }

  /** Throws `TooManySteps` once more than the limit is spent. */
  spend(steps: number): void {
    this.used += steps;
    if (this.used > this.#limit) throw new TooManySteps();
  }
}
