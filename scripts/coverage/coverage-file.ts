import * as z from 'zod';

const PositionSchema = z.object({ line: z.number().optional(), column: z.number().nullish() });
const RangeSchema = z.object({ start: PositionSchema, end: PositionSchema });

/** The coverage of one file as Istanbul's tools write it: places by number, and how often each was reached. */
export const CoverageFileSchema = z.object({
  path: z.string(),
  statementMap: z.record(z.string(), RangeSchema),
  fnMap: z.record(z.string(), z.looseObject({ loc: RangeSchema })),
  branchMap: z.record(z.string(), z.looseObject({ loc: RangeSchema })),
  s: z.record(z.string(), z.number()),
  f: z.record(z.string(), z.number()),
  b: z.record(z.string(), z.array(z.number())),
});

/** The coverage of one file, read. */
export type CoverageFile = z.infer<typeof CoverageFileSchema>;
/** A place in a file. */
export type Range = z.infer<typeof RangeSchema>;

/** The coverage of many files, by absolute path. */
export const CoverageFilesSchema = z.record(z.string(), CoverageFileSchema);

/** The coverage of many files, read. */
export type CoverageFiles = z.infer<typeof CoverageFilesSchema>;
