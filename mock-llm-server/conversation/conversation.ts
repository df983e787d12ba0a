export const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'bedrock-converse',
  'gemini',
  'gemini-interactions',
  'ollama',
] as const;

/** A provider's HTTP protocol. */
export type Protocol = (typeof PROTOCOLS)[number];

/** The services whose rules the server knows. */
export const SERVICE_NAMES = [
  'openai',
  'azure',
  'anthropic',
  'gemini',
  'vertex',
  'bedrock',
  'ollama',
  'openrouter',
  'deepseek',
  'moonshot',
  'zai',
  'dashscope',
  'mistral',
  'groq',
  'cerebras',
  'xai',
  'together',
  'fireworks',
  'copilot',
  'codex',
  'vllm',
  'vllm-without-parser',
  'sglang',
  'llamacpp',
  'lmstudio',
  'litellm',
] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A JSON object, as parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface OfferedTool {
  readonly name: string;
  /** Namespace, in protocols that group tools: `functions`. */
  readonly namespace?: string;
  readonly description?: string;
  /** `text`: it takes plain text in place of JSON arguments. */
  readonly input: 'json' | 'text';
  /** JSON Schema of its arguments. */
  readonly parameters?: JsonObject;
}

/** A step of a scenario, from 0; the scenario by the tag of its name. */
export interface ScenarioPosition {
  readonly scenarioTag: string;
  readonly step: number;
}

/**
 * An earlier answer of this server that a request continues without repeating it. `digest` is the start of that
 * answer's digest, at least the six digits in call ids; `position` is absent for an answer of no scenario.
 */
export interface Continuation {
  readonly id: string;
  readonly digest: string;
  readonly position?: ScenarioPosition;
  /** Number of calls of the answer, if they are not all calls of its step. */
  readonly calls?: number;
}

/** A text block of a message. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A tool call as echoed by the client. `arguments` is the text as received and need not be valid JSON. */
export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** The arguments are plain text, in protocols with such calls. */
  readonly input?: 'text';
  /** Position of the call in the scenarios, if known from something other than its id. */
  readonly position?: ScenarioPosition & { readonly call: number };
}

/** The result of one tool call, paired with it by `callId`. */
export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly content: string;
  /** The id that the client wrote, if the result was paired by something else. */
  readonly statedId?: string;
  /** The client reports the call as failed, in protocols that can express it. */
  readonly isError?: true;
}

/** A message of the request, at `index` of the protocol's own list. Tool results are always parts of user messages. */
export type ConversationMessage =
  | { readonly role: 'user'; readonly index: number; readonly parts: readonly (TextPart | ToolResultPart)[] }
  | { readonly role: 'assistant'; readonly index: number; readonly parts: readonly (TextPart | ToolCallPart)[] };

/** A request, independent of its protocol, with everything that determines the answer. */
export interface Conversation {
  readonly protocol: Protocol;
  readonly model: string;
  /** System and developer texts, in order. */
  readonly system: readonly string[];
  /** Those after the first answer, each at `index` of the protocol's own list, where some agents write results. */
  readonly asides?: readonly { readonly index: number; readonly text: string }[];
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly OfferedTool[];
  /** The messages follow this answer, which is not among them. */
  readonly continues?: Continuation;
  /** JSON Schema of the answer, which may be empty; without one, the answer is free text. */
  readonly outputSchema?: JsonObject;
  /** Name of that schema, in protocols that have one. */
  readonly outputName?: string;
  /** The answer is a text that the schema accepts, not JSON. */
  readonly outputIsText?: true;
}

/** A tool call of an answer. `arguments` is the text to send: JSON or plain text, as `input` says. */
export interface ReplyToolCall {
  /** Undefined only if a fault removes it. */
  readonly id: string | undefined;
  readonly name: string;
  readonly namespace?: string;
  readonly input: 'json' | 'text';
  readonly arguments: string;
  /** A fault of the index that distinguishes the calls of a stream: it is missing, or all calls have the first one's. */
  readonly indexFault?: 'missing' | 'colliding';
}

/**
 * Reasons for the end of an answer: the model is done (`stop`) or waits for the results of its calls (`tool_calls`), a
 * limit of tokens was reached (`length`), the provider withheld the rest (`content_filter`), or the model refuses.
 */
export const FINISH_REASONS = ['stop', 'tool_calls', 'length', 'content_filter', 'refusal'] as const;
/** The reason for the end of an answer. */
export type FinishReason = (typeof FINISH_REASONS)[number];

/** Counts of tokens that an answer reports. */
export interface Usage {
  /** Includes the cached ones. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** Includes those of the reasoning. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Limits that a request sets for its answer. The names are those of the fields in the protocol. */
export interface ReplyLimits {
  readonly maxTokens?: { readonly name: string; readonly value: number };
  /** The answer ends before the first of these texts. None of them is empty. */
  readonly stop?: { readonly name: string; readonly texts: readonly string[] };
}

/** The rule of a request for the tool calls of its answer. */
export interface ToolChoice {
  /** `none`: no calls; `required`: at least one call; `auto`: calls are optional. */
  readonly mode: 'none' | 'auto' | 'required';
  /** The tools that may be called, if not all. */
  readonly names?: readonly string[];
  /** The setting as the request states it, for notes: `tool_choice "none"`. */
  readonly text: string;
}

/** A block of an answer. `index` is that of the call in `toolCalls`. */
export type ReplyBlock =
  /** The citations have fields such as `url`, `title` and `quote`, or the form of one protocol with its `type`. */
  | { readonly type: 'text'; readonly text: string; readonly citations: readonly JsonObject[] }
  | { readonly type: 'reasoning'; readonly text: string; readonly signature?: string; readonly encrypted?: string }
  | { readonly type: 'call'; readonly index: number }
  /** A tool that the provider runs, with its result. */
  | { readonly type: 'server_tool'; readonly name: string; readonly input: JsonObject; readonly result?: unknown }
  | { readonly type: 'grounding'; readonly metadata: JsonObject }
  /** A block, item or part in the form of one protocol. */
  | { readonly type: 'raw'; readonly protocol: Protocol; readonly item: JsonObject };

/**
 * An answer as one protocol sent it, event by event or as one body. Only a request of this protocol gets it. Holes
 * such as `{{text 1}}` in its strings have the parts of the reply.
 */
export type NativeAnswer = { readonly protocol: Protocol; readonly replacesFault?: boolean } & (
  | { readonly events: readonly JsonObject[]; readonly body?: undefined }
  | { readonly body: JsonObject; readonly events?: undefined }
);

/** The fields in which services with OpenAI's chat completions send reasoning. `reasoning_details` accompanies `reasoning`. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'reasoning_details';

/** An answer, ready for any protocol. Equal requests give equal replies. */
export interface Reply {
  /** Lower-case hexadecimal digest of scenario, step and request; protocols derive their ids from it. */
  readonly digest: string;
  /** Unix time in seconds, derived from the digest. */
  readonly created: number;
  readonly model: string;
  /** Thinking that precedes the answer, in protocols that have it. */
  readonly reasoning: string | undefined;
  /** Only traces of the reasoning are sent: signatures, ids and token counts. */
  readonly hidesReasoning?: true;
  /** The field of a chat completion with the reasoning; `reasoning_content` by default. */
  readonly reasoningField?: ReasoningField | undefined;
  readonly content: string | undefined;
  readonly toolCalls: readonly ReplyToolCall[];
  readonly finish: FinishReason;
  /** The reason in the words of a protocol, if it says more. */
  readonly nativeFinish?: string | undefined;
  /** The stop sequence that ended the answer. The content ends before it, and `finish` is `stop`. */
  readonly stopSequence?: string;
  readonly usage: Usage;
  /** The blocks in order, if they are not just reasoning, content and calls; absent if something changes them. */
  readonly blocks?: readonly ReplyBlock[];
  /** The answer as its protocol sent it, in place of the parts above; absent if a limit, a rule or a fault changes them. */
  readonly native?: NativeAnswer;
  /**
   * Scenario and step of the answer, and the number of its calls if the request or a fault removed others; undefined for
   * the default response.
   */
  readonly source: { readonly scenario: string; readonly step: number; readonly calls?: number } | undefined;
}
