import * as z from 'zod';
import type { LanguageModel, ModelEvent, ModelIdentity } from '../../ports/language-model.ts';
import { fetchJson } from '../http/fetch-json.ts';
import { FailedRequest } from '../http/open-request.ts';
import { postEvents } from '../http/post-events.ts';
import { type Connection, streamAnswer } from '../http/stream-answer.ts';
import type { OfferedModel, WireModule, WireOptions } from '../wire-options.ts';
import { createEventReader } from './events.ts';
import { anthropicRequest } from './request.ts';

/** The wire `POST {endpoint}/v1/messages`, streaming. The decoder of the SDK is loaded with the first request. */
export const anthropicMessages: WireModule = { createModel: createAnthropicMessages, listModels };

/** The version of the protocol. */
const VERSION_HEADERS = { 'anthropic-version': '2023-06-01' } as const;

const FORMAT = { contentType: 'text/event-stream', headers: VERSION_HEADERS } as const;

function createAnthropicMessages(options: WireOptions): LanguageModel {
  const { provider, model } = options;
  const identity = { provider, wire: 'anthropic-messages', model };
  return {
    identity,
    stream(request, signal) {
      const body = anthropicRequest(request, identity, options);
      return streamAnswer(options, FORMAT, signal, (connection) => answer(body, identity, options, connection));
    },
  };
}

async function* answer(
  body: ReturnType<typeof anthropicRequest>,
  identity: ModelIdentity,
  { endpoint }: WireOptions,
  connection: Connection,
): AsyncGenerator<ModelEvent, void, void> {
  const reader = createEventReader(identity);
  const decoder = await import('@anthropic-ai/sdk/core/streaming');
  for await (const event of postEvents(`${endpoint}/v1/messages`, body, connection, decoder)) {
    const events = reader.read(event);
    if (typeof events === 'string') throw new FailedRequest({ type: 'garbled', detail: events });
    yield* events;
  }
  yield* reader.end();
}

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), max_input_tokens: z.int().positive().nullish() })),
});

/** The models of `GET {endpoint}/v1/models`. One page, which is the largest, has more models than there are. */
async function listModels(options: WireOptions, signal: AbortSignal): Promise<readonly OfferedModel[]> {
  const path = '/v1/models?limit=1000';
  const { data } = await fetchJson(options, { path, headers: VERSION_HEADERS, schema: listSchema }, signal);
  return data.map(({ id, max_input_tokens: size }) => ({ name: id, ...(size ? { contextWindow: size } : {}) }));
}
