import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { WIRE_NAMES } from '../../../src/providers/wires.ts';

const RecordedSchema = z.object({
  /** The server, its version, and what was loaded. */
  server: z.string(),
  /** The number and name of the exchange. */
  exchange: z.string(),
  wire: z.enum(WIRE_NAMES),
  path: z.string(),
  request: z.record(z.string(), z.unknown()).optional(),
  status: z.number(),
  /** The media type. */
  type: z.string(),
  /** The limit of the answer that its request set, in tokens. */
  maxTokens: z.number().catch(100),
  body: z.string(),
  /** The number of the fact about the server that the answer shows, in `test/real/server-facts.ts`. */
  fact: z.number().optional(),
});

/** An unchanged answer of a real server. */
export type RecordedAnswer = z.infer<typeof RecordedSchema>;

/** The answers that real servers gave: see the README in this directory. */
export function realServerAnswers(): readonly RecordedAnswer[] {
  return ['real-servers', 'server-facts']
    .flatMap((name) =>
      gunzipSync(readFileSync(new URL(`./${name}.jsonl.gz`, import.meta.url)))
        .toString()
        .split('\n'),
    )
    .filter((line) => line !== '')
    .map((line) => RecordedSchema.parse(JSON.parse(line)));
}
