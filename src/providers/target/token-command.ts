import { ModelError } from '../../agent/errors.ts';
import type { Clock } from '../../agent/ports/clock.ts';
import type { ReadToken, Token } from '../wire-options.ts';
import type { TokenCommand } from './presets.ts';

/**
 * Runs a program without a shell, with a time limit, and returns its standard output. `reason` says why it has none:
 * that the program is missing, its exit code or the time limit. Never throws.
 */
export type RunProgram = (program: string, args: readonly string[], signal: AbortSignal) => Promise<ProgramResult>;

export type ProgramResult =
  | { readonly type: 'output'; readonly text: string }
  | { readonly type: 'failed'; readonly reason: string };

/**
 * The token for the next request. It runs the programs in order until one prints a token, and keeps that token for its
 * lifetime or until the provider refuses it. It throws `ModelError` when none does; the message has no output of a
 * program, which could contain a token.
 */
export function createTokenReader(
  commands: readonly [TokenCommand, ...TokenCommand[]],
  run: RunProgram,
  clock: Clock,
): ReadToken {
  let known: { readonly token: Token; readonly expires: number } | undefined;
  return async (signal, refused) => {
    if (known !== undefined && known.token.key !== refused && clock.now() < known.expires) return known.token;
    const problems: string[] = [];
    for (const { program, args, lifetimeMs = Number.POSITIVE_INFINITY, advice } of commands) {
      const result = await run(program, args, signal);
      signal.throwIfAborted();
      const key = result.type === 'output' ? result.text.trim() : '';
      if (/^[\x21-\x7e]+$/.test(key)) {
        const token = { key, keyCommand: commandLine({ program, args }), keyAdvice: advice };
        known = { token, expires: clock.now() + lifetimeMs };
        return token;
      }
      const reason = result.type === 'failed' ? result.reason : 'it printed no token';
      problems.push(`${commandLine({ program, args })} failed: ${reason}. ${advice}`);
    }
    throw new ModelError('auth', `There is no token for this provider. ${problems.join('; or: ')}`);
  };
}

/** The command as a user types it. */
function commandLine({ program, args }: Pick<TokenCommand, 'program' | 'args'>): string {
  return [program, ...args].join(' ');
}
