import type { Clock } from '../ports/clock.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { suggest } from '../text/suggest.ts';
import { readEndpoint } from './endpoint.ts';
import { PROVIDERS, type ProviderPreset } from './presets.ts';
import { withRetry } from './retry.ts';
import { withTextCalls } from './text-calls/with-text-calls.ts';
import type { OfferedModel, WireOptions } from './wire-options.ts';
import { loadWire } from './wires.ts';

/** The part of the configuration that a model depends on, with the key names of the configuration file. */
export interface ModelConfig {
  readonly llm: {
    readonly provider: string;
    readonly model?: string | undefined;
    readonly endpoint?: string | undefined;
    readonly api_key_variable?: string | undefined;
    readonly temperature?: number | undefined;
    readonly max_tokens: number;
    readonly timeout_seconds: number;
  };
  readonly agent: { readonly retry_attempts: number; readonly retry_backoff_base_ms: number };
}

/** The ports that a model uses. */
export interface ModelPorts {
  readonly clock: Clock;
  /** Random numbers from 0 to below 1. */
  readonly random: () => number;
  readonly fetch?: typeof globalThis.fetch;
}

/** The configured model, or the reason why it cannot be used; `key` is the configuration key to change. */
export type ModelChoice =
  | {
      readonly type: 'model';
      /** Provider and model: `ollama/qwen3:14b`. */
      readonly name: string;
      /** Loads the code of the model's wire. Sends no request. */
      open(): Promise<LanguageModel>;
      /** The models that the provider offers. Throws nothing but `ModelError`, or the reason of the signal. */
      listModels(signal: AbortSignal): Promise<readonly OfferedModel[]>;
    }
  | { readonly type: 'refused'; readonly key: `llm.${string}`; readonly message: string };

type Environment = Readonly<Record<string, string | undefined>>;
type Refused = Extract<ModelChoice, { type: 'refused' }>;

/**
 * Chooses the model that the configuration names, without loading its wire or sending a request. A provider's key is only sent to the
 * provider's own address; any other address gets the key from the variable in `llm.api_key_variable`, or none.
 */
export function chooseModel(config: ModelConfig, environment: Environment, ports: ModelPorts): ModelChoice {
  const { llm, agent } = config;
  const preset = PROVIDERS.get(llm.provider);
  if (preset === undefined) return refused('llm.provider', unknownProvider(llm.provider));
  const address = llm.endpoint ?? preset.endpoint;
  if (address === undefined)
    return refused(
      'llm.endpoint',
      `The provider ${llm.provider} has no default endpoint. Set one: --endpoint <url>, or llm.endpoint.`,
    );
  const endpoint = readEndpoint(address, preset.wire);
  if (endpoint.type === 'invalid') return refused('llm.endpoint', `The endpoint is invalid: ${endpoint.reason}`);
  const model = llm.model ?? preset.model;
  if (model === undefined) {
    return refused('llm.model', `${preset.label} has no default model. Choose one: --model <name>, or llm.model.`);
  }
  const customServer = preset.endpoint !== undefined && new URL(preset.endpoint).origin !== endpoint.origin;
  const key = findKey(llm.api_key_variable ?? (customServer ? undefined : preset.keyVariable), environment, preset);
  if (key?.type === 'refused') return key;
  if (key !== undefined && endpoint.exposed) {
    return refused(
      'llm.endpoint',
      `${key.variable} would be sent unencrypted to ${endpoint.origin}. Use an https:// endpoint, or remove llm.api_key_variable.`,
    );
  }
  const options: WireOptions = {
    provider: llm.provider,
    label: customServer ? `The server at ${endpoint.origin}` : preset.label,
    endpoint: endpoint.url,
    model,
    apiKey: key?.value,
    keyVariable: key?.variable,
    maxTokens: llm.max_tokens,
    maxTokensName: customServer ? undefined : preset.maxTokensName,
    temperature: llm.temperature,
    timeoutMs: llm.timeout_seconds * 1000,
    startCommand: customServer ? undefined : preset.startCommand,
    fetchCommand: customServer || preset.fetchCommand === undefined ? undefined : `${preset.fetchCommand} ${model}`,
    local: endpoint.local,
    alternatives: customServer || !endpoint.local ? undefined : alternativesTo(llm.provider, environment),
    clock: ports.clock,
    fetch: ports.fetch,
  };
  const retry = { attempts: agent.retry_attempts, backoffBaseMs: agent.retry_backoff_base_ms };
  return {
    type: 'model',
    name: `${llm.provider}/${model}`,
    open: async () => {
      const wire = await loadWire(preset.wire);
      return withRetry(withTextCalls(wire.createModel(options)), ports.clock, retry, ports.random);
    },
    listModels: async (signal) => (await loadWire(preset.wire)).listModels(options, signal),
  };
}

interface Key {
  readonly type: 'key';
  readonly variable: string;
  readonly value: string;
}

function findKey(
  variable: string | undefined,
  environment: Environment,
  preset: ProviderPreset,
): Key | Refused | undefined {
  if (variable === undefined) return undefined;
  const value = environment[variable]?.trim() ?? '';
  if (value === '') {
    return refused(
      'llm.api_key_variable',
      `${preset.label} needs an API key. Set the environment variable ${variable} to it.`,
    );
  }
  // The key is sent in a header, which can hold only these characters.
  if (/[^\x21-\x7e]/.test(value)) {
    return refused(
      'llm.api_key_variable',
      `The key in ${variable} contains a space or another invalid character. Set it again.`,
    );
  }
  return { type: 'key', variable, value };
}

/** The providers that need no server on this machine: those whose key is in the environment, and the mock. */
function alternativesTo(current: string, environment: Environment): string | undefined {
  if (current === 'mock') return undefined;
  const withKey = [...PROVIDERS].flatMap(([name, { keyVariable }]) => {
    const isSet = keyVariable !== undefined && (environment[keyVariable]?.trim() ?? '') !== '';
    return isSet ? [`--provider ${name} (${keyVariable} is set)`] : [];
  });
  return [...withKey, '--provider mock (replays stories, needs no key)'].join(', ');
}

function unknownProvider(name: string): string {
  const names = [...PROVIDERS.keys()];
  const [nearest] = suggest(name, names);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `Unknown provider ${JSON.stringify(name)}.${hint} The providers are ${names.join(', ')}; any other OpenAI-compatible API works with --provider openai --endpoint <url>.`;
}

function refused(key: Refused['key'], message: string): Refused {
  return { type: 'refused', key, message };
}
