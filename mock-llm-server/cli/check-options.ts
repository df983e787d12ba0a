import * as z from 'zod';
import type { Clock } from '../delivery/clock.ts';
import { explainIssues, formatPath, problemText, strictObject } from '../scenario/problems.ts';
import { isLoopback } from '../server/access.ts';
import { LINT_MODES } from '../wire/wire.ts';
import { MAX_SEED } from './arguments.ts';

/** Options that cannot be used. The message has two lines for each problem: `FUNCTION: option: reason`, and the fix. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
  readonly code = 'bad_options';
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const ClockSchema = z.object({ now: z.custom(isFunction), sleep: z.custom(isFunction) });

/** What scenarios hold is checked where they are loaded. */
const SourceSchema = z.union([z.string().min(1), z.record(z.string(), z.unknown())]);

const FETCH_OPTIONS = {
  scenarios: z.union([z.string().min(1), z.array(SourceSchema)]),
  default_response: z.string().optional(),
  log: z
    .custom<(line: string) => void>(
      isFunction,
      problemText('must be a function', 'write log: (line) => console.log(line)'),
    )
    .optional(),
  lint: z.enum(LINT_MODES).optional(),
  chaos: strictObject({ rate: z.number().min(0).max(1), seed: z.int().min(0).max(MAX_SEED) }).optional(),
  clock: z
    .custom<Clock>(
      (value) => ClockSchema.safeParse(value).success,
      problemText('must have now() and sleep()', 'write clock: createVirtualClock()'),
    )
    .optional(),
};

const FetchOptionsSchema = strictObject(FETCH_OPTIONS);
const StartOptionsSchema = strictObject({
  ...FETCH_OPTIONS,
  port: z.int().min(0).max(65_535).optional(),
  host: z.string().min(1).optional(),
  token: z.string().min(1).optional(),
  allowHosts: z.array(z.string().min(1)).optional(),
}).refine(({ host, token }) => host === undefined || token !== undefined || isLoopback(host), {
  path: ['token'],
  error: problemText(
    'is missing, and others can reach this host',
    'add "token": "a-secret", which clients send as their API key, or leave "host" out',
  ),
});

/** Throws an `OptionsError` for options that `startMockLlm` cannot use. */
export function checkStartOptions(options: unknown): void {
  check(options, StartOptionsSchema, 'startMockLlm');
}

/** Throws an `OptionsError` for options that `mockLlmFetch` cannot use. */
export function checkFetchOptions(options: unknown): void {
  check(options, FetchOptionsSchema, 'mockLlmFetch');
}

function check(options: unknown, schema: z.ZodType, caller: string): void {
  const { error } = schema.safeParse(options);
  if (error === undefined) return;
  const problems = explainIssues(error.issues, options);
  const lines = problems.map(({ path, reason, fix }) => {
    const place = path.length === 0 ? 'options' : formatPath(path).slice(2);
    return `${caller}: ${place}: ${reason}\n  fix: ${fix}`;
  });
  throw new OptionsError(lines.join('\n'));
}
