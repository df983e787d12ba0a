/** One finished call, as far as repetition is concerned. */
export interface CallRecord {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
}

const LONGEST_CYCLE = 3;
const REPETITIONS = 3;

/**
 * Says how long the cycle is that the last calls repeat (1 to 3 calls, three times over, with the same results), or
 * `undefined`. A command that is polled until its output changes is no cycle.
 */
export function detectLoop(records: readonly CallRecord[]): number | undefined {
  const signatures = records
    .slice(-LONGEST_CYCLE * REPETITIONS)
    .map((record) => JSON.stringify([record.name, canonical(record.arguments), record.result]));
  for (let length = 1; length <= LONGEST_CYCLE; length += 1) {
    const window = signatures.slice(-length * REPETITIONS);
    const complete = window.length === length * REPETITIONS;
    if (complete && window.every((signature, position) => signature === window[position % length])) return length;
  }
  return undefined;
}

/** The same arguments written in another order or with other blanks are the same arguments. */
function canonical(text: string): string {
  try {
    return JSON.stringify(sortKeys(JSON.parse(text)));
  } catch {
    return text;
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
