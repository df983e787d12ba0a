import type { ServiceName } from '../../conversation/conversation.ts';
import type { Wire, WireError, WireRequest } from '../../wire/wire.ts';
import { serviceNamed } from '../services.ts';

interface Failed {
  readonly wire: Pick<Wire, 'protocol' | 'encodeError'>;
  readonly request: WireRequest;
  readonly service?: ServiceName | undefined;
}

/** The body of an error: in the form of the service if it has its own for the protocol, as most have for OpenAI's. */
export function encodeServiceError(
  { wire, request, service = request.service }: Failed,
  error: WireError,
  id: string,
): object {
  const {
    encodeError: own,
    encodesEverywhere = false,
    words = [],
  } = service === undefined ? {} : serviceNamed(service);
  const isOpenAi = wire.protocol.startsWith('openai-');
  const encode = encodesEverywhere || isOpenAi ? own : undefined;
  const message = isOpenAi ? words.reduce((text, [from, to]) => text.replace(from, to), error.message) : error.message;
  const worded = message === error.message ? error : { ...error, message };
  return encode === undefined ? wire.encodeError(worded, id, request) : encode(worded, id);
}
