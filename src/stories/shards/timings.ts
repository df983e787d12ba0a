import * as z from 'zod';
import { UsageError } from '../../agent/errors.ts';

const TimingsSchema = z.object({ stories: z.array(z.object({ name: z.string(), durationMs: z.number().min(0) })) });

/** Reads the durations of stories from a report of `ybs test` or `ybs eval` in JSON. Throws `UsageError`. */
export function readTimings(file: string, text: string): ReadonlyMap<string, number> {
  try {
    const { stories } = TimingsSchema.parse(JSON.parse(text));
    return new Map(stories.map(({ name, durationMs }) => [name, durationMs]));
  } catch {
    throw new UsageError(`${file} has no durations. --timings takes a report that --reporter json has written.`);
  }
}
