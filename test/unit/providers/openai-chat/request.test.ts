import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import { openAiRequest, type RequestSettings } from '../../../../src/providers/openai-chat/request.ts';
import { rulesFor } from '../../../../src/providers/service/services.ts';
import { propertySettings } from '../../../support/random/property.ts';

const settings: RequestSettings = { maxTokens: 100 };
const identity = { provider: 'p', wire: 'openai-chat', model: 'm' };
const request = (...messages: readonly Message[]): ModelRequest => ({ system: 'Be brief.', messages, tools: [] });
const call = (text: string) => ({ id: 'c1', name: 'read_file', arguments: text });
const user = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content, toolCalls: [] });
const messagesOf = (...messages: readonly Message[]) =>
  openAiRequest(request(...messages), identity, settings).messages.slice(1);

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content: fc.string() }),
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.string(),
    toolCalls: fc.array(fc.record({ id: fc.string(), name: fc.string(), arguments: fc.oneof(fc.json(), fc.string()) })),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    toolCallId: fc.string(),
    content: fc.string(),
    isError: fc.boolean(),
  }),
);

describe('openAiRequest', () => {
  it('builds a streaming request with usage, without an empty list of tools', () => {
    expect(openAiRequest(request({ role: 'user', content: 'hello' }), identity, settings)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('names the limit as the service does, and sends a temperature only when one is set', () => {
    const rules = rulesFor('openai-chat', 'https://api.openai.com/v1', 'gpt-5.4');
    const form = () => ({ rules, maxTokens: 50 });
    const body = openAiRequest(request(), identity, { ...settings, form, temperature: 0 });
    expect(body).toMatchObject({ max_completion_tokens: 50, temperature: 0 });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it('joins messages of the user that follow each other, so that each is a part', () => {
    const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
    const parts = (...texts: readonly string[]) => texts.map((text) => ({ type: 'text', text }));
    expect(messagesOf(user('a'), user('b'), user('c'), says('d'), user('e'))).toEqual([
      { role: 'user', content: parts('a', 'b', 'c') },
      { role: 'assistant', content: 'd' },
      { role: 'user', content: 'e' },
    ]);
    const picture = { ...user('a'), role: 'user', images: [{ mediaType: 'image/png', data: 'AA' }] } as const;
    expect(messagesOf(picture, user('b'))).toEqual([{ role: 'user', content: [...parts('a'), url, ...parts('b')] }]);
  });

  it.each([
    ['text', [{ role: 'user', content: 'a\n\nb' }]],
    ['kept', [user('a'), user('b')]],
  ] as const)('writes neighbouring messages of the user as a service wants them: %s', (neighbours, expected) => {
    const form = () => ({ rules: { ...rulesFor('openai-chat', 'http://localhost', 'm'), neighbours }, maxTokens: 50 });
    const body = openAiRequest(request(user('a'), user('b')), identity, { ...settings, form });
    expect(body.messages.slice(1)).toEqual(expected);
  });

  it('sends the effort of the reasoning when one is set', () => {
    expect(openAiRequest(request(), identity, { ...settings, reasoningEffort: 'none' })).toMatchObject({
      reasoning_effort: 'none',
    });
    expect(openAiRequest(request(), identity, settings)).not.toHaveProperty('reasoning_effort');
  });

  it('sends the pictures of the results of one answer after them', () => {
    const result = (id: string, ...pictures: readonly string[]) => {
      const images = pictures.map((data) => ({ mediaType: 'image/png', data }) as const);
      return {
        role: 'tool',
        toolCallId: id,
        content: id,
        isError: false,
        ...(images.length > 0 && { images }),
      } as const;
    };
    const url = (data: string) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } });
    const note = { type: 'text', text: 'The pictures of the tool results above, in their order:' };
    expect(
      messagesOf(result('c1', 'AA', 'BB'), result('c2'), result('c3', 'CC'), { role: 'user', content: 'go' }),
    ).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: 'c1' },
      { role: 'tool', tool_call_id: 'c2', content: 'c2' },
      { role: 'tool', tool_call_id: 'c3', content: 'c3' },
      { role: 'user', content: [note, url('AA'), url('BB'), url('CC'), { type: 'text', text: 'go' }] },
    ]);
    expect(messagesOf(result('c1', 'AA')).at(-1)).toEqual({ role: 'user', content: [note, url('AA')] });
  });

  it('sends tools as functions, without our own fields', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    const tool = { name: 'read_file', description: 'Reads.', parameters, effect: 'read' } as const;
    expect(openAiRequest({ ...request(), tools: [tool] }, identity, settings).tools).toEqual([
      { type: 'function', function: { name: 'read_file', description: 'Reads.', parameters } },
    ]);
  });

  it('sends an answer with calls, then their results', () => {
    expect(
      messagesOf(
        { role: 'assistant', content: 'Looking.', reasoning: 'hm', toolCalls: [call('{"path": "a.js"}')] },
        { role: 'tool', toolCallId: 'c1', content: 'Not found.', isError: true },
      ),
    ).toEqual([
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path": "a.js"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Not found.' },
    ]);
  });

  it('sends null for the text of an answer that has only calls, and no calls for one that has only text', () => {
    expect(messagesOf({ role: 'assistant', content: '', toolCalls: [call('{}')] })[0]).toMatchObject({ content: null });
    const partial = { role: 'assistant', content: '', toolCalls: [], partial: true } as const;
    expect(messagesOf(partial)).toEqual([{ role: 'assistant', content: '' }]);
  });

  it.each(['', '{"path": "a', '[1]', 'null', '"text"', '7'])(
    'sends {} for arguments that are not an object: %s',
    (text) => {
      expect(messagesOf({ role: 'assistant', content: '', toolCalls: [call(text)] })).toMatchObject([
        { tool_calls: [{ function: { arguments: '{}' } }] },
      ]);
    },
  );

  it('keeps the bytes of a growing history', () => {
    return fc.assert(
      fc.property(fc.array(anyMessage), fc.array(anyMessage), (before, added) => {
        // A message of the user that another one follows becomes a part.
        fc.pre(before.at(-1)?.role !== 'user' || added[0]?.role !== 'user');
        const short = JSON.stringify(openAiRequest(request(...before), identity, settings).messages);
        const long = JSON.stringify(openAiRequest(request(...before, ...added), identity, settings).messages);
        expect(long.startsWith(short.slice(0, -1))).toBe(true);
      }),
      propertySettings(50),
    );
  });
});
