import type { JsonObject } from '../../conversation/conversation.ts';
import { jsonType, tryJson } from '../../conversation/json.ts';
import { LLAMACPP_FORM } from '../answer-forms.ts';
import { refuseArguments, refuseMessage } from '../checks/chat-messages.ts';
import { isSet } from '../checks/fields.ts';
import { refuseItem } from '../checks/responses.ts';
import { forbidsCalls, functionsOf, refuseRepetitions, wrongChoiceWord } from '../checks/tools.ts';
import { LLAMACPP_VALUES } from '../forms/local.ts';
import { formRules } from '../forms/stated-form.ts';
import { listOf, objectOf, objectsOf, textOf } from '../raw.ts';
import type { Service } from '../service.ts';
import { rulesOf, rulesOver } from '../share-rules.ts';
import { faultOfParameters } from './llamacpp-schemas.ts';
import { templateRules } from './templates.ts';

const RESPONSES = ['openai-responses'] as const;
const EVERY_WIRE = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
const ofLlama = (name: string) => ({ source: `recording llamacpp-11434-scripted/${name}`, date: '2026-11-28' });
/** An error of llama.cpp beyond the request itself. */
const failed = (message: string) => ({ status: 500, message, errorType: 'server_error' });

/** The conversion of Messages and Responses into Chat Completions. */
const OF_CONVERSION = {
  source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-chat.cpp',
  date: '2026-11-30',
};

const OF_COMMON = {
  source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp',
  date: '2026-11-30',
};

const PARTS_OF_INPUT = ['input_text', 'input_image'];
const PARTS_OF_ANSWER = ['output_text', 'input_text', 'refusal'];

/** The error for a part of an item that the server does not read. */
function faultOfParts({ type, role, content, output }: JsonObject): string | undefined {
  const typesOf = (parts: unknown) => objectsOf(parts).map((part) => textOf(part['type']));
  if (type === 'function_call_output') {
    const isText = typesOf(output).every((one) => one === 'input_text');
    return isText ? undefined : "Output of tool call should be 'Input text'";
  }
  if (typeof role !== 'string') return undefined;
  const known = role === 'assistant' ? PARTS_OF_ANSWER : PARTS_OF_INPUT;
  const wrong = typesOf(content).find((one) => !known.includes(one));
  if (wrong === undefined) return undefined;
  if (role === 'assistant') return "'type' must be one of 'output_text' or 'refusal'";
  return wrong === 'input_file'
    ? "'input_file' is not supported by llamacpp at this moment"
    : "'type' must be one of 'input_text', 'input_image', or 'input_file'";
}

const EMPTY_INPUT =
  'attempting to parse an empty input; check that your input string or stream contains the expected JSON';
const BROKEN_INPUT = "syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal";
const MESSAGE_TEXTS = ['name', 'tool_call_id', 'reasoning_content'];

/** The words of the server's parser for a thing of another type than `function`, and for a field that is no text. */
function faultOf(what: string, typed: readonly JsonObject[], value: JsonObject, texts: readonly string[]) {
  const other = typed.find(({ type }) => type !== 'function');
  if (other !== undefined)
    return `${other['type'] === undefined ? 'Missing' : 'Unsupported'} ${what} type: ${JSON.stringify(other)}`;
  const found = texts.find((name) => name in value && typeof value[name] !== 'string');
  return found && `[json.exception.type_error.302] type must be string, but is ${jsonType(value[found])}`;
}

function lacksContent(message: JsonObject): string | undefined {
  if ('content' in message) return undefined;
  if (message['role'] !== 'assistant') return "All non-assistant messages must contain 'content'";
  return 'tool_calls' in message ? undefined : "Assistant message must contain either 'content' or 'tool_calls'!";
}

/** True for an item that is neither a message, a call, its output nor reasoning. */
function isUnknown({ type, role, content, name, call_id: id, arguments: text, output, summary }: JsonObject): boolean {
  if (typeof role === 'string') return !isSet(content) || !/^(?:user|system|developer|assistant)$/.test(role);
  if (type === 'function_call') return [id, name, text].some((value) => typeof value !== 'string');
  if (type === 'function_call_output') return typeof id !== 'string' || !isSet(output);
  return type !== 'reasoning' || !Array.isArray(summary);
}

/** llama-server of llama.cpp. */
export const llamacpp: Service = {
  name: 'llamacpp',
  title: 'llama.cpp',
  ignores: 'body',
  answers: LLAMACPP_FORM,
  rules: [
    ...rulesOf('llamacpp', {
      unread: {
        refuses:
          'a message without `content`, but for one with calls; a call or a tool of another type than `function`; null as `name`, `tool_call_id`, `reasoning_content` or the `description` of a tool',
        accepts: '`content: null`, `reasoning_content: ""`',
        source: 'https://github.com/ggml-org/llama.cpp/blob/master/common/chat.cpp',
        date: '2026-12-01',
        check: ({ body: { messages, tools } }) => {
          for (const message of objectsOf(messages)) {
            const lacks = lacksContent(message);
            if (lacks !== undefined) return { message: lacks };
            const fault = faultOf('tool call', objectsOf(message['tool_calls']), message, MESSAGE_TEXTS);
            if (fault !== undefined) return failed(`Failed to parse messages: ${fault}`);
          }
          for (const tool of objectsOf(tools)) {
            const fault = faultOf('tool', [tool], objectOf(tool['function']), ['description']);
            if (fault !== undefined)
              return failed(`Failed to parse tools: ${fault}; tools = ${JSON.stringify(tools, null, 2)}`);
          }
          return undefined;
        },
      },
      arguments: {
        refuses: 'arguments of a call that are not JSON',
        accepts: '`{}`',
        ...ofLlama('065-chat-history-args-not-json'),
        check: refuseArguments((text) =>
          tryJson(text) === undefined
            ? failed(
                `Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] parse error at line 1, column ${text.length + 1}: ${text === '' ? EMPTY_INPUT : BROKEN_INPUT}`,
              )
            : undefined,
        ),
      },
    }),
    ...formRules('llamacpp', LLAMACPP_VALUES, {
      shape: {
        refuses: 'a value of another type than the server reads: `temperature: "0.5"`, a tool without `function`',
        accepts: '`temperature: 0.5`, `{"type":"function","function":{…}}`',
        ...ofLlama('045-chat-temperature-string'),
      },
      range: {
        refuses: '`n` above 1, and numbers below a hard limit: `max_tokens: -2`, `n_keep: -2`, `repeat_last_n: -1` …',
        accepts: '`n: 1`; `max_tokens: -1`',
        ...ofLlama('056-chat-n-2'),
      },
    }),
    ...rulesOver('llamacpp', EVERY_WIRE, {
      option: {
        protocols: ['openai-chat'],
        refuses:
          'a `grammar` beside tools or a `json_schema`, and an unknown type of `response_format` or word as `tool_choice`',
        accepts: 'a `grammar` alone, `tool_choice: required`',
        source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp',
        date: '2026-11-30',
        check: (request) => {
          const { tools, grammar, json_schema: schema, response_format: format } = request.body;
          const wrong = wrongChoiceWord(request);
          if (wrong !== undefined) return { message: `Invalid tool_choice: ${wrong}` };
          const isGrammar = typeof grammar === 'string' && grammar !== '';
          if (isGrammar && isSet(schema)) return { message: 'Cannot use both json_schema and grammar' };
          if (isGrammar && listOf(tools).length > 0)
            return { message: 'Cannot use custom grammar constraints with tools.' };
          const { type } = objectOf(format);
          return type === undefined || ['text', 'json_object', 'json_schema'].includes(textOf(type))
            ? undefined
            : { message: `response_format type must be one of "text" or "json_object", but got: ${textOf(type)}` };
        },
      },
      'schema-type': {
        refuses:
          'a schema of a tool or of a format that the server does not read: an unknown type, `enum: []`, `properties: []`, `items: true`, a `$ref` that leads nowhere …',
        accepts: '`{"type":"object","properties":{}}`',
        ...ofLlama('037-chat-bad-tool-schema'),
        check: (request) => {
          const format = objectOf(objectOf(request.body['response_format'])['json_schema']);
          for (const { schema } of [...(forbidsCalls(request) ? [] : functionsOf(request)), format]) {
            const fault = faultOfParameters(schema);
            if (fault === undefined) continue;
            return {
              message: `Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at ${fault}`,
            };
          }
          return undefined;
        },
      },
      repetitions: {
        refuses:
          'a `minLength` above 2,000, a `minItems` above 2,001, or a `maxItems` of 2,000 or 2,001 without `minItems`, in a schema of a tool',
        accepts: 'every `maxLength`; the same with `tool_choice: none`',
        source: 'https://github.com/ggml-org/llama.cpp/pull/26613',
        date: '2026-08-05',
        check: refuseRepetitions((message) => ({ message })),
      },
    }),
    // The parser of calls is made from the template, so that its own errors count as those of the request.
    ...templateRules('llamacpp', (reason, name) =>
      name === 'user-query' || name === 'late-system'
        ? {
            message: `Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 85, column 32 in source:\n...first %}↵            {{- raise_exception('${reason.slice(0, 39)}...\n                                           ^\nError: Jinja Exception: ${reason}`,
          }
        : failed(`Jinja Exception: ${reason}`),
    ),
    ...rulesOf('llamacpp', {
      'two-answers-at-end': {
        refuses: 'two messages of the assistant at the end, or calls in the last one',
        accepts: 'one without calls, which the model continues',
        source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp',
        date: '2026-11-28',
        check: ({ body }) => {
          const [last, before] = objectsOf(body['messages']).toReversed();
          if (last?.['role'] !== 'assistant') return undefined;
          if (before?.['role'] === 'assistant')
            return { message: 'Cannot have 2 or more assistant messages at the end of the list.' };
          return objectsOf(last['tool_calls']).length > 0
            ? { message: 'Cannot continue an assistant message that contains tool calls.' }
            : undefined;
        },
      },
      'thinking-prefill': {
        models:
          /^(?!.*(?:instruct|coder)).*(?:qwen3|glm-(?:4\.[5-9]|5)|deepseek-r1|gpt-oss|kimi-k2-thinking|minimax-m2)/i,
        refuses: 'a last message of the assistant, with a model that thinks',
        accepts: 'the same with `chat_template_kwargs: {"enable_thinking":false}`',
        source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp',
        date: '2026-11-28',
        check: ({ body }) => {
          const isOff = objectOf(body['chat_template_kwargs'])['enable_thinking'] === false;
          return !isOff && objectsOf(body['messages']).at(-1)?.['role'] === 'assistant'
            ? { message: 'Assistant response prefill is incompatible with enable_thinking.' }
            : undefined;
        },
      },
      'untyped-answer': {
        protocols: RESPONSES,
        refuses: 'an answer of the assistant without `type: message` and parts',
        accepts: '`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"…"}]}`',
        ...ofLlama('113-resp-history-assistant-bare'),
        check: refuseItem(
          ({ type, role, content }) => role === 'assistant' && (type === undefined || typeof content === 'string'),
          () => ({ message: "Cannot determine type of 'item'" }),
        ),
      },
      'reasoning-content': {
        protocols: RESPONSES,
        refuses: 'reasoning without a list as `content`',
        accepts: 'reasoning with its text in `content`',
        ...ofLlama('115-resp-history-reasoning'),
        check: refuseItem(
          ({ type, content }) => type === 'reasoning' && !Array.isArray(content),
          () => ({ message: "item['content'] is not an array" }),
        ),
      },
      'part-type': {
        refuses: 'a part of another type than `text`, `image_url` and `input_audio`',
        accepts: '`text`',
        ...OF_COMMON,
        check: refuseMessage(
          ({ content }) =>
            objectsOf(content).some(({ type }) => !/^(?:text|image_url|input_audio)$/.test(textOf(type))),
          () => ({ message: 'unsupported content[].type' }),
        ),
      },
      logprobs: {
        refuses: '`logprobs` in a stream with tools, `top_logprobs` without `logprobs`',
        accepts: '`logprobs` without tools',
        ...OF_COMMON,
        check: ({ body: { logprobs, top_logprobs: top, tools, stream } }) => {
          if (logprobs !== true)
            return isSet(top) ? { message: 'top_logprobs requires logprobs to be set to true' } : undefined;
          return stream === true && objectsOf(tools).length > 0
            ? { message: 'logprobs is not supported with tools + stream' }
            : undefined;
        },
      },
      item: {
        protocols: RESPONSES,
        refuses: 'an item that is neither a message, a call, its output nor reasoning: `item_reference` …',
        accepts: '`function_call` with its `name`, `call_id` and `arguments`',
        ...OF_CONVERSION,
        check: refuseItem(isUnknown, () => ({ message: "Cannot determine type of 'item'" })),
      },
      'item-parts': {
        protocols: RESPONSES,
        refuses: 'a part of another type than `input_text` in an output, and parts that a message does not have',
        accepts: '`{"type":"input_text","text":"…"}`',
        ...OF_CONVERSION,
        check: refuseItem(
          (item) => faultOfParts(item) !== undefined,
          (_index, item) => ({ message: faultOfParts(item) ?? '' }),
        ),
      },
    }),
  ],
  encodeError: ({ status, message, errorType = 'invalid_request_error', fields }) => ({
    error: { code: status, message, type: errorType, ...fields },
  }),
  encodesEverywhere: true,
  // Answers that follow each other are joined in Responses, and parts have rules of their own there.
  turned: {
    protocols: ['openai-responses', 'anthropic-messages'],
    except: ['two-answers-at-end', 'part-type', 'logprobs', 'option', 'unread'],
  },
};
