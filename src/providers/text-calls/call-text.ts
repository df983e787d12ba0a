import type { JsonValue } from '../../agent/ports/json.ts';
import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { fitsSchema, readParameter } from './fits-schema.ts';
import { Characters, END, REJECTED, type Rule, readItems, readJson, readKey, readName } from './json-rules.ts';
import { keywordsAsJson, readKeywords } from './python-arguments.ts';

/** A call that a model wrote as text. `arguments` is a JSON object. */
export interface TextCall {
  readonly name: string;
  readonly arguments: string;
}

/** A text that is read one character at a time and may consist of calls. */
export interface CallReader {
  /** Reads the next character. False as soon as no continuation can make the text a sequence of calls. */
  push(char: string): boolean;
  /** Length of the text up to the end of its last complete call. */
  ended(): number;
  /** The calls; none when the text is not a sequence of complete calls. Ends the text. */
  end(): readonly TextCall[];
}

type Tools = ReadonlyMap<string, ToolDefinition>;
type Schema = ToolDefinition['parameters'];

/**
 * Recognizes a sequence of calls of `tools` in these forms, with white space between them and nothing else:
 *
 * - `<tool_call>` or `<tools>`, a JSON call or a function, and the end tag, which may be missing at the end
 * - `<function=NAME>`, arguments in JSON or as `<parameter=KEY>VALUE</parameter>`, `</function>`
 * - a JSON call, alone or in a fenced block without a language, or with `json`
 * - `<NAME>`, one or more `<KEY>VALUE</KEY>`, `</NAME>`
 * - `[Calling tool: NAME with arguments: {…}]`, or `NAME({…})` after the colon
 * - `NAME({…})` or `NAME(KEY=VALUE)`, also as `functions.NAME`, the name that tools have in the prompts of OpenAI's
 *   models, and `default_api.NAME`, the one in those of Google's, also within `print(…)`
 *
 * A JSON call is `{"name": NAME, "arguments": {…}}` (or `parameters`), or a list of them; functions may be in a list,
 * too. The name must be that of a tool, and the arguments must fit its schema. Only an answer that begins with it
 * (`isStart`) has the form of a function without `functions.`: behind other text it may be an example.
 */
export function readCallText(tools: Tools, isStart: boolean): CallReader {
  const calls: TextCall[] = [];
  const reader = { characters: new Characters(), tools, calls, isStart, ended: 0 };
  const reading = readCalls(reader);
  reading.next();
  return {
    push: (char) => reading.next(char).value !== REJECTED,
    ended: () => reader.ended,
    end: () => (reading.next(END).done === true ? calls : []),
  };
}

interface Reader {
  readonly characters: Characters;
  readonly tools: Tools;
  readonly calls: TextCall[];
  readonly isStart: boolean;
  readonly mayDefine?: boolean;
  ended: number;
}

/** The members of a JSON call; `parameters` is another name of `arguments`, except where it `mayDefine` a tool. */
const MEMBERS = new Set(['name', 'arguments', 'id', 'type']);
/** The tags around calls; some models take the one around the list of tools. */
const WRAPPERS = ['tool_call', 'tools'];
const FUNCTION = 'function=';
const PARAMETER_END = '</parameter>';
/** A tag within the value of a parameter after which the end of the value would be uncertain. */
const NESTED_TAG = /^<(parameter=|\/?function)/;

function* readCalls(reader: Reader): Rule {
  const { characters } = reader;
  yield* characters.next();
  while (characters.char !== END) {
    yield* readCall(reader);
    reader.ended = characters.position;
    yield* characters.space();
  }
}

function* readCall(reader: Reader): Rule {
  const { characters } = reader;
  if (characters.char === '`') return yield* readFence(reader);
  if (characters.char === '[') return yield* readList(reader, () => readListed(reader));
  if (characters.char === '{') return yield* readJsonCall(reader);
  if (/[a-z]/.test(characters.char)) return yield* readFunctionCall(reader);
  yield* characters.expect('<');
  // Qwen3-Coder may leave out the start of the tag around its function.
  if (characters.char === '/' && reader.calls.length > 0) return yield* characters.expect('/tool_call>');
  const tag = yield* readTag(reader, [...WRAPPERS, ...reader.tools.keys(), ...functionsOf(reader)]);
  if (tag.startsWith(FUNCTION)) return yield* readFunction(reader, tag);
  if (!WRAPPERS.includes(tag)) return yield* readOwnTag(reader, tag);
  yield* characters.space();
  if (characters.char === '<') {
    yield* characters.next();
    yield* readFunction(reader, yield* readTag(reader, functionsOf(reader)));
  } else yield* readJsonCalls({ ...reader, mayDefine: tag === 'tools' });
  // Granite may write more closing braces than opening ones.
  while (/^[}\s]$/.test(characters.char)) yield* characters.next();
  // A server may have taken the end of the tag for the end of the answer.
  if (characters.char !== END) yield* characters.expect(`</${tag}>`);
}

const functionsOf = ({ tools }: Reader): string[] => [...tools.keys()].map((name) => `${FUNCTION}${name}`);

/** Reads the rest of a tag, or another word before `end`, which must be one of `known`. */
function* readTag({ characters }: Reader, known: readonly string[], end = '>'): Rule<string> {
  const start = characters.position;
  while (characters.char !== end || !known.includes(characters.since(start))) {
    const tag = characters.since(start) + characters.char;
    yield* characters.require(known.some((name) => name.startsWith(tag)));
    yield* characters.next();
  }
  const tag = characters.since(start);
  yield* characters.next();
  return tag;
}

/** Reads a call in the form of a function, with an object or, as Granite writes it, with names before the values. */
function* readFunctionCall(reader: Reader): Rule {
  const { characters, tools, isStart } = reader;
  const names = [...tools.keys()].flatMap((name) => [
    `functions.${name}`,
    ...(isStart ? [name, `default_api.${name}`, `print(default_api.${name}`] : []),
  ]);
  const tag = yield* readTag(reader, names, '(');
  const name = tag.replace(/^(?:print\()?(?:functions|default_api)\./, '');
  const start = characters.position;
  if (characters.char === '{') yield* readJson(characters);
  else yield* readKeywords(characters);
  const written = characters.since(start);
  yield* addCall(reader, name, written.startsWith('{') ? written : (keywordsAsJson(written) ?? 'null'));
  yield* characters.expect(tag.includes('(') ? '))' : ')');
}

function* readList({ characters, calls }: Reader, item: () => Rule): Rule {
  const { length } = calls;
  yield* readItems(characters, ']', item);
  yield* characters.require(calls.length > length);
}

/** Reads a call in a list: in JSON, as a function, or as a sentence. */
function* readListed(reader: Reader): Rule {
  const { characters } = reader;
  if (characters.char === '{') return yield* readJsonCall(reader);
  yield* /[a-z]/.test(characters.char) ? readFunctionCall(reader) : readSentence(reader);
}

function* readSentence(reader: Reader): Rule {
  const { characters } = reader;
  yield* characters.expect('Calling tool: ');
  const name = yield* readName(characters, ' (');
  const isCall = characters.char === '{';
  if (!isCall) yield* characters.expect('with arguments: ');
  const start = characters.position;
  yield* characters.require(characters.char === '{');
  yield* readJson(characters);
  yield* addCall(reader, name, characters.since(start));
  if (isCall) yield* characters.expect(')');
}

/** Reads a call within a tag that has the name of its tool, after that tag. */
function* readOwnTag(reader: Reader, name: string): Rule {
  const { characters, tools } = reader;
  const parameters = { ...tools.get(name)?.parameters };
  const values = new Map<string, JsonValue>();
  yield* characters.space();
  yield* characters.expect('<');
  do {
    const key = yield* readName(characters);
    const text = yield* readParameterText(characters, `</${key}>`);
    // Such text could belong to either parameter.
    const others = Object.keys(Object(parameters['properties'])).filter((other) => other !== key && !values.has(other));
    yield* characters.require(!others.some((other) => text.includes(`<${other}>`)));
    yield* addParameter(characters, parameters, values, [key, text]);
    yield* characters.space();
    yield* characters.expect('<');
  } while (characters.char !== '/');
  yield* characters.expect(`/${name}>`);
  yield* addCall(reader, name, JSON.stringify(Object.fromEntries(values)));
}

function* readFence(reader: Reader): Rule {
  const { characters } = reader;
  yield* characters.expect('```');
  if (characters.char === 'j') yield* characters.expect('json');
  while (/^[ \t\r]$/.test(characters.char)) yield* characters.next();
  yield* characters.expect('\n');
  yield* characters.space();
  yield* readJsonCalls(reader);
  yield* characters.space();
  yield* characters.expect('```');
  yield* characters.require(/^\s?$/.test(characters.char));
}

function* readJsonCalls(reader: Reader): Rule {
  const { characters } = reader;
  if (characters.char === '[') return yield* readList(reader, () => readJsonCall(reader));
  yield* readJsonCall(reader);
}

function* readJsonCall(reader: Reader): Rule {
  const { characters } = reader;
  const members = new Map<string, string>();
  yield* characters.require(characters.char === '{');
  yield* readItems(characters, '}', () => readCallMember(reader, members));
  yield* addCall(reader, JSON.parse(members.get('name') ?? 'null'), members.get('arguments') ?? 'null');
}

function* readCallMember({ characters, tools, mayDefine }: Reader, members: Map<string, string>): Rule {
  const key = String(JSON.parse(yield* readKey(characters)));
  const member = key === 'parameters' && mayDefine !== true ? 'arguments' : key;
  yield* characters.require(MEMBERS.has(member) && !members.has(member));
  yield* characters.require(characters.char === (member === 'arguments' ? '{' : '"'));
  const start = characters.position;
  yield* readJson(characters);
  const value = characters.since(start);
  yield* characters.require(member !== 'name' || tools.has(JSON.parse(value)));
  members.set(member, value);
}

function* readFunction(reader: Reader, tag: string): Rule {
  const { characters, tools } = reader;
  const name = tag.slice(FUNCTION.length);
  const parameters = { ...tools.get(name)?.parameters };
  yield* characters.space();
  const start = characters.position;
  let args: string;
  if (characters.char === '{') {
    yield* readJson(characters);
    args = characters.since(start);
    yield* characters.space();
    yield* characters.expect('<');
  } else args = JSON.stringify(Object.fromEntries(yield* readParameters(characters, parameters)));
  yield* characters.expect('/function>');
  yield* addCall(reader, name, args);
}

/** Reads parameters and the `<` after the last one. */
function* readParameters(characters: Characters, parameters: Schema): Rule<Map<string, JsonValue>> {
  const values = new Map<string, JsonValue>();
  yield* characters.expect('<');
  while (characters.char === 'p') {
    yield* characters.expect('parameter=');
    const key = yield* readName(characters);
    const text = yield* readParameterText(characters, PARAMETER_END, NESTED_TAG);
    yield* addParameter(characters, parameters, values, [key, text]);
    yield* characters.space();
    yield* characters.expect('<');
  }
  return values;
}

function* addParameter(
  characters: Characters,
  parameters: Schema,
  values: Map<string, JsonValue>,
  [key, text]: readonly [key: string, text: string],
): Rule {
  const value = readParameter(text, parameters, key);
  if (value === undefined || values.has(key)) yield* characters.reject();
  else values.set(key, value);
}

/**
 * Reads the text of a parameter and its end tag, without the tags that `nested` matches. A line break at the start and
 * one at the end belong to the tags.
 */
function* readParameterText(characters: Characters, close: string, nested?: RegExp): Rule<string> {
  const start = characters.position;
  let tag = '';
  while (tag !== close) {
    yield* characters.require(characters.char !== END);
    if (characters.char === '<') tag = '';
    if (tag.length < close.length) tag += characters.char;
    yield* characters.require(nested?.test(tag) !== true);
    yield* characters.next();
  }
  return characters
    .since(start)
    .slice(0, -close.length)
    .replace(/^\n|\n$/g, '');
}

function* addCall({ characters, tools, calls }: Reader, name: unknown, args: string): Rule {
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  if (tool !== undefined && fitsSchema(JSON.parse(args), tool.parameters)) {
    calls.push({ name: tool.name, arguments: args });
  } else yield* characters.reject();
}
