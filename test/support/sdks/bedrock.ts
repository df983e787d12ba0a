import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import type Anthropic from '@anthropic-ai/sdk';
import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  type Message,
  type TokenUsage,
  type Tool,
} from '@aws-sdk/client-bedrock-runtime';
import { expect } from 'vitest';
import { ABORTED, clientOf as anthropicClientOf, CLASSES, answerOf as messageAnswerOf } from './anthropic.ts';
import {
  OFFERED_TOOLS,
  type SdkAnswer,
  type SdkClient,
  type SdkError,
  type SdkOptions,
  type SdkUnderTest,
} from './sdk-under-test.ts';

const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const toolConfig = {
  tools: OFFERED_TOOLS.map(({ name, schema }): Tool => ({ toolSpec: { name, inputSchema: { json: schema } } })),
};
/** Keys that are used only to sign; no account is used. */
const credentials = { accessKeyId: 'unused', secretAccessKey: 'unused' };
const errorOf = (name: string): SdkError => [BedrockRuntimeServiceException, { name }];

const NEW_LINE = new TextEncoder().encode('\n');

/** The errors of the runtime, whatever the command. */
const ERRORS: SdkUnderTest['errors'] = {
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
};
const READ_ERROR: Pick<SdkClient, 'statusOf' | 'retryAfterOf'> = {
  statusOf: (error) => (error instanceof BedrockRuntimeServiceException ? error.$metadata.httpStatusCode : undefined),
  retryAfterOf: (error) =>
    error instanceof BedrockRuntimeServiceException ? Number(error.$response?.headers['retry-after']) : undefined,
};

function converseClient(api: BedrockRuntimeClient): SdkClient {
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
    ...READ_ERROR,
  };
}

/** A client of InvokeModel, whose body is a request of Anthropic's messages. */
function invokeClient(api: BedrockRuntimeClient): SdkClient {
  const tools = OFFERED_TOOLS.map(({ name, schema }) => ({ name, input_schema: schema }));
  const bodyOf = (request: object) => ({
    modelId,
    contentType: 'application/json',
    body: JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 2000, ...request }),
  });
  const ask = (prompt: string) => {
    return { messages: [{ role: 'user', content: prompt }], thinking: { type: 'enabled', budget_tokens: 1024 } };
  };
  const invoke = async (request: object): Promise<Anthropic.Message> =>
    JSON.parse((await api.send(new InvokeModelCommand(bodyOf(request)))).body.transformToString());
  return {
    generate: async (prompt) => messageAnswerOf(await invoke({ ...ask(prompt), tools })),
    async stream(prompt, { onText, onArguments, signal } = {}) {
      const command = new InvokeModelWithResponseStreamCommand(bodyOf({ ...ask(prompt), tools }));
      const { body = [] } = await api.send(command, { ...(signal && { abortSignal: signal }) });
      // The reader of the official client of these messages puts the events together.
      const events = new ReadableStream<Uint8Array>({
        async start(controller) {
          try {
            for await (const { chunk } of body) {
              if (chunk?.bytes === undefined) continue;
              controller.enqueue(chunk.bytes);
              controller.enqueue(NEW_LINE);
            }
            controller.close();
          } catch (error) {
            controller.error(error);
          }
        },
      });
      const stream = MessageStream.fromReadableStream(events);
      stream.on('text', (piece) => onText?.(piece));
      stream.on('inputJson', (piece) => onArguments?.(piece));
      try {
        return messageAnswerOf(await stream.finalMessage());
      } catch (error) {
        // An abort ends the body without an error.
        signal?.throwIfAborted();
        throw error;
      }
    },
    async play(prompt, result) {
      const { messages }: { messages: object[] } = ask(prompt);
      for (;;) {
        const { content } = await invoke({ messages, tools });
        const results = content.flatMap((block) =>
          block.type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: block.id, content: result }] : [],
        );
        if (results.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        messages.push({ role: 'assistant', content }, { role: 'user', content: results });
      }
    },
    async object(prompt, schema) {
      const { messages } = ask(prompt);
      const output_config = { format: { type: 'json_schema', schema } };
      return JSON.parse(messageAnswerOf(await invoke({ messages, output_config })).text);
    },
    ...READ_ERROR,
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

function openRuntime(endpoint: string, { maxRetries, fetch: send }: SdkOptions): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint,
    credentials,
    maxAttempts: maxRetries + 1,
    ...(send && { requestHandler: handlerOf(send) }),
  });
}

/** The SDKs of Amazon Bedrock: its own, with both kinds of requests, and that of Anthropic for its models there. */
export const BEDROCK_SDKS: readonly SdkUnderTest[] = [
  {
    name: '@aws-sdk/client-bedrock-runtime, Converse',
    protocol: 'bedrock-converse',
    errors: ERRORS,
    aborted: expect.objectContaining({ name: 'AbortError' }),
    open: (url, options) => converseClient(openRuntime(url, options)),
  },
  {
    name: '@aws-sdk/client-bedrock-runtime, InvokeModel',
    protocol: 'anthropic-messages',
    errors: ERRORS,
    aborted: expect.objectContaining({ name: 'AbortError' }),
    open: (url, options) => invokeClient(openRuntime(url, options)),
  },
  {
    name: '@anthropic-ai/bedrock-sdk',
    protocol: 'anthropic-messages',
    errors: CLASSES,
    aborted: ABORTED,
    open: (baseURL, options) => {
      const keys = { awsAccessKey: 'unused', awsSecretKey: 'unused', awsRegion: 'us-east-1' };
      return anthropicClientOf(new AnthropicBedrock({ baseURL, ...keys, logLevel: 'off', ...options }));
    },
  },
];
