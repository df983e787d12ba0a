/** A running program. `started` distinguishes it from a later process with the same id; '' if unknown. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  /** Name of the machine. */
  readonly host: string;
}

export interface Processes {
  self(): Promise<ProcessIdentity>;
  /** The start of a running process in the form of `started`; `undefined` if none has this id. */
  startOf(pid: number): Promise<string | undefined>;
}
