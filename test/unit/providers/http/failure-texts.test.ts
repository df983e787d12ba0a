import { expect, it } from 'vitest';
import { codeOf, type Failure, textOf } from '../../../../src/providers/http/failure-texts.ts';

const SERVER = { label: 'The mock model', endpoint: 'http://127.0.0.1:6000/v1', model: 'm' };

it.each<readonly [Failure, string, string]>([
  [
    { type: 'blocked_port' },
    'bad_request',
    'No request may be sent to the port in http://127.0.0.1:6000/v1: it belongs to another protocol. Choose another port for the server.',
  ],
  [
    { type: 'connection', detail: 'getaddrinfo ENOTFOUND llm.test' },
    'network',
    'The mock model cannot be reached at http://127.0.0.1:6000/v1: getaddrinfo ENOTFOUND llm.test. Check the network and the endpoint.',
  ],
])('%j', (failure, code, text) => {
  expect([codeOf(failure), textOf(failure, SERVER)]).toEqual([code, text]);
});
