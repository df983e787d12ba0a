import { Questions } from '../app/driver/questions.ts';
import type { WriteLine } from './write-lines.ts';

/** Questions to a host, each answered by a frame with its id. */
export interface HostRequests {
  readonly questions: Questions<unknown>;
  /** Writes the line of a question. A host that does not read it has disconnected. */
  show(line: object): Promise<undefined>;
  /** Writes a line and waits for its answer, as `Questions.ask` does. */
  ask(id: string, line: object, signal: AbortSignal): Promise<unknown>;
}

/** Creates the questions to a host, which are written with `writeLine`. */
export function createHostRequests(writeLine: WriteLine): HostRequests {
  const questions = new Questions<unknown>();
  const show = async (line: object): Promise<undefined> => {
    if (!(await writeLine(line))) questions.disconnect();
  };
  return {
    questions,
    show,
    ask: (id, line, signal) => questions.ask({ id, show: () => show(line), read: (answer) => answer }, signal),
  };
}
