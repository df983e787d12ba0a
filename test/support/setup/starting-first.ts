import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start many processes. */
const STARTING =
  /\/test\/integration\/(?:(?:adapters|git|sandbox|scripts|tools)\/|.*(?:any-agent|commands|completion-script|hostile|shell))/;

/** Files whose tests start some processes and load the agent. */
const STARTING_SOME = /\/test\/integration\/(?:cli\/|open-agent|.*(?:-on-mock|over-wires|search|acp-terminals|verify))/;

/** Files that load the libraries of many providers. */
const LARGE = /\/test\/integration\/sdk-/;

/**
 * Runs the files first whose tests start many processes, and those last that load large libraries. Each start copies the
 * page tables of the worker, so that it takes a fifth of the processor time before other files have filled its memory.
 */
export class StartingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

function rank({ moduleId }: TestSpecification): number {
  if (STARTING.test(moduleId)) return 0;
  if (STARTING_SOME.test(moduleId)) return 1;
  return LARGE.test(moduleId) ? 3 : 2;
}
