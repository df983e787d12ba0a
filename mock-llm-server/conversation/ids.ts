import { hash } from 'node:crypto';
import type { ScenarioPosition } from './conversation.ts';

/** The parts of a generated id: the position of the call, from 0, and the start of the digest of the answered request. */
export interface GeneratedCallId extends ScenarioPosition {
  readonly call: number;
  readonly digest: string;
}

/** Limit of OpenAI's Chat Completions; clients cut longer ids. */
const MAX_ID_LENGTH = 40;
const FIRST_SECOND = Date.UTC(2025, 0, 1) / 1000;
const SECONDS_A_YEAR = 31_536_000;
const GENERATED = /_([0-9a-f]{8})_(\d{1,4})_(\d{1,3})_([0-9a-f]{6})$/;

/** Lower-case hexadecimal digest from which all ids and times of an answer derive. */
export function digestOf(...texts: readonly string[]): string {
  let all = '';
  for (const text of texts) all += `${text.length}:${text}`;
  return hash('sha256', all, 'hex');
}

/** A time in the year 2025 in Unix seconds, derived from a digest. */
export function secondOf(digest: string): number {
  return FIRST_SECOND + (Number.parseInt(digest.slice(0, 8), 16) % SECONDS_A_YEAR);
}

/** The short form of a scenario's name in its tool call ids: 8 hexadecimal digits. */
export function scenarioTagOf(name: string): string {
  return digestOf(name).slice(0, 8);
}

/** An id for the items of an answer with reasoning, from a digest: its end follows from its start. */
export function reasonedIdOf(digest: string): string {
  const start = digest.slice(0, 40);
  return start + digestOf(start, 'reasoned').slice(0, 8);
}

/** Reports whether an id is one of `reasonedIdOf`. */
export function isReasonedId(id: string): boolean {
  return id.length === 48 && reasonedIdOf(id) === id;
}

/** Generates `<prefix><readable name>_<scenario tag>_<step>_<call>_<digest>`, at most 40 of `A-Z a-z 0-9 _ -`. */
export function generateCallId(
  prefix: string,
  name: string,
  position: Pick<GeneratedCallId, 'step' | 'call'>,
  digest: string,
): string {
  const tail = `_${scenarioTagOf(name)}_${position.step}_${position.call}_${digest.slice(0, 6)}`;
  const readable = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${prefix}${readable.slice(0, MAX_ID_LENGTH - prefix.length - tail.length)}${tail}`;
}

/** Parses a generated id; undefined for any other id. */
export function parseCallId(id: string): GeneratedCallId | undefined {
  const match = GENERATED.exec(id);
  if (match === null) return undefined;
  const [, scenarioTag = '', step, call, digest = ''] = match;
  return { scenarioTag, step: Number(step), call: Number(call), digest };
}
