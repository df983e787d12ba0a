import type { Conversation } from '../conversation/conversation.ts';
import type { Fault } from '../scenario/fault-format.ts';
import type { WireError } from '../wire/wire.ts';

/** A fault that takes the place of an answer. */
export interface StatusFault {
  readonly error: WireError;
  readonly headers: Readonly<Record<string, string>>;
}

type FaultStatus = NonNullable<Fault['status']>;

type Asked = Pick<Conversation, 'protocol' | 'model'>;

/** OpenAI's code, and a text in the manner of the providers. */
const ERRORS: Readonly<Record<FaultStatus, readonly [code: string | null, message: string | typeof noModel]>> = {
  400: [null, 'The request is not valid.'],
  401: ['invalid_api_key', 'Incorrect API key provided.'],
  403: ['permission_denied', 'Your API key may not use this resource.'],
  404: ['model_not_found', noModel],
  408: [null, 'The request timed out.'],
  413: ['request_too_large', 'The request is larger than the maximum size.'],
  429: ['rate_limit_exceeded', 'Rate limit reached. Please try again later.'],
  500: [null, 'The server had an error while processing your request.'],
  502: [null, 'Bad gateway.'],
  503: [null, 'The service is unavailable. Please try again later.'],
  529: [null, 'Overloaded'],
};

const MILLISECONDS = 1000;

/** The error that a fault asks for in this request; nothing for a fault that breaks the answer itself. */
export function statusFaultOf(fault: Fault, asked: Asked): StatusFault | undefined {
  const { status, retry_after: seconds } = fault;
  if (status === undefined) return undefined;
  const [code, text] = ERRORS[status];
  const message = fault.message ?? (typeof text === 'string' ? text : text(asked));
  const { protocol } = asked;
  // Only OpenAI's protocols have codes of these names.
  const ownCode = protocol === 'openai-chat' || protocol === 'openai-responses' ? code : null;
  const error = { type: 'error' as const, status, code: ownCode, message };
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

/** Clients tell by these words that a model is not there, so they are those of each provider. */
function noModel({ protocol, model }: Asked): string {
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
