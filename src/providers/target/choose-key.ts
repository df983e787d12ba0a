import { ownEntry } from '../../text/json/own-entry.ts';
import type { KeyHeader } from '../wire-options.ts';
import type { Endpoint } from './endpoint.ts';
import type { ProviderPreset, TokenCommand } from './presets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that decides which key a request may carry. */
export interface KeyQuestion {
  readonly preset: ProviderPreset;
  readonly keyHeader: KeyHeader;
  /** The address of the requests. */
  readonly endpoint: Extract<Endpoint, { type: 'endpoint' }>;
  /** The variable that the user configured for this address, if any. */
  readonly configured: string | undefined;
  readonly environment: Environment;
}

/** The key of the requests to one address. The `message` of a refusal is for the user. */
export type KeyChoice =
  | { readonly type: 'none' }
  | { readonly type: 'key'; readonly variable: string; readonly value: string; readonly header: KeyHeader }
  | { readonly type: 'token'; readonly commands: readonly [TokenCommand, ...TokenCommand[]] }
  | { readonly type: 'refused'; readonly key: 'llm.api_key_variable' | 'llm.endpoint'; readonly message: string };

/** The variable whose value is a token instead of a key. */
const TOKEN_VARIABLE = 'ANTHROPIC_AUTH_TOKEN';

/**
 * Decides which key is sent to an address. Every key belongs to one address: that of a configured variable to the
 * configured one; that of a provider's variable to the provider's own or, while the provider's endpoint variable is
 * set, to the address in it; a token of a program to the provider's own. No key is sent unencrypted to another machine.
 */
export function chooseKey(question: KeyQuestion): KeyChoice {
  const { preset, endpoint, configured, environment } = question;
  if (configured !== undefined) return readKey(configured, question);
  const { endpointVariable } = preset;
  const own = originOf(preset.endpoint);
  const home = (endpointVariable === undefined ? undefined : originOf(environment[endpointVariable])) ?? own;
  if (endpoint.origin !== own && endpoint.origin !== home) return { type: 'none' };
  const variable = preset.keyVariables?.find((name) => isSet(environment, name));
  const [first, ...rest] = preset.tokenCommands ?? [];
  if (variable === undefined) {
    if (first !== undefined)
      return withEncryption({ type: 'token', commands: [first, ...rest] }, endpoint, 'the token');
    const [required] = (preset.keyOptional ? undefined : preset.keyVariables?.toReversed()) ?? [];
    return required === undefined ? { type: 'none' } : readKey(required, question);
  }
  if (endpoint.origin !== home) {
    return refused(
      `${variable} belongs to the address in ${endpointVariable}, so it is not sent to ${endpoint.origin}. Unset ${endpointVariable}, or name the variable of another key in llm.api_key_variable.`,
    );
  }
  return readKey(variable, question);
}

/** True for a variable that has a value other than white space. */
export function isSet(environment: Environment, variable: string): boolean {
  return readVariable(variable, environment) !== '';
}

/** The value of a variable without white space around it. A user may name any variable, also `constructor`. */
function readVariable(variable: string, environment: Environment): string {
  const value = ownEntry(environment, variable);
  return value?.trim() ?? '';
}

function readKey(variable: string, { preset, endpoint, environment, keyHeader }: KeyQuestion): KeyChoice {
  const value = readVariable(variable, environment);
  if (value === '') {
    const other = preset.keyVariables?.includes(variable) === true ? preset.keyVariables : [variable];
    const names = [variable, ...other.filter((name) => name !== variable)].join(' or ');
    return refused(`${preset.label} needs an API key. Set the environment variable ${names} to it.`);
  }
  // The key is sent in a header, which can hold only these characters.
  if (/[^\x21-\x7e]/.test(value)) {
    return refused(`The key in ${variable} contains a space or another invalid character. Set it again.`);
  }
  const header = variable === TOKEN_VARIABLE ? 'authorization' : keyHeader;
  return withEncryption({ type: 'key', variable, value, header }, endpoint, variable);
}

function withEncryption(choice: KeyChoice, { exposed, origin }: KeyQuestion['endpoint'], name: string): KeyChoice {
  if (!exposed) return choice;
  return {
    type: 'refused',
    key: 'llm.endpoint',
    message: `${name} would be sent unencrypted to ${origin}. Use an https:// endpoint, or remove llm.api_key_variable.`,
  };
}

function originOf(address: string | undefined): string | undefined {
  const text = address?.trim();
  return text !== undefined && URL.canParse(text) ? new URL(text).origin : undefined;
}

function refused(message: string): KeyChoice {
  return { type: 'refused', key: 'llm.api_key_variable', message };
}
