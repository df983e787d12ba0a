import { limitTools, refuseField } from '../checks/fields.ts';
import type { Service } from '../service.ts';

/** The models that reason, which take `max_completion_tokens`. */
const REASONING = /^(?:ft:)?(?:o\d|gpt-(?:[5-9]|\d\d))(?!.*-chat)/;

/** OpenAI's own API. */
export const openai: Service = {
  name: 'openai',
  title: 'OpenAI',
  owns: /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?:-|$))/,
  rules: [
    {
      id: 'openai/max-tokens',
      protocols: ['openai-chat'],
      models: REASONING,
      refuses: '`max_tokens` with a model that reasons (o1 and later, gpt-5 and later)',
      accepts: '`max_completion_tokens`; `max_tokens` with gpt-4o and older models',
      source: 'https://github.com/langgenius/dify/issues/24307',
      date: '2025-08-21',
      check: refuseField('max_tokens', {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param: 'max_tokens',
        code: 'unsupported_parameter',
      }),
    },
    {
      id: 'openai/too-many-tools',
      protocols: ['openai-chat', 'openai-responses'],
      refuses: 'more than 128 tools',
      accepts: '128 tools',
      source: 'https://github.com/vishalmysore/Tools4AI/issues/16',
      date: '2024-05-15',
      check: limitTools(128, (count) => ({
        message: `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${count} instead.`,
        param: 'tools',
        code: 'array_above_max_length',
      })),
    },
  ],
};
