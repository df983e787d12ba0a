import * as z from 'zod';
import type { WriteText } from '../../app/terminal.ts';
import { compareCodePoints } from '../../text/compare-code-points.ts';
import type { StoryResult } from '../play/play-story.ts';
import { type ReportFiles, readShardReports } from './read-reports.ts';
import { hasFailed, type Reporter, type ReportFacts } from './report-stories.ts';

const DriftSchema = z.object({
  scenario: z.string(),
  step: z.int(),
  part: z.string(),
  summary: z.string(),
  diff: z.string(),
});

const Common = { name: z.string(), durationMs: z.number(), drift: z.array(DriftSchema).optional() };

/** A report in JSON. Fields that only a later version knows are kept. */
const ReportSchema = z.object({
  agent: z.string().optional(),
  shard: z.object({ index: z.int(), count: z.int() }).optional(),
  stories: z.array(
    z.discriminatedUnion('type', [
      z.looseObject({
        ...Common,
        type: z.literal('passed'),
        updated: z.string().optional(),
        warning: z.string().optional(),
      }),
      z.looseObject({
        ...Common,
        type: z.literal('failed'),
        problems: z.array(z.string()),
        kept: z.string().optional(),
      }),
      z.looseObject({ ...Common, type: z.literal('skipped'), reason: z.string() }),
    ]),
  ),
});

/** Merges the reports of all shards into one, and reports it. Fails as one run of all stories would. */
export async function mergeStories(
  paths: readonly string[],
  reporter: Reporter,
  {
    disk,
    write,
    writePage,
  }: {
    readonly disk: ReportFiles;
    readonly write: WriteText;
    readonly writePage: (results: readonly StoryResult[], facts: ReportFacts) => Promise<void>;
  },
): Promise<'done' | 'failed'> {
  const source = { command: 'ybs test', option: '--reporter json' };
  const reports = await readShardReports(paths, ReportSchema, source, disk);
  const facts = { agent: reports[0]?.report.agent };
  const results = reports
    .flatMap(({ report }) => report.stories)
    .sort((left, right) => compareCodePoints(left.name, right.name));
  await write(reporter.start(facts));
  for (const result of results) await write(reporter.story(result));
  await writePage(results, facts);
  await write(reporter.end(results, facts));
  return hasFailed(results) ? 'failed' : 'done';
}
