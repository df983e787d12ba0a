/** A call of a tool by the model of a task. */
interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** An ordinary task as a model does it, with the commands that models write. The workspace is in the folder of its name. */
export interface Task {
  readonly prompt: string;
  /** The calls of each answer. */
  readonly steps: readonly (Call | readonly Call[])[];
  /** The last answer. */
  readonly end: string;
  /** The questions in a trusted project with the widest answers that a question offers. */
  readonly after: readonly string[];
}

export const run = (command: string): Call => ({ name: 'run_shell', arguments: { command } });
export const read = (path: string): Call => ({ name: 'read_file', arguments: { path } });
export const write = (path: string, content: string): Call => ({ name: 'write_file', arguments: { path, content } });
export const edit = (path: string, before: string, after: string): Call => ({
  name: 'edit_file',
  arguments: { path, old_text: before, new_text: after },
});

/** The calls of all answers in their order. */
export const callsOf = ({ steps }: Task): readonly Call[] => steps.flat();

/** The content of a scenario file that plays a task. */
export function scenarioFileOf({ prompt, steps, end }: Task): object {
  const calls = steps.map((step) => ({ response: { tool_calls: [step].flat() } }));
  return { scenarios: [{ name: 'task', trigger: prompt, steps: [...calls, { response: { content: end } }] }] };
}
