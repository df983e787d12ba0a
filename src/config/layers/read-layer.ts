import { PERMISSION_LEVELS } from '../../agent/ports/approver.ts';
import { conforms, type JsonSchema } from '../../schema/conforms.ts';
import { didYouMean } from '../../text/suggest.ts';
import { truncateText } from '../../text/truncate.ts';
import { CONFIG_CHECKS } from '../checks.ts';
import { ConfigError, type Position, placeOf } from '../config-error.ts';
import { type ConfigKey, type ConfigKeys, suggestKey } from '../describe/keys.ts';
import { describeIssue } from './describe-issue.ts';
import { findPositions, findRepeatedName, type JsonPath, parseJson } from './json-text.ts';

/** The values that one source sets, by key name. */
export interface ConfigLayer {
  /** Absolute path, or `command line`. */
  readonly source: string;
  /** True when the user is its author; false for a file that comes with the code. */
  readonly trusted: boolean;
  readonly values: ReadonlyMap<string, unknown>;
  /** Origins of values that are more exact than `source`, by key name. */
  readonly origins?: ReadonlyMap<string, string>;
  /** Ignored settings, one line each, for the user. */
  readonly warnings: readonly string[];
  /** The problems of a file of a project that make it unusable once the project is trusted. */
  readonly error?: ConfigError;
}

const MAX_VALUE_LENGTH = 60;

/** A problem with a part of a file; `path` leads to the part, unless it has a position of its own. */
interface Problem {
  readonly path: JsonPath;
  readonly position?: Position;
  readonly text: string;
  /** The file cannot be used. */
  readonly isError: boolean;
}

/** The maximum number of lines about one file. */
const MAX_PROBLEMS = 10;

/**
 * Reads the text of a configuration file. Throws `ConfigError` for invalid JSON, and for values of a wrong type with all of
 * them; of a file that is not trusted, the other values count. Errors and warnings have the position of the key.
 */
export async function readLayer(
  keys: ConfigKeys,
  source: string,
  trusted: boolean,
  text: string,
): Promise<ConfigLayer> {
  const values = new Map<string, unknown>();
  const problems: Problem[] = [];

  /** Sets only keys that the schema contains, so that no file can change a prototype. */
  const visit = async (value: unknown, path: readonly string[]): Promise<void> => {
    const name = path.join('.');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const subject = name === '' ? 'the file' : name;
      problems.push({ path, text: `${subject} must be an object, but is ${describeValue(value)}.`, isError: true });
      return;
    }
    for (const [part, inner] of Object.entries(value)) {
      const full = [...path, part].join('.');
      const report = (message: string, isError = false, rest: JsonPath = []): void => {
        problems.push({ path: [...path, part, ...rest], text: message, isError });
      };
      const key = part.includes('.') ? undefined : keys.find(full);
      if (!part.includes('.') && keys.sections.has(full)) await visit(inner, [...path, part]);
      else if (full === '$schema' || (full === 'llm.api_key' && inner === null && !trusted)) continue;
      else if (key === undefined) report(unknownKey(keys, full));
      else if (full === 'llm.api_key' && inner !== null) report(apiKeyProblem(trusted), trusted);
      else if (isUnknownLevel(key, inner)) {
        values.set(full, 'ask_always');
        report(unknownLevel(full, inner));
      } else {
        const checked = await checkValue(keys, key, full, inner);
        if (checked.type === 'valid') values.set(full, checked.value);
        else report(checked.text, true, checked.path);
      }
    }
  };

  const parsed = await parseJson(source, text);
  await visit(parsed, []);
  problems.push(...(await wrongToolNames(keys, values)));
  const position = await findRepeatedName(text, parsed);
  if (position !== undefined) problems.push({ path: [], position, text: REPEATED, isError: false });
  if (problems.length === 0) return { source, trusted, values, warnings: [] };
  const positions = await findPositions(
    text,
    problems.map(({ path }) => path),
  );
  const placed = problems.map((problem, index) => ({ position: positions[index], ...problem }));
  const [first, ...further] = placed.filter(({ isError }) => isError);
  const rows = further.map(({ position, text }) => `${placeOf(source, position)}: ${text}`);
  const error = first && new ConfigError(source, first.text, first.position, limited(source, rows));
  if (trusted && error !== undefined) throw error;
  const warnings = placed.map(({ text, isError, position }) => {
    const warning = `${placeOf(source, position)}: ${text}`;
    return isError ? `${warning} ${IGNORED}` : warning;
  });
  if (trusted) return { source, trusted, values, warnings };
  return { source, trusted, values, warnings: limited(source, warnings), ...(error !== undefined && { error }) };
}

const REPEATED = 'this name is there twice, and only the last one counts. Remove one of the two.';

/** The first lines about problems of a file, and the number of the others. */
function limited(source: string, lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_PROBLEMS;
  return more <= 0 ? lines : [...lines.slice(0, MAX_PROBLEMS), `${placeOf(source)}: ${more} more problems.`];
}

/** The layer of a file of a project that cannot be read at all. */
export function unusableLayer(source: string, error: ConfigError): ConfigLayer {
  return { source, trusted: false, values: new Map(), warnings: [`${error.message} ${IGNORED}`], error };
}

const IGNORED = 'It is ignored, because the project is not trusted.';

/** Checks values by key name, such as those of the command line. Throws `ConfigError`. */
export async function layerOf(
  keys: ConfigKeys,
  source: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<ConfigLayer> {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    const key = keys.find(name);
    if (key === undefined) throw new Error(`unknown configuration key ${name}`);
    const checked = await checkValue(keys, key, name, value);
    if (checked.type === 'invalid') throw new ConfigError(source, checked.text);
  }
  return { source, trusted: true, values: new Map(entries), warnings: [] };
}

/** A value as its schema gives it, or the problem with it, whose path begins inside the value. */
export type CheckedValue =
  | { readonly type: 'valid'; readonly value: unknown }
  | { readonly type: 'invalid'; readonly text: string; readonly path: JsonPath };

/** Checks the value of the key with this name. Only a value that looks wrong is left to zod, which explains it. */
export async function checkValue(
  keys: ConfigKeys,
  key: ConfigKey,
  name: string,
  value: unknown,
): Promise<CheckedValue> {
  if (key.values !== undefined && conforms(value, key.values, CONFIG_CHECKS)) return checkRules(name, value);
  const { schemaOfKey } = await import('../describe/describe-keys.ts');
  const parsed = schemaOfKey(await keys.loadSchema(), name).safeParse(value);
  if (parsed.success) return { type: 'valid', value: parsed.data };
  const { issues } = parsed.error;
  const isInside = issues.some(({ path, code }) => path.length > 0 || code === 'custom');
  const problem = isInside
    ? describeIssue(name, parsed.error)
    : `${name} must be ${key.type}, but is ${describeValue(value)}`;
  const [first] = issues;
  const unknown = first?.code === 'unrecognized_keys' ? first.keys[0] : undefined;
  const hint = unknown === undefined ? '' : didYouMean(unknown, namesAt(key.values?.json, first?.path ?? []));
  const advice = /"api_?key"/i.test(problem) ? ` ${API_KEY_ADVICE}` : hint;
  const path = (issues[0]?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  return { type: 'invalid', text: `${problem}.${advice}`, path };
}

/** The names that an object can have at a path in the values of a schema. */
function namesAt(schema: JsonSchema | false | undefined, [step, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (schema === undefined || schema === false) return [];
  return [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {}, additionalProperties, items }) => {
    if (step === undefined) return Object.keys(properties);
    return namesAt(typeof step === 'number' ? items : (properties[String(step)] ?? additionalProperties), rest);
  });
}

/** A list of commands with its examples, which are checked. The parser of commands is only loaded for them. */
async function checkRules(name: string, value: unknown): Promise<CheckedValue> {
  const isAllowed = name === 'safety.allowed_commands';
  if (!Array.isArray(value) || (!isAllowed && name !== 'safety.blocked_commands')) return { type: 'valid', value };
  for (const [index, entry] of value.entries()) {
    if (typeof entry === 'string' && (!isAllowed || PLAIN_RULE.test(entry))) continue;
    const { findRuleProblem } = await import('../../policy/shell/rules/rule-examples.ts');
    const problem = findRuleProblem(
      isAllowed ? 'allowed' : 'blocked',
      typeof entry === 'string' ? { rule: entry } : entry,
    );
    if (problem === undefined) continue;
    const path = [index, ...(typeof entry === 'string' ? [] : problem.path)];
    return { type: 'invalid', text: `${name}[${index}]: ${problem.text}.`, path };
  }
  return { type: 'valid', value };
}

/** A rule that needs no parser. */
const PLAIN_RULE = /^(?:run_shell: )?[\w./-]+(?: [\w./-]+)*(?: \*)?$/;

function apiKeyProblem(trusted: boolean): string {
  return `llm.api_key is ${trusted ? 'not allowed' : 'ignored'}. ${API_KEY_ADVICE}`;
}

/** Advice for a user who has put an API key where none is read. */
export const API_KEY_ADVICE =
  'API keys are not read from files. Remove it, put the key in an environment variable, and name the variable in api_key_variable.';

/** A level of a newer version, or a misspelled one, is read as a strict level instead of ending ybs. */
function isUnknownLevel(key: ConfigKey | undefined, value: unknown): boolean {
  return key?.project === 'tighten' && typeof value === 'string' && !PERMISSION_LEVELS.some((level) => level === value);
}

function unknownLevel(name: string, value: unknown): string {
  const hint = didYouMean(String(value), PERMISSION_LEVELS);
  return `${name} has the unknown level ${describeValue(value)}, which is read as ask_always.${hint}`;
}

/**
 * The names of `safety.permissions` that look like the name of one of our tools. Other unknown names may be those of
 * external tools, which are found later.
 */
async function wrongToolNames(keys: ConfigKeys, values: ReadonlyMap<string, unknown>): Promise<readonly Problem[]> {
  const external = JSON.stringify(values.get('tools.external') ?? []);
  const problems: Problem[] = [];
  for (const name of values.keys()) {
    const path = name.split('.');
    const tool = path.at(-1) ?? '';
    if (keys.find(name)?.isEntry !== true || external.includes(`"name":${JSON.stringify(tool)}`)) continue;
    const meant = await keys.suggestTool(tool);
    if (meant === undefined) continue;
    problems.push({ path, text: toolNameProblem(name, meant), isError: false });
  }
  return problems;
}

/** Text about a key with a name that looks like that of our tool `meant`. */
export function toolNameProblem(key: string, meant: string): string {
  return `${key} names no tool of ybs. Did you mean ${meant}?`;
}

function unknownKey({ byName, sections }: ConfigKeys, name: string): string {
  if (byName.has(name)) {
    return `${JSON.stringify(name)} is ignored. Write it as nested objects instead of a dotted name.`;
  }
  const nearest = suggestKey(name, [
    ...sections,
    ...[...byName.values()].filter(({ isEntry }) => !isEntry).map((key) => key.name),
  ]);
  if (/(?:^|\.)api[_-]?key$/iu.test(name)) return `unknown key ${JSON.stringify(name)} is ignored. ${API_KEY_ADVICE}`;
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}? ybs config ${nearest} shows what is used.`;
  return `unknown key ${JSON.stringify(name)} is ignored.${hint}`;
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return truncateText(JSON.stringify(value), MAX_VALUE_LENGTH);
}
