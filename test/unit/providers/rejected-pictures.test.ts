import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { ModelErrorCode, ModelRequest } from '../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { withoutRejectedPictures } from '../../../src/providers/rejected-pictures.ts';
import { inServiceForm } from '../../../src/providers/service/in-service-form.ts';
import { WIRE_RULES } from '../../../src/providers/service/service-rules.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedModel } from '../../support/fakes/scripted-model.ts';

const OPTIONS = {
  provider: 'acme',
  label: 'The server',
  endpoint: 'http://localhost/v1',
  model: 'm',
  maxTokens: 100,
  timeoutMs: 60_000,
  clock: createManualClock(),
};
const never = new AbortController().signal;
const result = (id: string, ...pictures: readonly string[]): Message => ({
  role: 'tool',
  toolCallId: id,
  content: id,
  isError: false,
  images: pictures.map((data) => ({ mediaType: 'image/png', data })),
});
const asks = (...messages: readonly Message[]): ModelRequest => ({
  system: '',
  messages: [{ role: 'user', content: 'look' }, ...messages],
  tools: [],
});
const refused = { end: new ModelError('bad_request', 'The server refused the request (400: Bad image).') };

/** The pictures of each request, by the content of their messages. */
const picturesIn = (requests: readonly ModelRequest[]) =>
  requests.map(({ messages }) =>
    messages.flatMap((message) => (message.role === 'tool' ? [[message.content, message.images?.length ?? 0]] : [])),
  );

describe('withoutRejectedPictures', () => {
  it('sends a refused request again without its pictures, and says so', async () => {
    const inner = createScriptedModel(refused, { text: 'I see nothing.' });
    const events = await collect(withoutRejectedPictures(inner).stream(asks(result('a', 'AA')), never));
    expect(events).toEqual([
      {
        type: 'retry',
        attempt: 1,
        delayMs: 0,
        code: 'bad_request',
        message: 'The server refused the request (400: Bad image). The request is sent again without its pictures.',
      },
      { type: 'text_delta', text: 'I see nothing.' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(picturesIn(inner.requests)).toEqual([
      [['a', 1]],
      [['a\n[Pictures left out: the provider refused them.]', 0]],
    ]);
  });

  it.each([
    ['A'.repeat(500), 2],
    ['AA', 1],
  ])('blames the pictures of a request that is too large if they are its larger part', async (data, requests) => {
    const tooLarge = new ModelError('context_overflow', 'The conversation is too long (413).');
    const inner = createScriptedModel({ end: tooLarge }, { text: 'I see nothing.' });
    await collect(withoutRejectedPictures(inner).stream(asks(result('a', data)), never)).catch((error: unknown) => {
      expect(error).toBe(tooLarge);
    });
    expect(inner.requests).toHaveLength(requests);
  });

  it('keeps pictures that were accepted, and leaves out the refused ones of every later request', async () => {
    const inner = createScriptedModel({ text: 'a' }, refused, { text: 'b' }, { text: 'c' });
    const model = withoutRejectedPictures(inner);
    const [good, bad] = [result('good', 'AA'), result('bad', 'BB', 'CC')];
    await collect(model.stream(asks(good), never));
    await collect(model.stream(asks(good, bad), never));
    await collect(model.stream(asks(good, bad), never));
    expect(picturesIn(inner.requests).map((messages) => messages.map(([, count]) => count))).toEqual([
      [1],
      [1, 2],
      [1, 0],
      [1, 0],
    ]);
  });

  it('leaves out pictures that are refused after the server has refused a system message', async () => {
    const file: Message = { role: 'user', reminder: true, content: '@file:a.md\ntext', file: 'a.md' };
    const system = { end: new ModelError('bad_request', 'System message must be at the beginning.') };
    const inner = createScriptedModel(system, refused, { text: 'a' });
    const model = withoutRejectedPictures(
      inServiceForm(
        () => inner,
        OPTIONS,
        WIRE_RULES['openai-chat'],
        async () => 100,
      ),
    );
    const tool = { name: 'read_file', description: '', parameters: { type: 'object' }, effect: 'read' } as const;
    const request = { ...asks(file, result('a', 'AA')), tools: [tool] };
    const events = await collect(model.stream(request, never));
    expect(events.map(({ type }) => type)).toEqual(['retry', 'retry', 'text_delta', 'finish']);
    expect(
      picturesIn(inner.requests)
        .flat()
        .map(([, count]) => count),
    ).toEqual([1, 1, 0]);
  });

  it('passes on the failure of the request without pictures', async () => {
    const model = withoutRejectedPictures(createScriptedModel(refused, refused));
    expect(await failureOf(model.stream(asks(result('a', 'AA')), never))).toBe(refused.end);
  });

  it('tries again for servers that report a model without eyes as their own error', async () => {
    const error = new ModelError('overloaded', 'could not answer (500: image input is not supported)');
    const inner = createScriptedModel({ end: error }, { text: 'a' });
    await collect(withoutRejectedPictures(inner).stream(asks(result('a', 'AA')), never));
    expect(inner.requests).toHaveLength(2);
  });

  it('tries again without pictures after a server has failed twice without a word about them', async () => {
    const error = new ModelError('overloaded', 'could not answer (500: Internal Server Error)');
    const inner = createScriptedModel({ end: error }, { end: error }, { text: 'a' });
    const model = withoutRejectedPictures(inner);
    const request = asks(result('a', 'AA'));
    expect(await failureOf(model.stream(request, never))).toBe(error);
    await collect(model.stream(request, never));
    expect(inner.requests).toHaveLength(3);
  });

  const plain: Message = { role: 'tool', toolCallId: 'a', content: 'a', isError: false };
  it.each<readonly [string, ModelErrorCode, Message]>([
    ['a request without pictures', 'bad_request', plain],
    ['a limit', 'rate_limit', result('a', 'AA')],
    ['another error of the server', 'overloaded', result('a', 'AA')],
  ])('passes on the failure of %s', async (_name, code, message) => {
    const end = new ModelError(code, 'It went wrong.');
    const model = withoutRejectedPictures(createScriptedModel({ end }));
    expect(await failureOf(model.stream(asks(message), never))).toBe(end);
  });

  it('passes on an error that is no model error', async () => {
    const model = withoutRejectedPictures(createScriptedModel());
    expect(await failureOf(model.stream(asks(result('a', 'AA')), never))).not.toBeInstanceOf(ModelError);
  });

  it('passes on a failure in the middle of an answer', async () => {
    const inner = createScriptedModel({ text: 'half', ...refused });
    expect(await failureOf(withoutRejectedPictures(inner).stream(asks(result('a', 'AA')), never))).toBe(refused.end);
  });
});
