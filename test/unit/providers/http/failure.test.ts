import { expect, it } from 'vitest';
import { type Failure, failureCode, failureMessage, type ServerNames } from '../../../../src/providers/http/failure.ts';

const SERVER: ServerNames = { label: 'The mock model', endpoint: 'http://127.0.0.1:6000/v1', model: 'm' };

it.each<readonly [Failure, string, string]>([
  [
    { type: 'blocked_port' },
    'bad_request',
    'Node.js sends no requests to the port in http://127.0.0.1:6000/v1, which is reserved for another protocol. Choose another port for the server.',
  ],
  [
    { type: 'connection', detail: 'getaddrinfo EAI_AGAIN llm.test' },
    'network',
    'The mock model cannot be reached at http://127.0.0.1:6000/v1: getaddrinfo EAI_AGAIN llm.test. Check the network and the endpoint.',
  ],
  [
    { type: 'no_host', host: 'llm.test' },
    'unreachable',
    'There is no machine with the name llm.test. Check the endpoint http://127.0.0.1:6000/v1, and that this machine is on the network.',
  ],
  ...(['unknown_model', 'unreachable', 'cut_off'] as const).map(
    (code) =>
      [
        { type: 'status', status: 400, code, detail: 'no' },
        code,
        'The mock model refused the request (400: no).',
      ] as const,
  ),
  [
    { type: 'refused_connection' },
    'network',
    'Nothing is listening at http://127.0.0.1:6000/v1. Is the server running, and is the endpoint right?',
  ],
])('maps %j to its code and its message', (failure, code, text) => {
  expect([failureCode(failure, SERVER), failureMessage(failure, SERVER)]).toEqual([code, text]);
});

it('does not treat a server of this machine that is not running as a temporary failure', () => {
  const local = { ...SERVER, local: true, startCommand: 'serve', alternatives: '--provider other' };
  expect(failureCode({ type: 'refused_connection' }, local)).toBe('unreachable');
  expect(failureMessage({ type: 'refused_connection' }, local)).toBe(
    'Nothing is listening at http://127.0.0.1:6000/v1. Start The mock model with: serve, or use another provider: --provider other',
  );
  expect(failureMessage({ type: 'refused_connection' }, { ...local, startCommand: undefined })).toBe(
    'Nothing is listening at http://127.0.0.1:6000/v1. Is the server running, and is the endpoint right? Or use another provider: --provider other',
  );
});

it.each([
  [undefined, 'end in /v1. Write one without it with the route: http://127.0.0.1:6000/chat/completions'],
  ['/v1beta', 'end in /v1beta.'],
  ['', 'have no path.'],
  ['/openai', 'end in /openai.', '/openai'],
])('names the usual path %j of an endpoint without an API', (usualPath, text, path = '/v1') => {
  const failure: Failure = { type: 'no_api', status: 404, detail: '' };
  const wire = usualPath === undefined || path !== '/v1' ? 'Chat Completions' : usualPath;
  const endpoint = `http://127.0.0.1:6000${path}`;
  expect(failureMessage(failure, { ...SERVER, usualPath, wire, endpoint })).toBe(
    `There is no chat API at ${endpoint} (404). Check the endpoint; most ${text}`,
  );
});

it.each([
  [{ keyVariable: 'MOCK_KEY' }, 'The mock model refused the key in MOCK_KEY (401: no).'],
  [{ keyVariable: 'MOCK_KEY' }, '(401: no). Check it and its permissions.'],
  [{ keyCommand: 'gh auth token' }, 'The mock model refused the token of gh auth token (401: no).'],
  [{}, 'The mock model requires a key (401: no), but none was sent.'],
])('names the origin %j of a key that was refused', (key, text) => {
  const failure: Failure = { type: 'status', code: 'auth', status: 401, detail: 'no' };
  expect(failureMessage(failure, { ...SERVER, ...key })).toContain(text);
});
