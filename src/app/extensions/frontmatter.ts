import { parse } from 'yaml';
import { messageOf, UsageError } from '../../agent/errors.ts';
import { escapeForTerminal } from '../../text/escape.ts';

/** A Markdown file with its fields. */
export interface MarkdownFile {
  /** The fields before the text; none if the file begins with its text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text, without line feeds around it. Hidden characters are visible, because a person could not have read them. */
  readonly body: string;
  /** The fields are not valid YAML, and were read with their values in quotes. */
  readonly repaired?: true;
}

const FRONTMATTER = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/u;

/**
 * Splits a Markdown file. Fields that are not valid YAML are read once more with their plain values of one line in quotes,
 * because an unquoted `: ` is the most frequent fault. Throws `UsageError` if they are not a mapping even then. Aliases
 * are not expanded.
 */
export function readMarkdown(text: string): MarkdownFile {
  const plain = text.replace(/^\ufeff/u, '').replaceAll(/\r\n?/gu, '\n');
  const [head = '', written = ''] = FRONTMATTER.exec(plain) ?? [];
  return { ...readFields(written), body: escapeForTerminal(plain.slice(head.length).trim()) };
}

function readFields(written: string): Pick<MarkdownFile, 'fields' | 'repaired'> {
  try {
    return { fields: parseFields(written) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    try {
      return { fields: parseFields(quoteValues(written)), repaired: true };
    } catch {
      throw new UsageError(`its fields are not valid YAML: ${messageOf(error).split('\n', 1).join('')}`);
    }
  }
}

/** Throws `UsageError` for fields that are not a mapping, and the error of the library for those that are not YAML. */
function parseFields(written: string): MarkdownFile['fields'] {
  // The library would print its warnings otherwise.
  const value: unknown = parse(written, { maxAliasCount: 0, logLevel: 'error' });
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError('its fields are not a list of "name: value"');
  }
  return { ...value };
}

/** A field with its value in one line, which no deeper line continues. */
const ONE_LINE = /^( *)([\w.-]+):[ \t]+(\S.*?)[ \t]*$(?!\n\1[ \t]+\S)/gmu;

/** An open list or mapping, or an anchor or alias alone: not a text that lacks its quotes. */
const NOT_PLAIN = /^(?:[[{][^\]}]*[\]}]?|[*&]\S*)$/u;

/** The fields with quotes around each value of one line that is not YAML by itself. */
function quoteValues(written: string): string {
  return written.replaceAll(ONE_LINE, (line, indent: string, name: string, value: string) => {
    if (NOT_PLAIN.test(value)) return line;
    try {
      parse(`${name}: ${value}`, { maxAliasCount: 0, logLevel: 'error' });
      return line;
    } catch {
      return `${indent}${name}: ${JSON.stringify(value)}`;
    }
  });
}

/** Maximum length of one line of text in a field, in characters. */
const MAX_LINE = 300;

/** One line of text in a field for people; `undefined` without one. */
export function lineOf(value: unknown, max: number = MAX_LINE): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return escapeForTerminal(value.trim().replaceAll(/\s+/gu, ' ')).slice(0, max);
}

/** The form of a name that a person types: no spaces, no marks of a shell, nothing invisible. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;

/** True for a name that an agent, a command or a directory of commands can have. */
export function isUsableName(name: string): boolean {
  return NAME.test(name);
}
