import { isSet, refuseIf } from '../../checks/fields.ts';
import { objectOf, objectsOf, textOf } from '../../raw.ts';
import type { Check, Rule } from '../../service.ts';
import { rulesOver } from '../../share-rules.ts';

/** Refuses a mark for the cache within a result, but for one on its last block, which stands for the result. */
const refuseNestedMarks: Check = ({ body }) => {
  for (const [index, { content }] of objectsOf(body['messages']).entries()) {
    for (const [position, block] of objectsOf(content).entries()) {
      const nested = block['type'] === 'tool_result' ? objectsOf(block['content']) : [];
      const last = isSet(block['cache_control']) ? nested.length : nested.length - 1;
      const inner = nested.findIndex(({ cache_control: mark }, place) => isSet(mark) && place < last);
      if (inner === -1) continue;
      return {
        message:
          `messages.${index}.content.${position}.tool_result.content.${inner}.cache_control: cache_control may not be ` +
          'specified within `tool_result.content`. Instead, place it directly on `tool_result`',
      };
    }
  }
  return undefined;
};

/** Refuses a mark of the whole request whose time is not that of the mark on the last block. */
const refuseOtherTime: Check = ({ body }) => {
  const { cache_control: whole } = body;
  const own = objectsOf(objectsOf(body['messages']).at(-1)?.['content']).at(-1)?.['cache_control'];
  if (!isSet(whole) || !isSet(own)) return undefined;
  const [wanted, found] = [whole, own].map((mark) => textOf(objectOf(mark)['ttl']) || '5m');
  if (wanted === found) return undefined;
  return {
    message: `Top-level cache_control has ttl='${wanted}' but the target block already has cache_control with ttl='${found}'`,
  };
};

/** The rules of Anthropic for the places and times of marks for the cache. */
export const ANTHROPIC_MARK_RULES: readonly Rule[] = rulesOver('anthropic', ['anthropic-messages'], {
  'nested-mark': {
    refuses: '`cache_control` on a block within a result that is not its last one',
    accepts: '`cache_control` on the result',
    source: 'https://github.com/caozhiyuan/copilot-api/issues/241',
    date: '2026-05-18',
    check: refuseNestedMarks,
  },
  'mark-time': {
    refuses: 'a `cache_control` of the whole request whose `ttl` is not that of the one on the last block',
    accepts: 'the same `ttl`',
    source: 'https://github.com/vellum-ai/vellum-assistant/pull/23414',
    date: '2026-04-03',
    check: refuseOtherTime,
  },
  'forced-call': {
    models: /claude-(?:fable|mythos)/,
    refuses: 'a `tool_choice` of the type `tool` or `any`, with Claude Fable',
    accepts: '`auto`',
    source: 'https://github.com/BerriAI/litellm/pull/39151',
    date: '2026-09-01',
    check: refuseIf(({ tool_choice: choice }) => ['tool', 'any'].includes(textOf(objectOf(choice)['type'])), {
      message: 'tool_choice: type "tool" and "any" are not supported for this model.',
    }),
  },
});
