import { rm } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { BinResult } from '../processes/run-bin.ts';
import { writeFiles } from '../processes/temporary-directory.ts';

/** The file of an agent that plays the stories of `writeAgentStory`. */
export const SAMPLE = path.join(import.meta.dirname, 'sample-agent.mjs');
/** The command of this agent, as `ybs test --agent` takes it. */
export const COMMAND = `"${process.execPath}" "${SAMPLE}" {prompt}`;

/**
 * Writes a story whose model reads `in.txt` and writes `out.txt`. An option in the prompt asks the agent for a mistake.
 */
export function writeAgentStory(directory: string, name: string, story: object = {}, expected = 'written\n'): void {
  const steps = [
    { intent: 'read_file', path: 'in.txt' },
    { intent: 'write_file', path: 'out.txt', content: 'written\n' },
    { response: { content: 'Done.' } },
  ];
  const content = {
    scenarios: [{ name, trigger: 'copy "it"', steps }],
    story: { prompts: [`Please copy "it" for $HOME & {prompt} now.`], ...story },
  };
  writeFiles(path.join(directory, name), {
    'scenario.json': JSON.stringify(content),
    'workspace/in.txt': 'a secret of the file\n',
    'expected/in.txt': 'a secret of the file\n',
    'expected/out.txt': expected,
  });
}

/** Removes the files that a result says are kept, after the test. */
export function removeKept(result: BinResult): BinResult {
  for (const [, kept = ''] of result.stdout.matchAll(/the files are kept in (.*)/g)) {
    onTestFinished(() => rm(kept, { recursive: true, force: true }));
  }
  return result;
}
