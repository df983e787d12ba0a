import type { ContentBlock } from './messages.ts';

/**
 * The stream of one answer as events of the Messages API: blocks are opened by the first piece of their text, and closed
 * by the next block or by the end of the answer.
 */
export interface PartialAnswer {
  readonly started: boolean;
  /** Number of blocks that were opened. */
  readonly blocks: number;
  readonly open: { readonly type: 'text' | 'thinking'; readonly text: string } | undefined;
}

/** An answer of which nothing has arrived. */
export const NO_ANSWER: PartialAnswer = { started: false, blocks: 0, open: undefined };

/** A step of the stream: the events, and the block that they complete, whose message comes before its end. */
export interface PartialStep {
  readonly answer: PartialAnswer;
  readonly events: readonly object[];
}

/** The event that begins an answer. */
export function messageStart(message: object): object {
  return { type: 'message_start', message };
}

/** Adds a piece of text to the open block of this type, or opens one. The caller has closed a block of another type. */
export function addPiece(answer: PartialAnswer, type: 'text' | 'thinking', text: string): PartialStep {
  const { open, blocks } = answer;
  const index = open === undefined ? blocks : blocks - 1;
  const empty = type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' };
  const start = { type: 'content_block_start', index, content_block: empty };
  const delta = type === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
  return {
    answer: { started: true, blocks: index + 1, open: { type, text: (open?.text ?? '') + text } },
    events: [...(open === undefined ? [start] : []), { type: 'content_block_delta', index, delta }],
  };
}

/** Opens a block that arrives whole: its start, and its content as one piece. */
export function openWhole(answer: PartialAnswer, block: ContentBlock): PartialStep {
  if (block.type === 'text') return addPiece(answer, 'text', block.text);
  if (block.type === 'thinking') return addPiece(answer, 'thinking', block.thinking);
  const index = answer.blocks;
  const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  return {
    answer: { started: true, blocks: index + 1, open: undefined },
    events: [
      { type: 'content_block_start', index, content_block: { ...block, input: {} } },
      { type: 'content_block_delta', index, delta },
    ],
  };
}

/** The event that closes the last block. */
export function closeBlock({ blocks }: PartialAnswer): object {
  return { type: 'content_block_stop', index: blocks - 1 };
}

/** The events that end an answer. */
export function messageEnd(reason: string | null, usage: object): readonly object[] {
  const delta = { stop_reason: reason, stop_sequence: null };
  return [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }];
}
