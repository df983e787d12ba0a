/** The configuration cannot be used. The message is for the user: it names the file, the place and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** Absolute path, or `command line`. */
  readonly source: string;

  constructor(source: string, problem: string) {
    super(`${source}: ${problem}`);
    this.source = source;
  }
}
