import type { Reply } from '../../../conversation/conversation.ts';
import { countTokens } from '../../../conversation/estimate-tokens.ts';
import { isJsonObject, tryJson } from '../../../conversation/json.ts';
import { pieceFrames, streamIndexes } from '../../encode.ts';
import { type SplitPieces, splitIntoWords } from '../../pieces.ts';
import type {
  BrokenStream,
  ChatAnswerForm,
  Frame,
  ReadRequest,
  WireError,
  WireRequest,
  WireResponse,
} from '../../wire.ts';
import { encodeOpenAiError } from '../errors.ts';
import { createResponseId } from '../shared.ts';
import { encodeResponse, incompleteReason, outputItems, type StreamedText } from './output.ts';
import { type ResponsesRequest, readResponsesRequest } from './request.ts';

export function readResponses({ body }: WireRequest): ReadRequest | WireError {
  const request = readResponsesRequest(body);
  if (request.type === 'error') return request;
  const { conversation, stream, limits, toolChoice, unknown } = request;
  const frames: ReadRequest['frames'] = (reply, split) => encodeFrames(reply, request, split);
  const read: ReadRequest = {
    type: 'request',
    conversation,
    json: request.json,
    stream,
    limits,
    toolChoice,
    ...(unknown && { lint: () => [unknown] }),
    native: { form: 'events', responseId: (reply) => createResponseId(reply), echo: request.settings },
    encode: (reply) => encodeResponse(reply, request, outputItems(reply, request)),
    frames,
    encodeFailure: (error, stream) => encodeFailure(error, stream, request),
    inForm: ({ event }) => (event ? { ...read, frames: (...of) => frames(...of).map(rewriteWith(event)) } : read),
  };
  return read;
}

/** Rewrites the event of a frame. */
function rewriteWith(change: NonNullable<ChatAnswerForm['event']>): (frame: Frame) => Frame {
  return (frame) => {
    const [head, data = ''] = frame.bytes.split('\ndata: ', 2);
    const event = tryJson(data);
    return isJsonObject(event) ? { ...frame, bytes: `${head}\ndata: ${JSON.stringify(change(event))}\n\n` } : frame;
  };
}

/** The number of tokens of a request. */
export function countResponses({ body }: WireRequest): WireResponse | WireError {
  const request = readResponsesRequest(body);
  if (request.type === 'error') return request;
  const tokens = countTokens(request.conversation);
  return { status: 200, body: { object: 'response.input_tokens', input_tokens: tokens } };
}

/** An event without its sequence number: the bytes before and after it. */
interface Event {
  readonly kind: Frame['kind'];
  readonly before: string;
  readonly after: string;
}

/** The frames of a streamed reply, from `response.created` to `response.completed` or `response.incomplete`. */
function encodeFrames(reply: Reply, request: ResponsesRequest, split = splitIntoWords): Frame[] {
  const items = outputItems(reply, request);
  const indexes = streamIndexes(items.length, reply);
  const started = encodeFields({ response: encodeResponse(reply, request) });
  const finished = encodeFields({ response: encodeResponse(reply, request, items) });
  const last = incompleteReason(reply) === undefined ? 'completed' : 'incomplete';
  const events: Event[] = [
    { kind: 'open', before: encodeType('created'), after: started },
    { kind: 'open', before: encodeType('in_progress'), after: started },
    ...items.flatMap(({ id, whole, start, streamed }, position) => {
      const output_index = indexes[position];
      return [
        control('output_item.added', { output_index, item: start }),
        ...(streamed === undefined ? [] : textEvents(streamed, { item_id: id, output_index }, split)),
        control('output_item.done', { output_index, item: whole }),
      ];
    }),
    { kind: 'finish', before: encodeType(last), after: finished },
  ];
  return events.map(({ kind, before, after }, number) => ({ kind, bytes: before + number + after }));
}

/**
 * The events of an error, as the API sends them: `error`, then the response with the same error. Its specification has
 * the fields of the first event beside the type, its service sends them as `error`.
 */
function encodeFailure(error: WireError, { reply, sent }: BrokenStream, request: ResponsesRequest): string {
  const { error: body } = encodeOpenAiError(error);
  const { code, message, param } = body;
  const fallback = error.status === 429 ? 'rate_limit_exceeded' : 'server_error';
  const failed = { ...encodeResponse(reply, request), status: 'failed', error: { code: code ?? fallback, message } };
  const event = encodeFields({ code, message, param, error: body });
  return [
    `event: error\ndata: {"type":"error","sequence_number":${sent}${event}`,
    `${encodeType('failed')}${sent + 1}${encodeFields({ response: failed })}`,
  ].join('');
}

function textEvents(streamed: StreamedText, item: object, split: SplitPieces): Event[] {
  const { kind, text, event, field, fields, lastFields, part, annotations = [] } = streamed;
  const position = { ...item, ...part?.position };
  const before = encodeType(`${event}.delta`);
  const pieces = pieceFrames(kind, text, split, (delta) => encodeFields({ ...position, ...fields, delta }));
  return [
    ...(part === undefined ? [] : [control(`${part.event}.added`, { ...position, part: part.encode('') })]),
    ...pieces.map(({ bytes }): Event => ({ kind, before, after: bytes })),
    ...annotations.map((annotation, annotation_index) =>
      control(`${event}.annotation.added`, { ...position, annotation_index, annotation }),
    ),
    control(`${event}.done`, { ...position, ...fields, ...lastFields, [field]: text }),
    ...(part === undefined ? [] : [control(`${part.event}.done`, { ...position, part: part.encode(text) })]),
  ];
}

function control(name: string, fields: object): Event {
  return { kind: 'control', before: encodeType(name), after: encodeFields(fields) };
}

function encodeType(name: string): string {
  return `event: response.${name}\ndata: {"type":"response.${name}","sequence_number":`;
}

function encodeFields(fields: object): string {
  return `,${JSON.stringify(fields).slice(1)}\n\n`;
}
