import { findInBlocks, requireThinking } from '../checks/anthropic/blocks.ts';
import { refuseRole } from '../checks/chat-messages.ts';
import { isSet, refuseIf } from '../checks/fields.ts';
import { objectOf, textOf } from '../raw.ts';
import type { Rule } from '../service.ts';
import { rulesOver } from '../share-rules.ts';

/** An error of the API's reader of JSON. */
export const unreadable = (place: string, reason: string) => ({
  message: `Failed to deserialize the JSON body into the target type: ${place}: ${reason} at line 1 column 827`,
});

/** The rules of DeepSeek over Messages alone. */
export const DEEPSEEK_MESSAGES_RULES: readonly Rule[] = rulesOver('deepseek', ['anthropic-messages'], {
  'missing-thinking': {
    refuses: 'an answer with calls and without a thinking block, with `thinking: {"type":"enabled"}` or DeepSeek V4',
    accepts: 'the answer with its block',
    source: 'https://github.com/decolua/9router/issues/2397',
    date: '2026-07-05',
    check: requireThinking(
      () => ({ message: 'The `content[].thinking` in the thinking mode must be passed back to the API.' }),
      /^deepseek-v4/,
    ),
  },
  'effort-without-thinking': {
    refuses: '`output_config.effort` or `reasoning_effort` with `thinking: {"type":"disabled"}`, over Messages',
    accepts: 'one of them',
    source: 'https://github.com/anthropics/claude-code/issues/65863',
    date: '2026-06-08',
    check: refuseIf(
      ({ thinking, reasoning_effort: effort, output_config: config }) =>
        objectOf(thinking)['type'] === 'disabled' && (isSet(effort) || isSet(objectOf(config)['effort'])),
      { message: 'thinking options type cannot be disabled when reasoning_effort is set' },
    ),
  },
  'messages-role': {
    refuses: 'a message of the system',
    accepts: 'its text in `system`',
    source: 'https://github.com/deepseek-ai/DeepSeek-V3/issues/1369',
    date: '2026-05-29',
    check: refuseRole('system', (index) =>
      unreadable(`messages[${index}].role`, 'unknown variant `system`, expected `user` or `assistant`'),
    ),
  },
  block: {
    refuses: 'a `document`, a `tool_reference` in a result, and a picture to another model than deepseek-flash',
    accepts: '`text`, `thinking`, `tool_use` and `tool_result`',
    source: 'https://github.com/deepseek-ai/DeepSeek-V3/issues/1026',
    date: '2025-10-28',
    check: (request) => {
      const isBlind = !/^(?:deepseek-flash|.*vision|claude-(?!opus))/.test(request.model);
      const found = findInBlocks(request, ({ type }) =>
        type === 'document' || type === 'tool_reference' || (isBlind && type === 'image') ? textOf(type) : undefined,
      );
      if (found === undefined) return undefined;
      const [, index = '', inner] = /^messages\.(\d+)\.content\.\d+(\.tool_result)?/.exec(found.path) ?? [];
      const expected = inner === undefined ? 'one of `text`, `tool_use`, `tool_result`, `thinking`' : '`text`';
      return unreadable(`messages[${index}].content`, `unknown variant \`${found.found}\`, expected ${expected}`);
    },
  },
});
