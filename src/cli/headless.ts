import type { Agent } from '../app/agent.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { followRun, type ShowEvent } from './follow-run.ts';

/** Runs one prompt to its end and returns the exit code. `stop` is what stops the run. */
export async function runOnce(agent: Agent, prompt: string, show: ShowEvent, stop: AbortController): Promise<number> {
  const outcome = await followRun(agent.run(prompt, stop.signal), show, () => stop.abort());
  return EXIT_CODES[outcome];
}
