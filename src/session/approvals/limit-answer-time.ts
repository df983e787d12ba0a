import type { Approver } from '../../agent/ports/approver.ts';
import type { Clock } from '../../agent/ports/clock.ts';

/** An approver that waits at most `seconds` for the answer of another one; without an answer in time it denies. */
export function limitAnswerTime(approver: Approver, clock: Clock, seconds: number): Approver {
  return {
    decide: (request, signal) =>
      withinTime(
        (limited) => approver.decide(request, limited),
        { type: 'unavailable', afterSeconds: seconds },
        ...([clock, seconds, signal] as const),
      ),
  };
}

/** Asks, and waits at most `seconds` for the answer; after that, the answer is `late`. */
export async function withinTime<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  late: Answer,
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  const question = AbortSignal.any([signal, over.signal]);
  const timeOut = async (): Promise<Answer> => {
    await clock.sleep(seconds * 1000, question);
    return late;
  };
  try {
    return await Promise.race([ask(question), timeOut()]);
  } finally {
    over.abort();
  }
}
