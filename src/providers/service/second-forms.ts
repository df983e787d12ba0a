import type { ModelRequest } from '../../agent/ports/language-model.ts';
import { plainWords } from '../http/error-words.ts';
import { isSystemMessage } from '../system-messages.ts';
import { NAMES_VALUES, nearestEffort } from './nearest-effort.ts';
import type { ServiceRules } from './service-rules.ts';
import { schemaFor } from './tool-schemas.ts';

/** A refusal that another form of the request meets. */
export interface SecondForm {
  readonly words: RegExp;
  /** The change of the rules; `undefined` if the request has nothing of the kind. */
  readonly change:
    | Partial<ServiceRules>
    | ((rules: ServiceRules, request: ModelRequest, error: string) => Partial<ServiceRules> | undefined);
  /** The change, for the user: the request is sent again … */
  readonly how: string | ((changed: Partial<ServiceRules>) => string);
}

const REFUSED =
  'unsupported|not (?:be )?(?:supported|permitted|allowed|accepted|recognized|pass)|unknown|unexpected|unrecognized|extra (?:inputs|fields)|extra_forbidden|forbidden|invalid|does not (?:support|accept|exist)|additional propert|can not be';

function refuses(subject: string): RegExp {
  return new RegExp(String.raw`(?:${subject})[\s\S]*(?:${REFUSED})|(?:${REFUSED})[\s\S]*(?:${subject})`, 'i');
}

/** The names of reasoning and of other state, in errors about requests. */
const STATE = String.raw`content and thinking|reasoning_content|reasoning_details|reasoning_text|reasoning_opaque|thinking_blocks|extra_content|provider_specific_fields|\.reasoning\b|'reasoning'|"reasoning"`;

/** The parameters of tools, in errors about requests. llama.cpp builds a grammar of them. */
const SCHEMA =
  /(?<!json_)schema|(?<!request |invalid |or more )parameters|function_declarations|\bgrammar\b|invalid function format/i;

/** The names of tools, in errors about requests. */
const TOOL_NAMES =
  /\b(?:tool|function) names?\b|\btools[.[]\d+\]?\.(?:\w+\.)?name\b|function_?declarations\[\d+\]\.name\b/i;

/** A name that every service accepts, unless it has reserved it. */
const PLAIN_NAME = /^[a-z]\w{0,63}$/i;

/** A call without its result or a result without its call, in errors about requests. None is sent, so a service has lost it. */
const PAIRS =
  /(?:tool_?use|tool_?call|tool.result)[^.]{0,160}(?:not found|without|must be followed|must have a corresponding)|(?:unexpected|orphan).{0,20}(?:tool_?use|tool_?call)|same number of function|number of function response|no tool (?:call|output) found|function call turn|role \W?tool\W? must|insufficient tool messages|tool_use\W{1,2} ids must be unique|toolresult blocks.{0,60}exceeds|enum modelinput/i;

/** The refusals that a second form meets, the most particular ones first. A form that was tried is not tried again. */
export const SECOND_FORMS: readonly SecondForm[] = [
  {
    words:
      /reasoning_(?:content|text)[^.]{0,80}(?:must be passed back|missing|required)|thinking[^.]{0,80}must be passed back|missing (?:reasoning_content|thinking block)|requires reasoning_content/i,
    // Some servers count an empty text as missing.
    change: ({ missingReasoning }) => ({
      missingReasoning: missingReasoning === undefined ? '' : ' ',
      returned: 'all',
    }),
    how: 'with reasoning in each answer',
  },
  {
    words:
      /encrypted.content.{0,60}(?:not supported|unsupported|not available)|include.{0,80}(?:not supported|unsupported|unknown|invalid)/i,
    change: { asksEncrypted: false, returned: [] },
    how: 'without encrypted reasoning',
  },
  {
    words: /missing a? ?["'`]?thought_?signature|thought_?signature["'`]? (?:is )?(?:missing|required)/i,
    change: { marksCalls: true },
    how: 'with marks in place of signatures',
  },
  {
    words:
      /encrypted.{0,30}content|invalid_encrypted|decrypted|\brs_\w+|duplicate item found|type 'reasoning'|enum modelinput|thought.?signature|thinking\.signature|signature.{0,60}(?:thinking|invalid|verif)|: request blocked\.?\)|(?:invalid|verif).{0,40}signature|(?:redacted_)?thinking.{0,20}blocks?.{0,80}(?:can not be modified|invalid|must|not)|can not contain ["']?thinking|reasoning item|input should be ["']text["'].{0,60}tool_result/i,
    change: (_rules, request) => (hasState(request) ? { returned: [] } : undefined),
    how: 'without the reasoning of earlier answers',
  },
  {
    words: NAMES_VALUES,
    change({ effort }, _request, error) {
      const nearest = nearestEffort(effort, plainWords(error));
      return nearest === undefined ? undefined : { effort: nearest };
    },
    how: ({ effort }) => `with the reasoning effort ${effort}, the nearest one that it names`,
  },
  {
    words: refuses(STATE),
    change: ({ missingReasoning }, request) =>
      missingReasoning !== undefined || hasState(request) ? { returned: [], missingReasoning: undefined } : undefined,
    how: 'without the reasoning of earlier answers',
  },
  {
    words:
      /max_tokens.{0,60}(?:not supported|unsupported|use ['"]?max_completion_tokens)|use ['"]?max_completion_tokens/i,
    change: { limitName: 'max_completion_tokens' },
    how: 'with max_completion_tokens',
  },
  { words: /max_\w*tokens.{0,20}limited/i, change: { limitName: 'left out' }, how: 'without a limit of the answer' },
  { words: refuses('max_output_tokens'), change: { limitName: 'left out' }, how: 'without a limit of the answer' },
  { words: refuses('max_completion_tokens'), change: { limitName: 'max_tokens' }, how: 'with max_tokens' },
  { words: /\btemperature\b/i, change: { sendsTemperature: false }, how: 'without llm.temperature' },
  {
    words:
      /verified to stream|['"]stream['"].{0,40}(?:does not support|not supported|unsupported)|\bstream(?:ing)?\b.{0,40}(?:not supported|unsupported|not available|not allowed)|tools? (?:use |calls? |calling )?(?:in|with) stream|does not support stream/i,
    change: { streams: false },
    how: 'for an answer in one piece',
  },
  {
    words: /single tool.?calls?|(?:multiple|parallel|more than one) (?:tool|function).?calls?/i,
    change: (_rules, { messages }) =>
      messages.some((message) => message.role === 'assistant' && message.toolCalls.length > 1)
        ? { parallelCalls: 'apart' }
        : undefined,
    how: 'with each call in an answer of its own',
  },
  { words: /cache_control|cached_?contents?\b/i, change: { marksCache: false }, how: 'without cache marks' },
  {
    words: /["']id["'] at ['"]contents|function_?(?:call|response)\.id\b/i,
    change: { sendsCallIds: false },
    how: 'without the ids of calls',
  },
  {
    words: /function_?response\.name|tool messages?.{0,40}\bname\b|name can not be empty/i,
    change: { namesResults: true },
    how: 'with the names of tools beside their results',
  },
  {
    words: /reasoning.?(?:generate_)?summar(?:y|ies)/i,
    change: { asksSummaries: false },
    how: 'without summaries of the reasoning',
  },
  {
    words: /tools?.{0,60}reasoning_effort|reasoning_effort.{0,20}to ['"]?none/i,
    change: { effort: 'none' },
    how: 'without reasoning',
  },
  {
    words:
      /reasoning.?(?:effort|max_tokens)|enable_thinking|\beffort (?:level|param)|reasoning\.(?:effort|summary)|\breasoning: extra|\blevel ["']\w+["'] not supported|output_config|include_?thoughts|thinking.{0,20}(?:budget|level|type|mode)|(?:not support|unknown|unrecognized|unsupported|not permitted).{0,60}["'. ]thinking\b|["']?thinking["']?:? (?:is not|extra)|["']think["']|\bthink value|\breasoning is not supported|expected ['"]?thinking['"]? or|parameter(?:\(s\))?:? ['"`]reasoning['"`]/i,
    change: { effort: 'left out' },
    how: 'without llm.reasoning_effort',
  },
  { words: /stream_options|include_usage/i, change: { asksUsage: false }, how: 'without stream_options' },
  {
    words: /tool.?call.?id|call_id|\bid\b.{0,40}(?:a-z|9 characters|length)/i,
    change: (_rules, _request, error) => ({ callIds: /\b9\b|nine/.test(error.replace(/0-9/g, '')) ? 'nine' : 'plain' }),
    how: 'with other ids of calls',
  },
  {
    words: PAIRS,
    change: (_rules, { messages }) => (messages.some(({ role }) => role === 'tool') ? { calls: 'text' } : undefined),
    how: 'with its calls and their results as text',
  },
  {
    words:
      /sequence, expected a string|can not unmarshal array into .{0,60}(?:content|of type string)|untagged enum \w*content|(?:unsupported types string and sequence|can only concatenate str)|content\b.{0,40}(?:must be|should be|expected|is not) (?:a |of type )?(?:valid )?'?str(?:ing)?/i,
    change: ({ neighbours }, request) =>
      neighbours === 'parts' && hasNeighbours(request) ? { neighbours: 'text' } : undefined,
    how: 'with the messages of the user joined to one text',
  },
  {
    words:
      /\bcontent(?:\.str)?(?![\w.[]).{0,60}(?:null|None|required|a string|string_type|valid string|at least one)|at least one content|missing .{0,20}content\.text|(?:null|None).{0,30}content|subscript null.*message\.content|NoneType|content\b.{0,20}<nil>/i,
    change: (_rules, request) => (hasEmptyContent(request) ? { emptyContent: 'blank' } : undefined),
    how: 'with a blank text beside the calls',
  },
  {
    words: /content.{0,60}(?:empty|non-empty|blank)|(?:empty|non-empty).{0,40}content|message.{0,40}must not be empty/i,
    change: (_rules, request) => (hasEmptyContent(request) ? { emptyContent: 'null' } : undefined),
    how: 'without a text beside the calls',
  },
  {
    words:
      /system (?:roles?|messages?|prompts?) (?:(?:is|are) )?(?:not |un)supported|does not support ['"]?system|role ['"]?system['"]? is not supported|unsupported role:? ['"]?system|(?:developer|system) instructions? (?:is|are) not (?:enabled|supported)|only user(?:,| and) assistant\b|(?<!(?:system|tool|developer)['"]?(?:\s?[|,]\s?| or )['"]?)user['"]?(?:\s?[|,]\s?| or )['"]?assistant\b['"]?(?!['"]?(?:\s?[|,]\s?| or )['"]?(?:system|tool|developer))/i,
    change: { instructions: 'user', files: 'user' },
    how: 'with the system text in the first message of the user',
  },
  {
    words:
      /alternat|result does not follow|after role|unexpected role|conversation blocks and tool|message.?order|last (?:role|message (?:must|should|has to))|assistant messages at the end|consecutive|role order|roles?\b.{0,40}(?:order|sequence|follow)/i,
    change: { order: 'bridged', files: 'user' },
    how: 'with alternating roles',
  },
  {
    // The word "system" alone does not count: an error about an overloaded system has it, too.
    words:
      /\b(?:system (?:messages?|prompts?|instructions?)|roles?\b.{0,12}(?:system|developer)|(?:system|developer)\W{0,3}roles?|template|jinja)\b|(["'])system\1|invalid chat setting/i,
    change: (_rules, { messages }) =>
      messages.some((message) => message.role === 'user' && isSystemMessage(message)) ? { files: 'user' } : undefined,
    how: 'with the named files in the messages of the user',
  },
  {
    words: /description.{0,60}(?:too long|exceed|maximum|at most|longer than)/i,
    change(_rules, { tools }, error) {
      const [, limit = '1024'] = /(?:maximum(?: length)?|at most|longer than|limit)\D{0,20}(\d+)/i.exec(error) ?? [];
      const isLonger = tools.some(({ description }) => description.length > Number(limit));
      return isLonger ? { maxDescription: Number(limit) } : undefined;
    },
    how: 'with shorter descriptions of tools',
  },
  {
    words: /tools?.{0,80}(?:\b128\b|too (?:many|long)|at most|maximum)|(?:too many|maximum.{0,30}) tools/i,
    change: (_rules, { tools }, error) => {
      const [, limit = '128'] = /(?:maximum(?: length)?|at most|limit(?: of| is)?)\D{0,20}(\d+)/i.exec(error) ?? [];
      return tools.length > Number(limit) ? { maxTools: Number(limit) } : undefined;
    },
    how: 'with fewer tools',
  },
  {
    words: /invalid (?:message )?role:? ["']?system/i,
    change: { instructions: 'user', files: 'user' },
    how: 'with the system text in the first message of the user',
  },
  {
    words: TOOL_NAMES,
    change({ renamedTools, refusedTools }, { tools }, error) {
      const offered = tools.map(({ name }) => name).filter((name) => !refusedTools.includes(name));
      const named = toolsIn(error, offered);
      const meant = named.length > 0 ? named : offered.filter((name) => !PLAIN_NAME.test(name));
      const others = meant.filter((name) => !renamedTools.includes(name));
      return others.length === 0 ? undefined : { renamedTools: [...renamedTools, ...others] };
    },
    how: ({ renamedTools = [] }) => `with other names for ${renamedTools.join(', ')}`,
  },
  {
    words: SCHEMA,
    change({ schema, refusedTools }, { tools }, error) {
      const offered = tools.filter(({ name }) => !refusedTools.includes(name));
      const [name] = toolsIn(
        error,
        offered.map((tool) => tool.name),
      );
      const isOther = offered.some((tool) => {
        const parameters = schemaFor(tool.parameters, 'bare');
        const isMeant = name === undefined || name === tool.name;
        return isMeant && JSON.stringify(parameters) !== JSON.stringify(schemaFor(tool.parameters, schema));
      });
      return schema !== 'bare' && isOther ? { schema: 'bare' } : undefined;
    },
    how: 'with only types, names and descriptions in the parameters of tools',
  },
  {
    words: SCHEMA,
    change({ refusedTools }, { tools }, error) {
      const names = tools.map(({ name }) => name).filter((name) => !refusedTools.includes(name));
      const [name] = toolsIn(error, names);
      return name === undefined ? undefined : { refusedTools: [...refusedTools, name] };
    },
    how: ({ refusedTools }) => `without the tool ${refusedTools?.at(-1)}, whose parameters it refuses`,
  },
  {
    words:
      /\((?:400|422): (?:param(?:eter)?s? (?:incorrect|error)|invalid param(?:eter)?s?)\W?\)|missing required .{0,20}parameter: ['"]messages/i,
    change: { asksUsage: false, sendsTemperature: false, effort: 'left out', marksCache: false }, // Xiaomi, Databricks
    how: 'without what it may not know',
  },
];

function hasState({ messages }: ModelRequest): boolean {
  return messages.some((message) => message.role === 'assistant' && message.providerState !== undefined);
}

function hasEmptyContent({ messages }: ModelRequest): boolean {
  return messages.some((message) => message.role === 'assistant' && message.content.trim() === '');
}

function hasNeighbours({ messages }: ModelRequest): boolean {
  return messages.some(({ role }, index) => role === 'user' && messages[index + 1]?.role === 'user');
}

/** The tools that an error names, or whose numbers in the list it has. */
function toolsIn(error: string, names: readonly string[]): readonly string[] {
  const words = new Set(error.split(/[^\w-]+/));
  const numbered = (pattern: RegExp): readonly string[] =>
    [...error.matchAll(pattern)].flatMap(([, number]) => names[Number(number)] ?? []);
  const found = [
    names.filter((name) => words.has(name)),
    numbered(/function_?declarations\[(\d+)/gi),
    numbered(/tools[.[](\d+)/gi),
  ];
  return found.find((each) => each.length > 0) ?? [];
}
