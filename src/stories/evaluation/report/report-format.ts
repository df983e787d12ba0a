import * as z from 'zod';

const Count = z.int().min(0);

const StepSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), text: z.string() }),
  z.object({
    type: z.literal('assistant'),
    text: z.string(),
    calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  }),
  z.object({ type: z.literal('result'), tool: z.string(), outcome: z.string(), text: z.string() }),
  z.object({ type: z.literal('end'), outcome: z.string(), text: z.string() }),
]);

/** One step of a run, as a report shows it. */
export type Step = z.infer<typeof StepSchema>;

/** A finished run of one variant. */
export const RunResultSchema = z.object({
  story: z.string(),
  variant: z.string(),
  /** Counted from 1. */
  run: z.int().min(1),
  passed: z.boolean(),
  problems: z.array(z.string()),
  turns: Count,
  toolCalls: Count,
  toolErrors: Count,
  inputTokens: Count,
  outputTokens: Count,
  /** In US dollars, as if no answer came from the cache; absent if a price is unknown. */
  cost: z.number().optional(),
  /** As if no answer came from the cache. */
  durationMs: z.number(),
  steps: z.array(StepSchema),
});

/** A finished run of one variant. */
export type RunResult = z.infer<typeof RunResultSchema>;

const IntervalSchema = z.tuple([z.number(), z.number()]).readonly();

const RowSchema = z.object({
  variant: z.string(),
  runs: Count,
  passed: Count,
  /** The part of the runs that passed, and its 95 % Wilson interval. */
  rate: z.number(),
  interval: IntervalSchema,
  /** The policy of the story holds for these runs. */
  met: z.boolean(),
  turns: z.number(),
  toolCalls: z.number(),
  toolErrors: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cost: z.number().optional(),
  durationMs: z.number(),
  /** Comparison with the first variant, and the 95 % Newcombe interval of the difference of the rates. */
  verdict: z.enum(['better', 'worse', 'inconclusive']).optional(),
  difference: IntervalSchema.optional(),
  /** The first line of the problems of runs that failed, most frequent first. */
  problems: z.array(z.object({ text: z.string(), runs: Count })),
  /** Reasons why runs have no verdict, such as a provider that did not answer. */
  errors: z.array(z.object({ text: z.string(), runs: Count })),
});

/** The runs of one variant on one story. Means are per run. */
export type Row = z.infer<typeof RowSchema>;

const SideSchema = z.object({ variant: z.string(), passed: z.boolean(), steps: z.array(StepSchema) });

const PairSchema = z.object({
  run: z.int(),
  /** Number of steps at the beginning in which both are equal. */
  equal: Count,
  before: SideSchema,
  after: SideSchema,
});

/** The same run of the first variant and of another one, where they differ. */
export type Pair = z.infer<typeof PairSchema>;

const PolicySchema = z.union([z.literal('always'), z.object({ usually: z.number() })]);

const StoryReportSchema = z.object({
  name: z.string(),
  policy: PolicySchema,
  /** Runs of each variant that were planned. */
  planned: z.int(),
  /** Time of all runs together, by which `--shard` splits stories. */
  durationMs: z.number(),
  rows: z.array(RowSchema),
  pairs: z.array(PairSchema),
});

export type StoryReport = z.infer<typeof StoryReportSchema>;

export const EvaluationReportSchema = z.object({
  type: z.literal('evaluation'),
  /** `met`: every policy holds. `not_met`: one does not, or nothing ran. */
  outcome: z.enum(['met', 'not_met', 'budget', 'aborted']),
  /** Reason why runs are missing. */
  stopped: z.string().optional(),
  shard: z.object({ index: z.int(), count: z.int() }).optional(),
  variants: z.array(z.string()),
  /** Consumption of the evaluation itself. Answers from the cache cost nothing. */
  spent: z.object({ requests: Count, cached: Count, tokens: Count, cost: z.number() }),
  stories: z.array(StoryReportSchema),
});

export type EvaluationReport = z.infer<typeof EvaluationReportSchema>;
