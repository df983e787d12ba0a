/** A GGUF file, read back by its specification: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export interface GgufFile {
  readonly metadata: ReadonlyMap<string, unknown>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
}

export interface GgufTensor {
  /** The dimension whose elements are next to each other comes first. */
  readonly dimensions: readonly number[];
  readonly values: readonly number[];
}

/** Reads a GGUF file of version 3 with tensors of 16 or 32 bits. Throws if the file is malformed. */
export function readGguf(file: Uint8Array): GgufFile {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 0;
  const skip = (size: number) => {
    at += size;
    return at - size;
  };
  const uint32 = () => view.getUint32(skip(4), true);
  const uint64 = () => Number(view.getBigUint64(skip(8), true));
  const text = () => {
    const length = uint64();
    const start = skip(length);
    return new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(start, at));
  };
  const value = (type: number): unknown => {
    if (type === 4) return uint32();
    if (type === 5) return view.getInt32(skip(4), true);
    if (type === 6) return view.getFloat32(skip(4), true);
    if (type === 7) return view.getUint8(skip(1)) === 1;
    if (type === 8) return text();
    if (type !== 9) throw new Error(`unknown type ${type} of a value`);
    const element = uint32();
    return Array.from({ length: uint64() }, () => value(element));
  };
  if (new TextDecoder().decode(file.subarray(0, 4)) !== 'GGUF') throw new Error('not a GGUF file');
  at = 4;
  if (uint32() !== 3) throw new Error('not version 3');
  const [tensorCount, valueCount] = [uint64(), uint64()];
  const metadata = new Map(Array.from({ length: valueCount }, () => [text(), value(uint32())] as const));
  const infos = Array.from({ length: tensorCount }, () => {
    const name = text();
    const dimensions = Array.from({ length: uint32() }, uint64);
    return { name, dimensions, type: uint32(), offset: uint64() };
  });
  const start = Math.ceil(at / 32) * 32;
  const tensors = infos.map(({ name, dimensions, type, offset }) => {
    if (offset % 32 !== 0) throw new Error(`${name} is not aligned`);
    const count = dimensions.reduce((product, size) => product * size, 1);
    const values = Array.from({ length: count }, (_, index) => {
      if (type === 0) return view.getFloat32(start + offset + index * 4, true);
      if (type === 1) return halfValue(view.getUint16(start + offset + index * 2, true));
      throw new Error(`unknown type ${type} of a tensor`);
    });
    return [name, { dimensions, values }] as const;
  });
  return { metadata, tensors: new Map(tensors) };
}

/** A number of 16 bits as IEEE 754 defines it. */
export function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
