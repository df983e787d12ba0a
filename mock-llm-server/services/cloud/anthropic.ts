import { limitCacheMarks, refusePrefill } from '../checks/anthropic.ts';
import type { Service } from '../service.ts';

/** The models from Claude 4.6 on: `claude-opus-4-6`, `claude-sonnet-5`. Names of later families have no number. */
const SINCE_4_6 = /^claude-(?:opus|sonnet|haiku|fable|mythos)-(?:4-(?:[6-9]|\d\d(?!\d))|[5-9](?:-|$))/;

/** Anthropic's own API. */
export const anthropic: Service = {
  name: 'anthropic',
  title: 'Anthropic',
  owns: /^claude-/,
  rules: [
    {
      id: 'anthropic/prefill',
      protocols: ['anthropic-messages'],
      models: SINCE_4_6,
      refuses: 'a last message of the assistant, with Claude 4.6 and later',
      accepts: 'a last message of the user; a last message of the assistant with Claude 4.5 and earlier',
      source: 'https://github.com/langchain-ai/deepagents/issues/1585',
      date: '2026-03-04',
      check: refusePrefill,
    },
    {
      id: 'anthropic/cache-marks',
      protocols: ['anthropic-messages'],
      refuses: 'more than four blocks with `cache_control`',
      accepts: 'four blocks with `cache_control`',
      source: 'https://github.com/tghamm/Anthropic.SDK/issues/50',
      date: '2024-09-26',
      check: limitCacheMarks,
    },
  ],
};
