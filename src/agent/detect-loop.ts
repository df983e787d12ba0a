import { compareCodePoints } from '../text/compare-code-points.ts';

/** The parts of a finished call that are compared with those of other calls. */
export interface CallRecord {
  readonly name: string;
  readonly arguments: string;
  readonly result: string;
}

const MAX_CYCLE_LENGTH = 3;
const REPETITIONS = 3;
const MAX_WINDOW = MAX_CYCLE_LENGTH * REPETITIONS;

/** Detects repeated calls in one run: asks for one warning, and is `stuck` when the model continues after it. */
export class RepetitionDetector {
  #signatures: readonly string[] = [];
  #warnedInTurn: number | undefined;
  #stuck = false;

  /** True when the model repeated itself in a turn after the one in which it was warned. */
  get stuck(): boolean {
    return this.#stuck;
  }

  /** Records a finished call. Returns the length of the cycle if the caller must warn the model of it. */
  add(record: CallRecord, turn: number): number | undefined {
    this.#signatures = [...this.#signatures, signatureOf(record)].slice(-MAX_WINDOW);
    const length = cycleLength(this.#signatures);
    if (length === undefined) return undefined;
    if (this.#warnedInTurn === undefined) {
      this.#warnedInTurn = turn;
      return length;
    }
    // Only a model that has read the warning can ignore it: one answer may hold many equal calls.
    if (turn > this.#warnedInTurn) this.#stuck = true;
    return undefined;
  }
}

/** A text that is equal for equal calls with equal results, whatever the order of the arguments. */
export function signatureOf(record: CallRecord): string {
  return JSON.stringify([record.name, canonical(record.arguments), record.result]);
}

/**
 * Length of the cycle that the last calls repeat: 1 to 3 calls, three times in a row, with the same results. Results
 * count, so that polling a command until its output changes is not a cycle.
 */
export function cycleLength(signatures: readonly string[]): number | undefined {
  for (let length = 1; length <= MAX_CYCLE_LENGTH; length += 1) {
    const window = signatures.slice(-length * REPETITIONS);
    const complete = window.length === length * REPETITIONS;
    if (complete && window.every((signature, index) => signature === window[index % length])) return length;
  }
  return undefined;
}

/** Longer arguments are compared as text, because small models that reorder them write short ones. */
const MAX_CANONICAL_LENGTH = 100_000;

/** JSON with sorted keys and without whitespace, so that equal arguments are equal strings; other text unchanged. */
function canonical(text: string): string {
  if (text.length > MAX_CANONICAL_LENGTH) return text;
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
      .sort(([left], [right]) => compareCodePoints(left, right))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}
