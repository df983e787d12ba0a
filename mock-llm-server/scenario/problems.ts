/** A problem of a scenario file at a JSON path (`$.scenarios[0].trigger`) or a line of it, and how to fix it. */
export interface ScenarioProblem {
  readonly file: string;
  readonly path: string;
  readonly reason: string;
  readonly fix: string;
}

/** A problem of a value, at `path` within it, and how to fix it. */
export interface ValueProblem extends Pick<ScenarioProblem, 'reason' | 'fix'> {
  readonly path: readonly (string | number)[];
}

/** The problem if the value is wrong. */
export function when(isWrong: boolean, ...problemParts: Parameters<typeof problem>): readonly ValueProblem[] {
  return isWrong ? problem(...problemParts) : [];
}

export function problem(reason: string, fix: string, path: readonly (string | number)[] = []): readonly ValueProblem[] {
  return [{ reason, fix, path }];
}

/** Scenarios could not be loaded. The message has the two lines of `describeProblem` for each problem. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }

  /** The error of a single problem. */
  static of(file: string, path: string, reason: string, fix: string): ScenarioError {
    return new ScenarioError([{ file, path, reason, fix }]);
  }
}

/** A problem in two lines: `file: path: reason`, without the path `$` of the whole file, then the fix. */
export function describeProblem({ file, path, reason, fix }: ScenarioProblem): string {
  return `${file}: ${path === '$' ? '' : `${path}: `}${reason}\n  fix: ${fix}`;
}

/** A path in the form of error messages: `$.scenarios[0].trigger`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return `$${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
}
