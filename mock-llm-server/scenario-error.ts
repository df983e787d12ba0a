/**
 * One thing wrong with the scenarios: which file, which JSON path in it (`$.scenarios[0].trigger`), why, what to do.
 */
export interface ScenarioProblem {
  readonly file: string;
  readonly path: string;
  readonly reason: string;
  /** What to change. */
  readonly fix: string;
}

/** Scenarios could not be loaded. The message has two lines for each problem, those of `describeProblem`. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

/** A problem in two lines: `file: path: reason`, and what to do about it. */
export function describeProblem({ file, path, reason, fix }: ScenarioProblem): string {
  return `${file}: ${path}: ${reason}\n  fix: ${fix}`;
}
