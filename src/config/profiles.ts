import type { Profile } from './schema/profile-schema.ts';

/** The keys of `llm` that a profile replaces, by their name in a profile. */
const PROFILE_KEYS = {
  provider: 'llm.provider',
  apiKind: 'llm.api_kind',
  model: 'llm.model',
  small_model: 'llm.small_model',
  endpoint: 'llm.endpoint',
  api_key_variable: 'llm.api_key_variable',
  headers: 'llm.headers',
  ca_file: 'llm.ca_file',
  toolProtocol: 'llm.tool_protocol',
} as const satisfies Readonly<Record<Exclude<keyof Profile, 'name'>, string>>;

/** The keys besides the provider that make a connection. Their values are meaningless to another provider. */
export const CONNECTION_KEYS: readonly string[] = [
  ...Object.values(PROFILE_KEYS).filter((name) => name !== 'llm.provider'),
  'models.active',
];

/** The keys whose values may be secret, or name a secret, and belong to one address. */
export const ADDRESS_KEYS: readonly string[] = ['llm.api_key_variable', 'llm.headers', 'llm.ca_file'];

/** The provider of a profile that names none, by its `apiKind`; OpenAI-compatible for every kind not listed. */
const DEFAULT_PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['anthropic-messages', 'anthropic'],
]);

/** The values of `llm` that a profile stands for. It has all keys of a connection, so that none of another remains. */
export function profileValues(profile: Profile): ReadonlyMap<string, unknown> {
  const provider = profile.provider ?? DEFAULT_PROVIDERS.get(profile.apiKind ?? '') ?? 'openai-compatible';
  const values: Partial<Record<string, unknown>> = { ...profile, provider };
  return new Map(Object.entries(PROFILE_KEYS).map(([own, name]) => [name, values[own]]));
}

/** True for addresses of the same scheme, host and port. Two missing ones are equal, too. */
export function hasSameOrigin(left: unknown, right: unknown): boolean {
  return originOf(left) === originOf(right);
}

function originOf(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  return URL.canParse(address) ? new URL(address).origin : address;
}
