import type { ParseError, ParseErrorCode } from 'jsonc-parser';
import type * as z from 'zod';
import { UsageError } from '../core/errors.ts';
import { conforms } from '../schema/conforms.ts';
import { suggest } from '../text/suggest.ts';
import { truncateText } from '../text/truncate.ts';
import type { ConfigKeys } from './keys.ts';

/** An unusable configuration. The message is for the user: it names the source, the problem and what to do next. */
export class ConfigError extends UsageError {
  override readonly name = 'ConfigError';
  /** Absolute path, `environment` or `command line`. */
  readonly source: string;

  constructor(source: string, problem: string) {
    super(`${source}: ${problem}`);
    this.source = source;
  }
}

/** The values that one source sets, by key name. */
export interface ConfigLayer {
  /** Absolute path, or `command line`. */
  readonly source: string;
  /** True when the user is its author; false for a file that comes with the code. */
  readonly trusted: boolean;
  readonly values: ReadonlyMap<string, unknown>;
  /** Ignored settings, one line each, for the user. */
  readonly warnings: readonly string[];
}

const MAX_VALUE_LENGTH = 60;

/** Reads the text of a configuration file. Throws `ConfigError` for invalid JSON and for values of a wrong type. */
export async function readLayer(
  keys: ConfigKeys,
  source: string,
  trusted: boolean,
  text: string,
): Promise<ConfigLayer> {
  const values = new Map<string, unknown>();
  const warnings: string[] = [];

  /** Sets only keys that the schema contains, so that no file can change a prototype. */
  const visit = async (value: unknown, path: readonly string[]): Promise<void> => {
    const name = path.join('.');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ConfigError(
        source,
        `${name === '' ? 'the file' : name} must be an object, but is ${describeValue(value)}.`,
      );
    }
    for (const [part, inner] of Object.entries(value)) {
      const full = [...path, part].join('.');
      const known = !part.includes('.');
      if (known && keys.sections.has(full)) await visit(inner, [...path, part]);
      else if (known && keys.byName.has(full)) values.set(full, await checkValue(keys, source, full, inner));
      else if (full === '$schema') continue;
      else if (full === 'llm.api_key') warnings.push(...rejectApiKey(source, trusted, inner));
      else warnings.push(unknownKey(keys, source, full));
    }
  };

  await visit(await parseJson(source, text), []);
  return { source, trusted, values, warnings };
}

/** Checks values by key name, such as those of the command line. Throws `ConfigError`. */
export async function layerOf(
  keys: ConfigKeys,
  source: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<ConfigLayer> {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) await checkValue(keys, source, name, value);
  return { source, trusted: true, values: new Map(entries), warnings: [] };
}

/** Parses the text of a file. Throws `ConfigError`. */
export async function parseJson(source: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(source, `invalid JSON${await describeJsonError(text)}. Correct it or remove the file.`);
  }
}

/** Position and reason of the first error in a text that is not JSON, without repeating the text. */
async function describeJsonError(text: string): Promise<string> {
  // Loaded on demand, because start-up should not wait for it.
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return '';
  const before = text.slice(0, first.offset).split('\n');
  const reason = JSON_PROBLEMS[printParseErrorCode(first.error)] ?? 'unexpected character';
  return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${reason}`;
}

/** Reasons by the names that `jsonc-parser` gives its error codes; all others are an unexpected character. */
const JSON_PROBLEMS: Readonly<Partial<Record<string, string>>> = {
  PropertyNameExpected: 'expected a property name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'the closing } is missing',
  CloseBracketExpected: 'the closing ] is missing',
  EndOfFileExpected: 'expected the end of the file',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfString: 'unterminated string',
  InvalidEscapeCharacter: 'invalid escape sequence',
  InvalidUnicode: 'invalid escape sequence',
} satisfies Partial<Record<keyof typeof ParseErrorCode, string>>;

/** The value as its schema gives it. Throws `ConfigError`. Only a value that looks wrong is left to zod, which explains it. */
async function checkValue(keys: ConfigKeys, source: string, name: string, value: unknown): Promise<unknown> {
  const key = keys.byName.get(name);
  if (key === undefined) throw new Error(`unknown configuration key ${name}`);
  if (key.values !== undefined && conforms(value, key.values)) return value;
  const { schemaOfKey } = await import('./describe-keys.ts');
  const parsed = schemaOfKey(await keys.loadSchema(), name).safeParse(value);
  if (parsed.success) return parsed.data;
  const isInside = parsed.error.issues.some(({ path, code }) => path.length > 0 || code === 'custom');
  const problem = isInside
    ? describeIssue(name, parsed.error)
    : `${name} must be ${key.type}, but is ${describeValue(value)}`;
  const advice = /"api_?key"/i.test(problem) ? ` ${API_KEY_ADVICE}` : '';
  throw new ConfigError(source, `${problem}.${advice}`);
}

/** Describes the first problem inside a value, with its path and without the value itself: `models.profiles[0].name: …`. */
export function describeIssue(name: string, error: z.ZodError): string {
  const [issue] = error.issues;
  const steps = (issue?.path ?? []).map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  // A key of a record is checked by itself, and its own problem says more.
  const [inner] = issue?.code === 'invalid_key' ? issue.issues : [];
  return `${`${name}${steps.join('')}`.replace(/^\./, '')}: ${inner?.message ?? issue?.message}`;
}

/** A warning about an API key in a file that is not trusted; throws `ConfigError` for a trusted file. */
function rejectApiKey(source: string, trusted: boolean, value: unknown): readonly string[] {
  if (value === null) return [];
  if (trusted) throw new ConfigError(source, `llm.api_key is not allowed. ${API_KEY_ADVICE}`);
  return [`${source}: llm.api_key is ignored. ${API_KEY_ADVICE}`];
}

const API_KEY_ADVICE =
  'API keys are not read from files. Remove it, put the key in an environment variable, and name the variable in api_key_variable.';

function unknownKey({ byName }: ConfigKeys, source: string, name: string): string {
  if (byName.has(name)) {
    return `${source}: ${JSON.stringify(name)} is ignored. Write it as nested objects instead of a dotted name.`;
  }
  const [nearest] = suggest(name, [...byName.keys()]);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `${source}: unknown key ${JSON.stringify(name)} is ignored.${hint}`;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return truncateText(JSON.stringify(value), MAX_VALUE_LENGTH);
}
