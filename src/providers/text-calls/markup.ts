import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { jsonOr } from '../../text/json/json.ts';
import { readLenientObject } from '../../text/json/lenient-json.ts';
import type { TextCall } from './call-text.ts';
import { fitsSchema, readParameter } from './fits-schema.ts';
import { keywordsAsJson, QUOTED } from './python-arguments.ts';

type Tools = ReadonlyMap<string, ToolDefinition>;

/** A call as its markup has it. `args` is a JSON text, or parameters with the text of each value. */
interface FoundCall {
  readonly name: string;
  readonly args: string | ReadonlyMap<string, string>;
}

/** Bars of special tokens: DeepSeek's are wide, and gateways replace, join, double or space them. */
const BARS = '\\s?[|｜\u2016]{1,2}\\s?';
/** The prefix of a tag of DeepSeek, or the namespace of another family. */
const PREFIX = `(?:${BARS}DSML${BARS}|\\w+:)?`;

/** Begins a call of gpt-oss from whose text a server has taken the tokens. */
const HARMONY = 'commentary to=functions.';

/** Begins each tag of MiniMax M3. */
const M3 = ']<]minimax[>[';

/** A tag that a text may name, with each of the beginnings of what stands in it. */
const framed = (tag: string): string[] => ['<', '{', '[', '\n', ' {', ' ['].map((next) => tag + next);

/**
 * The special tokens and tags with which models begin calls, by their families. An answer with one of them is not
 * finished: a server that knows the model would have read the calls. `*` stands for the namespace of a tag.
 */
export const MARKUP: readonly { readonly family: string; readonly opens: readonly string[] }[] = [
  { family: 'Kimi', opens: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'] },
  { family: 'Kimi K3', opens: ['<|open|>tools', '<|open|>call tool="'] },
  { family: 'DeepSeek', opens: ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'] },
  { family: 'Step', opens: ['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>'] },
  {
    family: 'DeepSeek, DSML',
    opens: ['｜', '|', '｜｜', '||', ' | ', '\u2016'].flatMap((bars) => [`<${bars}DSML`, `</${bars}DSML`]),
  },
  { family: 'Mistral', opens: ['[TOOL_CALLS]', '[TOOL_CALL]'] },
  { family: 'LM Studio', opens: ['[TOOL_REQUEST]'] },
  { family: 'names as elements', opens: ['<function>\n<name>', '<function><name>', '<function>\n  <name>'] },
  { family: 'Llama', opens: ['<|python_tag|>', '<|python_start|>'] },
  { family: 'a name in an element', opens: ['<tool_call>\n<function>', '<tool_call><function>'] },
  { family: 'Granite, Phi', opens: ['<|tool_call|>', '<|tool_calls|>', 'functools[{'] },
  { family: 'LongCat, Granite 20B', opens: ['<longcat_tool_call>', '<function_call>'].flatMap(framed) },
  { family: 'InternLM', opens: ['<|action_start|>'] },
  { family: 'LFM2', opens: ['<|tool_call_start|>'] },
  { family: 'gpt-oss', opens: ['<|channel|>commentary', '<|start|>assistant<|channel|>commentary', HARMONY] },
  { family: 'MiniMax M3', opens: [M3] },
  { family: 'Anthropic, Muse', opens: ['<invoke name="', '<*:invoke name="'] },
  { family: 'Anthropic, older', opens: ['<function_calls>', '<*:function_calls>'].flatMap(framed) },
  { family: 'MiniMax, Seed, Hunyuan, Jamba', opens: ['<*:tool_call>', '<tool_calls>'].flatMap(framed) },
  { family: 'Nemotron', opens: framed('<TOOLCALL>') },
  { family: 'a name as a parameter', opens: ['<tool_use>\n<parameter=', '<tool_use><parameter='] },
  { family: 'GLM', opens: ['<arg_key>'] },
  { family: 'Command A', opens: ['<|START_ACTION|>'] },
  { family: 'Apertus', opens: ['<|tools_prefix|>'] },
  { family: 'Gemma 4, FunctionGemma', opens: ['<|tool_call>', '<start_function_call>'] },
  { family: 'Gemini', opens: ['<call:default_api:'] },
  { family: 'Inkling', opens: ['<|content_invoke_tool_json|>', '<|content_invoke_tool_text|>'] },
];

/** Reads the calls of one or more families; none if the text has none of their form. */
type ReadMarkup = (text: string) => readonly FoundCall[];

const NAME = String.raw`(?:functions\.)?([\w-]+)(?::\d+)?`;
/** The end of a call, behind which no text stands: its sentence may only quote the call. */
const NO_TEXT = String.raw`(?=\s*(?:<|declaration:|$))`;

const ELEMENT = '<([\\w-]+)>([\\s\\S]*?)</\\1>';

const GEMINI = '(?:<call|declaration):default_api:';

const PARAMETER = '<parameter=([^>]+)>([\\s\\S]*?)</parameter>';

const readM3 = tags('<invoke name="([\\w-]+)"\\s*>', '</invoke>', ELEMENT);

const READERS: readonly ReadMarkup[] = [
  // Kimi, which may also write the id of its call as `functions_NAME_0`
  (text) =>
    pairs(
      String.raw`<\|tool_call_begin\|>\s*${NAME}\s*<\|tool_call_argument_begin\|>\s*(\{[\s\S]*?\})\s*<\|tool_call_end\|>${NO_TEXT}`,
    )(text.replace(/(?<=<\|tool_call_begin\|>\s*)functions_([\w-]+)_\d+(?=\s*<)/g, '$1')),
  // Kimi K3
  pairs(
    String.raw`<\|open\|>(?:tools)?call tool="${NAME}"[^<]*<\|sep\|>\s*<\|open\|>json[^<]*<\|sep\|>\s*(\{[\s\S]*?\})\s*<\|close\|>json<\|sep\|>\s*<\|close\|>call<\|sep\|>${NO_TEXT}`,
  ),
  tags(
    String.raw`<\|open\|>(?:tools)?call tool="${NAME}"[^<]*<\|sep\|>`,
    String.raw`<\|close\|>call<\|sep\|>`,
    String.raw`<\|open\|>argument key="([^"]+)"[^<]*<\|sep\|>([\s\S]*?)<\|close\|>argument<\|sep\|>`,
  ),
  // DeepSeek R1, V3 and V3.1, Step
  pairs(
    String.raw`<\uff5ctool[\u2581_]call[\u2581_]begin\uff5c>(?:function<\uff5ctool[\u2581_]sep\uff5c>)?${NAME}(?:<\uff5ctool[\u2581_]sep\uff5c>|\s*\n)\s*(?:\u0060{3}json\s*)?(\{[\s\S]*?\})\s*(?:\u0060{3}\s*)?<\uff5ctool[\u2581_]call[\u2581_]end\uff5c>${NO_TEXT}`,
  ),
  // Gemma 4, whose strings stand between tokens
  (text) =>
    pairs(
      String.raw`<(?:\|tool_call|start_function_call)>call:(?:[\w-]+:)*${NAME}(\{[\s\S]*?\})<(?:tool_call\||end_function_call)>${NO_TEXT}`,
    )(text.replace(/\(([^()]*)\)(?=<tool_call\|>)/g, '{$1}')),
  // Gemini, without quotes
  tags(
    `${GEMINI}([\\w-]+)\\{`,
    String.raw`\}\s*(?:/?>)?\s*(?=$|${GEMINI})`,
    String.raw`(\w+):((?:(?!,\s*\w+:)[\s\S])*)`,
    isBalanced,
  ),
  // Mistral, newer
  pairs(
    String.raw`\[TOOL_CALLS?\]\s*${NAME}(?:\[CALL_ID\][\w-]+)?(?:\[ARGS\])?\s*(\{[\s\S]*?\})\s*(?=\[TOOL_CALLS?\]|$)`,
  ),
  // gpt-oss
  pairs(String.raw`(?:<\|channel\|>)?commentary\s+to=${NAME}[^{]*?(?:<\|message\|>|json)\s*(\{[\s\S]*?\})\s*(?=<\||$)`),
  // Inkling
  pairs(String.raw`tool_json\|>\s*\{"name":\s*"${NAME}",\s*"args":\s*(\{[\s\S]*?\})\}<\|end_message\|>${NO_TEXT}`),
  // MiniMax M3
  (text) => (text.startsWith(M3) ? readM3(text.replaceAll(M3, '')) : []),
  // DeepSeek V3.2, MiniMax, Anthropic, Muse
  tags(
    `<${PREFIX}invoke name="([\\w-]+)"\\s*>`,
    `</${PREFIX}invoke>`,
    `<${PREFIX}param(?:eter)? name="([^"]+)"[^>]*>([\\s\\S]*?)</${PREFIX}param(?:eter)?>`,
  ),
  // Models that describe the call
  tags('<function>\\s*<name>([\\w-]+)</name>', '</function>', ELEMENT),
  pairs(String.raw`<function>\s*([\w-]+)\s*</function>\s*(\{[\s\S]*?\})\s*</tool_call>`),
  // Seed
  tags('<function=([\\w-]+)>', '</function>', PARAMETER),
  tags('<tool_use>\\s*<parameter=tool_name>([\\w-]+)</parameter>', '</tool_use>', PARAMETER),
  // GLM
  tags('<tool_call>\\s*([\\w-]+)', '</tool_call>', '<arg_key>([^<]+)</arg_key>\\s*<arg_value>([\\s\\S]*?)</arg_value>'),
  // Llama, Granite, Phi, Hunyuan, Jamba, InternLM, Nemotron, Command A, Apertus, Mistral, older, LM Studio
  readJson,
  // LFM2, Llama 4
  readPython,
];

/** A reader of a name and of the JSON object behind it. */
function pairs(pattern: string): ReadMarkup {
  return (text) => [...text.matchAll(new RegExp(pattern, 'g'))].map(([, name = '', args = '']) => ({ name, args }));
}

/**
 * A reader of calls with a tag for each parameter. A call with a text between them or behind it, or a value that fails
 * `isValue`, has no name: a value may be cut.
 */
function tags(open: string, close: string, parameter: string, isValue = (_text: string) => true): ReadMarkup {
  const pattern = new RegExp(`${open}([\\s\\S]*?)${close}(?:(${NO_TEXT})|)`, 'g');
  return (text) =>
    [...text.matchAll(pattern)].map(([, name = '', body = '', end]) => {
      const found = [...body.matchAll(new RegExp(parameter, 'g'))];
      const args = new Map(found.map(([, key = '', value = '']) => [key.trim(), value]));
      const isWhole = args.size === found.length && /^[\s,]*$/.test(body.replace(new RegExp(parameter, 'g'), ''));
      return { name: isWhole && end === '' && [...args.values()].every(isValue) ? name : '', args };
    });
}

/** Reports whether each brace of a text has its counterpart in it. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const brace of text.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The calls in JSON between the tokens of a family: objects, or lists of them. */
function readJson(text: string): readonly FoundCall[] {
  const bare = text.replace(STRING_OR_TOKEN, (_all, quoted = '\n') => quoted).trim();
  const value = jsonOr(undefined, bare) ?? jsonOr(undefined, `[${bare.replace(/\}\s*[;\n]\s*\{/g, '},{')}]`);
  return (Array.isArray(value) ? value : [value]).flatMap((call: unknown): FoundCall[] => {
    const { name, tool_name, arguments: args, parameters } = Object(call);
    const called: unknown = name ?? tool_name;
    if (typeof called === 'string') return [{ name: called, args: JSON.stringify(args ?? parameters ?? {}) }];
    // Apertus has the name as the key.
    const [[key, value] = [], ...others] = Object.entries(Object(call));
    return key === undefined || others.length > 0 ? [] : [{ name: key, args: JSON.stringify(value) }];
  });
}

const TOKENS = /<\|?\/?[\w:]+\|?>|\[(?:END_)?TOOL_(?:CALLS?|REQUEST)\]|^functools(?=\[)/;
const STRING_OR_TOKEN = new RegExp(String.raw`("(?:[^"\\]|\\[\s\S])*"?)|${TOKENS.source}`, 'g');
/** The next call of Python, behind what may stand ahead of it. */
const PYTHON_CALL = new RegExp(String.raw`(?:${TOKENS.source}|[\s,;[\]])*([\w.-]+)\(((?:[^()"']|${QUOTED})*)\)`, 'gy');
/** The end of a text behind its last call: tokens, and text behind them, but no other section with calls. */
const PYTHON_END = /^[\s\],;]*(?:(?!<\|(?:python_tag|python_start|tool_call_start))<\|?\/?[\w:]+\|?>[^<]*)*$/;
/** The calls between the tokens of a family that are written as those of Python: `[name(key="value")]`. */
function readPython(text: string): readonly FoundCall[] {
  const found = [...text.matchAll(PYTHON_CALL)];
  const length = found.reduce((sum, [call]) => sum + call.length, 0);
  if (!PYTHON_END.test(text.slice(length))) return [];
  return found.map(([, name = '', written = '']) => ({ name, args: keywordsAsJson(written) ?? '?' }));
}

/** The calls of a text that begins with markup; `undefined` if one of them cannot be read, or is no call of a tool. */
export function readMarkup(text: string, tools: Tools): readonly TextCall[] | undefined {
  for (const read of READERS) {
    const found = read(text);
    const calls = found.flatMap((call) => callOf(call, tools) ?? []);
    if (calls.length > 0 && calls.length === found.length) return calls;
  }
  return undefined;
}

function callOf({ name, args }: FoundCall, tools: Tools): TextCall | undefined {
  const tool = tools.get(name) ?? [...tools.values()].find((other) => lettersOf(other.name) === lettersOf(name));
  if (tool === undefined) return undefined;
  const value =
    typeof args === 'string'
      ? (jsonOr(undefined, args) ?? jsonOr(undefined, readLenientObject(args) ?? ''))
      : Object.fromEntries([...args].map(([key, text]) => [key, readParameter(text, tool.parameters, key) ?? text]));
  return fitsSchema(value, tool.parameters) ? { name: tool.name, arguments: JSON.stringify(value) } : undefined;
}

/** The letters of a name in lower case: models write `read_file` as in other agents, `readFile`. */
const lettersOf = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();
