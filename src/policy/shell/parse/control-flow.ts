import type { AndOr, If, Pipeline, SyntaxNode } from 'unbash';
import { type Directories, eitherOf, NOWHERE, type Outcome, unchanged } from '../directories.ts';

/** Follows a part of a command line from the directories where it may begin. */
export type Follow = (node: SyntaxNode, from: Directories) => Outcome;

/** The outcome of one of two commands. */
export function eitherOutcome(one: Outcome, other: Outcome): Outcome {
  return { succeeded: eitherOf(one.succeeded, other.succeeded), failed: eitherOf(one.failed, other.failed) };
}

/** The directories where the next command after `;` begins, whether the one before succeeded or not. */
export function afterEither({ succeeded, failed }: Outcome): Directories {
  // First where a `cd` failed, because only the first directories of many are told apart.
  return eitherOf(failed, succeeded);
}

/** A command after `&&` begins where the ones before succeeded; one after `||` where they failed. */
export function followAndOr({ commands, operators }: AndOr, from: Directories, follow: Follow): Outcome {
  let reached: Outcome = unchanged(from);
  for (const [index, command] of commands.entries()) {
    if (operators[index - 1] === '||') {
      const after = follow(command, reached.failed);
      reached = { succeeded: eitherOf(after.succeeded, reached.succeeded), failed: after.failed };
    } else {
      const after = follow(command, reached.succeeded);
      const failed = index === 0 ? after.failed : eitherOf(reached.failed, after.failed);
      reached = { succeeded: after.succeeded, failed };
    }
  }
  return reached;
}

/** `then` begins where the condition succeeded; `elif` and `else` where it failed. */
export function followIf(node: If, from: Directories, follow: Follow): Outcome {
  const branches: Outcome[] = [];
  let otherwise = from;
  for (const { clause, then } of [node, ...node.elif]) {
    const condition = follow(clause, otherwise);
    branches.push(follow(then, condition.succeeded));
    otherwise = condition.failed;
  }
  return branches.reduce(eitherOutcome, node.else === undefined ? unchanged(otherwise) : follow(node.else, otherwise));
}

/** The commands of a pipeline run in shells of their own. One command alone does not, and `!` inverts its result. */
export function followPipeline({ prefixes, commands }: Pipeline, from: Directories, follow: Follow): Outcome {
  const outcomes = commands.map((command) => follow(command, from));
  const [only] = outcomes.length === 1 ? outcomes : [];
  if (only === undefined) return unchanged(from);
  const negations = prefixes.filter(({ type }) => type === 'Negation').length;
  return negations % 2 === 0 ? only : { succeeded: only.failed, failed: only.succeeded };
}

type Body = 'loop' | 'function';

/** Commands that leave the body of a loop or function. Elsewhere, Bash reports them and goes on. */
export const JUMPS: ReadonlyMap<string, Body> = new Map([
  ['break', 'loop'],
  ['continue', 'loop'],
  ['return', 'function'],
]);

/** Directories in which a jump leaves the innermost loop and function. */
export class Jumps {
  #left: { readonly [body in Body]?: { directories: Directories } } = {};

  /** The outcome of a body, jumps included. */
  within(body: Body, run: () => Outcome): Outcome {
    const outer = this.#left;
    const left = { directories: NOWHERE };
    // A function cannot leave the loop that calls it.
    this.#left = body === 'function' ? { function: left } : { ...outer, loop: left };
    const after = run();
    this.#left = outer;
    return eitherOutcome(unchanged(left.directories), after);
  }

  /** The outcome of the command `name` if it is a jump. */
  jump(name: string, from: Directories): Outcome | undefined {
    const body = JUMPS.get(name);
    const left = body && this.#left[body];
    if (left === undefined) return undefined;
    left.directories = eitherOf(left.directories, from);
    return unchanged(NOWHERE);
  }
}
