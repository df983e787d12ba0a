/** The formats of compression by the name in `content-encoding`, each with the bytes that it begins with, if it has a mark. */
const COMPRESSIONS = [
  { name: /^(?:x-)?gzip$/, start: [0x1f, 0x8b], create: 'createGunzip' },
  { name: /^deflate$/, start: [0x78, 0x9c], create: 'createInflate' },
  { name: /^zstd$/, start: [0x28, 0xb5, 0x2f, 0xfd], create: 'createZstdDecompress' },
  { name: /^br$/, start: undefined, create: 'createBrotliDecompress' },
] as const;

/** The maximum number of formats on top of each other. */
const MAX_FORMATS = 5;

/**
 * The body of an answer. No request asks for compression, but some proxies compress every answer, and some of them do not
 * say so, compress it twice, or leave the header on a body that is plain. A body that is cut ends at the cut.
 */
export async function* decompressed(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | null,
): AsyncGenerator<Uint8Array, void, void> {
  yield* decompress(
    body,
    (contentEncoding ?? '')
      .toLowerCase()
      .split(/\s*,\s*/)
      .slice(0, MAX_FORMATS),
    MAX_FORMATS,
  );
}

async function* decompress(
  body: AsyncIterable<Uint8Array>,
  declared: readonly string[],
  depth: number,
): AsyncGenerator<Uint8Array, void, void> {
  const bytes = body[Symbol.asyncIterator]();
  try {
    const first = await bytes.next();
    if (first.done === true) return;
    const last = (declared.at(-1) ?? '').trim();
    const format = COMPRESSIONS.find(({ name, start }) =>
      start === undefined || first.value.length < start.length
        ? name.test(last)
        : start.every((byte, index) => first.value[index] === byte),
    );
    const whole = restarted(first.value, bytes);
    if (format === undefined || depth === 0) return yield* whole;
    const { [format.create]: create, constants } = process.getBuiltinModule('node:zlib');
    // Node.js before 22.15 has no zstd.
    if (create === undefined) return yield* whole;
    const isZstd = format.create === 'createZstdDecompress';
    const decompressor = create({ finishFlush: isZstd ? constants.ZSTD_e_flush : constants.Z_SYNC_FLUSH });
    process.getBuiltinModule('node:stream').pipeline(whole, decompressor, () => {});
    yield* decompress(decompressor, declared.slice(0, -1), depth - 1);
  } finally {
    await bytes.return?.();
  }
}

async function* restarted(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
