import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import * as z from 'zod';
import { checkSdks, type SdkAnswer, type SdkClient } from '../support/sdk-checks.ts';

const text = { type: 'string' };
const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      parameters: { type: 'object', properties: { path: text }, required: ['path'] },
    },
  },
  {
    type: 'function',
    function: {
      name: 'write_file',
      parameters: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
    },
  },
];
const UsageSchema = z.object({ input_tokens: z.number(), output_tokens: z.number() });
const StatusSchema = z.object({ status: z.number() });

function clientOf(model: BaseChatModel): SdkClient {
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
      return answerOf(whole);
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
    statusOf: (error) => (error instanceof Error ? StatusSchema.safeParse(error).data?.status : undefined),
  };
}

function answerOf(message: AIMessageChunk): SdkAnswer {
  const usage = UsageSchema.parse(message.usage_metadata);
  return {
    text: message.text,
    calls: (message.tool_calls ?? []).map(({ name, args: input }) => ({ name, input })),
    usage: { input: usage.input_tokens, output: usage.output_tokens },
  };
}

const apiKey = 'unused';
const chatOpenAI = (url: string, useResponsesApi: boolean) =>
  new ChatOpenAI({
    model: 'mock-model',
    apiKey,
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${url}/v1` },
  });

checkSdks([
  {
    name: '@langchain/openai, chat',
    protocol: 'openai-chat',
    open: (url) => clientOf(chatOpenAI(url, false)),
  },
  {
    name: '@langchain/openai, responses',
    protocol: 'openai-responses',
    open: (url) => clientOf(chatOpenAI(url, true)),
  },
  {
    name: '@langchain/anthropic',
    protocol: 'anthropic-messages',
    open: (url) =>
      clientOf(
        new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey, maxRetries: 0, maxTokens: 1000, anthropicApiUrl: url }),
      ),
  },
]);
