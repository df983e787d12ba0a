import * as z from 'zod';
import { UsageError } from '../../agent/errors.ts';
import type { StoryFiles } from '../load-story.ts';
import { checkShards, type Shard } from './shard.ts';

/** Access to the files of reports. */
export type ReportFiles = Pick<StoryFiles, 'readFile' | 'kindOf'>;

const TimingsSchema = z.object({ stories: z.array(z.object({ name: z.string(), durationMs: z.number().min(0) })) });

/** Reads the durations of stories from a report of `ybs test` or `ybs eval` in JSON. Throws `UsageError`. */
export async function readTimings(file: string, files: ReportFiles): Promise<ReadonlyMap<string, number>> {
  const refusal = 'has no durations. --timings takes a report that --reporter json has written.';
  const { stories } = await readReport(file, TimingsSchema, refusal, files);
  return new Map(stories.map(({ name, durationMs }) => [name, durationMs]));
}

/** Reads the reports of all shards of one run, which `command` with `option` has written. Throws `UsageError`. */
export async function readShardReports<Report extends { readonly shard?: Shard | undefined }>(
  paths: readonly string[],
  schema: z.ZodType<Report>,
  { command, option }: { readonly command: string; readonly option: string },
  files: ReportFiles,
): Promise<readonly { readonly file: string; readonly report: Report }[]> {
  const refusal = `is not a report of ${command}. --merge takes files that ${option} has written.`;
  const read = async (file: string) => ({ file, report: await readReport(file, schema, refusal, files) });
  const reports = await Promise.all(paths.map(read));
  checkShards(reports.map(({ file, report }) => ({ file, shard: report.shard })));
  return reports;
}

async function readReport<Report>(
  file: string,
  schema: z.ZodType<Report>,
  refusal: string,
  { kindOf, readFile }: ReportFiles,
): Promise<Report> {
  if ((await kindOf(file)) !== 'file') throw new UsageError(`${file} is not a file. Check the path.`);
  const text = await readFile(file);
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} ${refusal}`);
  }
}
