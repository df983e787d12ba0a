/**
 * Long work that is divided into short steps: the generator yields after each step and returns the result. Its caller
 * decides what happens between the steps.
 */
export type Steps<Result> = Generator<undefined, Result, void>;

/** The number of characters that one step processes; a step takes a few milliseconds. */
export const CHARACTERS_PER_STEP = 2 ** 18;

/** The number of lines, or of other small pieces of work, in one step. */
export const LINES_PER_STEP = 2 ** 12;

/** Runs work to its end and calls `pause` between its steps. Rejects if `pause` does, which stops the work. */
export async function runSteps<Result>(steps: Steps<Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

/** Runs work to its end without a pause, where nothing else waits. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
