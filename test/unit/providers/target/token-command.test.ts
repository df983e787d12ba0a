import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/agent/errors.ts';
import { createTokenReader, type ProgramResult } from '../../../../src/providers/target/token-command.ts';
import type { ReadToken } from '../../../../src/providers/wire-options.ts';
import { createManualClock } from '../../../support/fakes/manual-clock.ts';

const SHORT = { program: 'cloud', args: ['print'], lifetimeMs: 1_000, advice: 'Log in with: cloud login' };
const LONG = { program: 'hub', args: ['auth', 'token'], advice: 'Log in with: hub login' };
const never = new AbortController().signal;

/** Programs that give these results, in this order, and the command lines that were run. */
function programs(...results: readonly ProgramResult[]) {
  const rest = [...results];
  const runs: string[] = [];
  const run = async (program: string, args: readonly string[]): Promise<ProgramResult> => {
    runs.push([program, ...args].join(' '));
    return rest.shift() ?? { type: 'failed', reason: 'the test has no more results' };
  };
  return { run, runs };
}

const printed = (text: string): ProgramResult => ({ type: 'output', text });
const failed = (reason: string): ProgramResult => ({ type: 'failed', reason });

const keys =
  (read: ReadToken) =>
  async (...args: Parameters<ReadToken>): Promise<string> =>
    (await read(...args)).key;

describe('the token of a program', () => {
  it('is kept for its lifetime', async () => {
    const clock = createManualClock();
    const { run, runs } = programs(printed('one\n'), printed('two\n'));
    const read = keys(createTokenReader([SHORT], run, clock));
    expect([await read(never), await read(never)]).toEqual(['one', 'one']);
    await clock.advance(1_000);
    expect(await read(never)).toBe('two');
    expect(runs).toEqual(['cloud print', 'cloud print']);
  });

  it('is kept for ever without a lifetime', async () => {
    const clock = createManualClock();
    const { run, runs } = programs(printed('one'));
    const read = keys(createTokenReader([LONG], run, clock));
    await read(never);
    await clock.advance(1_000_000_000);
    expect(await read(never)).toBe('one');
    expect(runs).toEqual(['hub auth token']);
  });

  it('is read again when the provider refused it, and only then', async () => {
    const { run, runs } = programs(printed('one'), printed('two'));
    const read = keys(createTokenReader([LONG], run, createManualClock()));
    expect([await read(never), await read(never, 'one'), await read(never, 'one')]).toEqual(['one', 'two', 'two']);
    expect(runs).toHaveLength(2);
  });

  it('comes from the next program if the first prints none', async () => {
    const { run, runs } = programs(failed('it is not installed'), printed('two'));
    expect(await createTokenReader([SHORT, LONG], run, createManualClock())(never)).toEqual({
      key: 'two',
      keyCommand: 'hub auth token',
      keyAdvice: 'Log in with: hub login',
    });
    expect(runs).toEqual(['cloud print', 'hub auth token']);
  });

  it('is missing with the reason and the advice of each program, without its output', async () => {
    const { run } = programs(failed('exit code 1'), printed('You are not\nlogged in: secret'));
    const error: unknown = await createTokenReader(
      [SHORT, LONG],
      run,
      createManualClock(),
    )(never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({
      code: 'auth',
      message:
        'There is no token for this provider. cloud print failed: exit code 1. Log in with: cloud login; or: hub auth token failed: it printed no token. Log in with: hub login',
    });
  });

  it('is not read after an abort', async () => {
    const controller = new AbortController();
    const run = async (): Promise<ProgramResult> => {
      controller.abort('stopped');
      return failed('killed');
    };
    const reading = createTokenReader([SHORT, LONG], run, createManualClock())(controller.signal);
    await expect(reading).rejects.toBe('stopped');
  });
});
