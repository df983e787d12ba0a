import { parse } from 'yaml';
import { FileSystemError, messageOf, UsageError } from '../../agent/errors.ts';
import type { FileSystem } from '../../agent/ports/file-system.ts';
import { escapeForTerminal } from '../../text/escape.ts';
import { isJsonObject } from '../../text/json/json.ts';

export interface MarkdownFile {
  /** The fields before the text; none if the file begins with its text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The text, without line feeds around it. Hidden characters are visible, because a person could not have read them. */
  readonly body: string;
  /** The fault with which the fields were read all the same. */
  readonly fault?: string;
}

/** The text of a file of at most `max` bytes, which `check` gets first. Throws `UsageError`. */
export async function readTextFile(
  file: string,
  max: number,
  { fileSystem }: { readonly fileSystem: Pick<FileSystem, 'readFile'> },
  links: 'follow' | 'refuse' = 'follow',
  check: (bytes: Uint8Array) => void = () => {},
): Promise<string> {
  try {
    const { bytes, size } = await fileSystem.readFile(file, max, links);
    if (size > max) throw new UsageError(`it has more than ${max} bytes`);
    check(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof FileSystemError) throw new UsageError(`it cannot be read: ${error.reason}`);
    if (error instanceof TypeError) throw new UsageError('it is not text in UTF-8');
    throw error;
  }
}

/** Empty lines, the fence of a code block, and comments of the tools that wrote a file, before its fields. */
const FRONTMATTER =
  /^(?:\s|<!--(?:(?!-->)[\s\S])*-->|#.*\n|```\w*\n)*---[ \t]*\n(?:([\s\S]*?)\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)/u;

/** Fields without the line that ends them. */
const UNENDED = /^---[ \t]*\n((?:(?:[\w.-]+:|[ \t]+\S|- ).*(?:\n|$))+)/u;

/**
 * Splits a Markdown file. Fields that are not valid YAML are read once more with their plain values in quotes, because an
 * unquoted `: ` is the most frequent fault, with spaces for tabs, and with the last one of two equal names; then up to
 * the first line that is no field. Throws `UsageError` if they are not a mapping even then. Aliases are not expanded.
 */
export function readMarkdown(text: string): MarkdownFile {
  const plain = text.replace(/^[\ufeff\u200b\u2060]+/u, '').replaceAll(/\r\n?/gu, '\n');
  const [head = '', written = ''] = FRONTMATTER.exec(plain) ?? [];
  const bodyAfter = (before: string): string => escapeForTerminal(plain.slice(before.length).trim());
  const [start = '', unended = ''] = UNENDED.exec(plain) ?? [];
  const open = /^(?:name|description):/mu.test(unended) ? start : '';
  const readUnended = () => ({
    ...readFields(unended),
    body: bodyAfter(open),
    fault: 'its fields have no end line ---',
  });
  try {
    return head === '' && open !== '' ? readUnended() : { ...readFields(written), body: bodyAfter(head) };
  } catch (error) {
    if (open !== '') return readUnended();
    // A rule below a heading is a line of dashes, too.
    if (head.startsWith('---')) throw error;
    return { fields: {}, body: bodyAfter('') };
  }
}

function readFields(written: string): Pick<MarkdownFile, 'fields' | 'fault'> {
  try {
    const fields = parseFields(written);
    // Below its name, a description with one unquoted `: ` is a mapping.
    const other = isJsonObject(fields['description']) ? readQuoted(written) : undefined;
    return typeof other?.fields['description'] === 'string' ? other : { fields };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const other = readQuoted(written);
    if (other !== undefined) return other;
    throw new UsageError(`its fields are not valid YAML: ${messageOf(error).split('\n', 1).join('')}`);
  }
}

function readQuoted(written: string): Pick<MarkdownFile, 'fields' | 'fault'> | undefined {
  const fault = 'its fields are not valid YAML; put quotes around values such as those with ": "';
  try {
    return { fields: parseFields(quoteValues(written), { uniqueKeys: false }), fault };
  } catch {
    return undefined;
  }
}

/** Throws `UsageError` for fields that are not a mapping, and the error of the library for those that are not YAML. */
function parseFields(written: string, options: { readonly uniqueKeys?: boolean } = {}): MarkdownFile['fields'] {
  // The library would print its warnings otherwise.
  const value: unknown = parse(written, { maxAliasCount: 0, logLevel: 'error', ...options });
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError('its fields are not a list of "name: value"');
  }
  return { ...value };
}

/** A field with a value on its line, and the lines that continue it: deeper ones, or prose that is no field. */
const FIELD = /^( *)([\w.-]+):[ \t]+(\S.*(?:\n\1[ \t]+\S.*|\n(?![\w.-]+:)[\p{L}\p{N}].*)*)$/gmu;

/** An item of a list, on one line. */
const ITEM = /^( *- )(\S.*)$/gmu;

/** Comments of other languages. */
const COMMENT = /^(?:<!--.*-->|\/\/.*)$/gmu;

/** A list or mapping without its end, an anchor or alias alone, or a block of lines: not a text that lacks its quotes. */
const NOT_PLAIN = /^(?:[[{][^\]}]*|[*&]\S*|[|>][-+\d]*[ \t]*\n[\s\S]*)$/u;

/** The fields with spaces for tabs, and with quotes around each value that is not YAML by itself. */
function quoteValues(written: string): string {
  const spaced = written
    .replaceAll(COMMENT, '')
    .replace(/^description:\s*\n[ \t]+(?=\S)/mu, 'description: ')
    .replaceAll(/^[ \t\u00a0]+/gmu, (start) => start.replaceAll('\t', '  ').replaceAll('\u00a0', ' '));
  return spaced
    .replaceAll(FIELD, (field, indent: string, name: string, value: string) =>
      quoted(field, `${indent}${name}: `, value),
    )
    .replaceAll(ITEM, (item, start: string, value: string) => quoted(item, start, value));
}

/** A field or item, or its `start` with its value in quotes if it is not YAML by itself. */
function quoted(whole: string, start: string, value: string): string {
  if (NOT_PLAIN.test(value)) return whole;
  try {
    parse(`${start.trim()} ${value}`, { maxAliasCount: 0, logLevel: 'error' });
    return whole;
  } catch {
    return `${start}${JSON.stringify(value.trim().replaceAll(/\s*\n\s*/gu, ' '))}`;
  }
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
