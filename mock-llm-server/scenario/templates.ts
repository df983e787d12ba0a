import * as z from 'zod';
import { countOf, cutText } from '../text.ts';
import { problemText } from './problems.ts';

/** What templates may name. Everything is text of the request; nothing is ever run. */
export interface TemplateValues {
  /** Named groups of the trigger. */
  readonly match: Readonly<Record<string, string>>;
  /** The last text of the user. */
  readonly lastUser: string | undefined;
  /** The tool results of the current run, in the order of their calls; a call that has none stands for itself. */
  readonly toolResults: readonly (string | UnansweredCall)[];
}

/** A tool call whose result is not there. */
export interface UnansweredCall {
  readonly id: string;
  readonly name: string;
}

/** A value that a template names is not in the request. The message says which, and what there is. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

type Expression =
  | { readonly type: 'match'; readonly name: string }
  | { readonly type: 'last_user' }
  /** Counted from 1. */
  | { readonly type: 'tool_result'; readonly number: number | 'last' };

type Piece = { readonly type: 'text'; readonly text: string } | Expression;

/** More of a text is not shown. */
const MAX_QUOTE = 40;
const KNOWN = '{{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}';

/** Why a text is no sound template. */
export interface TemplateFault {
  readonly type: 'fault';
  readonly reason: string;
  /** What to write instead. */
  readonly fix: string;
}

/** Why a text is no sound template, or nothing. Pure. */
export function findTemplateFault(text: string): TemplateFault | undefined {
  const pieces = readPieces(text);
  return 'type' in pieces ? pieces : undefined;
}

/** The names of trigger groups that a text needs. */
export function groupsIn(text: string): string[] {
  const pieces = readPieces(text);
  if ('type' in pieces) return [];
  return pieces.flatMap((piece) => (piece.type === 'match' ? [piece.name] : []));
}

/** The numbers of the tool results that a text needs. */
export function resultsIn(text: string): (number | 'last')[] {
  const pieces = readPieces(text);
  if ('type' in pieces) return [];
  return pieces.flatMap((piece) => (piece.type === 'tool_result' ? [piece.number] : []));
}

/**
 * Puts values in the place of templates. `encode` is applied to every value; `{{{{` becomes `{{`. Throws
 * `TemplateError` for a value that the request does not have.
 */
export function fillTemplate(
  text: string,
  values: TemplateValues,
  encode: (value: string) => string = (value) => value,
): string {
  if (!text.includes('{{')) return text;
  const pieces = readPieces(text);
  if ('type' in pieces) throw new TemplateError(`${pieces.reason}; ${pieces.fix}`);
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : encode(readValue(piece, values)))).join('');
}

/** As `fillTemplate`, in every text of a JSON value; keys stay as they are. */
export function fillTemplatesIn(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillTemplate(value, values);
  if (Array.isArray(value)) return value.map((item) => fillTemplatesIn(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplatesIn(item, values)]));
}

/** How a value looks inside the quotes of a JSON text. */
export function escapeForJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** A run of braces is read from its start: four are two literal ones, two open a template, a single one is itself. */
function readPieces(text: string): readonly Piece[] | TemplateFault {
  const pieces: Piece[] = [];
  let position = 0;
  while (position < text.length) {
    const start = text.indexOf('{{', position);
    if (start === -1) break;
    const braces = /^\{+/.exec(text.slice(start))?.[0].length ?? 0;
    const literal = '{'.repeat(Math.floor(braces / 4) * 2 + (braces % 2));
    pieces.push({ type: 'text', text: text.slice(position, start) + literal });
    position = start + braces;
    if (braces % 4 < 2) continue;
    const end = text.indexOf('}}', position);
    if (end === -1) {
      const reason = `the template at ${JSON.stringify(cutText(text.slice(start), MAX_QUOTE))} is not closed with }}`;
      return { type: 'fault', reason, fix: 'write {{{{ for literal braces' };
    }
    const inside = text.slice(position, end).trim();
    const expression = readExpression(inside);
    if (expression === undefined) {
      const fix = `there are ${KNOWN}; write {{{{ for literal braces`;
      return { type: 'fault', reason: `{{${inside}}} is no template`, fix };
    }
    pieces.push(expression);
    position = end + 2;
  }
  return [...pieces, { type: 'text', text: text.slice(position) }];
}

function readExpression(inside: string): Expression | undefined {
  if (inside === 'last_user') return { type: 'last_user' };
  const [, name] = /^match\.([A-Za-z_$][\w$]*)$/.exec(inside) ?? [];
  if (name !== undefined) return { type: 'match', name };
  const [, number] = /^tool_result\s+([1-9]\d{0,5}|last)$/.exec(inside) ?? [];
  if (number === undefined) return undefined;
  return { type: 'tool_result', number: number === 'last' ? 'last' : Number(number) };
}

function readValue(expression: Expression, { match, lastUser, toolResults }: TemplateValues): string {
  switch (expression.type) {
    case 'last_user':
      if (lastUser !== undefined) return lastUser;
      throw new TemplateError('{{last_user}} has no value: the request has no text of the user in the current run');
    case 'match': {
      const value = Object.hasOwn(match, expression.name) ? match[expression.name] : undefined;
      if (value !== undefined) return value;
      const names = Object.keys(match).join(', ');
      const known = names === '' ? 'the trigger matched no named groups in this request' : `there are ${names}`;
      throw new TemplateError(`{{match.${expression.name}}} has no value: ${known}`);
    }
    case 'tool_result': {
      const { number } = expression;
      const value = number === 'last' ? toolResults.findLast(isText) : toolResults[number - 1];
      if (isText(value)) return value;
      if (value !== undefined) {
        throw new TemplateError(
          `{{tool_result ${number}}} has no value: the call ${value.id} to ${value.name} has no result`,
        );
      }
      const count = toolResults.filter(isText).length;
      throw new TemplateError(
        `{{tool_result ${number}}} has no value: the current run has ${countOf(count, 'result')}`,
      );
    }
    default:
      return expression satisfies never;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A text that may hold templates; they must be well-formed. */
export const TemplateText = z.string().superRefine((text, context) => {
  const fault = findTemplateFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: problemText(fault.reason, fault.fix) });
});

/** A JSON value whose texts may hold templates. Every fault is reported at its place. */
export const TemplateJson = z.json().superRefine((value, context) => {
  for (const { path, message } of faultsIn(value, [])) context.addIssue({ code: 'custom', path: [...path], message });
});

interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function faultsIn(value: unknown, path: readonly (string | number)[]): Fault[] {
  if (typeof value === 'string') {
    const fault = findTemplateFault(value);
    return fault === undefined ? [] : [{ path, message: problemText(fault.reason, fault.fix) }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => faultsIn(item, [...path, key]));
}
