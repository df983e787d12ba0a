import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { SERVICE_NAMES } from '../../../mock-llm-server/conversation/conversation.ts';

const DIRECTORY = path.join(import.meta.dirname, '../../integration/services/recorded-requests');

const RecordedSchema = z.object({
  service: z.enum(SERVICE_NAMES).nullable(),
  path: z.string(),
  body: z.record(z.string(), z.unknown()),
});

/** A request that a service accepted. */
export type RecordedRequest = z.infer<typeof RecordedSchema>;

/** The names of the files of recorded requests. */
export const REQUEST_FILES = readdirSync(DIRECTORY).filter((file) => file.endsWith('.gz'));

/** The requests of a file, without the marks of texts that were cut, which no encoding of bytes has. */
export function readRequests(file: string): readonly RecordedRequest[] {
  const lines = gunzipSync(readFileSync(path.join(DIRECTORY, file)))
    .toString()
    .split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => RecordedSchema.parse(JSON.parse(line.replaceAll('…"', '"'))));
}
