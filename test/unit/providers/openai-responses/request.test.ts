import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../../../src/agent/ports/messages.ts';
import { type ResponsesRequestOptions, responsesRequest } from '../../../../src/providers/openai-responses/request.ts';
import { providerState } from '../../../../src/providers/provider-state.ts';
import { rulesFor } from '../../../../src/providers/service/services.ts';
import { propertySettings } from '../../../support/random/property.ts';

const identity = { provider: 'openai', wire: 'openai-responses', model: 'gpt-5.4' };
const options: ResponsesRequestOptions = { maxTokens: 100 };
const request = (...messages: readonly Message[]): ModelRequest => ({ system: 'Be brief.', messages, tools: [] });
const inputOf = (...messages: readonly Message[]) => responsesRequest(request(...messages), identity, options).input;

const hello: Message = { role: 'user', content: 'hello' };
const says = (content: string, ...calls: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content,
  toolCalls: calls.map((id) => ({ id, name: 'read_file', arguments: '{"path": "a"}' })),
});
const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const result = (id: string): ToolMessage => ({ role: 'tool', toolCallId: id, content: 'x', isError: false });
const called = (id: string) => ({ type: 'function_call', call_id: id, name: 'read_file', arguments: '{"path": "a"}' });

describe('responsesRequest', () => {
  it('builds a stateless streaming request', () => {
    expect(responsesRequest(request(hello), identity, options)).toEqual({
      model: 'gpt-5.4',
      instructions: 'Be brief.',
      input: [{ type: 'message', role: 'user', content: 'hello' }],
      max_output_tokens: 100,
      include: ['reasoning.encrypted_content'],
      store: false,
      stream: true,
    });
    expect(responsesRequest({ ...request(hello), system: '' }, identity, options)).not.toHaveProperty('instructions');
  });

  it('joins messages of the user that follow each other, so that each is a part', () => {
    const picture = { ...hello, images: [{ mediaType: 'image/png', data: 'AA' }] } as const;
    const text = { type: 'input_text', text: 'hello' };
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto' };
    expect(inputOf(hello, picture, says('ok'), hello)).toEqual([
      { type: 'message', role: 'user', content: [text, text, image] },
      said('ok'),
      { type: 'message', role: 'user', content: 'hello' },
    ]);
  });

  it.each([
    ['text', [{ type: 'message', role: 'user', content: 'hello\n\nhello' }]],
    ['kept', inputOf(hello).concat(inputOf(hello))],
  ] as const)('writes neighbouring messages of the user as a service wants them: %s', (neighbours, expected) => {
    const form = () => ({
      rules: { ...rulesFor('openai-responses', 'http://localhost', 'm'), neighbours },
      maxTokens: 9,
    });
    expect(responsesRequest(request(hello, hello), identity, { ...options, form }).input).toEqual(expected);
  });

  it('asks a model that does not reason for no encrypted reasoning', () => {
    const body = responsesRequest(request(hello), { ...identity, model: 'gpt-4.1-mini' }, options);
    expect(body).not.toHaveProperty('include');
  });

  it('sends tools without our own fields', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    const tool = { name: 'read_file', description: 'Reads.', parameters, effect: 'read' } as const;
    expect(responsesRequest({ ...request(hello), tools: [tool] }, identity, options).tools).toEqual([
      { type: 'function', name: 'read_file', description: 'Reads.', parameters, strict: false },
    ]);
  });

  it.each([
    ['gpt-5.4', 'high', { effort: 'high', summary: 'auto' }],
    ['gpt-5.4', 'none', { effort: 'none' }],
    ['gpt-5-mini', 'none', { effort: 'low' }],
    ['gpt-5', 'none', { effort: 'low' }],
    ['o3', 'none', { effort: 'low' }],
  ] as const)('asks %s for the effort %s', (model, reasoningEffort, reasoning) => {
    const set = { maxTokens: 100, reasoningEffort, temperature: 0 };
    const body = responsesRequest(request(hello), { ...identity, model }, set);
    expect(body).toMatchObject({ reasoning, temperature: 0 });
  });

  it('sends answers, calls and results as items', () => {
    expect(inputOf(hello, says('Reading.', 'c1', 'c2'), result('c1'), result('c2'))).toEqual([
      { type: 'message', role: 'user', content: 'hello' },
      said('Reading.'),
      called('c1'),
      called('c2'),
      { type: 'function_call_output', call_id: 'c1', output: 'x' },
      { type: 'function_call_output', call_id: 'c2', output: 'x' },
    ]);
  });

  it('sends reasoning back to the model that made it, in its place, and to no other', () => {
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'enc' } as const;
    const items = [
      { type: 'text_place', length: 8, phase: 'commentary' } as const,
      reasoning,
      { type: 'later' } as const,
    ];
    const answer = { ...says('Reading.', 'c1'), providerState: providerState(identity, items) };
    expect(inputOf(answer)).toEqual([{ ...said('Reading.'), phase: 'commentary' }, reasoning, called('c1')]);
    const other = { ...identity, model: 'gpt-6' };
    expect(responsesRequest(request(answer), other, options).input).toEqual([said('Reading.'), called('c1')]);
  });

  it('sends a summary of reasoning back where the service takes it', () => {
    const summary = {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: null,
    } as const;
    const answer = { ...says('Reading.'), providerState: providerState(identity, [summary]) };
    const inputAt = (host: string) => {
      const rules = rulesFor('openai-responses', `https://${host}/v1`, identity.model);
      return responsesRequest(request(answer), identity, { ...options, form: () => ({ rules, maxTokens: 100 }) }).input;
    };
    expect(inputAt('gateway.example')).toEqual([summary, said('Reading.')]);
    expect(inputAt('api.openai.com')).toEqual([said('Reading.')]);
  });

  it('sends pictures within the output that they belong to', () => {
    const images = [{ mediaType: 'image/png', data: 'AAAA' } as const];
    expect(inputOf(says('', 'c1'), { ...result('c1'), images }).at(-1)).toEqual({
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'x' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      ],
    });
  });

  it('keeps the bytes of a growing history', () => {
    const anyTurn: fc.Arbitrary<readonly Message[]> = fc.constantFrom<readonly Message[]>(
      [hello],
      [says('a')],
      [says('b', 'c1', 'c2'), result('c1'), result('c2')],
    );
    const anyHistory: fc.Arbitrary<readonly Message[]> = fc.array(anyTurn).map((turns) => turns.flat());
    return fc.assert(
      fc.property(anyHistory, fc.nat(20), (messages, count) => {
        // A message of the user that another one follows becomes a part.
        fc.pre(messages[count - 1]?.role !== 'user' || messages[count]?.role !== 'user');
        const short = JSON.stringify(inputOf(...messages.slice(0, count)));
        expect(JSON.stringify(inputOf(...messages)).startsWith(short.slice(0, -1))).toBe(true);
      }),
      propertySettings(50),
    );
  });
});
