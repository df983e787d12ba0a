import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import Anthropic from '@anthropic-ai/sdk';
import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
  type TokenUsage,
  type Tool,
} from '@aws-sdk/client-bedrock-runtime';
import { expect } from 'vitest';
import { clientOf as anthropicClientOf } from './anthropic.ts';
import { OFFERED_TOOLS, type SdkAnswer, type SdkClient, type SdkError, type SdkUnderTest } from './sdk-under-test.ts';

const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const toolConfig = {
  tools: OFFERED_TOOLS.map(({ name, schema }): Tool => ({ toolSpec: { name, inputSchema: { json: schema } } })),
};
/** Keys that are only used to sign; nothing reaches an account. */
const credentials = { accessKeyId: 'unused', secretAccessKey: 'unused' };
const errorOf = (name: string): SdkError => [BedrockRuntimeServiceException, { name }];

function clientOf(api: BedrockRuntimeClient): SdkClient {
  const body = (prompt: string) => {
    const messages: Message[] = [{ role: 'user', content: [{ text: prompt }] }];
    const additionalModelRequestFields = { thinking: { type: 'enabled', budget_tokens: 1024 } };
    return { modelId, messages, additionalModelRequestFields };
  };
  return {
    async generate(prompt) {
      const { output, usage } = await api.send(new ConverseCommand({ ...body(prompt), toolConfig }));
      return answerOf(output?.message?.content ?? [], usage);
    },
    async stream(prompt, { onText, onArguments, signal } = {}) {
      const command = new ConverseStreamCommand({ ...body(prompt), toolConfig });
      const { stream = [] } = await api.send(command, { ...(signal && { abortSignal: signal }) });
      const events: ConverseStreamOutput[] = [];
      for await (const event of stream) {
        events.push(event);
        const { text, toolUse } = event.contentBlockDelta?.delta ?? {};
        if (text !== undefined) onText?.(text);
        if (toolUse?.input !== undefined) onArguments?.(toolUse.input);
      }
      signal?.throwIfAborted();
      return answerOf(blocksOf(events), events.findLast(({ metadata }) => metadata)?.metadata?.usage);
    },
    async play(prompt, result) {
      const { messages } = body(prompt);
      for (;;) {
        const { output } = await api.send(new ConverseCommand({ modelId, messages, toolConfig }));
        const content = output?.message?.content ?? [];
        const results = content.flatMap(({ toolUse }) =>
          toolUse === undefined ? [] : [{ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: result }] } }],
        );
        if (results.length === 0) return answerOf(content, undefined).text;
        messages.push({ role: 'assistant', content }, { role: 'user', content: results });
      }
    },
    async object(prompt, schema) {
      const jsonSchema = { name: 'person', schema: JSON.stringify(schema) };
      const outputConfig = { textFormat: { type: 'json_schema' as const, structure: { jsonSchema } } };
      const { output } = await api.send(new ConverseCommand({ ...body(prompt), outputConfig }));
      return JSON.parse(answerOf(output?.message?.content ?? [], undefined).text);
    },
    statusOf: (error) => (error instanceof BedrockRuntimeServiceException ? error.$metadata.httpStatusCode : undefined),
    retryAfterOf: (error) =>
      error instanceof BedrockRuntimeServiceException ? Number(error.$response?.headers['retry-after']) : undefined,
  };
}

/** The blocks of a stream. The arguments of a call are the JSON of its pieces. */
function blocksOf(events: readonly ConverseStreamOutput[]): ContentBlock[] {
  const blocks = new Map<number, { name: string | undefined; text: string; reasoning: string; json: string }>();
  for (const { contentBlockStart: start, contentBlockDelta: piece } of events) {
    const index = (start ?? piece)?.contentBlockIndex;
    if (index === undefined) continue;
    const block = blocks.get(index) ?? { name: undefined, text: '', reasoning: '', json: '' };
    block.name ??= start?.start?.toolUse?.name;
    block.text += piece?.delta?.text ?? '';
    block.reasoning += piece?.delta?.reasoningContent?.text ?? '';
    block.json += piece?.delta?.toolUse?.input ?? '';
    blocks.set(index, block);
  }
  return [...blocks.values()].map(({ name, text, reasoning, json }): ContentBlock => {
    if (name !== undefined) return { toolUse: { name, toolUseId: '', input: JSON.parse(json) } };
    return reasoning === '' ? { text } : { reasoningContent: { reasoningText: { text: reasoning } } };
  });
}

function answerOf(content: readonly ContentBlock[], usage: TokenUsage | undefined): SdkAnswer {
  const thoughts = content.flatMap(({ reasoningContent }) => reasoningContent?.reasoningText?.text ?? []);
  return {
    reasoning: thoughts.length > 0 ? thoughts.join('') : undefined,
    text: content.map(({ text = '' }) => text).join(''),
    calls: content.flatMap(({ toolUse }) =>
      toolUse === undefined ? [] : [{ name: toolUse.name ?? '', input: toolUse.input }],
    ),
    usage: { input: usage?.inputTokens, output: usage?.outputTokens },
  };
}

/** A request of the client. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** A transport that sends through `fetch`, in place of HTTP/2. */
function handlerOf(send: typeof fetch) {
  return {
    async handle({ protocol, hostname, port, path, method, headers, body = '' }: SignedRequest) {
      const answer = await send(`${protocol}//${hostname}:${port}${path}`, { method, headers, body });
      const response = { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body };
      return { response };
    },
  };
}

/** The SDKs of Amazon Bedrock: its own, and that of Anthropic for its models there. */
export const BEDROCK_SDKS: readonly SdkUnderTest[] = [
  {
    name: '@aws-sdk/client-bedrock-runtime',
    protocol: 'bedrock-converse',
    errors: {
      400: errorOf('ValidationException'),
      401: errorOf('UnrecognizedClientException'),
      403: errorOf('AccessDeniedException'),
      404: errorOf('ResourceNotFoundException'),
      408: errorOf('ModelTimeoutException'),
      413: errorOf('ValidationException'),
      429: errorOf('ThrottlingException'),
      500: errorOf('InternalServerException'),
      502: errorOf('ServiceUnavailableException'),
      503: errorOf('ServiceUnavailableException'),
      529: errorOf('ServiceUnavailableException'),
    },
    aborted: expect.objectContaining({ name: 'AbortError' }),
    open: (endpoint, { maxRetries, fetch: send }) =>
      clientOf(
        new BedrockRuntimeClient({
          region: 'us-east-1',
          endpoint,
          credentials,
          maxAttempts: maxRetries + 1,
          ...(send && { requestHandler: handlerOf(send) }),
        }),
      ),
  },
  {
    name: '@anthropic-ai/bedrock-sdk',
    protocol: 'anthropic-messages',
    errors: {
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
    },
    aborted: expect.any(Anthropic.APIUserAbortError),
    open: (baseURL, options) => {
      const keys = { awsAccessKey: 'unused', awsSecretKey: 'unused', awsRegion: 'us-east-1' };
      return anthropicClientOf(new AnthropicBedrock({ baseURL, ...keys, logLevel: 'off', ...options }));
    },
  },
];
