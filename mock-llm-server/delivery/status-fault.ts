import type { Conversation } from '../conversation/conversation.ts';
import type { Fault } from '../scenario/fault-format.ts';
import type { WireError } from '../wire/wire.ts';

/** The error that a fault sends instead of a reply, or in the middle of its stream. */
export interface StatusFault {
  readonly error: WireError;
  readonly headers: Readonly<Record<string, string>>;
}

type FaultStatus = NonNullable<Fault['status']>;

type Request = Pick<Conversation, 'protocol' | 'model'>;

/** OpenAI's error code, and a message like those of the providers. */
const ERRORS: Readonly<Record<FaultStatus, readonly [code: string | null, message: string | typeof modelNotFound]>> = {
  400: [null, 'The request is not valid.'],
  401: ['invalid_api_key', 'Incorrect API key provided.'],
  403: ['permission_denied', 'Your API key may not use this resource.'],
  404: ['model_not_found', modelNotFound],
  408: [null, 'The request timed out.'],
  413: ['request_too_large', 'The request is larger than the maximum size.'],
  429: ['rate_limit_exceeded', 'Rate limit reached. Please try again later.'],
  500: [null, 'The server had an error while processing your request.'],
  502: [null, 'Bad gateway.'],
  503: [null, 'The service is unavailable. Please try again later.'],
  529: [null, 'Overloaded'],
};

const MILLISECONDS = 1000;

/** The error that a fault sends to a request; undefined for a fault without a status. */
export function statusFaultOf(fault: Fault, request: Request): StatusFault | undefined {
  const { status, type: errorType, retry_after: seconds } = fault;
  if (status === undefined) return undefined;
  const [code, text] = ERRORS[status];
  const message = fault.message ?? (typeof text === 'string' ? text : text(request));
  const { protocol } = request;
  // Only OpenAI's protocols have these codes.
  const openaiCode = protocol === 'openai-chat' || protocol === 'openai-responses' ? code : null;
  const error: WireError = {
    type: 'error',
    status,
    code: fault.code ?? openaiCode,
    message,
    ...(errorType !== undefined && { errorType }),
  };
  if (seconds === undefined) return { error, headers: {} };
  const milliseconds = Math.round(seconds * MILLISECONDS);
  const headers = { 'retry-after': String(Math.ceil(seconds)), 'retry-after-ms': String(milliseconds) };
  return { error: { ...error, retryAfter: seconds }, headers };
}

/** Each provider's own message, because clients recognize a missing model by it. */
function modelNotFound({ protocol, model }: Request): string {
  switch (protocol) {
    case 'openai-chat':
    case 'openai-responses':
      return `The model \`${model}\` does not exist or you do not have access to it.`;
    case 'anthropic-messages':
      return `model: ${model}`;
    case 'gemini':
      return (
        `models/${model} is not found for API version v1beta, or is not supported for generateContent. ` +
        'Call ListModels to see the list of available models and their supported methods.'
      );
    case 'ollama':
      return `model '${model}' not found`;
    default:
      return protocol satisfies never;
  }
}
