import { jsonOr } from '../../text/json/json.ts';
import type { HttpFailure } from './fetch-stream.ts';
import { fieldOf } from './server-error.ts';

/**
 * The headers with a wait, by rank, and the milliseconds of their unit. LiteLLM passes on those of its provider. Some
 * headers tell when a limit is reset, and count only if nothing of that limit remains, as another header says.
 */
const HEADERS: readonly (readonly [name: string, unitMs: number, remaining?: string])[] = [
  ['retry-after-ms', 1],
  ['llm_provider-retry-after-ms', 1],
  ['x-ms-retry-after-ms', 1], // Azure
  ['retry-after', 1000],
  ['llm_provider-retry-after', 1000],
  ...['requests', 'tokens'].map((kind) => {
    return [`x-ratelimit-reset-${kind}`, 1000, `x-ratelimit-remaining-${kind}`] as const; // OpenAI, Groq
  }),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((kind) => {
    return [`anthropic-ratelimit-${kind}-reset`, 1000, `anthropic-ratelimit-${kind}-remaining`] as const;
  }),
  ['x-ratelimit-reset', 1000, 'x-ratelimit-remaining'], // OpenRouter, GitHub
  ['ratelimit-reset', 1000, 'ratelimit-remaining'], // draft of the IETF
];

const UNIT = 'ms|milliseconds?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?';
const DURATION = String.raw`(?:[\d.]+\s*(?:${UNIT})(?![a-z])(?:,|\s+and\b)?\s*)+`;

/** The fields of a body with a text or a number. */
const FIELD = /"([\w-]+)"\s*:\s*(?:"([^"{]*)"|([\d.]+))/g;

/** The names of fields with a wait or the time of a reset, whatever else a server calls them. */
const WAIT = /(?:^|[_-])(?:retry[_-]?(?:after|delay|in)|resets?|cool[_-]?down|wait)(?:[_-]|$)/;

/** The words before the time of a reset, also in Chinese. */
const UNTIL = String.raw`(?:\b(?:resets?|try again|retry|available|until)\b|\u5c06[\u5728\u4e8e])[^\d"{}()]{0,24}?`;

const DATE = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?`;
const MONTH_FIRST = String.raw`[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?, \d{4},?(?: at)? \d{1,2}:\d\d(?::\d\d)? ?[AP]M`;
const DAY = String.raw`(?:(?<day>[A-Z][a-z]{2,8} \d{1,2}),?(?: at)? )?`;
const CLOCK = String.raw`(?<hour>\d{1,2})(?:(?::(?<minute>\d\d))? ?(?<half>[ap]m)|:(?<minutes>\d\d))(?![\d:])`;

/** The waits in sentences: a duration, a number of seconds, a date, or a time of day in a zone. */
const WORDS: readonly RegExp[] = [
  new RegExp(`(?:try again|retry|wait)(?: after| in| for)? (?:about |~)?(?<wait>${DURATION})`, 'i'),
  new RegExp(`(?:resets? (?:after|in)|available (?:again )?in) (?<wait>${DURATION})`, 'i'), // Gemini
  /\bretry[_-]?after:\s*(?<wait>[\d.]+)/i,
  new RegExp(`${UNTIL}(?<date>${DATE})`, 'i'), // Z.ai
  new RegExp(`${UNTIL}(?<date>${MONTH_FIRST})`, 'i'), // Codex
  new RegExp(String.raw`${UNTIL}${DAY}${CLOCK}[, ]*\(?(?<zone>[A-Z]+(?:/[\w+-]+)*)`, 'i'), // Claude Code
];

/** A service in China, whose dates have no zone: its words, or the codes of Zhipu. */
const CHINA = /\p{Script=Han}|\[13\d\d\]|"13\d\d"/u;

function unitMs(unit: string | undefined): number {
  switch (String(unit).toLowerCase()) {
    case 'ms':
    case 'milli':
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
 * The wait that a response asks for, in milliseconds, from its headers (seconds, milliseconds, a duration, or a time) or
 * else from its body. `undefined` when none is present and valid. A time in the past is 0.
 */
export function readRetryAfter(
  { headers, body }: { readonly headers?: HttpFailure['headers']; readonly body: string },
  now: number,
): number | undefined {
  return readHeaders((name) => headers?.get(name), now) ?? readHeaders(headersIn(body), now) ?? readWords(body, now);
}

function readHeaders(find: (name: string) => unknown, now: number): number | undefined {
  const textOf = (name: string): string => String(find(name) ?? '').trim();
  return HEADERS.map(([name, unit, remaining]) => {
    const isUsedUp = remaining === undefined || ['', '0'].includes(textOf(remaining));
    return isUsedUp ? readHeader(textOf(name), unit, now) : undefined;
  }).find((wait) => wait !== undefined);
}

/** The headers of its provider that OpenRouter has in the body, by their names in lower case. */
function headersIn(body: string): (name: string) => unknown {
  const headers = fieldOf(fieldOf(fieldOf(jsonOr(undefined, body), 'error'), 'metadata'), 'headers');
  const entries = Object.entries(Object(headers)).map(([name, value]) => [name.toLowerCase(), value] as const);
  const byName = new Map(entries);
  return (name) => byName.get(name);
}

function readHeader(text: string, unit: number, now: number): number | undefined {
  if (NUMBER.test(text)) return unit === 1 ? Math.ceil(Number(text)) : waitOf(Number(text), now);
  if (SPAN.test(text)) return spanMs(text);
  // A number that is no wait would be taken for a year.
  const date = unit === 1 || Number.isFinite(Number(text)) ? Number.NaN : Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const NUMBER = /^\d+(\.\d+)?$/;

/** A duration such as `6m0s` or `7.66s`. */
const SPAN = /^(?:[\d.]+(?:ms|h|m|s))+$/;

/** The wait that a number stands for: seconds from now, or the seconds or milliseconds of a time. */
function waitOf(count: number, now: number): number {
  if (count < 1e9) return Math.ceil(count * 1000);
  return Math.max(0, Math.ceil(count < 1e11 ? count * 1000 : count) - now);
}

function readWords(body: string, now: number): number | undefined {
  // Gateways send the error of a provider as JSON within a text.
  const text = body.replaceAll('\\"', '"');
  for (const [, name, value, count] of text.matchAll(FIELD)) {
    const words = String(name)
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toLowerCase();
    if (!WAIT.test(words)) continue;
    const wait = readHeader(String(value ?? count).trim(), /[_-]ms$|millis/.test(words) ? 1 : 1000, now);
    if (wait !== undefined) return wait;
  }
  const groups = WORDS.map((pattern) => pattern.exec(text)?.groups).find(Boolean) ?? {};
  const { wait, date } = groups;
  if (date !== undefined) return readDate(date, CHINA.test(text) ? '+08:00' : 'Z', now);
  if (groups['hour'] !== undefined) return readClock(groups, now);
  return wait === undefined ? undefined : NUMBER.test(wait) ? waitOf(Number(wait), now) : spanMs(wait);
}

/** The wait until a date in a sentence; `zone`: that of a date without one. */
function readDate(text: string, zone: string, now: number): number | undefined {
  const plain = text.replace(/(\d)(?:st|nd|rd|th)\b|,? at\b/g, '$1').replace(/ ?UTC$/, 'Z');
  const date = /^\d/.test(plain) ? plain.replace(' ', 'T') : `${plain} UTC`;
  const time = Date.parse(/(?:Z|UTC|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}${zone}`);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

const DAY_MS = 24 * 3_600_000;

/** The wait until the clock of a zone shows a time, on this day or else next; `undefined` for an unknown zone. */
function readClock(
  { hour, minute, half, minutes, zone, day }: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const local = localTime(zone, now);
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const time = (hours * 60 + Number(minute ?? minutes ?? 0)) * 60_000;
  if (local === undefined) return undefined;
  if (day === undefined) return (time - (local % DAY_MS) + DAY_MS) % DAY_MS;
  const year = new Date(local).getUTCFullYear();
  const waits = [year, year + 1].map((each) => Date.parse(`${day}, ${each} UTC`) + time - local);
  // A time that has just passed is not one of the next year.
  return waits.map((wait) => (wait >= -DAY_MS ? Math.max(0, wait) : Number.NaN)).find((wait) => !Number.isNaN(wait));
}

/** The time that a zone shows, as if it were one in UTC. */
function localTime(zone: string | undefined, now: number): number | undefined {
  try {
    // The form of Sweden is that of ISO 8601.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return Date.parse(`${format.format(now).replace(' ', 'T')}Z`);
  } catch {
    return undefined;
  }
}

function spanMs(text: string): number | undefined {
  const parts = [...text.matchAll(/([\d.]+)\s*(ms|milli|h|m|s)/gi)];
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitMs(unit), 0);
  return Number.isFinite(total) ? Math.ceil(total) : undefined;
}
