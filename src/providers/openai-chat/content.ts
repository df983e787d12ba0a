import type { ModelEvent } from '../../agent/ports/language-model.ts';
import { fieldOf } from '../http/server-error.ts';

/** Fields with the text of a part of a message. */
const TEXT_FIELDS = ['text', 'refusal', 'content'] as const;
/** Fields with the reasoning of a part of a message. */
const THOUGHT_FIELDS = ['thinking', 'reasoning', 'reasoning_content', 'summary'] as const;

/**
 * The text and the reasoning of the content of a message, which is a text or, over Mistral and gateways, a list of
 * parts.
 * Parts of other kinds are left out.
 */
export function readContent(content: unknown, type: 'text_delta' | 'reasoning_delta' = 'text_delta'): ModelEvent[] {
  if (typeof content === 'number') return [{ type, text: String(content) }];
  if (typeof content === 'string') return content === '' ? [] : [{ type, text: content }];
  if (Array.isArray(content)) return content.flatMap((part: unknown) => readContent(part, type));
  const thought = THOUGHT_FIELDS.map((field) => fieldOf(content, field)).find((value) => value !== undefined);
  if (thought !== undefined && thought !== null) return readContent(thought, 'reasoning_delta');
  const text = TEXT_FIELDS.map((field) => fieldOf(content, field)).find((value) => typeof value === 'string');
  return text === undefined ? [] : readContent(text, type);
}
