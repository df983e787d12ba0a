import { describe, expect, it } from 'vitest';
import type { SessionOptions } from '../../../src/app/settings.ts';
import type { CommandLineOptions } from '../../../src/cli/command-line/options.ts';
import { modelsCommand } from '../../../src/cli/subcommands/models-command.ts';
import type { OfferedModels } from '../../../src/providers/target/chosen-model.ts';
import type { UserConsole } from '../../../src/terminal/output.ts';
import { configOf } from '../../support/agent/config-of.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';

const OPTIONS: CommandLineOptions = { outputFormat: 'text', dryRun: false };
const TARGET = { endpoint: 'http://localhost:11434', key: 'without a key' };
const LISTED: Omit<OfferedModels, keyof typeof TARGET> = {
  provider: 'acme',
  models: [{ name: 'long-name', contextWindow: 128_000 }, { name: 'b\u001b[31m' }, { name: 'a', contextWindow: 8_192 }],
};
const OFFERED: OfferedModels = { ...LISTED, ...TARGET };

/** Runs the command for a provider that answers so; `stop` is called while it waits. */
async function run(answer: (signal: AbortSignal) => Promise<OfferedModels>, options = OPTIONS, stops = false) {
  let text = '';
  let subscribed = 0;
  const user: Pick<UserConsole, 'write' | 'onStop'> = {
    write: async (piece) => {
      text += piece;
      return true;
    },
    onStop(listener) {
      subscribed += 1;
      if (stops) queueMicrotask(listener);
      return () => {
        subscribed -= 1;
      };
    },
  };
  const listModels = (_options: SessionOptions, signal: AbortSignal) => answer(signal);
  const wiring = { listModels, readConfig: async () => ({ config: configOf() }), findServers: async () => [] };
  const code = await modelsCommand({ options }, { wiring, machine: { clock: createManualClock() }, user });
  expect(subscribed).toBe(0);
  return { code, text };
}

describe('ybs models', () => {
  it('lists the models by name, with their windows, safely for a terminal', async () => {
    expect(await run(async () => OFFERED)).toEqual({
      code: 0,
      text: 'a          8,192 tokens\nb\\u{1b}[31m\nlong-name  128,000 tokens\n',
    });
  });

  it('lists the models as JSON', async () => {
    const { text } = await run(async () => OFFERED, { ...OPTIONS, outputFormat: 'json' });
    expect(JSON.parse(text)).toEqual(LISTED);
    expect(text).toMatch(/^[^\n]+\n$/);
  });

  it('lists the configured model with the limits of a run, whether its tag is named or not', async () => {
    const limits = {
      window: { tokens: 32_000, source: 'assumed' },
      answer: { tokens: 4_096, source: 'assumed' },
    } as const;
    const offered = { ...OFFERED, models: [{ name: 'm:latest' }], chosen: { model: 'm', limits } };
    expect((await run(async () => offered)).text).toBe('m:latest  32,000 tokens (assumed), answers of 4,096\n');
    const { text } = await run(async () => offered, { ...OPTIONS, outputFormat: 'json' });
    expect(JSON.parse(text)).toMatchObject({
      models: [{ name: 'm:latest', contextWindow: 32_000, source: 'assumed' }],
    });
  });

  it('reports that there are no models', async () => {
    expect((await run(async () => ({ ...OFFERED, models: [] }))).text).toBe('acme offers no models.\n');
  });

  it('ends with 130 when it is stopped', async () => {
    const waiting = (signal: AbortSignal) =>
      new Promise<OfferedModels>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    expect(await run(waiting, OPTIONS, true)).toEqual({ code: 130, text: '' });
  });

  it('fails with the error of the provider', async () => {
    await expect(run(() => Promise.reject(new Error('No network.')))).rejects.toThrow('No network.');
  });
});
