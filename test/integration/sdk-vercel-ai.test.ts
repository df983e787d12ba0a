import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import { checkSdks, type SdkAnswer, type SdkClient } from '../support/sdk-checks.ts';

const text = { type: 'string' } as const;
const readSchema = jsonSchema({ type: 'object', properties: { path: text }, required: ['path'] });
const writeSchema = jsonSchema({
  type: 'object',
  properties: { path: text, content: text },
  required: ['path', 'content'],
});

function toolsReturning(result: string) {
  const execute = () => result;
  return {
    read_file: tool({ inputSchema: readSchema, execute }),
    write_file: tool({ inputSchema: writeSchema, execute }),
  };
}

function clientOf(model: LanguageModel): SdkClient {
  const options = { model, maxRetries: 0, maxOutputTokens: 1000 };
  // Without a stop condition there is one step, so nobody is told the result.
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
      return answerOf({ text: await result.text, toolCalls: await result.toolCalls, usage: await result.usage });
    },
    async play(prompt, result) {
      return (await generateText({ ...options, tools: toolsReturning(result), prompt, stopWhen: stepCountIs(5) })).text;
    },
    async object(prompt, schema) {
      return (await generateText({ ...options, prompt, output: Output.object({ schema: jsonSchema(schema) }) })).output;
    },
    statusOf: (error) => (APICallError.isInstance(error) ? error.statusCode : undefined),
  };
}

interface Generated {
  readonly text: string;
  readonly toolCalls: readonly { readonly toolName: string; readonly input: unknown }[];
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
}

function answerOf({ text, toolCalls, usage }: Generated): SdkAnswer {
  return {
    text,
    calls: toolCalls.map(({ toolName: name, input }) => ({ name, input })),
    usage: { input: usage.inputTokens, output: usage.outputTokens },
  };
}

const apiKey = 'unused';
checkSdks([
  {
    name: '@ai-sdk/openai, chat',
    protocol: 'openai-chat',
    open: (url) => clientOf(createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('mock-model')),
  },
  {
    name: '@ai-sdk/openai, responses',
    protocol: 'openai-responses',
    open: (url) => clientOf(createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('mock-model')),
  },
  {
    name: '@ai-sdk/anthropic',
    protocol: 'anthropic-messages',
    // The name of a model that this SDK knows; it warns of others.
    open: (url) => clientOf(createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-4-5')),
  },
  {
    name: '@ai-sdk/google',
    protocol: 'gemini',
    open: (url) => clientOf(createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })('mock-model')),
  },
  {
    name: '@ai-sdk/openai-compatible',
    protocol: 'openai-chat',
    open(url) {
      const settings = { name: 'mock', baseURL: `${url}/v1`, includeUsage: true, supportsStructuredOutputs: true };
      return clientOf(createOpenAICompatible(settings)('mock-model'));
    },
  },
]);
