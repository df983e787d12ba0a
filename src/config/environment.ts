import type { ConfigLayer } from './layers/read-layer.ts';
import type { Profile } from './schema/profile-schema.ts';

/** The environment, and the variables in it that concern models. */
export interface ModelVariables {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly providers: ReadonlyMap<string, ProviderVariables>;
  /** The provider that its endpoint variable selects when no other is configured. */
  readonly genericProvider: string;
  /** The variables that replace the key of a profile with its own endpoint, in order of preference. */
  readonly profileKeyVariables: readonly string[];
}

/** The variables of one provider. The others apply only together with `endpointVariable`. */
export interface ProviderVariables {
  readonly endpointVariable?: string;
  readonly keyVariables?: readonly string[];
  readonly modelVariable?: string;
  readonly smallModelVariable?: string;
}

/** The state of the configuration before the environment is applied. */
export interface EnvironmentQuestion {
  /** `llm.provider`, from a file, the command line or the default. */
  readonly provider: string;
  /** A file or the command line names a provider, an endpoint or a profile. */
  readonly isConfigured: boolean;
  /** `llm.endpoint`. */
  readonly endpoint: unknown;
  readonly profile: Profile | undefined;
}

/**
 * The settings of the environment, which precede the command line. An address and the key for it always come together.
 * A profile keeps the endpoint that it states.
 */
export function environmentLayer(variables: ModelVariables, question: EnvironmentQuestion): ConfigLayer {
  const { environment, providers, genericProvider, profileKeyVariables } = variables;
  const values = new Map<string, unknown>();
  const origins = new Map<string, string>();
  const layer: ConfigLayer = { source: 'environment', trusted: true, values, origins, warnings: [] };
  const set = (name: string, value: unknown, variable: string | undefined): void => {
    values.set(name, value);
    if (variable !== undefined) origins.set(name, `environment variable ${variable}`);
  };
  const read = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : environment[name]?.trim();
    return value === '' ? undefined : value;
  };
  const selectsGeneric = !question.isConfigured && read(providers.get(genericProvider)?.endpointVariable) !== undefined;
  const provider = selectsGeneric ? genericProvider : question.provider;
  const own = providers.get(provider);
  const endpoint = read(own?.endpointVariable);
  const keepsEndpoint =
    provider === genericProvider ? question.endpoint !== undefined : question.profile?.endpoint !== undefined;
  if (endpoint !== undefined && (selectsGeneric || !keepsEndpoint)) {
    const variable = own?.keyVariables?.find((name) => read(name) !== undefined);
    if (selectsGeneric) set('llm.provider', provider, own?.endpointVariable);
    set('llm.endpoint', endpoint, own?.endpointVariable);
    set('llm.api_key_variable', variable, variable ?? own?.endpointVariable);
    const models = { 'llm.model': own?.modelVariable, 'llm.small_model': own?.smallModelVariable };
    for (const [name, holder] of Object.entries(models)) {
      const value = read(holder);
      if (value !== undefined) set(name, value, holder);
    }
    return layer;
  }
  const key = profileKeyVariables.find((name) => read(name) !== undefined);
  const isOwn = question.profile?.endpoint !== undefined && question.profile.endpoint === question.endpoint;
  if (key !== undefined && isOwn) set('llm.api_key_variable', key, key);
  return layer;
}
