import { decimal, fields, list, oneOf, onlyFields, type Shape, text } from '../../shape.ts';

/** The forms of parameters that both protocols of OpenAI have. */

export const STRING_64: Shape = { type: 'string', max: 64 };
export const SCHEMA: Shape = fields({});
export const FUNCTION_NAME: Shape = { type: 'string', min: 1 };
export const VERBOSITY: Shape = oneOf('low', 'medium', 'high');
export const CHOICES: Shape = oneOf('none', 'auto', 'required');
export const CONTEXT_SIZE: Shape = oneOf('low', 'medium', 'high');

export const METADATA: Shape = {
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
  prompt_cache_options: onlyFields({ mode: oneOf('implicit', 'explicit'), ttl: text }),
  prompt_cache_key: STRING_64,
  prompt_cache_retention: oneOf('in_memory', '24h'),
};

export const SERVICE_TIER: Shape = oneOf('auto', 'default', 'fast', 'flex', 'priority');
export const MODERATION: Shape = fields({ 'model!': text });
export const TOP_LOGPROBS: Shape = { type: 'integer', min: 0, max: 20 };
export const POSITIVE: Shape = { type: 'integer', min: 1 };
export const TEXTS: Shape = list(text, 'strings');

/** The place of a user, for a search. */
const PLACE = { country: text, region: text, city: text, timezone: text };
export const USER_LOCATION: Shape = fields({ type: oneOf('approximate'), approximate: fields(PLACE), ...PLACE });
