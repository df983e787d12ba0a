import type { ToolCallPart } from '../conversation/conversation.ts';
import { mapStrings } from '../conversation/json.ts';
import { countOf, cutText } from '../text.ts';
import type { ValueProblem } from './problems.ts';

/** Values for templates. All of them are texts of the request; no template runs code. */
export interface TemplateValues {
  /** Named groups of the trigger. */
  readonly match: Readonly<Record<string, string>>;
  readonly lastUser: string | undefined;
  /** Results of the current run in the order of their calls, or a call itself if it has none. */
  readonly toolResults: readonly (string | Pick<ToolCallPart, 'id' | 'name'>)[];
}

/** The request lacks a value that a template names. The message names it and the values that exist. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A template, or `{{{{` for literal braces. A template that is not closed ends with the text. */
const TEMPLATE = /\{\{\{\{|\{\{(?!\{)[\s\S]*?(?:\}\}|$)/g;

/** A template as read. Tool results are counted from 1. */
type Expression =
  | { readonly type: 'braces' }
  | { readonly type: 'match'; readonly name: string }
  | { readonly type: 'last_user' }
  | { readonly type: 'tool_result'; readonly number: number | 'last' }
  | { readonly type: 'error'; readonly reason: string; readonly fix: string };

const MAX_QUOTE = 40;
const KNOWN = '{{match.NAME}}, {{last_user}}, {{tool_result N}} and {{tool_result last}}';

function expressionsIn(text: string): Expression[] {
  return (text.match(TEMPLATE) ?? []).map(readExpression);
}

/** Names of the trigger groups in the templates of a text. */
export function groupsIn(text: string): string[] {
  return expressionsIn(text).flatMap((expression) => (expression.type === 'match' ? [expression.name] : []));
}

/** Numbers of the tool results in the templates of a text. */
export function resultsIn(text: string): (number | 'last')[] {
  return expressionsIn(text).flatMap((expression) => (expression.type === 'tool_result' ? [expression.number] : []));
}

/** Replaces templates by values, and `{{{{` by `{{`. Throws `TemplateError` for a value that is missing. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return hasTemplate(text) ? text.replace(TEMPLATE, (template) => readValue(readExpression(template), values)) : text;
}

/** As `fillTemplate`, in a JSON text: inside a string a value is escaped for it, elsewhere the value is JSON itself. */
export function fillJsonTemplate(text: string, values: TemplateValues): string {
  let inString = false;
  let end = 0;
  return text.replace(TEMPLATE, (template, offset: number) => {
    const quotes =
      text
        .slice(end, offset)
        .match(/\\[\s\S]|"/g)
        ?.filter((mark) => mark === '"') ?? [];
    inString = quotes.length % 2 === 0 ? inString : !inString;
    end = offset + template.length;
    const value = readValue(readExpression(template), values);
    return inString ? escapeForJson(value) : value;
  });
}

/** The text with `1` in place of each template, which is valid inside a JSON string and as a JSON value. */
export function withoutTemplates(text: string): string {
  return text.replace(TEMPLATE, '1');
}

/** Reports whether a text has a template. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{');
}

/** As `fillTemplate`, in every text of a JSON value, the names of fields included. */
export function fillTemplatesIn(value: unknown, values: TemplateValues): unknown {
  return mapStrings(value, (text) => fillTemplate(text, values));
}

/** A value escaped for the inside of a JSON string. */
export function escapeForJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function readExpression(template: string): Expression {
  if (template === '{{{{') return { type: 'braces' };
  if (!template.endsWith('}}')) {
    const reason = `the template at ${JSON.stringify(cutText(template, MAX_QUOTE))} is not closed with }}`;
    return { type: 'error', reason, fix: 'write {{{{ for literal braces' };
  }
  const inside = template.slice(2, -2).trim();
  if (inside === 'last_user') return { type: 'last_user' };
  const [, name] = /^match\.([A-Za-z_$][\w$]*)$/.exec(inside) ?? [];
  if (name !== undefined) return { type: 'match', name };
  const [, number] = /^tool_result\s+([1-9]\d{0,5}|last)$/.exec(inside) ?? [];
  if (number !== undefined) return { type: 'tool_result', number: number === 'last' ? 'last' : Number(number) };
  const nearest = suggestTemplate(inside);
  const fix =
    nearest === undefined
      ? `write one of ${KNOWN}, or {{{{ for literal braces`
      : `write ${nearest}, or {{{{ for literal braces`;
  const why = /^tool_result\s+0+$/.test(inside) ? ': results are counted from 1' : '';
  return { type: 'error', reason: `{{${inside}}} is not a template${why}`, fix };
}

/** Reads no other value than that of the expression, because values are computed when they are read. */
function readValue(expression: Expression, values: TemplateValues): string {
  switch (expression.type) {
    case 'braces':
      return '{{';
    case 'error':
      throw new TemplateError(`${expression.reason}; ${expression.fix}`);
    case 'last_user': {
      const { lastUser } = values;
      if (lastUser !== undefined) return lastUser;
      throw new TemplateError('{{last_user}} has no value: the current run has no text of the user');
    }
    case 'match': {
      const { match } = values;
      const value = Object.hasOwn(match, expression.name) ? match[expression.name] : undefined;
      if (value !== undefined) return value;
      const names = Object.keys(match).join(', ');
      const groups = names === '' ? 'no named groups in this request' : `the groups ${names}`;
      throw new TemplateError(`{{match.${expression.name}}} has no value: the trigger matched ${groups}`);
    }
    case 'tool_result': {
      const { number } = expression;
      const { toolResults } = values;
      const value = number === 'last' ? toolResults.findLast(isText) : toolResults[number - 1];
      if (isText(value)) return value;
      const reason =
        value === undefined
          ? `the current run has ${countOf(toolResults.filter(isText).length, 'result')}`
          : `the call ${value.id} to ${value.name} has no result`;
      throw new TemplateError(`{{tool_result ${number}}} has no value: ${reason}`);
    }
    default:
      return expression satisfies never;
  }
}

const isText = (value: unknown) => typeof value === 'string';

/** The syntax errors of all templates in a value, at their paths. */
export function templateProblems(value: unknown, path: readonly (string | number)[] = []): readonly ValueProblem[] {
  if (typeof value === 'string') {
    // Most strings have none, and some are pictures.
    if (!hasTemplate(value)) return NO_PROBLEMS;
    const error = expressionsIn(value).find(({ type }) => type === 'error');
    return error?.type === 'error' ? [{ path, reason: error.reason, fix: error.fix }] : NO_PROBLEMS;
  }
  if (typeof value !== 'object' || value === null) return NO_PROBLEMS;
  return Object.entries(value).flatMap(([key, item]) => {
    const field = [...path, Array.isArray(value) ? Number(key) : key];
    return [...templateProblems(key, field), ...templateProblems(item, field)];
  });
}

const NO_PROBLEMS: readonly ValueProblem[] = [];

/** Words that are written for `last_user`, without what stands between their letters. */
const LAST_USER = /^(?:the)?(?:last|latest)?(?:use?r?s?|prompt|input|message)(?:message|prompt|input|text)?$/i;

/** The template most likely meant by the text between its braces, as in `{{lastUser}}`; undefined if none is near. Pure. */
export function suggestTemplate(written: string): string | undefined {
  const [, word = '', number = ''] =
    /^(tool[_ -]?(?:results?|outputs?)|results?|outputs?)[^a-z0-9]*(\d+|first|last)?\W*$/i.exec(written) ?? [];
  if (word !== '') {
    // Results are counted from 1.
    const index = number.toLowerCase() === 'first' || /^0+$/.test(number) ? '1' : number.toLowerCase();
    return `{{tool_result ${index === '' ? 'last' : Number(index) || index}}}`;
  }
  const [, group] = /^(?:match(?:es)?|groups?)\W+([a-z_$][\w$]*)\W*$/i.exec(written) ?? [];
  if (group !== undefined) return `{{match.${group}}}`;
  return LAST_USER.test(written.replaceAll(/[^a-z]/gi, '')) ? '{{last_user}}' : undefined;
}
