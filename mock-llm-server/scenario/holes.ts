import type { JsonObject } from '../conversation/conversation.ts';
import { isJsonObject } from '../conversation/json.ts';
import type { ValueProblem } from './problems.ts';
import { escapeForJson, hasTemplate } from './templates.ts';

/** The lists of an answer that a hole can count in, from 1. */
const LISTS = ['text', 'reasoning', 'arguments', 'call_id'] as const;
type ListName = (typeof LISTS)[number];

/** The values of the holes in a native answer. */
export type HoleValues = Readonly<Record<ListName, readonly string[]>> & {
  readonly response_id?: string | undefined;
  /** The settings of the request that an answer repeats, by their names. */
  readonly echo?: JsonObject | undefined;
};

/** A hole of a native answer, or `{{{{` for literal braces. An echo is a whole JSON value. */
const HOLE = new RegExp(
  String.raw`\{\{\{\{|"\{\{echo ([a-z_]+)\}\}"|\{\{(${LISTS.join('|')}) ([1-9]\d{0,3})\}\}|\{\{response_id\}\}`,
  'g',
);

/** A native answer with the values of a reply in its holes. A hole without a value is empty. */
export function fillHoles(value: JsonObject, values: HoleValues): JsonObject {
  const json = JSON.stringify(value);
  if (!hasTemplate(json)) return value;
  const filled: unknown = JSON.parse(
    json.replace(HOLE, (hole, field?: string, list?: string, number?: string) => {
      if (hole === '{{{{') return '{{';
      if (field !== undefined) return JSON.stringify(values.echo?.[field] ?? null);
      const texts = LISTS.find((name) => name === list);
      return escapeForJson((texts === undefined ? values.response_id : values[texts][Number(number) - 1]) ?? '');
    }),
  );
  return isJsonObject(filled) ? filled : value;
}

const FIX = `write one of ${LISTS.map((name) => `{{${name} N}}`).join(', ')}, {{response_id}}, or {{{{ for literal braces`;

/** The strings and names of fields with braces, which are few: a native answer may hold pictures. */
function textsWithBraces(value: unknown): readonly string[] {
  if (typeof value === 'string') return hasTemplate(value) ? [value] : NONE;
  if (typeof value !== 'object' || value === null) return NONE;
  return Object.entries(value).flatMap(([key, item]) => [
    ...(hasTemplate(key) ? [key] : NONE),
    ...textsWithBraces(item),
  ]);
}

const NONE: readonly string[] = [];

/** The braces in a native answer that are no hole, and the holes that count beyond the answer. */
export function holeProblems(native: unknown, counts: Readonly<Record<ListName, number>>): readonly ValueProblem[] {
  const texts = textsWithBraces(native);
  if (texts.length === 0) return [];
  const json = JSON.stringify(texts);
  const beyond = [...json.matchAll(HOLE)].find(([, , list, number]) => {
    const name = LISTS.find((each) => each === list);
    return name !== undefined && Number(number) > counts[name];
  });
  const [wrong] = /\{\{[^"]{0,30}/.exec(json.replaceAll(HOLE, '')) ?? [];
  if (wrong !== undefined) return [{ path: [], reason: `${wrong} is not a value of a native answer`, fix: FIX }];
  if (beyond === undefined) return [];
  const [hole, , list] = beyond;
  const fix = 'count from 1, in the order of the answer';
  return [{ path: [], reason: `${hole} has no value: the answer has fewer of ${list}`, fix }];
}
