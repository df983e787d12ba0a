import type { JsonObject } from '../../conversation/conversation.ts';
import { countTokens } from '../../conversation/estimate-tokens.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { decodePercent, errorText } from '../../text.ts';
import { readAnthropic } from '../anthropic/reader.ts';
import { badRequest, parseBody } from '../body.ts';
import { openChat } from '../openai/chat/chat.ts';
import { chatRequestOf } from '../openai/chat/chat-request.ts';
import { readChatBody } from '../openai/chat/chat-schema.ts';
import type { Frame, ReadRequest, WireError, WireRequest, WireResponse } from '../wire.ts';
import { encodeException, readModelPath } from './aws.ts';
import { readCompletion } from './completions.ts';
import { openConverse } from './converse.ts';
import { packChunks } from './event-stream.ts';
import { LATENCY } from './reply.ts';

/** Reads a request of InvokeModel and InvokeModelWithResponseStream, whose body has the form of the model's maker. */
export function readInvoke({ path, body }: WireRequest): ReadRequest | WireError {
  const { model = '', operation } = readModelPath(path) ?? {};
  const stream = operation === 'invoke-with-response-stream';
  const read = readBody(decodePercent(model), body, stream);
  if (read.type === 'error') return read;
  const { encodeFailure: _, streamType: __, ...kept } = read;
  return { ...kept, stream, pack: packChunks, encodeFailure: encodeException };
}

/** Makers whose models need the version of Anthropic's protocol. */
const CLAUDE = /(?:^|\.)anthropic\./;
/** The models whose requests the service checks by a schema: https://github.com/diffbot/code-gpt-docs/issues/300 */
const OLDER_CLAUDE = /anthropic\.claude-3/;

/** Models of Amazon with the body of Converse, and fields of other bodies: https://github.com/lobehub/lobehub/issues/5203 */
const NOVA = /amazon\.nova-(?:micro|lite|pro|premier|2-)/;
const FOREIGN_TO_NOVA = ['top_p', 'temperature', 'max_tokens', 'textGenerationConfig'];

function readBody(model: string, body: string, stream: boolean): ReadRequest | WireError {
  const json = readInvokeObject(body);
  if (isInvokeError(json)) return json;
  if (json['anthropic_version'] !== undefined) return readClaude(model, json, stream);
  const extra = NOVA.test(model) ? FOREIGN_TO_NOVA.find((key) => json[key] !== undefined) : undefined;
  if (extra !== undefined) return malformed(`extraneous key [${extra}] is not permitted`);
  const completion = NOVA.test(model) ? undefined : readCompletion(model, json, stream);
  if (completion !== undefined) return completion;
  if (CLAUDE.test(model)) {
    return malformed('required key [anthropic_version] not found');
  }
  const { messages } = json;
  const [first] = Array.isArray(messages) ? messages : [];
  if (!isJsonObject(first)) {
    return badRequest(
      'Malformed input request: #: required key [messages] not found. This server knows the bodies of Anthropic, ' +
        "Amazon Nova and Titan, Llama, Mistral, AI21 and Cohere, those of OpenAI's Chat Completions, and the operation Converse " +
        'for every model.',
    );
  }
  const { content } = first;
  const isTyped = typeof content === 'string' || (Array.isArray(content) && 'type' in Object(content[0]));
  return isTyped ? readChat(model, json, stream) : openConverse(model, body, stream);
}

/** The object of a body, or the error for one that is not an object. */
export function readInvokeObject(body: string): JsonObject | WireError {
  try {
    const json = parseBody(body);
    if (isJsonObject(json)) return json;
  } catch (error) {
    return malformed(errorText(error));
  }
  return malformed('expected type: JSONObject');
}

function malformed(reason: string): WireError {
  return badRequest(`Malformed input request: #: ${reason}, please reformat your input and try again.`);
}

/** True for the error of a body that cannot be read. */
export function isInvokeError(value: JsonObject | WireError): value is WireError {
  return 'type' in value && value['type'] === 'error' && 'status' in value;
}

/** A request in the form of Anthropic, with the version of the API in its body. */
function readClaude(model: string, json: JsonObject, stream: boolean): ReadRequest | WireError {
  // https://github.com/sigoden/aichat/issues/543
  const extra = ['stream', 'model'].find((key) => json[key] !== undefined);
  if (extra !== undefined) return malformed(`extraneous key [${extra}] is not permitted`);
  if (OLDER_CLAUDE.test(model) && json['max_tokens'] === undefined)
    return malformed('required key [max_tokens] not found');
  const body = JSON.stringify({ ...json, model, stream });
  const headers = { 'anthropic-version': '2023-06-01' };
  const read = readAnthropic({ method: 'POST', path: '', query: {}, headers, body });
  if (read.type === 'error') return read;
  return {
    ...read,
    frames: (reply, split) => {
      const { inputTokens: inputTokenCount, outputTokens: outputTokenCount } = reply.usage;
      const counts = { inputTokenCount, outputTokenCount, invocationLatency: LATENCY, firstByteLatency: LATENCY };
      const last = { type: 'message_stop', 'amazon-bedrock-invocationMetrics': counts };
      const bytes = `event: message_stop\ndata: ${JSON.stringify(last)}\n\n`;
      // The service does not forward the pings of the model.
      return read.frames(reply, split).flatMap((frame): readonly Frame[] => {
        if (frame.kind === 'close') return [{ ...frame, bytes }];
        return frame.bytes.startsWith('event: ping') ? [] : [frame];
      });
    },
  };
}

/** A request in the form of OpenAI's Chat Completions, as most other makers have it. */
function readChat(model: string, json: object, stream: boolean): ReadRequest | WireError {
  return openChat(chatRequestOf(readChatBody(JSON.stringify({ ...json, model, stream })), undefined));
}

/** Answers the operation CountTokens. */
export function countBedrock({ path, body }: WireRequest): WireResponse | WireError {
  const model = decodePercent(readModelPath(path)?.model ?? '');
  const read = readInput(model, body);
  if (read.type === 'error') return read;
  return { status: 200, body: { inputTokens: countTokens(read.conversation) } };
}

function readInput(model: string, body: string): ReadRequest | WireError {
  const json = readInvokeObject(body);
  if (isInvokeError(json)) return json;
  const input = isJsonObject(json['input']) ? json['input'] : {};
  const { converse, invokeModel } = input;
  if (converse !== undefined) return openConverse(model, JSON.stringify(converse), false);
  const encoded = isJsonObject(invokeModel) ? invokeModel['body'] : undefined;
  if (typeof encoded === 'string') return readBody(model, Buffer.from(encoded, 'base64').toString(), false);
  return badRequest(
    "1 validation error detected: Value null at 'input' failed to satisfy constraint: Member must not be null",
  );
}
