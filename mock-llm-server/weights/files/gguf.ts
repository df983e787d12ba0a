import { type Tensor, type TensorName, tensorBytes } from '../tokens/tensors.ts';

/** A value of the metadata with its type in the file. */
export type GgufValue =
  | { readonly type: 'uint32' | 'float32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'int32s'; readonly value: readonly number[] };

/** Metadata in the order of the file. */
export type GgufMetadata = readonly (readonly [key: string, value: GgufValue])[];

const MAGIC = 0x46554747;
const VERSION = 3;
/** Alignment of the tensors, the one that a file has without a key of its own. */
const ALIGNMENT = 32;
const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const TENSOR_TYPES = { 32: 0, 16: 1 } as const;

const NAMES: Readonly<Record<TensorName, string>> = {
  embedding: 'token_embd.weight',
  output: 'output.weight',
  output_norm: 'output_norm.weight',
  attention_norm: 'blk.0.attn_norm.weight',
  query: 'blk.0.attn_q.weight',
  key: 'blk.0.attn_k.weight',
  value: 'blk.0.attn_v.weight',
  attention_output: 'blk.0.attn_output.weight',
  feed_forward_norm: 'blk.0.ffn_norm.weight',
  gate: 'blk.0.ffn_gate.weight',
  up: 'blk.0.ffn_up.weight',
  down: 'blk.0.ffn_down.weight',
};

/** A GGUF file, as llama.cpp reads it. */
export function writeGguf(metadata: GgufMetadata, tensors: readonly Tensor[]): Uint8Array {
  const contents = tensors.map(tensorBytes);
  const out = new ByteWriter();
  out.uint32(MAGIC);
  out.uint32(VERSION);
  out.uint64(tensors.length);
  out.uint64(metadata.length);
  for (const [key, value] of metadata) {
    out.string(key);
    writeValue(out, value);
  }
  let offset = 0;
  for (const [index, { name, shape, bits }] of tensors.entries()) {
    out.string(NAMES[name]);
    out.uint32(shape.length);
    // The dimension whose elements are next to each other comes first.
    for (const size of [...shape].reverse()) out.uint64(size);
    out.uint32(TENSOR_TYPES[bits]);
    out.uint64(offset);
    offset += alignedLength(contents[index]?.length ?? 0);
  }
  for (const content of contents) {
    out.align();
    out.bytes(content);
  }
  out.align();
  return out.result();
}

function alignedLength(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function writeValue(out: ByteWriter, value: GgufValue): void {
  switch (value.type) {
    case 'uint32':
      out.uint32(TYPES.uint32);
      out.uint32(value.value);
      break;
    case 'float32':
      out.uint32(TYPES.float32);
      out.float32(value.value);
      break;
    case 'bool':
      out.uint32(TYPES.bool);
      out.bytes(Uint8Array.of(value.value ? 1 : 0));
      break;
    case 'string':
      out.uint32(TYPES.string);
      out.string(value.value);
      break;
    case 'strings':
      out.arrayHeader(TYPES.string, value.value.length);
      for (const text of value.value) out.string(text);
      break;
    case 'int32s':
      out.arrayHeader(TYPES.int32, value.value.length);
      for (const number of value.value) out.uint32(number);
      break;
    default:
      value satisfies never;
  }
}

/** Collects the little-endian parts of a file. */
class ByteWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  bytes(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  uint32(value: number): void {
    this.#number(4, (view) => view.setUint32(0, value, true));
  }

  float32(value: number): void {
    this.#number(4, (view) => view.setFloat32(0, value, true));
  }

  uint64(value: number): void {
    this.#number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }

  string(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.uint64(bytes.length);
    this.bytes(bytes);
  }

  arrayHeader(type: number, length: number): void {
    this.uint32(TYPES.array);
    this.uint32(type);
    this.uint64(length);
  }

  align(): void {
    this.bytes(new Uint8Array(alignedLength(this.#length) - this.#length));
  }

  result(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.length;
    }
    return bytes;
  }

  #number(size: number, write: (view: DataView) => void): void {
    const bytes = new Uint8Array(size);
    write(new DataView(bytes.buffer));
    this.bytes(bytes);
  }
}
