import { jsonOr } from '../../text/json/json.ts';
import type { Lines } from '../drive.ts';
import { type ContentBlock, callInput, NO_USAGE, thinkingBlock } from './messages.ts';

/** A block of which more pieces may follow. */
type OpenBlock =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; text: string };

/** An answer in progress, and the blocks of it that were sent. */
export class AnswerLines {
  readonly id: string;
  readonly model: string;
  readonly askedAt: number;
  usage = NO_USAGE;
  /** True if the event `message_start` was sent. */
  started = false;
  /** Number of blocks that were opened. */
  blocks = 0;
  open: OpenBlock | undefined;
  /** The blocks that were opened: their types, or the ids of calls. */
  readonly #opened = new Set<string>();
  /** The calls of which a piece was left out, because another call was not complete. They are sent whole. */
  readonly #skipped = new Set<string>();

  constructor(id: string, model: string, askedAt: number) {
    this.id = id;
    this.model = model;
    this.askedAt = askedAt;
  }

  /** The lines of a piece: those that open the answer and a block of this type come first, unless these are open. */
  piece(type: 'text' | 'thinking', text: string): Lines {
    const before = [...this.begin(), ...(this.open?.type === type ? [] : this.closeOpen())];
    const opened =
      this.open === undefined ? [this.#openBlock(type === 'text' ? { type, text: '' } : thinkingBlock(''))] : [];
    const open = this.open ?? { type, text: '' };
    this.open = open;
    open.text += text;
    return [
      ...before,
      ...opened,
      this.#delta(type === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text }),
    ];
  }

  callPiece(id: string, name: string, text: string): Lines {
    const { open } = this;
    if (open?.type === 'tool_use' && open.id === id) {
      open.text += text;
      return text === '' ? [] : [this.#delta({ type: 'input_json_delta', partial_json: text })];
    }
    const isBusy = open?.type === 'tool_use' && jsonOr(undefined, open.text) === undefined;
    if (isBusy || this.#skipped.has(id) || this.#opened.has(`call ${id}`)) {
      this.#skipped.add(id);
      return [];
    }
    const before = [...this.begin(), ...this.closeOpen()];
    const opened = this.#openBlock({ type: 'tool_use', id, name, input: {} });
    this.open = { type: 'tool_use', id, name, text: '' };
    return [...before, opened, ...this.callPiece(id, name, text)];
  }

  /** The lines with which the answer is complete: the end of the open block, and the blocks of which no piece was sent. */
  rest(blocks: readonly ContentBlock[], more: object): Lines {
    const { open } = this;
    const whole = blocks.find((block) => keyOf(block) === (open === undefined ? undefined : keyOf(open)));
    const unseen = blocks.filter((block) => !this.#opened.has(keyOf(block)));
    // A call that was cut is not part of the answer.
    const cut = open?.type === 'tool_use' && whole === undefined ? [this.#stop()] : undefined;
    const ended =
      cut ?? (open?.type === 'tool_use' && whole !== undefined ? this.close(whole, more) : this.closeOpen(more));
    this.open = undefined;
    return [...ended, ...unseen.flatMap((block) => this.#whole(block, more))];
  }

  /** The event that begins the answer, unless it has begun. */
  begin(): Lines {
    if (this.started) return [];
    this.started = true;
    return [streamEvent({ type: 'message_start', message: this.#message([]) })];
  }

  /** Closes the open block: the line of the whole block comes first. */
  closeOpen(more: object = {}): Lines {
    const { open } = this;
    if (open === undefined) return [];
    if (open.type === 'text') return this.close({ type: 'text', text: open.text }, more);
    if (open.type !== 'tool_use') return this.close(thinkingBlock(open.text), more);
    const { id, name, text } = open;
    return this.close({ type: 'tool_use', id, name, input: callInput({ arguments: text }) }, more);
  }

  /** The lines of a block of which no piece was sent. */
  #whole(block: ContentBlock, more: object): Lines {
    if (block.type === 'tool_use') {
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      return [this.#openBlock({ ...block, input: {} }), this.#delta(delta), ...this.close(block, more)];
    }
    const pieces = this.piece(block.type, block.type === 'text' ? block.text : block.thinking);
    return [...pieces, ...this.close(block, more)];
  }

  close(block: ContentBlock, more: object = {}): Lines {
    this.open = undefined;
    return [this.line(block, more), this.#stop()];
  }

  #stop(): object {
    return streamEvent({ type: 'content_block_stop', index: this.blocks - 1 });
  }

  line(block: ContentBlock, more: object = {}): object {
    return { type: 'assistant', message: this.#message([block]), parent_tool_use_id: null, ...more };
  }

  /** Begins again after a failed request. */
  restart(): void {
    this.started = false;
    this.blocks = 0;
    this.open = undefined;
    this.#opened.clear();
    this.#skipped.clear();
  }

  #openBlock(block: ContentBlock): object {
    this.blocks += 1;
    this.#opened.add(keyOf(block));
    return streamEvent({ type: 'content_block_start', index: this.blocks - 1, content_block: block });
  }

  #delta(delta: object): object {
    return streamEvent({ type: 'content_block_delta', index: this.blocks - 1, delta });
  }

  #message(content: readonly ContentBlock[]): object {
    const { id, model, usage } = this;
    return { id, type: 'message', role: 'assistant', model, content, stop_reason: null, stop_sequence: null, usage };
  }
}

/** Distinguishes the blocks of an answer, which has one text at most. */
function keyOf(block: ContentBlock | OpenBlock): string {
  return block.type === 'tool_use' ? `call ${block.id}` : block.type;
}

/** A line with an event of the stream of an answer. */
export function streamEvent(event: object): object {
  return { type: 'stream_event', event, parent_tool_use_id: null };
}
