import type { ReadRequest, WireError, WireRequest } from '../wire.ts';
import { encodeInteractionError } from './errors.ts';
import { createInteractionId, encodeInteraction, encodeInteractionFrames } from './reply.ts';
import { readInteractionRequest } from './request.ts';

export function readInteraction({ body }: Pick<WireRequest, 'body'>): ReadRequest | WireError {
  const read = readInteractionRequest(body);
  if (read.type === 'error') return read;
  const { refusal } = read;
  return {
    type: 'request',
    conversation: read.conversation,
    json: read.json,
    stream: read.stream,
    limits: read.limits,
    toolChoice: read.toolChoice,
    ...(refusal && { lint: () => [refusal] }),
    native: { form: 'interaction', responseId: createInteractionId },
    encode: encodeInteraction,
    frames: encodeInteractionFrames,
    encodeFailure: (error) =>
      `event: error\ndata: ${JSON.stringify({ ...encodeInteractionError(error), event_type: 'error' })}\n\n`,
  };
}
