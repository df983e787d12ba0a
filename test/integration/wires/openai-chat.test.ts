import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { HttpResponse, http } from 'msw/http';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { ModelErrorCode, ModelEvent, ModelRequest } from '../../../src/agent/ports/language-model.ts';
import { systemClock } from '../../../src/node/system.ts';
import { createOpenAiChat } from '../../../src/providers/openai-chat/openai-chat.ts';
import type { WireOptions } from '../../../src/providers/wire-options.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { stubEnvironment } from '../../support/fakes/stub-environment.ts';
import { chunk, DONE, eventStream, frame, wireAnswer } from '../../support/wires/chat-completion-wire.ts';

// A local address, because the guard of the integration tests sees a connection before it is intercepted.
const ENDPOINT = 'http://127.0.0.1:46113/v1';
const KEY = 'sk-very-secret-0123456789';
const request: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' }], tools: [] };
const never = new AbortController().signal;

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function chat(changed: Partial<WireOptions> = {}) {
  return createOpenAiChat({
    provider: 'acme',
    label: 'Acme',
    endpoint: ENDPOINT,
    model: 'm1',
    apiKey: KEY,
    keyVariable: 'ACME_KEY',
    maxTokens: 100,
    timeoutMs: 60_000,
    clock: createManualClock(Date.UTC(2026, 10, 20, 9)),
    ...changed,
  });
}

/** The server gives this answer to every request. */
function answer(make: () => Response): Request[] {
  const requests: Request[] = [];
  server.use(
    http.post(`${ENDPOINT}/chat/completions`, ({ request: received }) => {
      requests.push(received.clone());
      return make();
    }),
  );
  return requests;
}

async function failure(changed: Partial<WireOptions> = {}): Promise<ModelError> {
  const error = await failureOf(chat(changed).stream(request, never));
  if (error instanceof ModelError) return error;
  throw new Error(`expected a ModelError, but got ${String(error)}`);
}

/** Sends a text again whenever the client could have received it, until the client is gone. */
function sendWithoutEnd(response: ServerResponse, text: string): void {
  if (!response.destroyed) response.write(text, () => setImmediate(sendWithoutEnd, response, text));
}

/** Resolves when what a server of this process has written is received. */
async function letPiecesArrive(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const status =
  (code: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  () =>
    typeof body === 'string'
      ? new HttpResponse(body, { status: code, headers: { 'content-type': 'text/html', ...headers } })
      : HttpResponse.json({ error: body }, { status: code, headers });

describe('a request', () => {
  it('is sent once, with these headers and nothing from the environment', async () => {
    stubEnvironment({
      OPENAI_BASE_URL: 'http://elsewhere.test',
      OPENAI_API_KEY: 'sk-other',
      OPENAI_ORG_ID: 'org',
      OPENAI_PROJECT_ID: 'project',
      OPENAI_CUSTOM_HEADERS: 'x-secret: 1',
      OPENAI_LOG: 'debug',
    });
    const requests = answer(() => wireAnswer({ text: 'a' }));
    await collect(chat().stream(request, never));
    expect(requests).toHaveLength(1);
    const headers = Object.fromEntries(requests[0]?.headers ?? []);
    expect(Object.keys(headers).filter((name) => /^x-|openai/.test(name))).toEqual([]);
    expect(headers).toMatchObject({
      accept: 'text/event-stream',
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'user-agent': 'ybs',
    });
    expect(await requests[0]?.json()).toMatchObject({
      model: 'm1',
      stream: true,
      messages: [{}, { content: 'hello' }],
    });
  });

  it('carries no authorization without a key', async () => {
    const requests = answer(() => wireAnswer({ text: 'a' }));
    await collect(chat({ apiKey: undefined }).stream(request, never));
    expect(requests[0]?.headers.has('authorization')).toBe(false);
  });
});

describe('an error before the answer', () => {
  const rows: readonly (readonly [name: string, make: () => Response, code: ModelErrorCode, message: string])[] = [
    [
      '401',
      status(401, { message: 'Incorrect API key.' }),
      'auth',
      'Acme refused the key in ACME_KEY (401: Incorrect API key). Check it',
    ],
    ['429', status(429, { message: 'Slow down.' }), 'rate_limit', 'Acme is limiting requests (429: Slow down). Wait'],
    [
      '429 of an empty account',
      status(429, { message: 'Pay.', code: 'insufficient_quota' }),
      'bad_request',
      'Acme reports that the quota of the account is used up: Pay. Check',
    ],
    [
      '500',
      status(500, { message: 'Oops.' }),
      'overloaded',
      'Acme could not answer (500: Oops). Try again in a moment.',
    ],
    ['a very long page', status(502, 'x'.repeat(200_000)), 'overloaded', `(502: ${'x'.repeat(4_000)}…)`],
    [
      '400 that means too long',
      status(400, { message: 'Too much.', code: 'context_length_exceeded' }),
      'context_overflow',
      'The conversation is too long for m1 (400: Too much). Start over with /clear',
    ],
    ['400', status(400, { message: 'Bad field.' }), 'bad_request', 'Acme refused the request (400: Bad field).'],
    [
      '404 of a model',
      status(404, { message: 'The model `m1` does not exist.' }),
      'unknown_model',
      'Acme has no model "m1" (404: The model `m1` does not exist). Choose another with --model or llm.model.',
    ],
    [
      '404 of an address',
      status(404, 'Not Found'),
      'bad_request',
      `There is no chat API at ${ENDPOINT} (404: Not Found). Check the endpoint; most end in /v1.`,
    ],
    [
      'a redirect',
      status(307, '', { location: 'https://other.test/v1' }),
      'bad_request',
      `${ENDPOINT} redirects to https://other.test/v1 (307). It is not followed`,
    ],
    [
      'a redirect to nowhere',
      () => new HttpResponse(null, { status: 304 }),
      'bad_request',
      'redirects to another address (304)',
    ],
    [
      'a page where a stream should be',
      () => HttpResponse.html('<h1>Welcome</h1>'),
      'bad_request',
      `${ENDPOINT} answered with text/html instead of an event stream: Welcome. Check that`,
    ],
    [
      'JSON where a stream should be',
      () => HttpResponse.json({ tokens: [] }),
      'bad_request',
      'answered with application/json instead of an event stream: {"tokens":[]}',
    ],
    ['a broken connection', () => HttpResponse.error(), 'network', `Acme cannot be reached at ${ENDPOINT}: `],
  ];
  it.each(rows)('is reported for %s', async (_name, make, code, message) => {
    const requests = answer(make);
    const error = await failure();
    expect(error.message).toContain(message);
    expect(error.code).toBe(code);
    expect(error.retryAfterMs).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  const waits: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '120' }, 120],
    [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:30 GMT' }, 30_000],
  ];
  it.each(waits)('reports the wait that the server asks for: %j', async (headers, expected) => {
    answer(status(429, { message: 'Slow down.' }, headers));
    expect((await failure()).retryAfterMs).toBe(expected);
  });

  it('explains how to provide a key when none was sent', async () => {
    answer(status(401, { message: 'No key.' }));
    const error = await failure({ apiKey: undefined, keyVariable: undefined });
    expect(error.message).toBe(
      'Acme requires a key (401: No key), but none was sent. Put the key in an environment variable and its name in llm.api_key_variable, beside llm.endpoint.',
    );
  });

  it.each([
    ['as a JSON error', status(401, { message: `Incorrect API key provided: ${KEY}.` })],
    ['where its text is cut', status(500, `${'x'.repeat(3_990)}${KEY}`)],
    ['in the address of a redirect', status(307, '', { location: `https://other.test/?key=${KEY}` })],
    [
      'in the middle of the answer',
      () => eventStream([chunk({ content: 'a' }), frame({ error: { message: `Bad ${KEY}` } })]),
    ],
    ['in a chunk that is none', () => eventStream([frame({ choices: KEY })])],
  ])('repeats no key that the server repeats %s', async (_name, make) => {
    answer(make);
    const error = await failure();
    expect(error.message).not.toContain(KEY.slice(0, 8));
    expect(JSON.stringify(error)).not.toContain(KEY.slice(0, 8));
    expect(error.cause).toBeUndefined();
  });
});

describe('an error within the answer', () => {
  const half = chunk({ content: 'half' });
  const inStream = (error: unknown) => () => eventStream([half, frame({ error })]);
  const rows: readonly (readonly [name: string, make: () => Response, code: ModelErrorCode, message: string])[] = [
    [
      'an error frame',
      inStream({ message: 'The runner stopped.' }),
      'overloaded',
      'Acme could not answer (in the middle of the answer: The runner stopped). Try again',
    ],
    [
      'an error frame of another shape',
      inStream({ oops: 1 }),
      'overloaded',
      '(in the middle of the answer: {"oops":1})',
    ],
    [
      'an error event',
      () => eventStream([half, `event: error\n${frame({ error: { message: 'Gone.' } })}`]),
      'overloaded',
      'Gone',
    ],
    [
      'a status in the frame',
      inStream({ message: 'Busy.', code: 429 }),
      'rate_limit',
      'Acme is limiting requests (in the middle of the answer: Busy)',
    ],
    [
      'an empty account',
      inStream({ message: 'Pay.', type: 'insufficient_quota' }),
      'bad_request',
      'Acme reports that the quota of the account is used up: Pay.',
    ],
    [
      'broken JSON',
      () => eventStream([half, 'data: {"choices": [\n\n']),
      'network',
      'Acme sent an invalid answer: its stream contains "{\\"choices\\": [", which is not valid JSON.',
    ],
    [
      'garbage',
      () => eventStream([half, 'data: \u0000\u0001\u0002\n\n']),
      'network',
      'its stream contains "\\u0000\\u0001\\u0002", which is not valid JSON',
    ],
    [
      'a chunk that is none',
      () => eventStream([half, frame({ choices: 7 })]),
      'network',
      'Acme sent an invalid answer: ✖ Invalid input: expected array, received number → at choices.',
    ],
    [
      'an end without a reason',
      () => eventStream([half]),
      'cut_off',
      'Acme ended its answer before it was complete. Try again.',
    ],
    ['a [DONE] without a reason', () => eventStream([half, DONE]), 'cut_off', 'Acme ended its answer'],
  ];
  it.each(rows)('is reported for %s', async (_name, make, code, message) => {
    answer(make);
    const seen: ModelEvent[] = [];
    const error: unknown = await collect(chat().stream(request, never), seen).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(seen).toEqual([{ type: 'text_delta', text: 'half' }]);
  });

  it('is reported for an empty answer, as cut off', async () => {
    answer(() => eventStream([]));
    expect(await failure()).toMatchObject({ code: 'cut_off' });
  });

  it('is not reported for a stream without a content type', async () => {
    const stream = () => {
      const response = wireAnswer({ text: 'a' });
      response.headers.delete('content-type');
      return response;
    };
    answer(stream);
    expect(await collect(chat().stream(request, never))).toHaveLength(2);
  });
});

/** Real sockets that refuse or break connections, which an interceptor cannot simulate. */
describe('a real connection', () => {
  beforeAll(() => server.close());
  afterAll(() => server.listen({ onUnhandledFrame: 'error' }));

  /** Starts a server that treats every request so, and gives its endpoint to `use`. */
  const withServer = async (treat: RequestListener, use: (endpoint: string) => Promise<void>) => {
    const real = createServer(treat);
    await new Promise<void>((resolve) => real.listen(0, '127.0.0.1', resolve));
    const address = real.address();
    try {
      await use(`http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/v1`);
    } finally {
      real.closeAllConnections();
      await new Promise((resolve) => real.close(resolve));
    }
  };

  it('that is refused names the command that starts the server', async () => {
    let closed = '';
    await withServer(
      () => {},
      async (endpoint) => {
        closed = endpoint;
      },
    );
    const error = await failure({ endpoint: closed, label: 'Ollama', startCommand: 'ollama serve' });
    expect(error).toMatchObject({
      code: 'network',
      message: `Nothing is listening at ${closed}. Start Ollama with: ollama serve`,
    });
    const other = await failure({ endpoint: closed });
    expect(other.message).toBe(`Nothing is listening at ${closed}. Is the server running, and is the endpoint right?`);
  });

  it('that breaks in the middle of the answer is reported as a network error', async () => {
    const seen: ModelEvent[] = [];
    let breakOff = (): unknown => undefined;
    await withServer(
      (_request, response) => {
        breakOff = () => response.destroy();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'half' }));
      },
      async (endpoint) => {
        const read = async () => {
          for await (const event of chat({ endpoint }).stream(request, never)) {
            seen.push(event);
            breakOff();
          }
        };
        const message = expect.stringContaining('UND_ERR_SOCKET');
        await expect(read()).rejects.toMatchObject({ code: 'network', message });
      },
    );
    expect(seen).toEqual([{ type: 'text_delta', text: 'half' }]);
  });

  it('ends when the reader leaves', async () => {
    let gone = () => {};
    const left = new Promise<void>((resolve) => {
      gone = resolve;
    });
    await withServer(
      (_request, response) => {
        response.on('close', gone);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'half' }));
      },
      async (endpoint) => {
        for await (const event of chat({ endpoint, clock: systemClock }).stream(request, never)) {
          expect(event).toEqual({ type: 'text_delta', text: 'half' });
          break;
        }
        await left;
      },
    );
  });

  const silences: readonly (readonly [name: string, treat: RequestListener])[] = [
    ['before the answer', () => {}],
    [
      'within the answer',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'half' }));
      },
    ],
    [
      'within the answer except for empty deltas',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(chunk({ content: 'half' }));
        const empty = [{ content: '' }, { role: 'assistant' }, { tool_calls: [{ index: 0, id: 'c1' }] }, {}];
        sendWithoutEnd(response, empty.map((delta) => chunk(delta)).join(''));
      },
    ],
    [
      'within the body of an error',
      (_request, response) => {
        response.writeHead(500);
        response.write('It');
      },
    ],
  ];

  it.each(silences)('that is silent %s ends after the timeout', async (_name, treat) => {
    const clock = createManualClock();
    await withServer(treat, async (endpoint) => {
      const error = failureOf(chat({ endpoint, clock, timeoutMs: 5_000 }).stream(request, never));
      let ended = false;
      void error.then(() => {
        ended = true;
      });
      await clock.untilSleeping();
      // Each advance is shorter than the timeout, so that a piece which arrives meanwhile could postpone the end.
      for (let round = 0; round < 100 && !ended; round++) {
        await clock.advance(2_000);
        await letPiecesArrive();
      }
      expect(ended).toBe(true);
      expect(await error).toMatchObject({
        code: 'network',
        message: 'Acme sent nothing for 5 s. Try again; if the model is only slow, raise llm.timeout_seconds.',
      });
    });
    clock.assertIdle();
  });

  it('that goes on with text does not end after the timeout', async () => {
    const clock = createManualClock();
    let send = (): unknown => undefined;
    let pieces = 0;
    await withServer(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        send = () => response.write(chunk({ content: 'more' }));
        send();
      },
      async (endpoint) => {
        for await (const _event of chat({ endpoint, clock, timeoutMs: 5_000 }).stream(request, never)) {
          pieces++;
          if (pieces === 10) break;
          await clock.advance(2_000);
          send();
        }
      },
    );
    expect(pieces).toBe(10);
    clock.assertIdle();
  });

  it.each(silences)('that is silent %s ends with an abort, at once', async (_name, treat) => {
    const clock = createManualClock();
    const controller = new AbortController();
    await withServer(treat, async (endpoint) => {
      const answered = collect(chat({ endpoint, clock }).stream(request, controller.signal));
      await clock.untilSleeping();
      await letPiecesArrive();
      controller.abort(new Error('stopped by the test'));
      await expect(answered).rejects.toThrow('stopped by the test');
    });
    clock.assertIdle();
  });
});
