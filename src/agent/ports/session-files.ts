/** The files of the running session that the model may read without a question. */
export interface SessionFiles {
  /** Absolute path of the directory for command logs and saved tool outputs; created when needed. */
  readonly outputDirectory: string;
  /**
   * Stores the full text of a tool output and returns its absolute path: that of the same text, if it has been stored
   * for this call before. Throws `FileSystemError`.
   */
  saveOutput(callId: string, text: string): Promise<string>;
}
