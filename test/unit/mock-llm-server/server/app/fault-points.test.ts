import { beforeAll, describe, expect, it } from 'vitest';
import type { Protocol } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { createJournal } from '../../../../../mock-llm-server/journal/journal.ts';
import type { Fault } from '../../../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import { createMockServer } from '../../../../../mock-llm-server/server/app.ts';
import { createManualClock } from '../../../../support/fakes/manual-clock.ts';
import { scenarioSet } from '../../../../support/stories/builders.ts';
import { bodyText, textDecoder, WIRE_CASES, type WireCase } from '../../wire/wire-requests.ts';

const content = 'Grüße an 漢字 und 🙂 von hier.';
const response = { content, tool_calls: [{ name: 'view', arguments: { path: 'ü' } }] };

function server(fault?: Fault, answer: object = response) {
  const journal = createJournal();
  const app = createMockServer({
    scenarios: scenarioSet({ scenarios: [{ name: 's', trigger: 'go', steps: [{ response: answer, fault }] }] }),
    journal,
    clock: createManualClock(),
  });
  const post = ({ request }: WireCase, init: RequestInit = {}) =>
    app.request(`${request.path}?${new URLSearchParams(request.query)}`, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      ...init,
    });
  return { post, entries: journal.entries };
}

/** The text of a body up to its end or its failure. */
async function readUntilReset(answer: Response): Promise<{ readonly text: string; readonly error: unknown }> {
  const decode = textDecoder(answer);
  let text = '';
  try {
    for await (const chunk of answer.body ?? []) text += decode(chunk);
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}

/** The JSON values of the events or lines in a stream. */
const eventsIn = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (/^(?:data: )?\{/.test(line) ? [JSON.parse(line.replace(/^data: /, ''))] : []));

/**
 * The last events of a stream that fails with `FAILURE`. Sources:
 * - Anthropic: "Error events" in docs.anthropic.com/en/docs/build-with-claude/streaming.
 * - Chat: openai-node throws for the `error` of any chunk (core/streaming).
 * - Responses: `ResponseErrorEvent` and `ResponseFailedEvent` of openai-openapi 2.3.0, `ErrorStreamingEvent` of Open
 *   Responses, which has the fields in `error`, as the service sends them.
 * - Bedrock: `ModelStreamErrorException` of `ConverseStreamOutput` in the service model of botocore 1.44.8.
 * - Gemini: js-genai throws for an event with an `error` (`throwIfStreamErrorChunk`).
 * - Interactions: `ErrorEvent` in the types of @google/genai 3.1.0.
 * - Ollama: docs/api/errors.mdx of ollama/ollama, "Errors that occur while streaming".
 */
const FAILURE: Fault = { status: 503, message: 'No capacity.', code: 'no_capacity', type: 'my_error', at: 'middle' };
const openaiError = { message: 'No capacity.', type: 'my_error', param: null, code: 'no_capacity' };
const FAILED: Readonly<Record<Protocol, readonly object[]>> = {
  'openai-chat': [{ error: openaiError }],
  'openai-responses': [
    { type: 'error', code: 'no_capacity', message: 'No capacity.', param: null, error: openaiError },
    {
      type: 'response.failed',
      response: { status: 'failed', output: [], error: { code: 'no_capacity', message: 'No capacity.' } },
    },
  ],
  'anthropic-messages': [
    {
      type: 'error',
      error: { type: 'my_error', message: 'No capacity.', details: { error_code: 'no_capacity' } },
      request_id: expect.stringMatching(/^req_/),
    },
  ],
  'bedrock-converse': [{ modelStreamErrorException: { message: 'No capacity.' } }],
  gemini: [
    {
      error: {
        code: 503,
        message: 'No capacity.',
        status: 'my_error',
        details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'NO_CAPACITY' }],
      },
    },
  ],
  'gemini-interactions': [{ event_type: 'error', error: { code: 'my_error', message: 'No capacity.' } }],
  ollama: [{ error: 'No capacity.' }],
};

/** The stream of each protocol without a fault. */
const whole = new Map<Protocol, string>();

beforeAll(async () => {
  for (const wireCase of WIRE_CASES) whole.set(wireCase.protocol, await bodyText(await server().post(wireCase)));
});

describe.each(WIRE_CASES)('a fault at a point of a stream of $protocol', (wireCase) => {
  const { protocol } = wireCase;
  const wholeText = () => whole.get(protocol) ?? '';

  it('sends the error of a status as the last event of a stream that began normally', async () => {
    const { post, entries } = server(FAILURE);
    const answer = await post(wireCase);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, wireCase.wire.streamType]);
    const text = await bodyText(answer);
    const sent = eventsIn(text);
    const failed = FAILED[protocol];
    expect(sent.slice(-failed.length)).toMatchObject(failed);
    const before = sent.slice(0, -failed.length);
    expect(before.length).toBeGreaterThan(1);
    expect(eventsIn(wholeText()).slice(0, before.length)).toEqual(before);
    // The journal keeps the start of a long body.
    const served = { text: expect.stringContaining(text.slice(0, 4000)), bytes: Buffer.byteLength(text) };
    expect(entries).toMatchObject([{ status: 200, scenario: 's', served, fault: expect.any(String) }]);
  });

  it('numbers the events of an error, and names the request in it, as in the rest of the answer', async () => {
    const answer = await server(FAILURE).post(wireCase);
    const events = eventsIn(await bodyText(answer));
    const numbered = events.every((event, index) =>
      protocol === 'openai-responses' ? Reflect.get(Object(event), 'sequence_number') === index : true,
    );
    expect(numbered).toBe(true);
    if (protocol !== 'anthropic-messages') return;
    expect(events.at(-1)).toMatchObject({ request_id: answer.headers.get('request-id') });
  });

  it('answers a request that is not streamed with the status', async () => {
    const { request } = wireCase;
    const body = protocol === 'gemini' ? request.body : JSON.stringify({ ...JSON.parse(request.body), stream: false });
    const path = request.path.replace('streamGenerateContent', 'generateContent').replace('-stream', '');
    const answer = await server(FAILURE).post({ ...wireCase, request: { ...request, path, query: {}, body } });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('No capacity.')]);
  });

  it('sends exactly the given number of pieces before a reset', async () => {
    const whole = wholeText();
    const texts: string[] = [];
    for (const pieces of [0, 1, 2, 3, 1000]) {
      const { text, error } = await readUntilReset(await server({ reset: true, at: { pieces } }).post(wireCase));
      expect(error).toMatchObject({ message: 'The connection was reset.' });
      expect(whole.startsWith(text)).toBe(true);
      texts.push(text);
    }
    expect(new Set(texts).size).toBe(texts.length);
    const [none = '', one = '', two = ''] = texts;
    expect([none.includes('Grüße'), one.includes('Grüße'), one.includes(' an'), two.includes(' an')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it.each([0, 1, 7, 11, 19, 26])('sends exactly %i characters of the text before a reset', async (characters) => {
    const { post } = server({ reset: true, at: { characters } }, { content });
    const { text } = await readUntilReset(await post(wireCase));
    const pieces = eventsIn(text).map(textOf).join('');
    expect(pieces).toBe([...content].slice(0, characters).join(''));
  });

  it.each<NonNullable<Fault['at']>>(['before_finish', { characters: 1000 }])(
    'sends the whole text and the calls before a reset at %j',
    async (at) => {
      const whole = wholeText();
      const { text } = await readUntilReset(await server({ reset: true, at }).post(wireCase));
      const cut = await bodyText(await server({ cut: 'before_finish' }).post(wireCase));
      expect([text, whole.startsWith(text)]).toEqual([cut, true]);
    },
  );

  it('resets before the end of the stream, and after its last byte', async () => {
    const whole = wholeText();
    const afterFinish = await readUntilReset(await server({ reset: true, at: 'after_finish' }).post(wireCase));
    const cut = await bodyText(await server({ cut: 'after_finish' }).post(wireCase));
    expect(afterFinish).toMatchObject({ text: cut, error: { message: 'The connection was reset.' } });
    const atEnd = await readUntilReset(await server({ reset: true, at: 'end' }).post(wireCase));
    expect(atEnd).toMatchObject({ text: whole, error: { message: 'The connection was reset.' } });
  });

  it('ends cleanly, or stalls, at a point', async () => {
    const at = { pieces: 2 };
    const reset = await readUntilReset(await server({ reset: true, at }).post(wireCase));
    expect(await bodyText(await server({ cut: true, at }).post(wireCase))).toBe(reset.text);
    const stalled = await server({ stall: 'forever', at }).post(wireCase);
    const reader = stalled.body?.getReader();
    const { value = new Uint8Array() } = (await reader?.read()) ?? {};
    expect(textDecoder(stalled)(value)).toBe(reset.text);
    await reader?.cancel();
  });

  it('resets before the headers', async () => {
    const { post, entries } = server({ reset: true, at: 'before_headers' });
    await expect(post(wireCase)).rejects.toThrow('The connection was reset.');
    expect(entries).toMatchObject([{ scenario: 's', served: { bytes: 0, text: '' } }]);
  });
});

/** The text that an event carries. */
function textOf(event: unknown): string {
  const found = /"(?:content|text|delta|output_text)":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(event));
  const isDelta = !/"type":"(?:response\.(?!output_text\.delta)|content_block_start)/.test(JSON.stringify(event));
  return found !== null && isDelta ? JSON.parse(`"${found[1]}"`) : '';
}

it('stalls before the headers until the client gives up', async () => {
  const [wireCase] = WIRE_CASES;
  if (wireCase === undefined) throw new Error('no protocol');
  const client = new AbortController();
  const { post, entries } = server({ stall: 'forever', at: 'before_headers' });
  const answer = post(wireCase, { signal: client.signal });
  client.abort();
  expect([(await answer).status, entries.length]).toEqual([499, 1]);
});

it.each([0, 1])('ends the JSON array of a Gemini stream with the error after %i pieces', async (pieces) => {
  const [wireCase] = WIRE_CASES.filter(({ protocol }) => protocol === 'gemini');
  if (wireCase === undefined) throw new Error('no protocol');
  const asArray = { ...wireCase, request: { ...wireCase.request, query: {} } };
  const answer = await server({ ...FAILURE, at: { pieces } }).post(asArray);
  const items: unknown[] = JSON.parse(await answer.text());
  expect([items.length, items.at(-1)]).toMatchObject([pieces + 1, FAILED.gemini[0] ?? {}]);
});
