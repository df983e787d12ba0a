import { expect, it } from 'vitest';
import { type Failure, failureCode, failureMessage } from '../../../../src/providers/http/failure.ts';

const SERVER = { label: 'The mock model', endpoint: 'http://127.0.0.1:6000/v1', model: 'm' };

it.each<readonly [Failure, string, string]>([
  [
    { type: 'blocked_port' },
    'bad_request',
    'Node.js sends no requests to the port in http://127.0.0.1:6000/v1, which is reserved for another protocol. Choose another port for the server.',
  ],
  [
    { type: 'connection', detail: 'getaddrinfo ENOTFOUND llm.test' },
    'network',
    'The mock model cannot be reached at http://127.0.0.1:6000/v1: getaddrinfo ENOTFOUND llm.test. Check the network and the endpoint.',
  ],
])('maps %j to its code and its message', (failure, code, text) => {
  expect([failureCode(failure), failureMessage(failure, SERVER)]).toEqual([code, text]);
});
