import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../mock-llm-server/conversation/conversation.ts';
import { statusFaultOf } from '../../../../mock-llm-server/delivery/status-fault.ts';
import type { Fault } from '../../../../mock-llm-server/scenario/fault-format.ts';
import { WIRE_CASES } from '../wire/wire-requests.ts';

type Status = NonNullable<Fault['status']>;

const OPENAI: Readonly<Record<Status, string>> = {
  400: '"type":"invalid_request_error","param":null,"code":null',
  401: '"type":"invalid_request_error","param":null,"code":"invalid_api_key"',
  403: '"type":"invalid_request_error","param":null,"code":"permission_denied"',
  404: '{"message":"The model `m` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"',
  408: '"type":"invalid_request_error","param":null,"code":null',
  413: '"type":"invalid_request_error","param":null,"code":"request_too_large"',
  429: '"type":"requests","param":null,"code":"rate_limit_exceeded"',
  500: '"type":"server_error","param":null,"code":null',
  502: '"type":"server_error","param":null,"code":null',
  503: '"type":"server_error","param":null,"code":null',
  529: '"type":"server_error","param":null,"code":null',
};

/** A part of the body of each error. */
const NATIVE: Readonly<Record<Protocol, Readonly<Record<Status, string>>>> = {
  'openai-chat': OPENAI,
  'openai-responses': OPENAI,
  'anthropic-messages': {
    400: '{"type":"error","error":{"type":"invalid_request_error",',
    401: '{"type":"error","error":{"type":"authentication_error",',
    403: '{"type":"error","error":{"type":"permission_error",',
    404: '{"type":"error","error":{"type":"not_found_error","message":"model: m"',
    408: '{"type":"error","error":{"type":"timeout_error",',
    413: '{"type":"error","error":{"type":"request_too_large",',
    429: '{"type":"error","error":{"type":"rate_limit_error",',
    500: '{"type":"error","error":{"type":"api_error",',
    502: '{"type":"error","error":{"type":"api_error",',
    503: '{"type":"error","error":{"type":"api_error",',
    529: '{"type":"error","error":{"type":"overloaded_error",',
  },
  gemini: {
    400: '"status":"INVALID_ARGUMENT"',
    401: '"status":"UNAUTHENTICATED"',
    403: '"status":"PERMISSION_DENIED"',
    404: '"message":"models/m is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.","status":"NOT_FOUND"',
    408: '"status":"DEADLINE_EXCEEDED"',
    413: '"status":"INVALID_ARGUMENT"',
    429: '"status":"RESOURCE_EXHAUSTED"',
    500: '"status":"INTERNAL"',
    502: '"status":"UNAVAILABLE"',
    503: '"status":"UNAVAILABLE"',
    529: '"status":"UNAVAILABLE"',
  },
  ollama: {
    400: '{"error":"The request is not valid."}',
    401: '{"error":"Incorrect API key provided."}',
    403: '{"error":"Your API key may not use this resource."}',
    404: `{"error":"model 'm' not found"}`,
    408: '{"error":"The request timed out."}',
    413: '{"error":"The request is larger than the maximum size."}',
    429: '{"error":"Rate limit reached. Please try again later."}',
    500: '{"error":"The server had an error while processing your request."}',
    502: '{"error":"Bad gateway."}',
    503: '{"error":"The service is unavailable. Please try again later."}',
    529: '{"error":"Overloaded"}',
  },
};

const STATUSES: readonly Status[] = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 529];

describe.each(WIRE_CASES)('an error of $protocol', ({ protocol, wire }) => {
  it.each(STATUSES)('%i has the native body', (status) => {
    const fault = statusFaultOf({ status }, { protocol, model: 'm' });
    if (fault === undefined) throw new Error('no error');
    expect([fault.error.status, fault.headers]).toEqual([status, {}]);
    expect(JSON.stringify(wire.encodeError(fault.error, 'req_1'))).toContain(NATIVE[protocol][status]);
  });

  it('has the message and the delay of the step', () => {
    const fault = statusFaultOf({ status: 429, message: 'Slow down.', retry_after: 1.2345 }, { protocol, model: 'm' });
    if (fault === undefined) throw new Error('no error');
    expect(fault.headers).toEqual({ 'retry-after': '2', 'retry-after-ms': '1235' });
    const body = JSON.stringify(wire.encodeError(fault.error));
    expect(body).toContain('Slow down.');
    if (protocol === 'gemini') expect(body).toContain('"retryDelay":"1.2345s"');
  });
});

it('a fault without a status gives no error', () => {
  expect(statusFaultOf({ reset: true }, { protocol: 'openai-chat', model: 'm' })).toBeUndefined();
});
