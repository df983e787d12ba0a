import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { expect } from 'vitest';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';
import { errorsOfClass, OFFERED_TOOLS, type SdkAnswer, type SdkClient } from '../../support/sdks/sdk-under-test.ts';

function toolsReturning(result: string) {
  const execute = () => result;
  return Object.fromEntries(
    OFFERED_TOOLS.map(({ name, schema }) => [name, tool({ inputSchema: jsonSchema(schema), execute })]),
  );
}

function clientOf(model: LanguageModel, maxRetries: number): SdkClient {
  const providerOptions = {
    openai: { reasoningSummary: 'auto', forceReasoning: true },
    anthropic: { thinking: { type: 'adaptive' } },
    google: { thinkingConfig: { includeThoughts: true } },
  };
  const options = { model, maxRetries, maxOutputTokens: 1000, providerOptions };
  // Without a stop condition the SDK stops after one step and sends no result.
  const tools = toolsReturning('');
  return {
    async generate(prompt) {
      return answerOf(await generateText({ ...options, tools, prompt }));
    },
    async stream(prompt, { onText, onArguments, signal } = {}) {
      const result = streamText({
        ...options,
        tools,
        prompt,
        onError: () => {},
        ...(signal !== undefined && { abortSignal: signal }),
      });
      for await (const part of result.stream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'abort') throw new Error('aborted');
        if (part.type === 'text-delta') onText?.(part.text);
        if (part.type === 'tool-input-delta') onArguments?.(part.delta);
      }
      return answerOf({
        reasoningText: await result.reasoningText,
        text: await result.text,
        toolCalls: await result.toolCalls,
        usage: await result.usage,
      });
    },
    async play(prompt, result) {
      return (await generateText({ ...options, tools: toolsReturning(result), prompt, stopWhen: stepCountIs(5) })).text;
    },
    async object(prompt, schema) {
      return (await generateText({ ...options, prompt, output: Output.object({ schema: jsonSchema(schema) }) })).output;
    },
    statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
    retryAfterOf: (error) =>
      APICallError.isInstance(error) ? Number(error.responseHeaders?.['retry-after']) : undefined,
  };
}

interface Generated {
  readonly reasoningText: string | undefined;
  readonly text: string;
  readonly toolCalls: readonly { readonly toolName: string; readonly input: unknown }[];
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
}

function answerOf({ reasoningText, text, toolCalls, usage }: Generated): SdkAnswer {
  return {
    reasoning: reasoningText,
    text,
    calls: toolCalls.map(({ toolName: name, input }) => ({ name, input })),
    usage: { input: usage.inputTokens, output: usage.outputTokens },
  };
}

const apiKey = 'unused';
const common = {
  errors: errorsOfClass(APICallError),
  aborted: expect.objectContaining({ message: 'aborted' }),
};
checkSdks([
  {
    ...common,
    name: '@ai-sdk/openai, chat',
    protocol: 'openai-chat',
    open: (url, { maxRetries, ...options }) =>
      clientOf(createOpenAI({ baseURL: `${url}/v1`, apiKey, ...options }).chat('mock-model'), maxRetries),
  },
  {
    ...common,
    name: '@ai-sdk/openai, responses',
    protocol: 'openai-responses',
    open: (url, { maxRetries, ...options }) =>
      clientOf(createOpenAI({ baseURL: `${url}/v1`, apiKey, ...options }).responses('mock-model'), maxRetries),
  },
  {
    ...common,
    name: '@ai-sdk/anthropic',
    protocol: 'anthropic-messages',
    // This SDK warns about models that it does not know.
    open: (url, { maxRetries, ...options }) =>
      clientOf(createAnthropic({ baseURL: `${url}/v1`, apiKey, ...options })('claude-sonnet-4-6'), maxRetries),
  },
  {
    ...common,
    name: '@ai-sdk/google',
    protocol: 'gemini',
    open: (url, { maxRetries, ...options }) =>
      clientOf(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey, ...options })('mock-model'), maxRetries),
  },
  {
    ...common,
    name: '@ai-sdk/openai-compatible',
    protocol: 'openai-chat',
    open(url, { maxRetries, ...options }) {
      const settings = { name: 'mock', baseURL: `${url}/v1`, includeUsage: true, supportsStructuredOutputs: true };
      return clientOf(createOpenAICompatible({ ...settings, ...options })('mock-model'), maxRetries);
    },
  },
]);
