import * as z from 'zod';
import { UsageError } from '../../agent/errors.ts';
import type { WriteText } from '../../app/terminal.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import type { StoryFiles } from '../load-story.ts';
import { hasFailed, type Reporter } from '../report.ts';
import { checkShards } from './shard.ts';

const DriftSchema = z.object({
  scenario: z.string(),
  step: z.int(),
  part: z.string(),
  summary: z.string(),
  diff: z.string(),
});

const Common = { name: z.string(), durationMs: z.number(), drift: z.array(DriftSchema).exactOptional() };

/** A report in JSON. Fields that only a later version knows are kept. */
const ReportSchema = z.object({
  agent: z.string().exactOptional(),
  shard: z.object({ index: z.int(), count: z.int() }).optional(),
  stories: z.array(
    z.discriminatedUnion('type', [
      z.looseObject({
        ...Common,
        type: z.literal('passed'),
        updated: z.string().exactOptional(),
        warning: z.string().exactOptional(),
      }),
      z.looseObject({ ...Common, type: z.literal('failed'), problems: z.array(z.string()), kept: z.string() }),
      z.looseObject({ ...Common, type: z.literal('skipped'), reason: z.string() }),
    ]),
  ),
});

/** Merges the reports of all shards into one, and reports it. Fails as one run of all stories would. */
export async function mergeStories(
  files: readonly string[],
  reporter: Reporter,
  { disk, write }: { readonly disk: Pick<StoryFiles, 'readFile' | 'kindOf'>; readonly write: WriteText },
): Promise<'done' | 'failed'> {
  const reports = await Promise.all(files.map(async (file) => ({ file, ...(await readReport(file, disk)) })));
  checkShards(reports.map(({ file, shard }) => ({ file, shard })));
  const agent = reports[0]?.agent;
  const facts = agent === undefined ? {} : { agent };
  const results = reports
    .flatMap(({ stories }) => stories)
    .sort((left, right) => compareCodePoints(left.name, right.name));
  await write(reporter.start(facts));
  for (const result of results) await write(reporter.story(result));
  await write(reporter.end(results, facts));
  return hasFailed(results) ? 'failed' : 'done';
}

async function readReport(file: string, disk: Pick<StoryFiles, 'readFile' | 'kindOf'>) {
  if ((await disk.kindOf(file)) !== 'file') throw new UsageError(`${file} is not a file. Check the path.`);
  try {
    return ReportSchema.parse(JSON.parse(await disk.readFile(file)));
  } catch {
    throw new UsageError(`${file} is not a report of ybs test. --merge takes files that --reporter json has written.`);
  }
}
