/** The answer between a tool result and a message of the user. */
export const BRIDGE = 'I have read the results.';

/**
 * Form that a service accepts where services differ. A request is put into this form before it is sent; the session keeps its
 * own. A field names what is done, so that a refused request can be sent once more with another value.
 */
export interface ServiceRules {
  /** The ids of calls: as they are, at most 40 characters, of letters, digits, `_` and `-` besides, or nine letters and digits. */
  readonly callIds: 'kept' | 'short' | 'plain' | 'nine';
  /** Calls and results have their ids on a wire that does not need them. */
  readonly sendsCallIds: boolean;
  /** A result has the name of its tool besides the id of its call. */
  readonly namesResults: boolean;
  /** Calls and results of the history: as such, or as text for a service that does not find one beside the other. */
  readonly calls: 'kept' | 'text';
  /** The first call of an answer without a signature of Google has the mark that stands for one. */
  readonly marksCalls: boolean;
  /** The calls of one answer: together, or each in an answer of its own with its result behind it. */
  readonly parallelCalls: 'together' | 'apart';
  /** The place of the system text: its own, or ahead of the first message of the user. */
  readonly instructions: 'system' | 'user';
  /** The order of roles: as in the session, or with an answer between a tool result and a message of the user. */
  readonly order: 'kept' | 'bridged';
  /** Neighbouring messages of the user: one message with a part for each, one with a joined text, or as they are. */
  readonly neighbours: 'parts' | 'text' | 'kept';
  /** The place of the files that the user named: system messages where they were named, or the user's message. */
  readonly files: 'system' | 'user';
  /** The content of an answer that has only calls. */
  readonly emptyContent: 'null' | 'blank';
  /** The state that the same model gets back: all of it, or the fields of a chat message that it accepts. */
  readonly returned: 'all' | readonly string[];
  /** Stands for `reasoning_content` in an answer without it, where the service requires one. */
  readonly missingReasoning?: string | undefined;
  /** Reasoning of the Responses API goes back even if the server sent only its summary. */
  readonly returnsSummaries: boolean;
  /** The Responses API is asked for encrypted reasoning. */
  readonly asksEncrypted: boolean;
  /** Reasoning of the Responses API is asked for its summary. */
  readonly asksSummaries: boolean;
  /** The name of the output limit in a chat completion; on both wires of OpenAI, it may be left out. */
  readonly limitName: 'max_tokens' | 'max_completion_tokens' | 'left out';
  readonly sendsTemperature: boolean;
  /** The reasoning effort: as set, left out, or this level. */
  readonly effort: 'sent' | 'left out' | EffortLevel;
  /** Asks for a stream. A server that cannot send one sends its whole answer at the end. */
  readonly streams: boolean;
  /** Marks the parts of a message that Anthropic's API caches. */
  readonly marksCache: boolean;
  /** Asks for the usage of a streamed chat completion. */
  readonly asksUsage: boolean;
  /** The dialect of the JSON Schemas of tools. */
  readonly schema: SchemaDialect;
  readonly maxTools?: number;
  /** The maximum length of the description of a tool, in characters. */
  readonly maxDescription?: number;
  /** The names of tools whose parameters the service refused. */
  readonly refusedTools: readonly string[];
  /** The names of tools that the service refused, which go under another one. */
  readonly renamedTools: readonly string[];
}

/** The reasoning efforts of all services, from the lowest one on. */
export const EFFORT_LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type EffortLevel = (typeof EFFORT_LEVELS)[number];

/** A subset of JSON Schema that a service accepts for the parameters of a tool. */
export type SchemaDialect = 'plain' | 'typed' | 'moonshot' | 'gemini' | 'bare';

const DEFAULT: ServiceRules = {
  callIds: 'kept',
  sendsCallIds: true,
  namesResults: false,
  calls: 'kept',
  marksCalls: false,
  parallelCalls: 'together',
  instructions: 'system',
  order: 'kept',
  neighbours: 'parts',
  files: 'system',
  emptyContent: 'null',
  returned: 'all',
  returnsSummaries: true,
  asksEncrypted: true,
  asksSummaries: true,
  limitName: 'max_tokens',
  sendsTemperature: true,
  effort: 'sent',
  streams: true,
  marksCache: true,
  asksUsage: true,
  schema: 'typed',
  refusedTools: [],
  renamedTools: [],
};

/** The rules of each wire, for a service without rules of its own. */
export const WIRE_RULES = {
  'openai-chat': { ...DEFAULT, callIds: 'short' },
  'openai-responses': DEFAULT,
  'anthropic-messages': DEFAULT,
  gemini: { ...DEFAULT, schema: 'gemini' },
  // The server joins them itself, and its messages have no parts.
  'ollama-chat': { ...DEFAULT, neighbours: 'kept' },
} satisfies Readonly<Record<string, ServiceRules>>;
