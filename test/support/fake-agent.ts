import type { Agent } from '../../src/app/session.ts';
import type { AgentEvent } from '../../src/ports/events.ts';

/** What one run of a fake agent yields; `hang` waits for the stop and then ends as aborted. */
export type FakeRun = readonly (AgentEvent | 'hang')[];

/** An agent that plays what it is given and remembers what it was told. */
export interface FakeAgent extends Agent {
  /** Prompts, `!commands` with their directory, and `/clear`, in order. */
  readonly told: readonly string[];
}

export const STOPPED: AgentEvent = { type: 'run_end', outcome: 'aborted', message: 'Stopped.' };
export const DONE: AgentEvent = { type: 'run_end', outcome: 'done', message: 'Done.' };

/** A run with this answer. */
export function answers(text: string): FakeRun {
  const message = { role: 'assistant', content: text, toolCalls: [] } as const;
  return [{ type: 'text_delta', text }, { type: 'assistant_message', message, finish: 'stop' }, DONE];
}

/** Plays `runs` in order; one run too many is an error that names the prompt. `commands` answers `!commands`. */
export function createFakeAgent(
  runs: readonly FakeRun[],
  commands: Readonly<Record<string, { readonly output: readonly string[]; readonly text: string }>> = {},
): FakeAgent {
  const left = [...runs];
  const told: string[] = [];
  return {
    told,
    model: 'mock/scripted',
    workspace: '/work',
    permissionMode: 'ask',
    tools: [{ name: 'read_file', description: 'Reads a file.', parameters: {}, effect: 'read' }],
    async *run(prompt, signal) {
      told.push(prompt);
      const events = left.shift();
      if (events === undefined) throw new Error(`a run too many: ${JSON.stringify(prompt)}`);
      for (const event of events) {
        if (event === 'hang') await aborted(signal);
        if (signal.aborted) return yield STOPPED;
        if (event !== 'hang') yield event;
      }
    },
    async *runUserCommand(command, workingDirectory, signal) {
      told.push(`!${command} in ${workingDirectory}`);
      const answer = commands[command];
      if (answer === undefined) throw new Error(`an unexpected command: ${JSON.stringify(command)}`);
      for (const text of answer.output) {
        if (text === 'hang') await aborted(signal);
        else yield { stream: 'stdout', text };
      }
      return answer.text;
    },
    clear() {
      told.push('/clear');
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
