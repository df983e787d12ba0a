import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseArguments } from '../../../mock-llm-server/cli/arguments.ts';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { runMain } from '../../support/processes/run-main.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';
import { readSteps, withoutDetails } from '../../support/stories/page-steps.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/scenarios.md'), 'utf8');

it('every command of the tutorial prints the output that the page shows', async () => {
  const directory = temporaryDirectory();
  let url = '';
  const steps = readSteps(page);
  expect(steps.filter(({ type }) => type === 'file')).toHaveLength(6);
  expect(steps.filter(({ type }) => type === 'command')).toHaveLength(9);
  for (const step of steps) {
    if (step.type === 'file') writeFiles(directory, { [step.name]: step.content });
    else if (step.words[1] === 'mock-llm-server') url = await startServer(directory, step.words.slice(2));
    else {
      const args = step.words.slice(2).map((word) => word.replace('http://127.0.0.1:8000', url));
      const { stdout, stderr } = await runMain(args, { directory });
      expect(withoutDetails(stdout), stderr).toBe(withoutDetails(step.output ?? ''));
    }
  }
});

/** Starts the server of a command line in this process, on a free port instead of the one in the page. */
async function startServer(directory: string, words: readonly string[]): Promise<string> {
  const command = await parseArguments(words);
  if (command.type !== 'serve') throw new Error(`${words.join(' ')} starts no server`);
  expect(command.port).toBe(8000);
  const scenarios = command.scenarios.map((file) => path.join(directory, file));
  const server = await startMockLlm({ scenarios });
  onTestFinished(() => server.close());
  return server.url;
}
