import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start many processes. */
const STARTING =
  /\/test\/integration\/(?:node|sandbox|session|tooling|tools)\/|\/test\/integration\/.*(?:any-agent|commands|completion-script|hostile|shell)/;

/** Files whose tests start some processes and load the agent. */
const STARTING_SOME =
  /\/test\/integration\/(?:cli\/|pages\/|stories\/|.*(?:open-agent|-on-mock|over-wires|search|acp-terminals|verify))/;

/** Files that load the libraries of many providers. */
const LARGE = /\/test\/integration\/sdks\//;

const UNIT = /\/test\/unit\//;

/**
 * Runs the files first whose tests start many processes, then those that load large libraries, and the unit tests last.
 * To start a process copies the page tables of the worker, which takes a fifth of the time while the worker has little
 * memory. A worker runs files of one project; small files at the end keep all workers busy.
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
  if (UNIT.test(moduleId)) return 4;
  return LARGE.test(moduleId) ? 3 : 2;
}

/**
 * Runs the files in the random order of the seed, but one project after the other: a worker ends, and another one loads
 * the sources again, when the next file belongs to another project.
 */
export class ShuffledByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const keyOf = (name: string): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
    const keyed = files.map((file) => [`${keyOf(file.project.name)} ${keyOf(file.moduleId)}`, file] as const);
    return keyed.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, file]) => file);
  }
}
