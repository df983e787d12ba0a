/** Largest product of two codes, so that the next token outweighs every other one by half of its logit. */
const MAX_PRODUCT_PART = 0.5;

/**
 * Vectors of `length` elements, each 1 or -1, whose products with each other are at most half of the product with
 * themselves. The same count and length give the same vectors. The length is a multiple of 32, at least 64.
 */
export function createCodes(count: number, length: number): readonly Int8Array[] {
  const words = length / 32;
  const random = createRandom();
  const codes: Int32Array[] = [];
  while (codes.length < count) {
    const candidate = Int32Array.from({ length: words }, random);
    if (codes.every((code) => Math.abs(productOf(code, candidate)) <= length * MAX_PRODUCT_PART)) codes.push(candidate);
  }
  return codes.map((code) => Int8Array.from({ length }, (_, index) => signOf(code, index)));
}

function signOf(code: Int32Array, index: number): number {
  return (((code[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 1 ? 1 : -1;
}

function productOf(left: Int32Array, right: Int32Array): number {
  let different = 0;
  for (const [index, word] of left.entries()) different += bitsIn(word ^ (right[index] ?? 0));
  return left.length * 32 - 2 * different;
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Numbers of 32 bits from a fixed seed (xorshift), so that equal scripts give equal weights. */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}
