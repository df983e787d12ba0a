import type { FinishReason, JsonObject } from '../../conversation/conversation.ts';
import { tryJson } from '../../conversation/json.ts';
import { isNativeFinish, NATIVE_FINISHES, type NativeFinish } from '../../conversation/native-finish.ts';
import type { UsageSpecification } from '../../scenario/format/step-format.ts';
import {
  type Block,
  type DecodedAnswer,
  type DecodedBlock,
  type DecodedCall,
  type DecodedError,
  textIn,
} from './decoded-answer.ts';

/** A block of which more pieces may follow; the key of a call. */
export type OpenBlock = Block<'text' | 'reasoning' | 'raw'> | string;

export interface AnswerReader {
  read(value: JsonObject, answer: AnswerBuilder): void;
  /** Called after the last value. */
  finish?(answer: AnswerBuilder): void;
}

interface BlockPiece {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly json?: unknown;
  readonly signature?: unknown;
  readonly citations?: readonly JsonObject[];
}

/** Collects an answer piece by piece. */
export class AnswerBuilder {
  id: string | undefined;
  finish: FinishReason | undefined;
  nativeFinish: NativeFinish | undefined;
  usage: UsageSpecification | undefined;
  error: DecodedError | undefined;
  isMalformed = false;
  #isRefusal = false;
  #reasoning: string | undefined;
  #content: string | undefined;
  readonly #calls = new Map<
    number | string,
    { id: string | undefined; name: string; input: 'json' | 'text'; arguments: string }
  >();
  readonly #omitted = new Set<string>();
  readonly blocks: DecodedBlock[] = [];
  /** The input of the calls that are raw so far. */
  readonly #inputs = new Map<OpenBlock, string>();

  begin<Begun extends DecodedBlock>(block: Begun): Begun {
    this.blocks.push(block);
    return block;
  }

  beginText(text: unknown, citations: readonly JsonObject[] = []): Block<'text'> {
    const block = this.begin<Block<'text'>>({ type: 'text', text: '', citations });
    this.addContent(text, block);
    return block;
  }

  beginReasoning(text: unknown, signature?: unknown, encrypted?: unknown): Block<'reasoning'> {
    const facts = { signature: textIn(signature), encrypted: textIn(encrypted) };
    const block = this.begin<Block<'reasoning'>>({ type: 'reasoning', text: '', ...facts });
    this.addReasoning(text, block);
    return block;
  }

  /** Begins a call, and returns its key. */
  beginCall(id: unknown, name: unknown, json: string): string {
    const key = `${this.callCount}`;
    this.addCall(key, { id: textIn(id), name: textIn(name) ?? '', arguments: json });
    return key;
  }

  /** Adds a piece to the block that it belongs to, or else to the last one of its kind. */
  extend(block: OpenBlock | undefined, piece: BlockPiece): void {
    const { text, thought, json, signature, citations = [] } = piece;
    if (typeof block === 'string') {
      this.addArguments(block, textIn(json) ?? '');
      return;
    }
    this.addContent(text, block?.type === 'text' ? block : undefined);
    this.addReasoning(thought, block?.type === 'reasoning' ? block : undefined);
    if (block?.type === 'text') block.citations = [...block.citations, ...citations];
    else if (block?.type === 'reasoning' && textIn(signature)) block.signature = `${block.signature ?? ''}${signature}`;
    else if (block?.type === 'raw' && textIn(json)) {
      const input = `${this.#inputs.get(block) ?? ''}${json}`;
      this.#inputs.set(block, input);
      block.item = { ...block.item, input: tryJson(input) ?? block.item['input'] };
    }
  }

  /** Adds to the text, in this block or in the last one; `undefined` and null add nothing. */
  addContent(text: unknown, block?: Block<'text'>): void {
    if (typeof text !== 'string') return;
    this.#content = (this.#content ?? '') + text;
    const last = block ?? this.blocks.at(-1);
    if (last?.type === 'text') last.text += text;
    else if (text !== '') this.begin({ type: 'text', text, citations: [] });
  }

  /** Adds to the text of a refusal, which ends like a complete answer. */
  addRefusal(text: unknown, block?: Block<'text'>): void {
    if (textIn(text) === undefined) return;
    this.#isRefusal = true;
    this.addContent(text, block);
  }

  /** Adds to the reasoning, in this block or in the last one; `undefined`, null and the empty string add nothing. */
  addReasoning(text: unknown, block?: Block<'reasoning'>): void {
    if (typeof text !== 'string' || text === '') return;
    this.#reasoning = (this.#reasoning ?? '') + text;
    const last = this.blocks.at(-1);
    if (block !== undefined) block.text += text;
    else if (last?.type === 'reasoning' && last.signature === undefined) last.text += text;
    else this.begin({ type: 'reasoning', text, signature: undefined, encrypted: undefined });
  }

  /** Adds to the call with this key, and creates it if there is none. */
  addCall(key: number | string, part: Partial<DecodedCall>): void {
    if (!this.#calls.has(key)) this.begin({ type: 'call' });
    const call = this.#calls.get(key) ?? { id: undefined, name: '', input: 'json', arguments: '' };
    call.id ??= part.id;
    call.name += part.name ?? '';
    call.input = part.input ?? call.input;
    call.arguments += part.arguments ?? '';
    this.#calls.set(key, call);
  }

  /** Adds to the arguments of a call that has begun. */
  addArguments(key: number | string, text: string): void {
    if (this.#calls.has(key)) this.addCall(key, { arguments: text });
  }

  /** Nothing of an answer was read. */
  get isEmpty(): boolean {
    const parts = [this.finish, this.usage, this.error, this.#reasoning, this.#content];
    return parts.every((part) => part === undefined) && this.#calls.size === 0 && this.#omitted.size === 0;
  }

  get callCount(): number {
    return this.#calls.size;
  }

  /** Ends the answer with a reason of the provider. With one that is not known, the answer is not complete. */
  end(reason: unknown, known: Readonly<Record<string, FinishReason>>): void {
    if (typeof reason !== 'string' || reason === '') return;
    this.nativeFinish = isNativeFinish(reason) ? reason : undefined;
    this.finish = this.nativeFinish === undefined ? known[reason] : NATIVE_FINISHES[this.nativeFinish].as;
    if (this.finish === undefined) this.omit(`the finish reason ${JSON.stringify(reason)}`);
  }

  /** Notes a part that a scenario cannot express. */
  omit(part: string): void {
    this.#omitted.add(part);
  }

  answer(): DecodedAnswer {
    return {
      id: this.id,
      reasoning: this.#reasoning,
      content: this.#content,
      toolCalls: [...this.#calls.values()],
      finish: this.#isRefusal && this.finish === 'stop' ? 'refusal' : this.finish,
      nativeFinish: this.nativeFinish,
      usage: this.usage,
      error: this.error,
      blocks: undefined,
      native: undefined,
      isMalformed: this.isMalformed,
      omitted: [...this.#omitted],
    };
  }
}
