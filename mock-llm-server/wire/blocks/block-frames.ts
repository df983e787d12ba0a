import type { Protocol, Reply, ReplyToolCall } from '../../conversation/conversation.ts';
import { pieceFrames, streamIndexes } from '../encode.ts';
import type { PieceKind, SplitPieces } from '../pieces.ts';
import type { Frame } from '../wire.ts';
import { blocksOf, type EncodableBlock } from './blocks.ts';

/** A content block of a protocol that numbers its blocks. */
export interface EncodedBlock {
  /** The block in an answer that is not streamed. */
  readonly whole: object;
  /** Its start in a stream, where it has one. */
  readonly start?: object;
  /** The text that follows in deltas. */
  readonly kind: PieceKind;
  readonly text: string;
  delta(piece: string): object;
  readonly firstDeltas?: readonly object[];
  readonly lastDeltas?: readonly object[];
}

type Block<Type extends EncodableBlock['type']> = Extract<EncodableBlock, { readonly type: Type }>;

/** The blocks of a protocol by their type. */
export interface BlockEncoders {
  reasoning(block: Block<'reasoning'>, reply: Reply): EncodedBlock;
  text(block: Block<'text'>): EncodedBlock;
  call(call: ReplyToolCall): EncodedBlock;
  /** The call of a tool that the service runs and, in a block of its own, the result. The id differs in each place. */
  serverTool(block: Block<'server_tool'>, reply: Reply, index: number): readonly EncodedBlock[];
  /** An item of the protocol, which the step names as it is sent. */
  raw(item: object): EncodedBlock;
}

/** A block that a stream has as a whole. */
export function encodeWhole(whole: object): EncodedBlock {
  return { whole, start: whole, kind: 'text', text: '', delta: () => ({}) };
}

/** The blocks of a reply. No service sends an empty text block, and grounding is not a block. */
export function encodeBlocks(reply: Reply, protocol: Protocol, encoders: BlockEncoders): readonly EncodedBlock[] {
  return blocksOf(reply, protocol).flatMap((block, index): readonly EncodedBlock[] => {
    switch (block.type) {
      case 'reasoning':
        return [encoders.reasoning(block, reply)];
      case 'text':
        return block.text === '' ? [] : [encoders.text(block)];
      case 'call':
        return [encoders.call(block.call)];
      case 'server_tool':
        return encoders.serverTool(block, reply, index);
      case 'raw':
        return [encoders.raw(block.item)];
      case 'grounding':
        return [];
      default:
        return block satisfies never;
    }
  });
}

/** The events of a block in a stream. The index is undefined where a fault leaves it out. */
export interface BlockEvents {
  start(index: number | undefined, start: object): string;
  delta(index: number | undefined, delta: object): string;
  stop(index: number | undefined): string;
}

/** The frames of blocks in order. `afterFirst` follows the start of the first block. */
export function blockFrames(
  blocks: readonly EncodedBlock[],
  reply: Reply,
  split: SplitPieces,
  events: BlockEvents,
  afterFirst: readonly Frame[] = [],
): readonly Frame[] {
  const indexes = streamIndexes(blocks.length, reply);
  return blocks.flatMap(({ start, firstDeltas = [], kind, text, delta, lastDeltas = [] }, position) => {
    const index = indexes[position];
    const whole = (value: object) => control(events.delta(index, value));
    return [
      ...(start === undefined ? [] : [control(events.start(index, start))]),
      ...(position === 0 ? afterFirst : []),
      ...firstDeltas.map(whole),
      ...pieceFrames(kind, text, split, (piece) => events.delta(index, delta(piece))),
      ...lastDeltas.map(whole),
      control(events.stop(index)),
    ];
  });
}

function control(bytes: string): Frame {
  return { kind: 'control', bytes };
}
