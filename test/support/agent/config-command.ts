import { findSubcommand } from '../../../src/cli/command-line/find-subcommand.ts';
import { configuredRun, type ObservedRun, type RunScript } from './configured-run.ts';

const refuse = async (): Promise<never> => {
  throw new Error('this subcommand records nothing');
};
const noRecording = { start: refuse, write: refuse, convert: refuse };

/** Runs the subcommand that these words name, on a machine in memory. */
export function readAs(
  words: string | readonly string[],
  script: RunScript,
  ownOptions: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<ObservedRun> {
  const found = findSubcommand(typeof words === 'string' ? words.split(' ') : words);
  if (found.type !== 'subcommand') throw new Error(`${words} is no subcommand`);
  return configuredRun({
    ...script,
    run: async (wiring, user, options, machine) => {
      const run = await found.subcommand.load();
      const loadStories = () => Promise.reject(new Error('this subcommand plays no stories'));
      const openInput = () => Promise.reject(new Error('this subcommand reads no bytes'));
      const others = { loadStories, testStories: refuse, openInput, version: '0.0.0', keepMemorySmall: async () => {} };
      const ports = { wiring, user, machine, recording: noRecording, ...others };
      return run({ args: found.args, options, ownOptions }, ports);
    },
  });
}
