import { jsonOr } from '../text/json/json.ts';
import { sortKeys } from '../text/json/map-texts.ts';
import type { CallOutcome, RunOutcome } from './ports/events.ts';

/** The parts of a finished call that are compared with those of other calls. */
export interface CallRecord {
  readonly name: string;
  readonly arguments: string;
  readonly outcome: CallOutcome;
  readonly result: string;
}

const MAX_CYCLE_LENGTH = 3;
const REPETITIONS = 3;
const MAX_WINDOW = MAX_CYCLE_LENGTH * REPETITIONS;

/** Detects repeated calls in one run: asks for one warning, and ends the run when the model continues after it. */
export class RepetitionDetector {
  #signatures: readonly string[] = [];
  #warnedInTurn: number | undefined;
  #isStuck = false;
  readonly #denied = new Set<string>();
  #deniedTwice = false;

  /** `denied`: a denied call was denied again. `stuck`: the model repeated itself in a turn after the warning. */
  get outcome(): RunOutcome | undefined {
    if (this.#deniedTwice) return 'denied';
    return this.#isStuck ? 'stuck' : undefined;
  }

  /** Records a finished call. Returns the length of the cycle if the caller must warn the model of it. */
  add({ name, arguments: args, outcome, result }: CallRecord, turn: number): number | undefined {
    const call = JSON.stringify([name, canonical(args)]);
    if (outcome === 'denied') {
      this.#deniedTwice ||= this.#denied.has(call);
      this.#denied.add(call);
    }
    this.#signatures = [...this.#signatures, JSON.stringify([call, result])].slice(-MAX_WINDOW);
    const length = cycleLength(this.#signatures);
    if (length === undefined) return undefined;
    if (this.#warnedInTurn === undefined) {
      this.#warnedInTurn = turn;
      return length;
    }
    // Only a model that has read the warning can ignore it: one message may hold many equal calls.
    this.#isStuck ||= turn > this.#warnedInTurn;
    return undefined;
  }
}

/**
 * Length of the cycle that the last calls repeat: 1 to 3 calls, three times in a row, with the same results. Results
 * count, so that polling a command until its output changes is not a cycle.
 */
function cycleLength(signatures: readonly string[]): number | undefined {
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
  const value = text.length > MAX_CANONICAL_LENGTH ? undefined : jsonOr(undefined, text);
  return value === undefined ? text : JSON.stringify(sortKeys(value));
}
