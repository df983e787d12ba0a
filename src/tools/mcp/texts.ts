import type { ComputeDigest } from '../../agent/ports/digest.ts';
import { removeInvisible } from '../../text/escape.ts';
import { mapTexts, sortKeys } from '../../text/json/map-texts.ts';
import { takeStart } from '../../text/truncate.ts';
import { createOutputCleaner } from '../shell/shell-output.ts';

/** Removes escape sequences and invisible characters. All texts of servers pass through this function. */
export function cleanText(text: string, max: number = Number.POSITIVE_INFINITY): string {
  const cleaner = createOutputCleaner();
  const lines = text.replaceAll(/[\u2028\u2029]/g, '\n');
  const clean = removeInvisible(cleaner.push(lines) + cleaner.flush());
  return clean.length <= max ? clean : `${takeStart(clean, max - 1)}…`;
}

/** The same of one line. */
export function cleanLine(text: string, max: number): string {
  return cleanText(text.replaceAll(/\s+/gu, ' ').trim(), max);
}

/** JSON with cleaned strings and sorted keys, so that equal schemas are equal bytes. */
export function canonical<Value>(value: Value): Value {
  return sortKeys(mapTexts(value, (text) => cleanText(text)));
}

const MAX_NAME = 64;
const HASH = 8;

/**
 * The name of a tool for the model: `server__tool`, with a hash where it has to be changed. Names of servers have no `__`, so
 * two tools never share a name, whatever the order in which servers name them.
 */
export function toolName(server: string, tool: string, digest: ComputeDigest): string {
  const plain = `${server}__${tool}`;
  const safe = plain.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (safe === plain && safe.length <= MAX_NAME) return plain;
  const hash = digest(new TextEncoder().encode(plain)).slice(0, HASH);
  return `${safe.slice(0, MAX_NAME - HASH - 1)}_${hash}`;
}

/** A word of a command line for people, on one line. */
export const quoted = (word: string): string => (/^[\w./:=@%+-]+$/.test(word) ? word : JSON.stringify(word));
