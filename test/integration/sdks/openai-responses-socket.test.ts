import OpenAI from 'openai';
import type { ResponsesClientEvent, ResponsesServerEvent } from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const served = serveScenarios([
  {
    name: 'look',
    trigger: 'look at it',
    steps: [
      { response: { tool_calls: [{ name: 'look', arguments: { at: 'it' } }] } },
      { response: { content: 'It is fine.' } },
    ],
  },
  { name: 'hello', trigger: 'say hello', steps: [{ response: { content: 'Hello to you.' } }] },
  {
    name: 'cut',
    trigger: 'cut it',
    steps: [{ response: { content: 'It ends' }, fault: { cut: true, at: 'middle' } }],
  },
]);

let socket: ResponsesWS;
beforeEach(() => {
  socket = new ResponsesWS(new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'unused' }));
  socket.on('error', () => {});
});
afterEach(() => socket.close());

type Create = Omit<ResponsesClientEvent.ResponseCreate, 'type' | 'model'>;

/** The events until `count` responses have ended. */
function answers(count: number, ...requests: readonly Create[]): Promise<ResponsesServerEvent[]> {
  const events: ResponsesServerEvent[] = [];
  let ended = 0;
  let resolve: (events: ResponsesServerEvent[]) => void = () => {};
  const promise = new Promise<ResponsesServerEvent[]>((done) => {
    resolve = done;
  });
  const listener = (event: ResponsesServerEvent): void => {
    events.push(event);
    if (event.type !== 'error' && !/^response\.(?:completed|failed|incomplete)$/.test(event.type)) return;
    if (++ended < count) return;
    socket.off('event', listener);
    resolve(events);
  };
  socket.on('event', listener);
  for (const request of requests) socket.send({ type: 'response.create', model: 'gpt-x', ...request });
  return promise;
}

/** The response at the end of events. */
function responseOf(events: readonly ResponsesServerEvent[]): OpenAI.Responses.Response {
  const last = events.at(-1);
  if (last?.type !== 'response.completed') throw new Error(`The last event is ${JSON.stringify(last)}.`);
  return last.response;
}

describe('the official client over a WebSocket of the Responses API', () => {
  it('receives the events of an HTTP stream, one message each, numbered from 0', async () => {
    const events = await answers(1, { input: 'say hello' });
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
    ]);
    expect(events.map((event) => Object(event).sequence_number)).toEqual(events.map((_, index) => index));
    expect(responseOf(events).output).toMatchObject([{ content: [{ text: 'Hello to you.' }] }]);
  });

  it('continues a response by its id with only the results', async () => {
    const { id, output } = responseOf(await answers(1, { input: 'look at it' }));
    expect(output).toMatchObject([{ type: 'function_call', name: 'look' }]);
    const results = output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'seen' }]
        : [],
    );
    const next = responseOf(await answers(1, { previous_response_id: id, input: results }));
    expect(next.output).toMatchObject([{ content: [{ text: 'It is fine.' }] }]);
  });

  it('warms up with a request that generates nothing, and continues it', async () => {
    const message = { role: 'user' as const, content: 'say hello' };
    const warm = responseOf(await answers(1, { generate: false, instructions: 'Be brief.', input: [] }));
    expect(warm.output).toEqual([]);
    const next = responseOf(await answers(1, { previous_response_id: warm.id, input: [message] }));
    expect(next.instructions).toBe('Be brief.');
    expect(next.output).toMatchObject([{ content: [{ text: 'Hello to you.' }] }]);
  });

  it('receives answers in several lanes at the same time, with the lane in each event', async () => {
    const lanes = ['a', 'b'];
    const events = await answers(2, ...lanes.map((stream_id) => ({ stream_id, input: 'say hello' })));
    for (const lane of lanes) {
      const own = events.filter((event) => Object(event).stream_id === lane);
      expect(responseOf(own).output).toMatchObject([{ content: [{ text: 'Hello to you.' }] }]);
    }
  });

  it('receives an error with its status, and continues', async () => {
    const [error] = await answers(1, { previous_response_id: 'resp_unknown', input: 'say hello' });
    expect(error).toMatchObject({ type: 'error', status: 400, error: { code: 'previous_response_not_found' } });
    expect(responseOf(await answers(1, { input: 'say hello' })).status).toBe('completed');
  });

  it.each([
    ['no JSON', 'hello', 'The message is not a JSON object.'],
    ['another event', '{"type":"session.update"}', 'Unknown event type "session.update". Send response.create.'],
    ['a lane that is not a string', '{"type":"response.create","stream_id":1}', 'stream_id must be a string.'],
  ])('gets an error for %s', async (_name, text, message) => {
    const events = answers(1);
    socket.sendRaw(text);
    expect(await events).toMatchObject([{ type: 'error', status: 400, error: { message } }]);
  });

  it('loses the connection where a fault cuts off the stream', async () => {
    const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
    void answers(1, { input: 'cut it' });
    expect(await closed).toBe(1006);
  });

  it.each([
    ['bytes', Buffer.from([1, 2, 3]), 1003],
    ['a message that is too large', 'x'.repeat(33 * 1024 * 1024), 1009],
  ])('is closed with the code of the protocol after %s', async (_name, data, code) => {
    const closed = new Promise<number>((resolve) => socket.on('close', (given) => resolve(given)));
    await answers(1, { input: 'say hello' });
    socket.sendRaw(data);
    expect(await closed).toBe(code);
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
  });
});
