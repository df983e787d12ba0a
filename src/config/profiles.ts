import * as z from 'zod';

/** A text that is not empty. */
export const string = () => z.string().min(1);

/** The name of an environment variable, or of a key in Eidolon's file. */
export const variableName = () =>
  string().regex(/^(?:[A-Za-z_]\w*|~\/\.eidolon\/config\.json#.+)$/, 'must be the name of an environment variable');

/** Headers that carry a key or that describe the request itself. */
const RESERVED_HEADERS =
  /^(authorization|x-api-key|x-goog-api-key|proxy-authorization|cookie|host|connection|content-(type|length)|transfer-encoding|accept)$/i;

/** Headers of a request, by name. */
export const headers = () =>
  z.record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is not the name of a header')
      .refine((name) => !RESERVED_HEADERS.test(name), {
        error: 'cannot be set. For a key, put it in an environment variable and name that in api_key_variable',
      }),
    z.string().regex(/^[\t\x20-\x7e]*$/, 'must consist of printable ASCII characters'),
  );

/** Protocol of the tool calls: the one of the API, or the XNL notation in the text of the model. */
export const toolProtocol = () => z.enum(['native', 'xnl']);

/** A named connection to a model. Its keys have the meaning of those of `llm`. */
const profileSchema = z.strictObject({
  name: string(),
  provider: string().optional(),
  apiKind: string().optional(),
  model: string().optional(),
  small_model: string().optional(),
  endpoint: string().optional(),
  api_key_variable: variableName().optional(),
  headers: headers().optional(),
  ca_file: string().optional(),
  toolProtocol: toolProtocol().optional(),
});

/** The profiles, whose names are unique. */
export const profilesSchema = z
  .array(profileSchema)
  .refine((profiles) => new Set(profiles.map(({ name }) => name)).size === profiles.length, {
    error: 'has two profiles of the same name',
  })
  .default([]);

/** One of `models.profiles`. */
export type Profile = z.output<typeof profileSchema>;

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

/** The keys whose values belong to one provider and are meaningless to another. */
export const PROVIDER_KEYS: readonly string[] = Object.values(PROFILE_KEYS).filter((name) => name !== 'llm.provider');

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
