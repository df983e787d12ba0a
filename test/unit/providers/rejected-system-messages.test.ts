import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/errors.ts';
import type { ModelErrorCode, ModelRequest } from '../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { withoutRejectedSystemMessages } from '../../../src/providers/system-messages.ts';
import { collect, failureOf } from '../../support/contracts/language-model.ts';
import { createScriptedModel } from '../../support/scripted-model.ts';

const never = new AbortController().signal;
const user = (content: string): Message => ({ role: 'user', content });
const file = (path: string): Message => ({ role: 'user', reminder: true, content: `@file:${path}\ntext`, file: path });
const answer: Message = { role: 'assistant', content: 'It is.', toolCalls: [] };
const asks = (...messages: readonly Message[]): ModelRequest => ({ system: '', messages, tools: [] });
const TEXT = 'The server refused the request (400: System message must be at the beginning.).';
const refused = { end: new ModelError('bad_request', TEXT) };

/** The messages of each request, in short. */
const sentTo = ({ requests }: { readonly requests: readonly ModelRequest[] }) =>
  requests.map(({ messages }) =>
    messages.map((message) => `${'file' in message ? 'system' : message.role}: ${message.content}`),
  );

describe('withoutRejectedSystemMessages', () => {
  it('sends a refused request again with the files in the messages of the user, and says so', async () => {
    const inner = createScriptedModel(refused, { text: 'Yes.' });
    const request = asks(user('hello'), answer, file('a.md'), file('b.md'), user('is it right?'));
    const events = await collect(withoutRejectedSystemMessages(inner).stream(request, never));
    expect(events[0]).toEqual({
      type: 'retry',
      attempt: 1,
      delayMs: 0,
      code: 'bad_request',
      message: `${TEXT} The request is sent again with the named files in the messages of the user.`,
    });
    expect(events.slice(1)).toEqual([
      { type: 'text_delta', text: 'Yes.' },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(sentTo(inner)).toEqual([
      [
        'user: hello',
        'assistant: It is.',
        'system: @file:a.md\ntext',
        'system: @file:b.md\ntext',
        'user: is it right?',
      ],
      ['user: hello', 'assistant: It is.', 'user: @file:a.md\ntext\n\n@file:b.md\ntext\n\nis it right?'],
    ]);
  });

  it('sends every later request in the same way at once, also a file without a message', async () => {
    const inner = createScriptedModel(refused, { text: 'a' }, { text: 'b' });
    const model = withoutRejectedSystemMessages(inner);
    await collect(model.stream(asks(file('a.md'), user('go')), never));
    await collect(model.stream(asks(file('a.md'), answer, user('on'), file('b.md')), never));
    expect(sentTo(inner).slice(1)).toEqual([
      ['user: @file:a.md\ntext\n\ngo'],
      ['user: @file:a.md\ntext', 'assistant: It is.', 'user: on', 'user: @file:b.md\ntext'],
    ]);
  });

  it('keeps the pictures of a message', async () => {
    const images = [{ mediaType: 'image/png', data: 'AA' }] as const;
    const inner = createScriptedModel(refused, { text: 'a' });
    const request = asks(file('a.md'), { role: 'user', content: 'look', images });
    await collect(withoutRejectedSystemMessages(inner).stream(request, never));
    expect(inner.requests[1]?.messages).toEqual([{ role: 'user', content: '@file:a.md\ntext\n\nlook', images }]);
  });

  it('tries again for servers that report a failed template as their own error', async () => {
    const error = new ModelError(
      'overloaded',
      'could not answer (500: Jinja Exception: Conversation roles must alternate)',
    );
    const inner = createScriptedModel({ end: error }, { text: 'a' });
    await collect(withoutRejectedSystemMessages(inner).stream(asks(file('a.md'), user('go')), never));
    expect(inner.requests).toHaveLength(2);
  });

  it.each([
    "Invalid value: 'system'. Supported values are: 'assistant' and 'user'.",
    'System prompts are not supported here.',
  ])('tries again after: %s', async (text) => {
    const inner = createScriptedModel({ end: new ModelError('bad_request', text) }, { text: 'a' });
    await collect(withoutRejectedSystemMessages(inner).stream(asks(file('a.md'), user('go')), never));
    expect(inner.requests).toHaveLength(2);
  });

  it('passes on the failure of the second request, and tries system messages again after it', async () => {
    const inner = createScriptedModel(refused, refused, { text: 'a' });
    const model = withoutRejectedSystemMessages(inner);
    expect(await failureOf(model.stream(asks(file('a.md'), user('go')), never))).toBe(refused.end);
    await collect(model.stream(asks(file('a.md'), user('go')), never));
    expect(sentTo(inner)[2]).toEqual(['system: @file:a.md\ntext', 'user: go']);
  });

  it.each<readonly [string, ModelErrorCode, string, Message]>([
    ['a request without files', 'bad_request', TEXT, user('x')],
    ['a request that was refused for another reason', 'bad_request', 'max_tokens is too large', file('a.md')],
    ['a server that is busy', 'overloaded', 'The system is overloaded. Try again later.', file('a.md')],
    ['a key that was refused', 'auth', 'The system is closed.', file('a.md')],
  ])('passes on the failure of %s', async (_name, code, text, message) => {
    const error = new ModelError(code, text);
    const inner = createScriptedModel({ end: error });
    const model = withoutRejectedSystemMessages(inner);
    expect(await failureOf(model.stream(asks(message, user('go')), never))).toBe(error);
    expect(inner.requests).toHaveLength(1);
  });

  it('passes on a failure in the middle of an answer', async () => {
    const inner = createScriptedModel({ text: ['Ye'], ...refused });
    const model = withoutRejectedSystemMessages(inner);
    expect(await failureOf(model.stream(asks(file('a.md'), user('go')), never))).toBe(refused.end);
    expect(inner.requests).toHaveLength(1);
  });
});
