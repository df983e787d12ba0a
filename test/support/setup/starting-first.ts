import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests start many processes. */
const STARTING =
  /\/test\/integration\/(?:(?:adapters|git|sandbox|scripts|tools)\/|.*(?:any-agent|commands|completion-script|hostile|kills|oracle|read-only|shell))/;

/**
 * Runs the files first whose tests start many processes. Each start copies the page tables of the worker, so that it
 * takes a third of the processor time before other files have filled its memory with libraries.
 */
export class StartingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const starts = ({ moduleId }: TestSpecification): boolean => STARTING.test(moduleId);
    return [...sorted.filter(starts), ...sorted.filter((file) => !starts(file))];
  }
}
