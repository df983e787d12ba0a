import { describe, expect, it } from 'vitest';
import { ModelError, UsageError } from '../../../../src/agent/errors.ts';
import type { Settings } from '../../../../src/app/settings.ts';
import { authStatusCommand } from '../../../../src/cli/subcommands/setup/auth-command.ts';
import { NOT_TRUSTED } from '../../../../src/config/trust/project-trust.ts';
import { configOf } from '../../../support/agent/config-of.ts';

const SETTINGS: Settings = {
  config: configOf({ llm: { provider: 'openai' } }),
  workspace: '/work',
  trust: NOT_TRUSTED,
  dryRun: false,
  model: {
    name: 'openai/m',
    embedded: false,
    open: () => Promise.reject(new Error('not opened')),
    openSmall: async () => undefined,
    close: async () => {},
  },
};

async function run(loadSettings: () => Promise<Settings>, json: boolean): Promise<[number, string]> {
  let written = '';
  const write = async (text: string) => {
    written += text;
    return true;
  };
  const request = {
    options: { outputFormat: 'text', dryRun: false },
    ownOptions: new Map(json ? [['json', ['']]] : []),
  } as const;
  const code = await authStatusCommand(request, { wiring: { loadSettings }, user: { write } });
  return [code, written];
}

/** A model whose key a program prints. */
const withProgram = (checkKey: () => Promise<void>) => async (): Promise<Settings> => {
  return { ...SETTINGS, model: { ...SETTINGS.model, checkKey } };
};
const NO_TOKEN = withProgram(async () => {
  throw new ModelError('auth', 'There is no token for this provider. gh auth token failed: it is not installed.');
});

const KEYLESS = async (): Promise<Settings> => ({ ...SETTINGS, model: { ...SETTINGS.model, isKeyless: true } });

const REFUSED = async () => {
  throw new UsageError('OpenAI needs an API key.');
};

describe('ybs auth status', () => {
  it.each<readonly [load: () => Promise<Settings>, json: boolean, code: number, output: string]>([
    [async () => SETTINGS, false, 0, 'ready: openai/m\n'],
    [async () => SETTINGS, true, 0, '{"loggedIn":true,"authMethod":"api_key","apiProvider":"openai"}\n'],
    [KEYLESS, true, 0, '{"loggedIn":true,"authMethod":"none","apiProvider":"openai"}\n'],
    [withProgram(async () => {}), false, 0, 'ready: openai/m\n'],
    [withProgram(async () => {}), true, 0, '{"loggedIn":true,"authMethod":"oauth_token","apiProvider":"openai"}\n'],
    [NO_TOKEN, false, 1, 'There is no token for this provider. gh auth token failed: it is not installed.\n'],
    [NO_TOKEN, true, 1, '{"loggedIn":false,"authMethod":"none"}\n'],
    [REFUSED, false, 1, 'OpenAI needs an API key.\n'],
    [REFUSED, true, 1, '{"loggedIn":false,"authMethod":"none"}\n'],
  ])('reports the state: case %#', async (load, json, code, output) => {
    expect(await run(load, json)).toEqual([code, output]);
  });

  it('reports other failures unchanged', async () => {
    await expect(run(() => Promise.reject(new Error('disk')), true)).rejects.toThrow('disk');
  });
});
