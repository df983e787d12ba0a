import { parse } from 'yaml';
import { messageOf, UsageError } from '../../agent/errors.ts';
import { escapeForTerminal } from '../../text/escape.ts';

/** A Markdown file with its fields. */
export interface MarkdownFile {
  /** The fields before the text; none if the file begins with its text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text, without line feeds around it. Hidden characters are visible, because a person could not have read them. */
  readonly body: string;
}

const FRONTMATTER = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/u;

/** Splits a Markdown file. Throws `UsageError` if the fields are not a mapping in YAML. Aliases are not expanded. */
export function readMarkdown(text: string): MarkdownFile {
  const plain = text.replace(/^\ufeff/u, '').replaceAll('\r\n', '\n');
  const [head = '', written = ''] = FRONTMATTER.exec(plain) ?? [];
  return { fields: readFields(written), body: escapeForTerminal(plain.slice(head.length).trim()) };
}

function readFields(written: string): MarkdownFile['fields'] {
  let value: unknown;
  try {
    value = parse(written, { maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    throw new UsageError(`its fields are not valid YAML: ${messageOf(error).split('\n', 1).join('')}`);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError('its fields are not a list of "name: value"');
  }
  return { ...value };
}

/** Maximum length of one line of text in a field, in characters. */
const MAX_LINE = 300;

/** One line of text in a field for people; `undefined` without one. */
export function lineOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return escapeForTerminal(value.trim().replaceAll(/\s+/gu, ' ')).slice(0, MAX_LINE);
}

/** The form of a name that a person types: no spaces, no marks of a shell, nothing invisible. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;

/** True for a name that an agent, a command or a directory of commands can have. */
export function isUsableName(name: string): boolean {
  return NAME.test(name);
}
