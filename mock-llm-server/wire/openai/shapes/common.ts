import { choice, decimal, either, type Form, fields, list, onlyFields, text } from '../../forms/form.ts';

/** The forms of parameters that both protocols of OpenAI have. */

export const STRING_64: Form = { type: 'string', max: 64 };
export const SCHEMA: Form = fields({});
export const FUNCTION_NAME: Form = { type: 'string', min: 1 };
export const VERBOSITY: Form = choice('low', 'medium', 'high');
export const CHOICES: Form = choice('none', 'auto', 'required');
export const CONTEXT_SIZE: Form = choice('low', 'medium', 'high');

export const METADATA: Form = {
  type: 'map',
  of: { type: 'string', max: 512 },
  noun: 'metadata',
  max: 16,
  maxName: 64,
};

const UNIT = decimal(0, 1);
const PENALTY = decimal(-2, 2);

/** Parameters of sampling, in the order in which the API checks them. */
export const SAMPLING = {
  temperature: decimal(0, 2),
  top_p: UNIT,
  presence_penalty: PENALTY,
  frequency_penalty: PENALTY,
};

/** Parameters of the cache, likewise. */
export const CACHE = {
  prompt_cache_options: onlyFields({ mode: choice('implicit', 'explicit'), ttl: text }),
  prompt_cache_key: STRING_64,
  prompt_cache_retention: choice('in_memory', '24h'),
};

export const SERVICE_TIER: Form = choice('auto', 'default', 'fast', 'flex', 'priority');
export const MODERATION: Form = fields({ 'model!': text });
export const TOP_LOGPROBS: Form = { type: 'integer', min: 0, max: 20 };
export const TEXTS: Form = list(text, 'strings');

/** The place of a user, for a search. */
const PLACE = { country: text, region: text, city: text, timezone: text };
export const USER_LOCATION: Form = fields({ type: choice('approximate'), approximate: fields(PLACE), ...PLACE });

/** The picture of a part, or its address. */
export const PICTURE: Form = either(text, fields({ detail: choice('low', 'high', 'auto', 'original') }));
