import * as z from 'zod';

const PositionSchema = z.object({ line: z.number().optional(), column: z.number().nullish() });
const RangeSchema = z.object({ start: PositionSchema, end: PositionSchema });

/** The coverage of one file in Istanbul's format: numbered ranges and their hit counts. */
export const CoverageFileSchema = z.object({
  path: z.string(),
  statementMap: z.record(z.string(), RangeSchema),
  fnMap: z.record(z.string(), z.looseObject({ loc: RangeSchema })),
  branchMap: z.record(z.string(), z.looseObject({ loc: RangeSchema })),
  s: z.record(z.string(), z.number()),
  f: z.record(z.string(), z.number()),
  b: z.record(z.string(), z.array(z.number())),
});

/** The parsed coverage of one file. */
export type CoverageFile = z.infer<typeof CoverageFileSchema>;
/** A range in a file. */
export type Range = z.infer<typeof RangeSchema>;

/** The coverage of many files, by absolute path. */
export const CoverageFilesSchema = z.record(z.string(), CoverageFileSchema);

/** The parsed coverage of many files. */
export type CoverageFiles = z.infer<typeof CoverageFilesSchema>;
