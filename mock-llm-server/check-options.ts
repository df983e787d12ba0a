import * as z from 'zod';
import { LIMIT_MODES } from './reply/limit-reply.ts';
import { DRIFT_MODES } from './scenario/lock/prompt-lock.ts';
import { suggest } from './scenario/suggest.ts';
import { checkRuleIds, checkServiceName } from './services/explain-name.ts';
import { LINT_MODES } from './wire/wire.ts';

const FunctionSchema = z.custom((value) => typeof value === 'function', 'expected a function');

const FetchOptionsSchema = z.strictObject({
  scenarios: z.union([z.string(), z.array(z.union([z.string(), z.looseObject({})]))], {
    error: 'expected a path, or a list of paths and scenarios',
  }),
  default_response: z.string().optional(),
  lint: z.enum(LINT_MODES).optional(),
  as: z.string().optional(),
  allow: z.array(z.string()).optional(),
  limits: z.enum(LIMIT_MODES).optional(),
  drift: z.enum(DRIFT_MODES).optional(),
  chaos: z.strictObject({ rate: z.number().min(0).max(1), seed: z.int().min(0).max(0xffff_ffff) }).optional(),
  log: FunctionSchema.optional(),
  clock: z.looseObject({ now: FunctionSchema }).optional(),
});

/** The options of the functions for tests. */
const SCHEMAS = {
  mockLlmFetch: FetchOptionsSchema,
  startMockLlm: FetchOptionsSchema.extend({
    port: z.int().min(0).max(65_535).optional(),
    host: z.string().optional(),
    token: z.string().optional(),
    allowHosts: z.array(z.string()).optional(),
  }),
} as const;

/** Throws an error of one sentence for the first wrong option of a function: JavaScript has no types. */
export function checkMockOptions(name: keyof typeof SCHEMAS, options: unknown): void {
  const { data, error } = SCHEMAS[name].safeParse(options);
  if (error === undefined) {
    if (data.as !== undefined) checkServiceName(data.as);
    checkRuleIds(data.allow ?? []);
    return;
  }
  // A misspelled option is missing as well.
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const known = Object.keys(SCHEMAS[name].shape);
    const nearest = issue.path.length === 0 ? suggest(key, known) : undefined;
    const place = [...issue.path, key].join('.');
    throw new Error(`${name} has no option "${place}"${nearest === undefined ? '' : `; did you mean ${nearest}?`}`);
  }
  throw new Error(`The option "${issue?.path.join('.')}" of ${name} is wrong: ${issue?.message}.`);
}
