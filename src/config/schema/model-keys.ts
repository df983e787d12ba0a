import * as z from 'zod';
import { REASONING_EFFORTS } from '../../agent/ports/language-model.ts';
import { integer, key } from './key-schema.ts';
import { headers, profilesSchema, string, toolProtocol, variableName } from './profile-schema.ts';

/** US dollars per million tokens. */
const price = () => z.number().min(0);

export const modelKeys = () => ({
  llm: z
    .strictObject({
      provider: key(string().default('ollama'), 'ignored', 'The provider of the model; see providers.md.'),
      api_kind: key(
        string().optional(),
        'ignored',
        "The protocol of the endpoint: openai, anthropic or the name of a wire; the provider's if not set.",
      ),
      model: key(string().optional(), 'trusted', "The model; the provider's default if not set."),
      small_model: key(
        string().optional(),
        'ignored',
        'The model for short tasks, such as summaries; that of the session if not set.',
      ),
      endpoint: key(
        string().optional(),
        'ignored',
        "The base URL of the API; the provider's default if not set.",
        'a URL',
      ),
      api_key: key(z.null().optional(), 'ignored', 'Only null: API keys are never read from this file; see API keys.'),
      api_key_variable: key(
        variableName().optional(),
        'ignored',
        "The environment variable that holds the API key; the provider's default if not set. Required, in the same file as the endpoint, to send a key to another endpoint.",
        'the name of an environment variable',
      ),
      headers: key(headers().default({}), 'ignored', 'More headers of every request.', 'an object of strings'),
      ca_file: key(
        string().optional(),
        'ignored',
        'A file with the certificates of more authorities to trust, in PEM format.',
        'a path',
      ),
      tool_protocol: key(
        toolProtocol().default('native'),
        'ignored',
        'How the model calls tools: through the API, or in its text in the XNL notation.',
      ),
      temperature: key(z.number().min(0).max(2).optional(), 'ignored', 'Sampling temperature; sent only if set.'),
      max_tokens: key(
        integer(1, 1_000_000).default(4096),
        'ignored',
        'Maximum length of an answer, in tokens; if not set, that of the model where it is known; see providers.md.',
      ),
      reasoning_effort: key(
        z.enum(REASONING_EFFORTS).optional(),
        'ignored',
        "How much the model reasons before it answers; the model's default if not set.",
      ),
      timeout_seconds: key(
        integer(1, 86_400).optional(),
        'ignored',
        'Maximum time without output from the model; if not set, 600 s for a model on this machine and 300 s for any other.',
      ),
    })
    .prefault({}),
  models: z
    .strictObject({
      active: key(
        string().optional(),
        'choose',
        'The name of the profile to use. Required if there are several profiles.',
      ),
      profiles: key(profilesSchema, 'ignored', 'Named connections to models; see Profiles.', 'a list of profiles'),
      discovery: key(
        z.boolean().default(true),
        'ignored',
        'Without a configured model, look for model servers on this machine; see providers.md.',
      ),
      prices: key(
        z
          .record(z.string(), z.strictObject({ input: price(), output: price(), cached: price().optional() }))
          .default({}),
        'ignored',
        'Prices for /cost in US dollars per million tokens, by model or provider/model: input, output, and cached for input from the cache of the provider.',
        'an object of prices',
      ),
    })
    .prefault({}),
});
