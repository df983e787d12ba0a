import { statusErrorFrom } from '../status-error.ts';
import type { StatusRequest, WireError } from '../wire.ts';

/** The names of errors by status, as the model of the service declares them. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  502: 'ServiceUnavailableException',
  503: 'ServiceUnavailableException',
};

function typeOfError({ status, errorType }: WireError): string {
  return errorType ?? TYPES[status] ?? (status < 500 ? 'ValidationException' : 'InternalServerException');
}

/** The errors that a stream can have, as the model of the service declares them. */
const IN_STREAM = new Set([
  'InternalServerException',
  'ModelStreamErrorException',
  'ValidationException',
  'ThrottlingException',
  'ServiceUnavailableException',
]);

/** The event of an error within a stream. */
export function encodeException(error: WireError): string {
  const type = typeOfError(error);
  const name = IN_STREAM.has(type) ? type : 'ModelStreamErrorException';
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return `data: ${JSON.stringify({ [key]: { message: error.message } })}\n\n`;
}

/** The parts of the protocol that all operations of the service share. */
export const awsParts = {
  requestIdPrefix: '',
  headers: (digest: string) => ({
    'x-amzn-requestid': digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5'),
  }),
  errorHeaders: (error: WireError) => ({
    'x-amzn-errortype': `${typeOfError(error)}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
  }),
  encodeError: ({ message }: WireError) => ({ message }),
  statusError: awsStatusError,
  streamType: 'application/vnd.amazon.eventstream',
} as const;

/** The service's own error for a status, as its clients report it. */
function awsStatusError(request: StatusRequest): WireError {
  return statusErrorFrom(
    {
      400: 'Malformed input request, please reformat your input and try again.',
      401: 'The security token included in the request is invalid.',
      403: "You don't have access to the model with the specified model ID.",
      404: `Could not resolve the foundation model from the model identifier: ${request.model}`,
      408: 'Model has timed out in processing the request. Try your request again.',
      413: 'Input is too long for requested model.',
      429: 'Too many requests, please wait before trying again.',
      500: 'The system encountered an unexpected error during processing. Try your request again.',
      502: 'Bedrock is unable to process your request.',
      503: 'Bedrock is unable to process your request.',
    },
    request,
  );
}

/** The model and the operation of a path `/model/<model>/<operation>`. The model may be the ARN of a profile. */
export function readModelPath(path: string): { readonly model: string; readonly operation: string } | undefined {
  const [, model, operation] = /^\/model\/(.+)\/([a-z-]+)$/.exec(path) ?? [];
  return model === undefined || operation === undefined ? undefined : { model, operation };
}

/** The paths of an operation: the model is one segment, or the ARN of a profile that the client has not encoded. */
export function pathsOf(operation: string): readonly string[] {
  return [`/model/:model/${operation}`, `/model/:arn/:profile/${operation}`];
}
