import type { Protocol } from './conversation.ts';
import type { Fault } from './fault-schema.ts';
import type { WireError } from './wire/wire.ts';

/** A fault that takes the place of an answer. */
export interface StatusFault {
  readonly error: WireError;
  readonly headers: Readonly<Record<string, string>>;
}

type FaultStatus = NonNullable<Fault['status']>;

/** OpenAI's code, and a text in the manner of the providers. */
const ERRORS: Readonly<Record<FaultStatus, readonly [code: string | null, message: string]>> = {
  400: [null, 'The request is not valid.'],
  401: ['invalid_api_key', 'Incorrect API key provided.'],
  403: ['permission_denied', 'Your API key may not use this resource.'],
  404: ['model_not_found', 'The model does not exist or you may not use it.'],
  408: [null, 'The request timed out.'],
  413: ['request_too_large', 'The request is larger than the maximum size.'],
  429: ['rate_limit_exceeded', 'Rate limit reached. Please try again later.'],
  500: [null, 'The server had an error while processing your request.'],
  502: [null, 'Bad gateway.'],
  503: [null, 'The service is unavailable. Please try again later.'],
  529: [null, 'Overloaded'],
};

const MILLISECONDS = 1000;

/** The error that a fault asks for; nothing for a fault that breaks the answer itself. */
export function statusFaultOf(fault: Fault, protocol: Protocol): StatusFault | undefined {
  const { status, retry_after: seconds } = fault;
  if (status === undefined) return undefined;
  const [code, message] = ERRORS[status];
  // Only OpenAI's protocols have codes of these names.
  const ownCode = protocol === 'openai-chat' || protocol === 'openai-responses' ? code : null;
  const error = { type: 'error' as const, status, code: ownCode, message: fault.message ?? message };
  return {
    error: seconds === undefined ? error : { ...error, retryAfter: seconds },
    headers:
      seconds === undefined
        ? {}
        : {
            'retry-after': String(Math.ceil(seconds)),
            'retry-after-ms': String(Math.round(seconds * MILLISECONDS)),
          },
  };
}
