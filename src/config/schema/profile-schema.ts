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

export type Profile = z.output<typeof profileSchema>;
