import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInput,
  ResponsesServerEvent,
} from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { expect } from 'vitest';
import * as z from 'zod';
import {
  OFFERED_TOOLS,
  type SdkAnswer,
  type SdkClient,
  type SdkError,
  type SdkOptions,
  type SdkStream,
  type SdkUnderTest,
} from './sdk-under-test.ts';

const model = 'gpt-x';
const requestID = expect.stringMatching(/^req_/);
const errorOf = (errorClass: unknown, type: string, code: string | null) =>
  [errorClass, { type, code, requestID }] as const;

const common = {
  errors: {
    400: errorOf(OpenAI.BadRequestError, 'invalid_request_error', null),
    401: errorOf(OpenAI.AuthenticationError, 'invalid_request_error', 'invalid_api_key'),
    403: errorOf(OpenAI.PermissionDeniedError, 'request_forbidden', 'unsupported_country_region_territory'),
    404: errorOf(OpenAI.NotFoundError, 'invalid_request_error', 'model_not_found'),
    408: errorOf(OpenAI.APIError, 'invalid_request_error', null),
    413: errorOf(OpenAI.APIError, 'invalid_request_error', 'request_too_large'),
    429: errorOf(OpenAI.RateLimitError, 'requests', 'rate_limit_exceeded'),
    500: errorOf(OpenAI.InternalServerError, 'server_error', null),
    502: errorOf(OpenAI.InternalServerError, 'server_error', null),
    503: errorOf(OpenAI.InternalServerError, 'server_error', null),
    529: errorOf(OpenAI.InternalServerError, 'server_error', null),
  },
  aborted: expect.any(OpenAI.APIUserAbortError),
} satisfies Partial<SdkUnderTest>;

const open = (url: string, options: SdkOptions) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'unused', logLevel: 'off', ...options });

/** The settings that requests of both protocols share. */
function partsOf(api: OpenAI) {
  return {
    async models() {
      const { data } = await api.models.list();
      return data.map(({ id }) => id);
    },
    statusOf: (error: unknown) => (error instanceof OpenAI.APIError ? error.status : undefined),
    retryAfterOf: (error: unknown) =>
      error instanceof OpenAI.APIError ? Number(error.headers?.get('retry-after')) : undefined,
  };
}

function chatClient(api: OpenAI): SdkClient {
  const tools = OFFERED_TOOLS.map(({ name, schema }) => ({
    type: 'function' as const,
    function: { name, parameters: schema },
  }));
  const body = (content: string) => {
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content }];
    return { model, messages, tools };
  };
  return {
    ...partsOf(api),
    generate: async (prompt) => chatAnswer(await api.chat.completions.create(body(prompt))),
    async stream(prompt, { onText, onArguments, signal } = {}) {
      const request = { ...body(prompt), stream_options: { include_usage: true } };
      const stream = api.chat.completions.stream(request, { signal: signal ?? null });
      stream.on('content', (piece) => onText?.(piece));
      stream.on('tool_calls.function.arguments.delta', (event) => onArguments?.(event.arguments_delta));
      return chatAnswer(await stream.finalChatCompletion());
    },
    async play(prompt, result) {
      const request = body(prompt);
      for (;;) {
        const message = (await api.chat.completions.create(request)).choices[0]?.message;
        if (message?.tool_calls === undefined) return message?.content ?? '';
        const results = message.tool_calls.map(({ id }) => ({
          role: 'tool' as const,
          tool_call_id: id,
          content: result,
        }));
        request.messages.push(message, ...results);
      }
    },
    async object(prompt, schema) {
      const { messages } = body(prompt);
      const format = { type: 'json_schema' as const, json_schema: { name: 'person', schema: { ...schema } } };
      const { choices } = await api.chat.completions.create({ model, messages, response_format: format });
      return JSON.parse(choices[0]?.message.content ?? '');
    },
  };
}

function chatAnswer({ choices, usage }: OpenAI.ChatCompletion): SdkAnswer {
  const message = choices[0]?.message;
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).map((call) => {
      if (call.type !== 'function') throw new Error(`a call of type ${call.type}`);
      return { name: call.function.name, input: JSON.parse(call.function.arguments) };
    }),
    usage: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
  };
}

/** The ways to send a request of the Responses API. */
interface ResponsesTransport {
  create(request: ResponseCreateParamsNonStreaming): Promise<OpenAI.Responses.Response>;
  stream(request: ResponseCreateParamsNonStreaming, on: SdkStream): Promise<OpenAI.Responses.Response>;
}

function overHttp(api: OpenAI): ResponsesTransport {
  return {
    create: (request) => api.responses.create(request),
    async stream(request, { onText, onArguments, signal }) {
      const stream = api.responses.stream({ ...request, stream: true }, { signal: signal ?? null });
      stream.on('response.output_text.delta', ({ delta }) => onText?.(delta));
      stream.on('response.function_call_arguments.delta', ({ delta }) => onArguments?.(delta));
      return stream.finalResponse();
    },
  };
}

/** The error in an event of a WebSocket. */
class SocketError extends Error {
  readonly status: number;

  constructor({ status, error }: z.infer<typeof ErrorEventSchema>) {
    super(error.message);
    this.status = status;
    Object.assign(this, error);
  }
}
const ErrorEventSchema = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), code: z.string().nullable(), message: z.string() }),
});

/** Each request has a connection of its own, which its end closes. */
function overWebSocket(api: OpenAI): ResponsesTransport {
  const send: ResponsesTransport['stream'] = async (request, { onText, onArguments, signal }) => {
    const socket = new ResponsesWS(api);
    socket.on('error', () => {});
    const ended = new Promise<OpenAI.Responses.Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      socket.on('close', () => reject(new Error('The connection was closed.')));
      socket.on('event', (event: ResponsesServerEvent) => {
        if (event.type === 'response.output_text.delta') onText?.(event.delta);
        if (event.type === 'response.function_call_arguments.delta') onArguments?.(event.delta);
        if (event.type === 'error') reject(new SocketError(ErrorEventSchema.parse(event)));
        if (event.type === 'response.completed') resolve(event.response);
      });
    });
    socket.send({ type: 'response.create', ...request });
    return ended.finally(() => socket.close());
  };
  return { create: (request) => send(request, {}), stream: send };
}

function responsesClient(api: OpenAI, transport: ResponsesTransport): SdkClient {
  const tools = OFFERED_TOOLS.map(({ name, schema }) => ({
    type: 'function' as const,
    name,
    parameters: schema,
    strict: false,
  }));
  const body = (content: string) => {
    const input: ResponseInput = [{ role: 'user', content }];
    return { model, input, tools, reasoning: { summary: 'auto' as const } };
  };
  return {
    ...partsOf(api),
    generate: async (prompt) => responseAnswer(await transport.create(body(prompt))),
    stream: async (prompt, on = {}) => responseAnswer(await transport.stream(body(prompt), on)),
    async play(prompt, result) {
      const request = body(prompt);
      for (;;) {
        const response = await transport.create(request);
        const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
        if (calls.length === 0) return responseAnswer(response).text;
        const messages = response.output.flatMap((item) => (item.type === 'message' ? [item] : []));
        const results = calls.map(({ call_id }) => ({
          type: 'function_call_output' as const,
          call_id,
          output: result,
        }));
        request.input.push(...messages, ...calls, ...results);
      }
    },
    async object(prompt, schema) {
      const format = { type: 'json_schema' as const, name: 'person', schema: { ...schema } };
      const { input } = body(prompt);
      return JSON.parse(responseAnswer(await transport.create({ model, input, text: { format } })).text);
    },
  };
}

function responseAnswer({ output, usage }: OpenAI.Responses.Response): SdkAnswer {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const text = parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
  const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
  return {
    reasoning: thoughts.length > 0 ? thoughts.map((thought) => thought.text).join('') : undefined,
    text,
    calls: output.flatMap((item) =>
      item.type === 'function_call' ? [{ name: item.name, input: JSON.parse(item.arguments) }] : [],
    ),
    usage: { input: usage?.input_tokens, output: usage?.output_tokens },
  };
}

/** The SDKs of this library, one for each of its protocols. */
export const OPENAI_SDKS: readonly SdkUnderTest[] = [
  {
    ...common,
    name: 'openai, chat',
    protocol: 'openai-chat',
    open: (url, options) => chatClient(open(url, options)),
  },
  {
    ...common,
    name: 'openai, responses',
    protocol: 'openai-responses',
    open(url, options) {
      const api = open(url, options);
      return responsesClient(api, overHttp(api));
    },
  },
  {
    name: 'openai, responses over a WebSocket',
    protocol: 'openai-responses',
    errors: socketErrors(),
    aborted: expect.any(DOMException),
    hasNoFetch: true,
    open(url, options) {
      const api = open(url, options);
      const { retryAfterOf: _, ...client } = responsesClient(api, overWebSocket(api));
      const statusOf = (error: unknown) => (error instanceof SocketError ? error.status : undefined);
      return { ...client, statusOf };
    },
  },
];

/** The errors of HTTP in the events of a WebSocket, which have no request id. */
function socketErrors(): SdkUnderTest['errors'] {
  const error = (status: keyof typeof common.errors): SdkError => {
    const [, { type, code }] = common.errors[status];
    return [SocketError, { type, code }];
  };
  return {
    ...{ 400: error(400), 401: error(401), 403: error(403), 404: error(404), 408: error(408), 413: error(413) },
    ...{ 429: error(429), 500: error(500), 502: error(502), 503: error(503), 529: error(529) },
  };
}
