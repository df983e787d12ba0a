import { GoogleGenAI } from '@google/genai';
import { expect } from 'vitest';
import * as z from 'zod';
import { OFFERED_TOOLS, type SdkAnswer, type SdkClient, type SdkError, type SdkUnderTest } from './sdk-under-test.ts';

const model = 'gemini-3-pro';
const tools = OFFERED_TOOLS.map(({ name, schema }) => ({ type: 'function' as const, name, parameters: schema }));
const generation_config = { thinking_summaries: 'auto' as const };

const StepSchema = z.looseObject({
  type: z.string(),
  id: z.string().default(''),
  name: z.string().default(''),
  arguments: z.unknown().optional(),
  content: z.array(z.object({ text: z.string() })).default([]),
  summary: z.array(z.object({ text: z.string() })).default([]),
});
const UsageSchema = z.object({
  total_input_tokens: z.number(),
  total_output_tokens: z.number(),
  total_thought_tokens: z.number(),
});
const InteractionSchema = z.object({
  id: z.string(),
  steps: z.array(StepSchema).default([]),
  usage: UsageSchema.optional(),
});
const EventSchema = z.object({
  interaction: InteractionSchema.optional(),
  step: StepSchema.optional(),
  delta: z
    .object({
      text: z.string().default(''),
      arguments: z.string().default(''),
      content: z.object({ text: z.string() }).optional(),
    })
    .optional(),
});

const StatusSchema = z.object({ status: z.number() });
const HeadersSchema = z.object({ headers: z.instanceof(Headers) });
const errorOf = (status: number): SdkError => [Error, { status }];

function clientOf({ interactions }: GoogleGenAI, maxRetries: number): SdkClient {
  const options = { retries: { strategy: 'attempt-count-backoff' as const, maxRetries, retryConnectionErrors: true } };
  const create = async (body: object) =>
    InteractionSchema.parse(await interactions.create({ model, input: '', generation_config, ...body }, options));
  return {
    generate: async (input) => answerOf(await create({ input, tools })),
    async stream(input, { onText, onArguments, signal } = {}) {
      const request = { model, input, tools, generation_config, stream: true as const };
      const steps: z.infer<typeof StepSchema>[] = [];
      let json = '';
      let end: z.infer<typeof InteractionSchema> | undefined;
      const stream = await interactions.create(request, { ...options, ...(signal && { signal }) });
      for await (const event of stream) {
        if (event.event_type === 'error') throw Object.assign(new Error(event.error?.message), { status: 200 });
        const { interaction, step, delta } = EventSchema.parse(event);
        end = interaction ?? end;
        if (step !== undefined) {
          steps.push(step);
          json = '';
        }
        const open = steps.at(-1);
        if (delta === undefined || open === undefined) continue;
        if (delta.text !== '') {
          open.content.push({ text: delta.text });
          onText?.(delta.text);
          // The SDK joins its signal with others by AbortSignal.any, whose result can be collected before it is aborted.
          signal?.throwIfAborted();
        }
        if (delta.content !== undefined) open.summary.push(delta.content);
        if (delta.arguments !== '') {
          json += delta.arguments;
          onArguments?.(delta.arguments);
        }
        if (event.event_type === 'step.delta' && open.type === 'function_call' && isJson(json))
          open.arguments = JSON.parse(json);
      }
      signal?.throwIfAborted();
      return answerOf({ id: '', steps, usage: end?.usage });
    },
    async play(prompt, result) {
      let answer = await create({ input: prompt, tools });
      for (;;) {
        const calls = answer.steps.filter(({ type }) => type === 'function_call');
        if (calls.length === 0) return answerOf(answer).text;
        const input = calls.map(({ id, name }) => ({ type: 'function_result', call_id: id, name, result }));
        answer = await create({ input, tools, previous_interaction_id: answer.id });
      }
    },
    async object(input, schema) {
      const response_format = { type: 'text', mime_type: 'application/json', schema };
      return JSON.parse(answerOf(await create({ input, response_format })).text);
    },
    statusOf: (error) => StatusSchema.safeParse(error).data?.status,
    retryAfterOf: (error) => Number(HeadersSchema.safeParse(error).data?.headers.get('retry-after')),
  };
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function answerOf({ steps, usage }: z.infer<typeof InteractionSchema>): SdkAnswer {
  const thoughts = steps.flatMap(({ summary }) => summary.map(({ text }) => text));
  return {
    reasoning: thoughts.length > 0 ? thoughts.join('') : undefined,
    text: steps.flatMap(({ content }) => content.map(({ text }) => text)).join(''),
    calls: steps.flatMap(({ type, name, arguments: input }) => (type === 'function_call' ? [{ name, input }] : [])),
    usage: {
      input: usage?.total_input_tokens,
      output: usage && usage.total_output_tokens + usage.total_thought_tokens,
    },
  };
}

/** The SDK of Google over the Interactions API. */
export const GOOGLE_INTERACTIONS_SDKS: readonly SdkUnderTest[] = [
  {
    name: '@google/genai, interactions',
    protocol: 'gemini-interactions',
    errors: {
      400: errorOf(400),
      401: errorOf(401),
      403: errorOf(403),
      404: errorOf(404),
      408: errorOf(408),
      413: errorOf(413),
      429: errorOf(429),
      500: errorOf(500),
      502: errorOf(502),
      503: errorOf(503),
      529: errorOf(503),
    },
    aborted: expect.objectContaining({ name: expect.stringMatching(/AbortError$/) }),
    open: (baseUrl, { maxRetries, ...options }) =>
      clientOf(new GoogleGenAI({ apiKey: 'unused', httpOptions: { baseUrl, ...options } }), maxRetries),
  },
];
