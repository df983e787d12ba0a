import { decodePercent } from '../../text.ts';
import type { ReadRequest, WireError, WireRequest } from '../wire.ts';
import { encodeException, readModelPath } from './aws.ts';
import { packEvents } from './event-stream.ts';
import { encodeConverseFrames, encodeConverseReply } from './reply.ts';
import { readConverseRequest } from './request.ts';

/** Reads a request of the operations Converse and ConverseStream. */
export function readConverse({ path, body }: WireRequest): ReadRequest | WireError {
  const { model = '', operation } = readModelPath(path) ?? {};
  return openConverse(decodePercent(model), body, operation === 'converse-stream');
}

/** The request of a body in the form of the Converse API. */
export function openConverse(model: string, body: string, stream: boolean): ReadRequest | WireError {
  const read = readConverseRequest(model, body);
  if ('type' in read) return read;
  return {
    type: 'request',
    conversation: read.conversation,
    json: read.json,
    stream,
    limits: read.limits,
    toolChoice: read.toolChoice,
    native: { form: 'data_only' },
    pack: packEvents,
    encode: encodeConverseReply,
    frames: encodeConverseFrames,
    encodeFailure: encodeException,
  };
}
