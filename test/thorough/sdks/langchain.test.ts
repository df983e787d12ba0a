import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { expect } from 'vitest';
import * as z from 'zod';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';
import {
  errorsOfClass,
  OFFERED_TOOLS,
  type SdkAnswer,
  type SdkClient,
  type SdkOptions,
} from '../../support/sdks/sdk-under-test.ts';

const tools = OFFERED_TOOLS.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } }));
const UsageSchema = z.object({ input_tokens: z.number(), output_tokens: z.number() });
const ErrorSchema = z.object({ status: z.number(), retryAfterMs: z.number().optional() });
const ReasoningSchema = z.object({ type: z.literal('reasoning'), reasoning: z.string() });

/** `countedTwice`: output tokens of a stream that the model counts twice. */
function clientOf(model: BaseChatModel, countedTwice = 0): SdkClient {
  if (model.bindTools === undefined) throw new Error('This model takes no tools.');
  const equipped = model.bindTools(tools);
  return {
    async generate(prompt) {
      return answerOf(await equipped.invoke(prompt));
    },
    async stream(prompt, { onText, onArguments, signal } = {}) {
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await equipped.stream(prompt, { ...(signal !== undefined && { signal }) })) {
        whole = whole === undefined ? chunk : whole.concat(chunk);
        if (chunk.text !== '') onText?.(chunk.text);
        for (const { args } of chunk.tool_call_chunks ?? []) if (args !== undefined) onArguments?.(args);
      }
      if (whole === undefined) throw new Error('The stream was empty.');
      const { usage, ...answer } = answerOf(whole);
      return { ...answer, usage: { ...usage, output: (usage.output ?? Number.NaN) - countedTwice } };
    },
    async play(prompt, result) {
      const messages: BaseMessage[] = [new HumanMessage(prompt)];
      for (;;) {
        const answer = await equipped.invoke(messages);
        const calls = answer.tool_calls ?? [];
        if (calls.length === 0) return answer.text;
        messages.push(answer, ...calls.map(({ id = '' }) => new ToolMessage({ tool_call_id: id, content: result })));
      }
    },
    async object(prompt, schema) {
      return model.withStructuredOutput({ ...schema }, { method: 'jsonSchema', name: 'person' }).invoke(prompt);
    },
    statusOf: (error) => ErrorSchema.safeParse(error).data?.status,
    retryAfterOf: (error) => (ErrorSchema.parse(error).retryAfterMs ?? Number.NaN) / 1000,
  };
}

function answerOf(message: AIMessageChunk): SdkAnswer {
  const usage = UsageSchema.parse(message.usage_metadata);
  const reasoning = message.contentBlocks.flatMap((block) => ReasoningSchema.safeParse(block).data?.reasoning ?? []);
  return {
    reasoning: reasoning.length > 0 ? reasoning.join('') : undefined,
    text: message.text,
    calls: (message.tool_calls ?? []).map(({ name, args: input }) => ({ name, input })),
    usage: { input: usage.input_tokens, output: usage.output_tokens },
  };
}

const apiKey = 'unused';
const chatOpenAI = (url: string, useResponsesApi: boolean, { maxRetries, ...options }: SdkOptions) =>
  new ChatOpenAI({
    model: 'mock-model',
    apiKey,
    maxRetries,
    useResponsesApi,
    ...(useResponsesApi && { modelKwargs: { reasoning: { summary: 'auto' } } }),
    configuration: { baseURL: `${url}/v1`, ...options },
  });
const common = { errors: errorsOfClass(Error), aborted: expect.any(Error) };

checkSdks([
  {
    ...common,
    name: '@langchain/openai, chat',
    protocol: 'openai-chat',
    open: (url, options) => clientOf(chatOpenAI(url, false, options)),
  },
  {
    ...common,
    name: '@langchain/openai, responses',
    protocol: 'openai-responses',
    open: (url, options) => clientOf(chatOpenAI(url, true, options)),
  },
  {
    ...common,
    name: '@langchain/anthropic',
    protocol: 'anthropic-messages',
    open(url, { maxRetries, ...clientOptions }) {
      const thinking = { type: 'adaptive' as const };
      const settings = {
        model: 'claude-sonnet-4-6',
        apiKey,
        maxRetries,
        maxTokens: 1000,
        anthropicApiUrl: url,
        thinking,
      };
      // It adds the tokens of `message_start`, which is 1 here, to those of `message_delta`, which include them.
      return clientOf(new ChatAnthropic({ ...settings, clientOptions }), 1);
    },
  },
]);
