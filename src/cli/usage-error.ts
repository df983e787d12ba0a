/** What keeps ybs from starting: the command line, the configuration or a story. The message is for people. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
