import { expect, it } from 'vitest';
import { chooseKey, type KeyChoice } from '../../../../src/providers/target/choose-key.ts';
import { readEndpoint } from '../../../../src/providers/target/endpoint.ts';
import type { ProviderPreset } from '../../../../src/providers/target/presets.ts';
import { WIRES } from '../../../../src/providers/wires.ts';

type Environment = Readonly<Record<string, string>>;

const GH = { program: 'gh', args: ['auth', 'token'], advice: 'Log in.' };
const OWN = 'https://api.acme.test';
const GATE = 'https://gate.test';

const ACME: ProviderPreset = {
  label: 'Acme',
  wire: 'anthropic-messages',
  endpoint: OWN,
  keyVariables: ['ANTHROPIC_AUTH_TOKEN', 'ACME_KEY'],
  endpointVariable: 'ACME_URL',
};
const TOKEN: ProviderPreset = { label: 'Hub', wire: 'openai-chat', endpoint: OWN, tokenCommands: [GH] };
const BOTH: ProviderPreset = { ...TOKEN, keyVariables: ['HUB_KEY'] };
const ANY: ProviderPreset = {
  label: 'The server',
  wire: 'openai-chat',
  keyVariables: ['ANY_KEY'],
  keyOptional: true,
  endpointVariable: 'ANY_URL',
};
const LOCAL: ProviderPreset = { label: 'Local', wire: 'openai-chat', endpoint: 'http://localhost:1' };

const NONE: KeyChoice = { type: 'none' };
const key = (variable: string, value: string, header: 'x-api-key' | 'authorization' = 'x-api-key'): KeyChoice => ({
  type: 'key',
  variable,
  value,
  header,
});
const refused = (message: string, name = 'llm.api_key_variable') => ({
  type: 'refused',
  key: name,
  message: expect.stringContaining(message),
});

// Each row decides where a secret goes. `configured` is the variable that the user named for the address.
const rows: readonly (readonly [
  name: string,
  preset: ProviderPreset,
  address: string,
  configured: string | undefined,
  environment: Environment,
  expected: unknown,
])[] = [
  ['its key to its own address', ACME, OWN, undefined, { ACME_KEY: ' k\n' }, key('ACME_KEY', 'k')],
  ['its key to another path of its address', ACME, `${OWN}/v2`, undefined, { ACME_KEY: 'k' }, key('ACME_KEY', 'k')],
  [
    'a token variable first, as a bearer',
    ACME,
    OWN,
    undefined,
    { ACME_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' },
    key('ANTHROPIC_AUTH_TOKEN', 't', 'authorization'),
  ],
  ['no key to another host', ACME, GATE, undefined, { ACME_KEY: 'k' }, NONE],
  ['no key to another port', ACME, `${OWN}:8443`, undefined, { ACME_KEY: 'k' }, NONE],
  ['no key to its host without encryption', ACME, 'http://api.acme.test', undefined, { ACME_KEY: 'k' }, NONE],
  ['no key to a host that contains its name', ACME, `${OWN}.evil.test`, undefined, { ACME_KEY: 'k' }, NONE],
  [
    'its key to the address in its variable',
    ACME,
    GATE,
    undefined,
    { ACME_KEY: 'k', ACME_URL: GATE },
    key('ACME_KEY', 'k'),
  ],
  [
    'its key not to its own address while its variable names another',
    ACME,
    OWN,
    undefined,
    { ACME_KEY: 'k', ACME_URL: GATE },
    refused(`ACME_KEY belongs to the address in ACME_URL, so it is not sent to ${OWN}. Unset ACME_URL, or name`),
  ],
  [
    'its key to its own address if its variable is no URL',
    ACME,
    OWN,
    undefined,
    { ACME_KEY: 'k', ACME_URL: 'x' },
    key('ACME_KEY', 'k'),
  ],
  ['no key to a third address', ACME, 'https://third.test', undefined, { ACME_KEY: 'k', ACME_URL: GATE }, NONE],
  [
    'a required key that is missing',
    ACME,
    OWN,
    undefined,
    { ACME_KEY: ' ' },
    refused('Acme needs an API key. Set the environment variable ACME_KEY or ANTHROPIC_AUTH_TOKEN to it.'),
  ],
  [
    'a required key for the address in its variable',
    ACME,
    GATE,
    undefined,
    { ACME_URL: GATE },
    refused('Acme needs an API key.'),
  ],
  ['the configured key to any address', ACME, GATE, 'WORK', { ACME_KEY: 'k', WORK: 'w' }, key('WORK', 'w')],
  ['the configured key to its own address', ACME, OWN, 'WORK', { ACME_KEY: 'k', WORK: 'w' }, key('WORK', 'w')],
  [
    'a configured key that is missing, instead of another key',
    ACME,
    OWN,
    'WORK',
    { ACME_KEY: 'k' },
    refused('Acme needs an API key. Set the environment variable WORK to it.'),
  ],
  [
    'a configured key in a variable whose name is a property of every object',
    ACME,
    OWN,
    'constructor',
    { ACME_KEY: 'k' },
    refused('Acme needs an API key. Set the environment variable constructor to it.'),
  ],
  [
    'a configured token variable',
    ACME,
    GATE,
    'ANTHROPIC_AUTH_TOKEN',
    { ANTHROPIC_AUTH_TOKEN: 't' },
    key('ANTHROPIC_AUTH_TOKEN', 't', 'authorization'),
  ],
  [
    'a key that no header can hold',
    ACME,
    OWN,
    undefined,
    { ACME_KEY: 'a b' },
    refused('The key in ACME_KEY contains a space or another invalid character. Set it again.'),
  ],
  [
    'a configured key unencrypted to another machine',
    ACME,
    'http://10.0.0.5',
    'WORK',
    { WORK: 'w' },
    refused('WORK would be sent unencrypted to http://10.0.0.5. Use an https:// endpoint', 'llm.endpoint'),
  ],
  ['a configured key unencrypted to this machine', ACME, 'http://127.0.0.1:9', 'WORK', { WORK: 'w' }, key('WORK', 'w')],
  ['a token of a program to its own address', TOKEN, OWN, undefined, {}, { type: 'token', commands: [GH] }],
  ['no token of a program to another address', TOKEN, GATE, undefined, {}, NONE],
  ['a key before the token of a program', BOTH, OWN, undefined, { HUB_KEY: 'k' }, key('HUB_KEY', 'k')],
  ['the token of a program without a key', BOTH, OWN, undefined, {}, { type: 'token', commands: [GH] }],
  [
    'the token of a program unencrypted to another machine',
    { ...TOKEN, endpoint: 'http://hub.test' },
    'http://hub.test',
    undefined,
    {},
    refused('the token would be sent unencrypted to http://hub.test', 'llm.endpoint'),
  ],
  [
    'an optional key to the address in its variable',
    ANY,
    GATE,
    undefined,
    { ANY_KEY: 'k', ANY_URL: GATE },
    key('ANY_KEY', 'k'),
  ],
  ['no optional key to another address', ANY, OWN, undefined, { ANY_KEY: 'k', ANY_URL: GATE }, NONE],
  ['no optional key without an address variable', ANY, OWN, undefined, { ANY_KEY: 'k' }, NONE],
  ['nothing where an optional key is missing', ANY, GATE, undefined, { ANY_URL: GATE }, NONE],
  ['nothing to a provider that needs no key', LOCAL, 'http://localhost:1', undefined, { ACME_KEY: 'k' }, NONE],
];

it.each(rows)('decides about %s', (_name, preset, address, configured, environment, expected) => {
  const { keyHeader } = WIRES['anthropic-messages'];
  const endpoint = readEndpoint(address, WIRES['anthropic-messages']);
  if (endpoint.type === 'invalid') throw new Error(endpoint.reason);
  expect(chooseKey({ preset, keyHeader, endpoint, configured, environment })).toEqual(expected);
});
