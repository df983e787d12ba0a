import { createCodes } from './codes.ts';

/** Elements of a hidden state, and of one with which more tokens can be told apart. */
const HIDDEN_SIZE = 64;
const LARGE_HIDDEN_SIZE = 128;
const MAX_CODES = 4096;
/** Size of an attention head. */
const HEAD_SIZE = 32;
/** Factor of the logits, which keeps the next token certain at any temperature that a server accepts. */
const LOGIT_FACTOR = 4;

/** A matrix in rows, or a vector as one row. */
export interface Tensor {
  readonly name: TensorName;
  readonly shape: readonly number[];
  /** Vectors are read with 32 bits by all servers, matrices with 16. */
  readonly bits: 16 | 32;
  /** Undefined for zeros. */
  readonly values?: Int8Array;
}

/** The tensors of a Llama with one layer. */
export type TensorName =
  | 'embedding'
  | 'output'
  | 'output_norm'
  | 'attention_norm'
  | 'query'
  | 'key'
  | 'value'
  | 'attention_output'
  | 'feed_forward_norm'
  | 'gate'
  | 'up'
  | 'down';

/** The sizes of a model. */
export interface Dimensions {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly feedForward: number;
  readonly heads: number;
  readonly headSize: number;
}

export interface Weights {
  readonly dimensions: Dimensions;
  readonly tensors: readonly Tensor[];
}

/**
 * The weights of a model whose next token depends on the last token only: attention and feed-forward are zero, the
 * embedding of a token is the code of its successor, and the row of the output for a token is the code of that token.
 * A token without a successor is followed by `end`.
 */
export function createWeights(size: number, successors: ReadonlyMap<number, number>, end: number): Weights {
  const targets = [...new Set([end, ...successors.values()])];
  const hidden = targets.length > MAX_CODES ? LARGE_HIDDEN_SIZE : HIDDEN_SIZE;
  const codes = createCodes(targets.length, hidden);
  const codeOf = new Map(targets.map((token, index) => [token, codes[index] ?? new Int8Array(hidden)]));
  const embedding = new Int8Array(size * hidden);
  const output = new Int8Array(size * hidden);
  for (let token = 0; token < size; token++) {
    embedding.set(codeOf.get(successors.get(token) ?? end) ?? [], token * hidden);
    output.set(codeOf.get(token)?.map((sign) => sign * LOGIT_FACTOR) ?? [], token * hidden);
  }
  const matrix = (name: TensorName, values?: Int8Array, rows = hidden): Tensor => {
    return { name, shape: [rows, hidden], bits: 16, ...(values !== undefined && { values }) };
  };
  const norm = (name: TensorName): Tensor => {
    return { name, shape: [hidden], bits: 32, values: new Int8Array(hidden).fill(1) };
  };
  const dimensions = { vocabulary: size, hidden, feedForward: hidden, heads: hidden / HEAD_SIZE, headSize: HEAD_SIZE };
  const tensors = [
    matrix('embedding', embedding, size),
    matrix('output', output, size),
    norm('output_norm'),
    norm('attention_norm'),
    matrix('query'),
    matrix('key'),
    matrix('value'),
    matrix('attention_output'),
    norm('feed_forward_norm'),
    matrix('gate'),
    matrix('up'),
    matrix('down'),
  ];
  return { dimensions, tensors };
}

/** The bytes of a tensor, in little-endian order. */
export function tensorBytes({ shape, bits, values }: Tensor): Uint8Array {
  const count = shape.reduce((product, size) => product * size, 1);
  const bytes = new Uint8Array((count * bits) / 8);
  if (values === undefined) return bytes;
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) {
    if (bits === 32) view.setFloat32(index * 4, value, true);
    else view.setUint16(index * 2, halfOf(value), true);
  }
  return bytes;
}

/** An integer of at most eleven bits as a number of 16 bits, exactly. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
}
