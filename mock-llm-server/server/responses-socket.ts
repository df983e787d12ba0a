import { createParser } from 'eventsource-parser';
import type { WebSocket } from 'ws';
import type { JsonObject } from '../conversation/conversation.ts';
import { digestOf, secondOf } from '../conversation/ids.ts';
import { isJsonObject, tryJson } from '../conversation/json.ts';

/** The binding of a request that a message of a WebSocket asked for. */
export interface SocketBinding {
  readonly signal: AbortSignal;
  readonly client: object;
  /** The `stream_id` that the events of its response have. */
  readonly lane: JsonObject;
}

/** Sends a request of the Responses API to the server, with the path and the headers of the connection. */
export type SendRequest = (body: JsonObject, binding: SocketBinding) => Promise<Response>;

/** A message of a client: a request for a response, with the lane that its events belong to. */
type ClientMessage =
  | { readonly type: 'create'; readonly body: JsonObject; readonly lane: JsonObject; readonly generate: boolean }
  | { readonly type: 'error'; readonly message: string; readonly param: string | null; readonly lane: JsonObject };

/**
 * Answers the messages of a WebSocket as the Responses API does: each `response.create` with the events of its response,
 * one message each. Requests of one `stream_id` are answered one after the other, those of several at the same time.
 */
export function serveResponses(client: WebSocket, send: SendRequest): void {
  const gone = new AbortController();
  const lanes = new Map<string, Promise<void>>();
  /** The requests without output, which later ones continue. */
  const prepared = new Map<string, JsonObject>();
  client.on('close', () => gone.abort());
  // The library closes the connection with the code of the protocol: 1002, 1007 or 1009.
  client.on('error', () => gone.abort());
  client.on('message', (data, isBinary) => {
    if (isBinary) return client.close(1003, 'Send text messages.');
    const message = readMessage(data.toString());
    const lane = String(message.lane['stream_id'] ?? '');
    const answer = () => answerMessage(client, message, prepared, send, gone.signal).catch(() => client.terminate());
    // The first message of a lane is answered at once, before a close that arrived with it.
    lanes.set(lane, lanes.get(lane)?.then(answer) ?? answer());
  });
}

function readMessage(text: string): ClientMessage {
  const value = tryJson(text);
  if (!isJsonObject(value)) return refused('The message is not a JSON object.', null);
  const { type, stream_id: streamId, generate, background: _background, ...body } = value;
  if (streamId !== undefined && typeof streamId !== 'string')
    return refused('stream_id must be a string.', 'stream_id');
  const lane = streamId === undefined ? {} : { stream_id: streamId };
  if (type !== 'response.create') {
    return { ...refused(`Unknown event type ${JSON.stringify(type)}. Send response.create.`, 'type'), lane };
  }
  return { type: 'create', lane, generate: generate !== false, body: { ...body, stream: true } };
}

function refused(message: string, param: string | null): Extract<ClientMessage, { type: 'error' }> {
  return { type: 'error', message, param, lane: {} };
}

async function answerMessage(
  client: WebSocket,
  message: ClientMessage,
  prepared: Map<string, JsonObject>,
  send: SendRequest,
  signal: AbortSignal,
): Promise<void> {
  const emit = (event: JsonObject) => client.send(JSON.stringify({ ...event, ...message.lane }));
  if (message.type === 'error') {
    const error = { type: 'invalid_request_error', code: null, message: message.message, param: message.param };
    return emit({ type: 'error', status: 400, error });
  }
  const body = continued(message.body, prepared);
  if (!message.generate) return prepare(body, prepared, emit);
  const response = await send(body, { signal, client, lane: message.lane });
  if (response.status !== 200) {
    const { error, detail } = Object(await response.json());
    const { status } = response;
    return emit({ type: 'error', status, error: error ?? { type: 'invalid_request_error', message: detail } });
  }
  let isFinished = false;
  const parser = createParser({
    onEvent({ data }) {
      const event = tryJson(data);
      if (!isJsonObject(event)) return client.send(data);
      isFinished ||= /^response\.(?:completed|incomplete|failed)$/.test(String(event['type']));
      return emit(event);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) parser.feed(decoder.decode(bytes, { stream: true }));
  // A stream that a fault cuts ends without a word.
  if (!isFinished) client.terminate();
}

/** A request with what the prepared request that it continues has said. */
function continued(body: JsonObject, prepared: ReadonlyMap<string, JsonObject>): JsonObject {
  const { previous_response_id: previous, ...rest } = body;
  const before = typeof previous === 'string' ? prepared.get(previous) : undefined;
  if (before === undefined) return body;
  return { ...before, ...rest, input: [...itemsOf(before['input']), ...itemsOf(rest['input'])] };
}

function itemsOf(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input;
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : [];
}

/** Answers a request for no output with an empty response, whose id a later request can continue. */
function prepare(body: JsonObject, prepared: Map<string, JsonObject>, emit: (event: JsonObject) => void): void {
  const digest = digestOf('prepared', JSON.stringify(body));
  const id = `resp_${digest.slice(0, 48)}`;
  prepared.set(id, body);
  const { instructions = null, tools = [], model = null } = body;
  const created_at = secondOf(digest);
  const head = { id, object: 'response', created_at, model, instructions, tools, output: [], error: null };
  const usage = { input_tokens: 0, input_tokens_details: { cached_tokens: 0 }, output_tokens: 0 };
  const counts = { ...usage, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 0 };
  const started = { ...head, status: 'in_progress', usage: null };
  emit({ type: 'response.created', sequence_number: 0, response: started });
  emit({ type: 'response.completed', sequence_number: 1, response: { ...head, status: 'completed', usage: counts } });
}
