import type { ScenarioProblem } from './scenario-error.ts';

/** Something in scenarios that can be loaded, but will hardly do what was meant. */
export interface ScenarioDoubt extends ScenarioProblem {
  /** What to change. */
  readonly fix: string;
}
