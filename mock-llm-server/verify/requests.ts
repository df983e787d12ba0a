import { MESSAGE_KINDS, type MessageKind, type Outline } from '../conversation/outline.ts';
import type { JournalEntry, RequestTrace } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';

/** A readable request of the journal. */
export interface TracedRequest {
  readonly entry: JournalEntry;
  readonly trace: RequestTrace;
}

/** The readable requests of one test, or of all, oldest first. */
export function readRequests({ entries, traces }: Pick<Journal, 'entries' | 'traces'>, testId?: string) {
  return entries.flatMap((entry, index): readonly TracedRequest[] => {
    const trace = traces[index];
    return trace === undefined || (testId !== undefined && entry.testId !== testId) ? [] : [{ entry, trace }];
  });
}

export interface OutlinedMessage {
  readonly checksum: number;
  /** In characters. */
  readonly length: number;
  readonly kind: MessageKind;
}

export function countMessages({ parts, systemTexts }: Outline): number {
  return parts.length / 2 - 1 - systemTexts;
}

/** The message at an index; undefined beyond the last one. */
export function messageAt({ parts, systemTexts }: Outline, index: number): OutlinedMessage | undefined {
  const position = 2 * (1 + systemTexts + index);
  const checksum = parts[position];
  const packed = parts[position + 1];
  if (checksum === undefined || packed === undefined) return undefined;
  const kind = MESSAGE_KINDS[packed % MESSAGE_KINDS.length] ?? 'user';
  return { checksum, length: Math.floor(packed / MESSAGE_KINDS.length), kind };
}

/** Index of the first message of `earlier` that `later` does not repeat; undefined if it repeats all of them. */
export function firstDifference(earlier: Outline, later: Outline): number | undefined {
  const count = countMessages(earlier);
  for (let index = 0; index < count; index++) {
    if (messageAt(earlier, index)?.checksum !== messageAt(later, index)?.checksum) return index;
  }
  return undefined;
}
