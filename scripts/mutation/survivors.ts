/** Reasons by the name of a mutant. */
type Reasons = Readonly<Record<string, string>>;

/** Mutants that behave like the original, so that no test can kill them, by file. They do not count in the score. */
export const EQUIVALENT: Readonly<Record<string, Reasons>> = {};

/** Other mutants that survive, by file. They count in the score. */
export const TOLERATED: Readonly<Record<string, Reasons>> = {};
