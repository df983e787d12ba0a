import type { HttpFailure } from './fetch-stream.ts';

/** The headers with a wait, by rank, and the milliseconds of their unit. LiteLLM passes on those of its provider. */
const HEADERS: readonly (readonly [name: string, unitMs: number])[] = [
  ['retry-after-ms', 1],
  ['llm_provider-retry-after-ms', 1],
  ['retry-after', 1000],
  ['llm_provider-retry-after', 1000],
];

/** The waits in bodies, with a number and its unit. */
const WORDS: readonly RegExp[] = [
  /"retryDelay"\s*:\s*"(?<wait>[\d.]+s)"/, // Google
  /(?:try again|retry|wait)(?: after| in| for)? (?:about )?(?<wait>(?:[\d.]+\s*(?:ms|h|m(?!s)|min(?:ute)?s?|s|sec(?:ond)?s?)\s*)+)/i,
  /"retry_after(?:_seconds)?"\s*:\s*(?<seconds>[\d.]+)/, // Discord-like gateways, Cloudflare
  /"retry_after_ms"\s*:\s*(?<ms>[\d.]+)/,
];

function unitMs(unit: string | undefined): number {
  switch (String(unit).toLowerCase()) {
    case 'ms':
      return 1;
    case 'm':
      return 60_000;
    case 'h':
      return 3_600_000;
    default:
      return 1000;
  }
}

/**
 * The wait that a response asks for, in milliseconds, from its headers (seconds, milliseconds or an HTTP date) or else
 * from the words of its body. `undefined` when none is present and valid. A date in the past is 0.
 */
export function readRetryAfter(
  { headers, body }: { readonly headers?: HttpFailure['headers']; readonly body: string },
  now: number,
): number | undefined {
  const waits = HEADERS.map(([name, unitMs]) => readHeader(headers?.get(name)?.trim() ?? '', unitMs, now));
  return waits.find((wait) => wait !== undefined) ?? readWords(body);
}

function readHeader(text: string, unitMs: number, now: number): number | undefined {
  if (NUMBER.test(text)) return Math.ceil(Number(text) * unitMs);
  const date = unitMs === 1 ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const NUMBER = /^\d+(\.\d+)?$/;

function readWords(body: string): number | undefined {
  const found = WORDS.map((pattern) => pattern.exec(body)?.groups).find(Boolean);
  const { wait, seconds, ms } = found ?? {};
  if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  if (ms !== undefined) return Math.ceil(Number(ms));
  if (wait === undefined) return undefined;
  const parts = [...wait.matchAll(/([\d.]+)\s*(ms|h|m|s)/gi)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs(unit), 0);
  return Number.isFinite(total) ? Math.ceil(total) : undefined;
}
