import { type HostArguments, readHostArguments } from './host-arguments.ts';

/** True for `ybs start` with options. `ybs start the server` is a prompt. */
export function isStartCommandLine([first, second]: readonly string[]): boolean {
  return first === 'start' && (second === undefined || second.startsWith('-'));
}

/**
 * Reads the command line of `ybs start`, with which Yume drives one session for many messages. Its specification calls
 * the flat format stream-json, so this command writes the flat one whatever `--output-format` is.
 */
export function readStartArguments(args: readonly string[]): HostArguments {
  return { ...readHostArguments(args.slice(1), true), format: 'yume-json', persistent: true, asksHost: true };
}
