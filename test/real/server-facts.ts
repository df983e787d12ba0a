import type { Wire } from '../../src/providers/wires.ts';

/** A fact about a server, because of which a check cannot pass with it, whatever ybs does. */
export interface ServerFact {
  readonly number: number;
  readonly server: string;
  readonly version: string;
  /** The day on which it was seen. */
  readonly date: string;
  readonly fact: string;
  /** The checks, or the stories, that fail because of it, and how their failure then reads. Another failure counts. */
  readonly seen: readonly { readonly checks: readonly string[]; readonly as: RegExp }[];
  readonly wires?: readonly Wire[];
  /** The servers behind this gateway for which it holds; each one if absent. */
  readonly behind?: readonly string[];
}

const LLAMA_CPP = { server: 'llama.cpp', version: '11434' } as const;
const OLLAMA = { server: 'ollama', version: '0.17.4' } as const;
const LITELLM = { server: 'litellm', version: '1.108.7' } as const;
const VLLM = { server: 'vllm', version: '0.32.0' } as const;

/** The known facts. Each is stated in a check that fails for its reason; a check that passes needs none. */
export const SERVER_FACTS: readonly ServerFact[] = [
  {
    number: 1,
    ...LLAMA_CPP,
    date: '2026-11-28',
    fact: 'A grammar admits only calls of tools that are offered, so that a call of another tool is an error of the server.',
    seen: [
      {
        checks: ['an unknown tool', 'unknown-tool-name', 'hello-world', 'agent-for-a-review'],
        as: /Unexpected empty grammar stack/,
      },
    ],
  },
  {
    number: 2,
    ...LLAMA_CPP,
    date: '2026-11-28',
    fact: 'A grammar admits only arguments that are JSON, so that the next best token replaces one that breaks them.',
    seen: [
      { checks: ['broken arguments'], as: /^the call ran$/ },
      {
        checks: ['arguments-cut-by-length'],
        as: /^answer 1: .*"name":"write_file".*"finish":"(?:tool_calls|stop)"\} – the mock: .*"finish":"length"/,
      },
      // Behind a gateway, its end is not shown.
      { checks: ['arguments-cut-by-length'], as: /^answer 1: .*Release notes(?:\\\\n)+- (?!free shi).* – the mock: / },
    ],
  },
  {
    number: 3,
    ...OLLAMA,
    date: '2026-11-28',
    fact: 'The parser leaves calls of tools that are not offered out of the answer, which may then be empty.',
    seen: [
      { checks: ['an unknown tool'], as: /^The model sent an empty answer/ },
      {
        checks: ['unknown-tool-name', 'hello-world', 'agent-for-a-review'],
        as: /^answer \d: [^–]*"calls":\[\],"finish":"stop"\} – the mock: [^–]*"calls":\[\{/,
      },
    ],
  },
  {
    number: 4,
    ...OLLAMA,
    date: '2026-11-28',
    fact: 'The parser leaves a call whose arguments are broken out of the answer, which is then empty.',
    seen: [
      { checks: ['broken arguments'], as: /^there was no answer: The model sent an empty answer/ },
      { checks: ['arguments-cut-by-length'], as: /^answer 1: [^–]*"calls":\[\][^–]* – the mock: .*"finish":"length"/ },
      // The mock as Ollama leaves it out, too, so that the story cannot be played.
      { checks: ['arguments-cut-by-length'], as: /^it fails in the mock: .*got limit: The answer was cut/ },
    ],
  },
  {
    number: 5,
    ...LLAMA_CPP,
    date: '2026-11-29',
    fact: 'The filter `lower` of the template engine changes the letters A to Z only.',
    seen: [{ checks: ['the prompt "KÖCHE ZWETSCHGEN"'], as: /^I'm a mock server\./ }],
  },
  {
    number: 6,
    ...LLAMA_CPP,
    date: '2026-11-29',
    fact: 'A text that begins with `<think>` is reasoning up to `</think>`.',
    seen: [
      {
        checks: ['thinking-tags-split-over-chunks'],
        as: /^answer 1: \{"content":"I read it first\.","reasoning":"Icould/,
      },
    ],
  },
  {
    number: 7,
    ...LLAMA_CPP,
    date: '2026-11-29',
    fact: 'The parser of the markup llama3 reads one call in an answer; several are an error of the server.',
    seen: [{ checks: ['the markup llama3'], as: /^open two files\n[\s\S]*expected peg-native format/ }],
  },
  {
    number: 8,
    ...OLLAMA,
    date: '2026-11-29',
    fact: 'The template language has no lower case, so that triggers match other letters than a to z as they are written.',
    seen: [{ checks: ['the prompt "KÖCHE ZWETSCHGEN"'], as: /^I'm a mock server\./ }],
  },
  {
    number: 9,
    ...OLLAMA,
    date: '2026-11-29',
    fact: 'A text that begins with `<think>` is reasoning up to `</think>`.',
    seen: [
      {
        checks: ['thinking-tags-split-over-chunks'],
        as: /^answer 1: \{"content":"I read it first\.","reasoning":"Icould/,
      },
    ],
  },
  {
    number: 10,
    ...OLLAMA,
    date: '2026-11-29',
    fact: 'The parser deepseek3 takes an answer up to `</think>` as reasoning, and all of one without it, unless the request switches thinking off.',
    seen: [{ checks: ['the markup deepseek'], as: /^say hello\n[\s\S]*The model sent only its reasoning/ }],
  },
  {
    number: 11,
    ...OLLAMA,
    date: '2026-11-29',
    fact: 'The texts of one message are joined without white space over Responses and Messages, so that two prompts become one word.',
    wires: ['openai-responses', 'anthropic-messages'],
    seen: [
      {
        checks: ['empty-answer'],
        as: /^answer \d: \{"content":"(?:No scenario of this model matches|I'm a mock server)/,
      },
      { checks: ['two prompts'], as: /^\{"path":"plain-1"\}$/ },
    ],
  },
  {
    number: 12,
    ...LITELLM,
    date: '2026-11-29',
    fact: "A request over Messages for a server of OpenAI's kind goes to its Responses API, of whose reasoning only summaries are passed on, which are not asked for.",
    wires: ['anthropic-messages'],
    behind: ['llama.cpp', 'mock as OpenAI'],
    seen: [
      { checks: ['reasoning is shown'], as: /^Expected values to be strictly equal:\n\+ actual - expected\n\n\+ ''\n/ },
      { checks: ['reasoning goes back'], as: /^the second request lacks it/ },
      {
        checks: ['thinking-tags-split-over-chunks'],
        as: /^answer 1: \{"content":"I read it first\.","reasoning":"","calls"/,
      },
    ],
  },
  {
    number: 13,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Over Responses and Messages, an error that the server behind it sends within a stream is replaced by one without its words.',
    wires: ['openai-responses', 'anthropic-messages'],
    behind: ['llama.cpp'],
    seen: [
      {
        checks: ['an unknown tool', 'unknown-tool-name', 'hello-world', 'agent-for-a-review'],
        as: /Error processing stream start|'GenericEvent' object has no attribute/,
      },
      { checks: ['hello-world'], as: /^answer 2: \{[^{]*"reasoning":"","calls":\[\]\} – the mock: / },
    ],
  },
  {
    number: 14,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Gemini ends an answer whose call has broken arguments with MALFORMED_FUNCTION_CALL and no content, which becomes an empty answer that has ended normally.',
    behind: ['mock as Gemini'],
    seen: [{ checks: ['broken arguments'], as: /^there was no answer: The model sent an empty answer/ }],
  },
  {
    number: 15,
    ...VLLM,
    date: '2026-11-29',
    fact: 'The parser llama3_json loses the name of the first of several calls in one answer, or the call; over Responses the stream breaks.',
    seen: [{ checks: ['the markup llama3'], as: /^open two files\n/ }],
  },
  {
    number: 16,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Over Responses, Claude gets its call back without its signed reasoning, and refuses that as long as it is asked for reasoning, so that ybs asks for none.',
    wires: ['openai-responses'],
    behind: ['mock as Anthropic'],
    seen: [
      {
        checks: ['reasoning is shown'],
        as: /^Expected values to be strictly equal:\n\+ actual - expected\n\n\+ 'Thenotesmaycontaintheword\.'\n/,
      },
    ],
  },
  {
    number: 17,
    ...VLLM,
    date: '2026-11-29',
    fact: 'Without a reasoning parser, reasoning is a text between tags, which ybs shows and does not send back, and a call in it is a call. No parser fits a model that thinks only sometimes.',
    seen: [
      { checks: ['reasoning goes back'], as: /^the second request lacks it/ },
      {
        checks: ['thinking-tags-split-over-chunks'],
        as: /^answer 1: \{"content":"<think>I could start again with an empty file:"/,
      },
    ],
  },
  {
    number: 18,
    ...VLLM,
    date: '2026-11-29',
    fact: 'The parser hermes closes the arguments of a call that is cut.',
    seen: [
      { checks: ['arguments-cut-by-length'], as: /^answer 1: .*free shi\}"\}\],"finish":"length"\} – the mock: / },
    ],
  },
  {
    number: 19,
    ...VLLM,
    date: '2026-11-29',
    fact: 'Over Messages, a text beside the result of a call is a prompt after the result; other servers put it before.',
    wires: ['anthropic-messages'],
    seen: [{ checks: ['a prompt after a stopped run'], as: /^\{"path":"later-1"\}$/ }],
  },
  {
    number: 20,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Over Messages, a text beside the result of a call becomes a prompt after the result for other services.',
    wires: ['anthropic-messages'],
    behind: ['mock as OpenAI', 'mock as Gemini', 'llama.cpp', 'ollama', 'vllm'],
    seen: [{ checks: ['a prompt after a stopped run'], as: /^\{"path":"later-1"\}$/ }],
  },
  {
    number: 21,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'A prompt after the result of a call becomes a text beside the result for Claude, which is no new prompt.',
    wires: ['openai-chat', 'openai-responses'],
    behind: ['mock as Anthropic'],
    seen: [{ checks: ['a prompt after a stopped run'], as: /^\{"path":"plain-2"\}$/ }],
  },
  {
    number: 22,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Gemini sends a call as a whole, so that nothing is left of one that is cut.',
    behind: ['mock as Gemini'],
    seen: [
      {
        checks: ['arguments-cut-by-length'],
        as: /^answer 1: \{"content":"I write them all at once\.","reasoning":"","calls":\[\],"finish":"length"\} – the mock: /,
      },
    ],
  },
  {
    number: 23,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Ollama leaves out the beginning of a conversation that does not fit, and the gateway neither says so nor states the window.',
    behind: ['ollama'],
    seen: [
      { checks: ['a conversation that is too long'], as: /\+ {3}last: "I'm a mock server\./ },
      { checks: ['a prompt that is too long alone'], as: /^the prompt was shortened without a word$/ },
    ],
  },
  {
    number: 24,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Over Chat Completions, the texts of one message are joined without white space for Ollama, so that two prompts become one word.',
    wires: ['openai-chat'],
    behind: ['ollama'],
    seen: [
      { checks: ['two prompts'], as: /^\{"path":"plain-1"\}$/ },
      {
        checks: ['empty-answer'],
        as: /^answer 5: \{"content":"I'm a mock server\..* – the mock: \{"content":"I am here again\."/,
      },
    ],
  },
  {
    number: 25,
    ...LLAMA_CPP,
    date: '2026-11-29',
    fact: 'The beginning of a mark at the end of a text, such as `<tool`, is left out of the answer.',
    seen: [{ checks: ['the prompt "begin a tag"'], as: /^It begins with$/ }],
  },
  {
    number: 26,
    ...OLLAMA,
    date: '2026-11-29',
    fact: 'The beginning of a mark at the end of a text, such as `<tool`, is left out of the answer.',
    seen: [{ checks: ['the prompt "begin a tag"'], as: /^It begins with$/ }],
  },
  {
    number: 27,
    ...OLLAMA,
    date: '2026-11-29',
    fact: 'A text after `<tool_call>` is read as a call, and lost if it is none.',
    seen: [{ checks: ['the prompt "name the tags"'], as: /^Between$/ }],
  },
  {
    number: 28,
    ...VLLM,
    date: '2026-11-29',
    fact: 'The parser hermes leaves out the beginning of a mark at the end of a text, and what follows `<tool_call>` in it.',
    seen: [
      { checks: ['the prompt "begin a tag"'], as: /^It begins with$/ },
      { checks: ['the prompt "name the tags"'], as: /^Between$/ },
    ],
  },
  {
    number: 29,
    ...LITELLM,
    date: '2026-11-29',
    fact: 'Lines of a stream also end at U+0085, U+2028 and U+2029. They are lost in the text of Gemini, and in that of Claude, Ollama and vLLM the text beside them, too.',
    behind: ['mock as Anthropic', 'mock as Gemini', 'ollama', 'vllm'],
    seen: [
      {
        checks: ['the prompt "end the lines"'],
        as: /^(?:|One|Oneline, oneparagraph, onemore\.|One\u2028line, one\u2029paragraph,(?: one)?)$/,
      },
    ],
  },
];

/** The fact about a server that explains this failure of a check, if there is one. */
export function serverFact(
  server: string,
  { wire, behind }: { readonly wire: Wire; readonly behind?: string },
  check: string,
  failure: string,
): ServerFact | undefined {
  return SERVER_FACTS.find(
    (each) =>
      each.server === server &&
      (each.wires === undefined || each.wires.includes(wire)) &&
      (each.behind === undefined || (behind !== undefined && each.behind.includes(behind))) &&
      each.seen.some(({ checks, as }) => checks.includes(check) && as.test(failure)),
  );
}
