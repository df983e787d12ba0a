import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { expect } from 'vitest';
import { OFFERED_TOOLS, type SdkAnswer, type SdkClient, type SdkUnderTest } from './sdk-under-test.ts';

const model = 'claude-x';
const tools = OFFERED_TOOLS.map(({ name, schema }) => ({ name, input_schema: schema }));
const requestID = expect.stringMatching(/^req_/);
const errorOf = (errorClass: unknown, type: string) =>
  [errorClass, { type, requestID, error: { type: 'error', request_id: requestID } }] as const;

/** The part of a client that all services with messages of Anthropic have. */
interface MessagesApi {
  readonly messages: Pick<Anthropic['messages'], 'create' | 'stream'>;
  readonly models?: Pick<Anthropic['models'], 'list'>;
}

/** A client of the messages of an API of Anthropic. */
export function clientOf(api: MessagesApi): SdkClient {
  const { models } = api;
  const body = (content: string) => {
    const messages: MessageParam[] = [{ role: 'user', content }];
    return { model, max_tokens: 1000, messages, thinking: { type: 'adaptive' as const } };
  };
  return {
    generate: async (prompt) => answerOf(await api.messages.create({ ...body(prompt), tools })),
    async stream(prompt, { onText, onArguments, signal } = {}) {
      const stream = api.messages.stream({ ...body(prompt), tools }, { signal: signal ?? null });
      stream.on('text', (piece) => onText?.(piece));
      stream.on('inputJson', (piece) => onArguments?.(piece));
      return answerOf(await stream.finalMessage());
    },
    async play(prompt, result) {
      const request = body(prompt);
      for (;;) {
        const message = await api.messages.create({ ...request, tools });
        const results = message.content.flatMap((block) =>
          block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: result }] : [],
        );
        if (results.length === 0) return answerOf(message).text;
        request.messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results });
      }
    },
    async object(prompt, schema) {
      const format = { type: 'json_schema' as const, schema: { ...schema } };
      return JSON.parse(answerOf(await api.messages.create({ ...body(prompt), output_config: { format } })).text);
    },
    ...(models && { models: async () => (await models.list()).data.map(({ id }) => id) }),
    statusOf: (error) => (error instanceof Anthropic.APIError ? error.status : undefined),
    retryAfterOf: (error) =>
      error instanceof Anthropic.APIError ? Number(error.headers?.get('retry-after')) : undefined,
  };
}

/** An answer of these messages. */
export function answerOf({ content, usage }: Anthropic.Message): SdkAnswer {
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []));
  return {
    reasoning: thoughts.length > 0 ? thoughts.join('') : undefined,
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [])),
    usage: { input: usage.input_tokens, output: usage.output_tokens },
  };
}

/** The errors of a client for another service with these messages. */
export const CLASSES: SdkUnderTest['errors'] = {
  400: [Anthropic.BadRequestError],
  401: [Anthropic.AuthenticationError],
  403: [Anthropic.PermissionDeniedError],
  404: [Anthropic.NotFoundError],
  408: [Anthropic.RequestTimeoutError],
  413: [Anthropic.ContentTooLargeError],
  429: [Anthropic.RateLimitError],
  500: [Anthropic.InternalServerError],
  502: [Anthropic.InternalServerError],
  503: [Anthropic.ServiceUnavailableError],
  529: [Anthropic.ServiceUnavailableError],
};
/** The error of an aborted stream of these clients. */
export const ABORTED: unknown = expect.any(Anthropic.APIUserAbortError);

/** The SDKs of this library, one for each of its protocols. */
export const ANTHROPIC_SDKS: readonly SdkUnderTest[] = [
  {
    name: '@anthropic-ai/sdk',
    protocol: 'anthropic-messages',
    errors: {
      400: errorOf(Anthropic.BadRequestError, 'invalid_request_error'),
      401: errorOf(Anthropic.AuthenticationError, 'authentication_error'),
      403: errorOf(Anthropic.PermissionDeniedError, 'permission_error'),
      404: errorOf(Anthropic.NotFoundError, 'not_found_error'),
      408: errorOf(Anthropic.RequestTimeoutError, 'timeout_error'),
      413: errorOf(Anthropic.ContentTooLargeError, 'request_too_large'),
      429: errorOf(Anthropic.RateLimitError, 'rate_limit_error'),
      500: errorOf(Anthropic.InternalServerError, 'api_error'),
      502: errorOf(Anthropic.InternalServerError, 'api_error'),
      503: errorOf(Anthropic.ServiceUnavailableError, 'api_error'),
      529: errorOf(Anthropic.OverloadedError, 'overloaded_error'),
    },
    aborted: ABORTED,
    open: (url, options) => clientOf(new Anthropic({ baseURL: url, apiKey: 'unused', logLevel: 'off', ...options })),
  },
  {
    name: '@anthropic-ai/vertex-sdk',
    protocol: 'anthropic-messages',
    errors: { ...CLASSES, 529: [Anthropic.OverloadedError] },
    aborted: ABORTED,
    open: (url, options) => {
      // The form of credentials that the client asks for headers; nothing reaches an account.
      const authClient = Object({ getRequestHeaders: async () => new Headers({ authorization: 'Bearer unused' }) });
      const where = { baseURL: `${url}/v1`, region: 'us-east5', projectId: 'p', authClient };
      return clientOf(new AnthropicVertex({ ...where, logLevel: 'off', ...options }));
    },
  },
];
