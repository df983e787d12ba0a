/** One thing wrong with the scenarios: which file, which JSON path in it (`$.scenarios[0].trigger`), and why. */
export interface ScenarioProblem {
  readonly file: string;
  readonly path: string;
  readonly reason: string;
}

/** Scenarios could not be loaded. The message has one line for each problem: `file: path: reason`. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    super(problems.map(({ file, path, reason }) => `${file}: ${path}: ${reason}`).join('\n'));
    this.problems = problems;
  }
}
