import * as z from 'zod';
import type { Protocol } from '../../../mock-llm-server/conversation/conversation.ts';

/** A tool that any protocol can offer. `parameters` is a JSON Schema. */
export interface PlayedTool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: object;
}

/** An answer in any protocol, with parsed arguments. */
export interface PlayedAnswer {
  readonly text: string;
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly arguments: unknown }[];
  /** The part of the answer that the client keeps in its history. */
  readonly kept: readonly unknown[];
}

/** A request over HTTP: path with query, and the body before encoding as JSON. */
export interface PlayedRequest {
  readonly path: string;
  readonly body: object;
}

/** A client of a protocol: its history, and the requests that it builds from it. */
export interface ProtocolPlayer {
  readonly protocol: Protocol;
  say(text: string): readonly unknown[];
  request(history: readonly unknown[], tools: readonly PlayedTool[], stream: boolean): PlayedRequest;
  /** Reads the body of an answer that is not streamed; throws for any other body. */
  read(body: unknown): PlayedAnswer;
  /** A result for each call of an answer, in order. */
  results(calls: PlayedAnswer['calls'], content: string): readonly unknown[];
}

/** Headers of every request; each protocol ignores the headers of the others. */
export const PLAYER_HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' } as const;

const ChatSchema = z.object({
  choices: z.tuple([
    z.object({
      message: z.looseObject({
        content: z.string().nullable().optional(),
        tool_calls: z
          .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
          .optional(),
      }),
    }),
  ]),
});

const chat: ProtocolPlayer = {
  protocol: 'openai-chat',
  say: (content) => [{ role: 'user', content }],
  request: (messages, tools, stream) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-5',
      messages,
      stream,
      // The service refuses an empty list.
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    },
  }),
  read(body) {
    const { message } = ChatSchema.parse(body).choices[0];
    const calls = (message.tool_calls ?? []).map(({ id, function: called }) => {
      return { id, name: called.name, arguments: parseJson(called.arguments) };
    });
    return { text: message.content ?? '', calls, kept: [message] };
  },
  results: (calls, content) => calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content })),
};

const ResponseSchema = z.object({
  output: z.array(
    z.union([
      z.looseObject({ type: z.literal('message'), content: z.array(z.looseObject({ text: z.string() })) }),
      z.looseObject({
        type: z.literal('function_call'),
        call_id: z.string(),
        name: z.string(),
        arguments: z.string(),
      }),
    ]),
  ),
});

const responses: ProtocolPlayer = {
  protocol: 'openai-responses',
  say: (content) => [{ role: 'user', content }],
  request: (input, tools, stream) => ({
    path: '/v1/responses',
    body: { model: 'gpt-5', input, stream, tools: tools.map((tool) => ({ type: 'function', ...tool })) },
  }),
  read(body) {
    const { output } = ResponseSchema.parse(body);
    return {
      text: output.flatMap((item) => (item.type === 'message' ? item.content.map(({ text }) => text) : [])).join(''),
      calls: output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ id: item.call_id, name: item.name, arguments: parseJson(item.arguments) }]
          : [],
      ),
      kept: output,
    };
  },
  results: (calls, output) => calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output })),
};

const MessageSchema = z.object({
  content: z.array(
    z.union([
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
    ]),
  ),
});

const messages: ProtocolPlayer = {
  protocol: 'anthropic-messages',
  say: (content) => [{ role: 'user', content }],
  request: (history, tools, stream) => ({
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-5',
      max_tokens: 1000,
      messages: history,
      stream,
      tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    },
  }),
  read(body) {
    const { content } = MessageSchema.parse(body);
    return {
      text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
      ),
      kept: [{ role: 'assistant', content }],
    };
  },
  results: (calls, content) => [
    { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content })) },
  ],
};

const CandidateSchema = z.object({
  candidates: z.tuple([
    z.object({
      content: z.looseObject({
        parts: z.array(
          z.looseObject({
            text: z.string().optional(),
            functionCall: z.looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown() }).optional(),
          }),
        ),
      }),
    }),
  ]),
});

const gemini: ProtocolPlayer = {
  protocol: 'gemini',
  say: (text) => [{ role: 'user', parts: [{ text }] }],
  request: (contents, tools, stream) => ({
    path: `/v1beta/models/gemini-3-pro:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents,
      tools: [
        {
          functionDeclarations: tools.map(({ parameters, ...tool }) => ({ ...tool, parametersJsonSchema: parameters })),
        },
      ],
    },
  }),
  read(body) {
    const { content } = CandidateSchema.parse(body).candidates[0];
    return {
      text: content.parts.map(({ text = '' }) => text).join(''),
      calls: content.parts.flatMap(({ functionCall }) =>
        functionCall === undefined
          ? []
          : [{ id: functionCall.id, name: functionCall.name, arguments: functionCall.args }],
      ),
      kept: [content],
    };
  },
  results: (calls, output) => [
    {
      role: 'user',
      parts: calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output } } })),
    },
  ],
};

const ConverseSchema = z.object({
  output: z.object({
    message: z.looseObject({
      content: z.array(
        z.looseObject({
          text: z.string().optional(),
          toolUse: z.looseObject({ toolUseId: z.string(), name: z.string(), input: z.unknown() }).optional(),
        }),
      ),
    }),
  }),
});

const converse: ProtocolPlayer = {
  protocol: 'bedrock-converse',
  say: (text) => [{ role: 'user', content: [{ text }] }],
  request: (history, tools, stream) => ({
    path: `/model/amazon.nova-pro-v1:0/${stream ? 'converse-stream' : 'converse'}`,
    body: {
      messages: history,
      toolConfig: {
        tools: tools.map(({ parameters, ...tool }) => ({ toolSpec: { ...tool, inputSchema: { json: parameters } } })),
      },
    },
  }),
  read(body) {
    const { message } = ConverseSchema.parse(body).output;
    return {
      text: message.content.map(({ text = '' }) => text).join(''),
      calls: message.content.flatMap(({ toolUse }) =>
        toolUse === undefined ? [] : [{ id: toolUse.toolUseId, name: toolUse.name, arguments: toolUse.input }],
      ),
      kept: [message],
    };
  },
  results: (calls, text) => [
    { role: 'user', content: calls.map(({ id }) => ({ toolResult: { toolUseId: id, content: [{ text }] } })) },
  ],
};

const InteractionSchema = z.object({
  steps: z.array(
    z.union([
      z.looseObject({ type: z.literal('model_output'), content: z.array(z.looseObject({ text: z.string() })) }),
      z.looseObject({ type: z.literal('function_call'), id: z.string(), name: z.string(), arguments: z.unknown() }),
    ]),
  ),
});

const interactions: ProtocolPlayer = {
  protocol: 'gemini-interactions',
  say: (text) => [{ type: 'user_input', content: [{ type: 'text', text }] }],
  request: (input, tools, stream) => ({
    path: '/v1beta/interactions',
    body: { model: 'gemini-3-pro', input, stream, tools: tools.map((tool) => ({ type: 'function', ...tool })) },
  }),
  read(body) {
    const { steps } = InteractionSchema.parse(body);
    return {
      text: steps
        .flatMap((step) => (step.type === 'model_output' ? step.content.map(({ text }) => text) : []))
        .join(''),
      calls: steps.flatMap((step) =>
        step.type === 'function_call' ? [{ id: step.id, name: step.name, arguments: step.arguments }] : [],
      ),
      kept: steps,
    };
  },
  results: (calls, result) => calls.map(({ id, name }) => ({ type: 'function_result', call_id: id, name, result })),
};

const OllamaSchema = z.object({
  message: z.looseObject({
    content: z.string(),
    tool_calls: z
      .array(
        z.looseObject({
          id: z.string().optional(),
          function: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
        }),
      )
      .optional(),
  }),
});

const ollama: ProtocolPlayer = {
  protocol: 'ollama',
  say: (content) => [{ role: 'user', content }],
  request: (history, tools, stream) => ({
    path: '/api/chat',
    body: {
      model: 'qwen3',
      messages: history,
      stream,
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    },
  }),
  read(body) {
    const { message } = OllamaSchema.parse(body);
    const calls = (message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called }));
    return { text: message.content, calls, kept: [message] };
  },
  // Ollama's own clients also send the name of the tool and no id.
  results: (calls, content) => calls.map(({ name }) => ({ role: 'tool', tool_name: name, content })),
};

/** A player for each protocol of the server. */
export const PROTOCOL_PLAYERS: readonly ProtocolPlayer[] = [
  chat,
  responses,
  messages,
  converse,
  gemini,
  interactions,
  ollama,
];

function parseJson(text: string): unknown {
  return JSON.parse(text);
}
