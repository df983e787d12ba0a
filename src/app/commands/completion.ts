/** Texts that can stand in a line in place of the part from `from` to `to`, in UTF-16 units. The best one comes first. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly items: readonly string[];
  /** Descriptions of the items, in their order. Absent: the items need none. */
  readonly notes?: readonly string[];
  /** Present if there may be others that were not read. */
  readonly isPartial?: true;
}

/** A completion that offers nothing. */
export const NO_COMPLETION: Completion = { from: 0, to: 0, items: [] };

/**
 * Finds completions of the word at the cursor of a line, which may contain line feeds. Contract: rejects soon after
 * `signal` aborts, which Esc, Ctrl-C and a deadline do; a completer that fails offers nothing.
 */
export type Completer = (text: string, cursor: number, signal: AbortSignal) => Promise<Completion>;
