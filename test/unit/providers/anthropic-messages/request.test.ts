import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../../../src/agent/ports/messages.ts';
import { anthropicRequest, type MessagesRequestOptions } from '../../../../src/providers/anthropic-messages/request.ts';
import { providerState } from '../../../../src/providers/provider-state.ts';
import { WIRE_RULES } from '../../../../src/providers/service/service-rules.ts';
import { propertySettings } from '../../../support/random/property.ts';

const identity = { provider: 'anthropic', wire: 'anthropic-messages', model: 'claude-sonnet-4-5' };
const options: MessagesRequestOptions = { maxTokens: 100 };
const cached = { cache_control: { type: 'ephemeral' } };
const request = (...messages: readonly Message[]): ModelRequest => ({ system: 'Be brief.', messages, tools: [] });
const messagesOf = (...messages: readonly Message[]) =>
  anthropicRequest(request(...messages), identity, options).messages;

const hello: Message = { role: 'user', content: 'hello' };
const says = (content: string, ...calls: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content,
  toolCalls: calls.map((id) => ({ id, name: 'read_file', arguments: '{"path":"a"}' })),
});
const result = (id: string, content = 'x', isError = false): ToolMessage => ({
  role: 'tool',
  toolCallId: id,
  content,
  isError,
});

describe('anthropicRequest', () => {
  it('builds a streaming request with a marked system text, without an empty list of tools', () => {
    expect(anthropicRequest(request(hello), identity, options)).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', ...cached }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello', ...cached }] }],
    });
  });

  it('leaves out an empty system text, which the API refuses', () => {
    expect(anthropicRequest({ ...request(hello), system: '' }, identity, options)).not.toHaveProperty('system');
  });

  it('sends tools with their schema, and marks the last one', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    const tool = (name: string) => ({ name, description: 'Does it.', parameters, effect: 'read' }) as const;
    const body = anthropicRequest({ ...request(hello), tools: [tool('a'), tool('b')] }, identity, options);
    const sent = { description: 'Does it.', input_schema: parameters };
    expect(body.tools).toEqual([
      { name: 'a', ...sent },
      { name: 'b', ...sent, ...cached },
    ]);
  });

  it('sends a temperature only when one is set and the model does not think', () => {
    expect(anthropicRequest(request(hello), identity, options)).not.toHaveProperty('temperature');
    const set = { maxTokens: 4096, temperature: 0 };
    expect(anthropicRequest(request(hello), identity, set)).toMatchObject({ temperature: 0 });
    expect(anthropicRequest(request(hello), identity, { ...set, reasoningEffort: 'none' })).toMatchObject({
      temperature: 0,
      thinking: { type: 'disabled' },
    });
    const thinking = anthropicRequest(request(hello), identity, { ...set, reasoningEffort: 'low' });
    expect(thinking).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1024 } });
    expect(thinking).not.toHaveProperty('temperature');
  });

  it('sends the results of one answer in one message, with their errors', () => {
    expect(messagesOf(hello, says('Reading.', 'c1', 'c2'), result('c1'), result('c2', 'Not found.', true))).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hello', ...cached }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
          { type: 'tool_use', id: 'c2', name: 'read_file', input: { path: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'x' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'Not found.', is_error: true, ...cached },
        ],
      },
    ]);
  });

  it('joins neighbours of the same role', () => {
    const turns = messagesOf(hello, says('a', 'c1'), result('c1'), hello, hello, says('b'), says('c'), hello);
    expect(turns.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['user', 3],
      ['assistant', 2],
      ['user', 1],
    ]);
  });

  // https://github.com/anomalyco/opencode/pull/32609
  it('keeps results apart from texts for a service that wants nothing beside them', () => {
    const rules = { ...WIRE_RULES['anthropic-messages'], order: 'bridged' } as const;
    const form = () => ({ rules, maxTokens: 100 });
    const history = [hello, hello, says('a', 'c1', 'c2'), result('c1'), result('c2'), hello, hello];
    const { messages } = anthropicRequest(request(...history), identity, { ...options, form });
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 2],
      ['assistant', 3],
      ['user', 2],
      ['assistant', 1],
      ['user', 2],
    ]);
  });

  it('marks the last two user messages, at their ends', () => {
    const turns = messagesOf(hello, says('a'), hello, hello, says('b'), hello);
    const marks = turns.map(({ content }) =>
      typeof content === 'string' ? [] : content.map((block) => 'cache_control' in block),
    );
    expect(marks).toEqual([[false], [false], [false, true], [false], [true]]);
  });

  it('sends no blank text, and no answer that has nothing else', () => {
    expect(messagesOf({ role: 'user', content: ' ' }, says('\n'), hello)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '(empty)' },
          { type: 'text', text: 'hello', ...cached },
        ],
      },
    ]);
    expect(messagesOf(hello, says('', 'c1'), result('c1', '')).at(-1)).toMatchObject({
      content: [{ content: '(empty)' }],
    });
  });

  it('sends pictures within the result that they belong to', () => {
    const image = { mediaType: 'image/png', data: 'AAAA' } as const;
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    expect(messagesOf(hello, says('', 'c1'), { ...result('c1', 'a.png'), images: [image] }).at(-1)).toMatchObject({
      content: [
        {
          type: 'tool_result',
          content: [
            { type: 'text', text: 'a.png' },
            { type: 'image', source },
          ],
        },
      ],
    });
  });

  it('sends thinking back to the model that made it, and to no other', () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 'sig' } as const;
    const answer: AssistantMessage = { ...says('a', 'c1'), providerState: providerState(identity, [thought]) };
    const history = request(hello, answer, result('c1'));
    expect(anthropicRequest(history, identity, options).messages[1]?.content).toHaveLength(3);
    expect(anthropicRequest(history, identity, options).messages[1]).toMatchObject({ content: [thought, {}, {}] });
    const other = { ...identity, model: 'claude-opus-5' };
    expect(anthropicRequest(history, other, options).messages[1]?.content).toHaveLength(2);
  });

  it('sends ids and arguments in the form that the API accepts', () => {
    const answer: AssistantMessage = {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call.1', name: 'read_file', arguments: '{"path' }],
    };
    const [, used, given] = messagesOf(hello, answer, result('call.1'));
    expect(used).toMatchObject({ content: [{ id: 'call_1', input: {} }] });
    expect(given).toMatchObject({ content: [{ tool_use_id: 'call_1' }] });
  });

  it('gives a longer history the same blocks and more, cache marks aside', () => {
    const anyTurn: fc.Arbitrary<readonly Message[]> = fc.constantFrom<readonly Message[]>(
      [hello],
      [says('a')],
      [says('b', 'c1', 'c2'), result('c1'), result('c2', '', true)],
    );
    const anyHistory: fc.Arbitrary<readonly Message[]> = fc
      .array(anyTurn, { minLength: 1 })
      .map((turns) => turns.flat());
    const blocks = (messages: readonly Message[]) =>
      messagesOf(...messages).flatMap(({ role, content }) =>
        [...content].map((block) =>
          JSON.stringify([role, block], (key, value) => (key === 'cache_control' ? undefined : value)),
        ),
      );
    return fc.assert(
      fc.property(anyHistory, fc.nat(20), (messages, count) => {
        const shorter = blocks(messages.slice(0, count));
        expect(blocks(messages).slice(0, shorter.length)).toEqual(shorter);
      }),
      propertySettings(50),
    );
  });
});
