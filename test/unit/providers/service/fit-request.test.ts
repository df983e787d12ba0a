import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import type { AssistantMessage, Message, ToolMessage } from '../../../../src/agent/ports/messages.ts';
import { fitRequest } from '../../../../src/providers/service/fit-request.ts';
import { type ServiceRules, WIRE_RULES } from '../../../../src/providers/service/service-rules.ts';

const RULES = WIRE_RULES['openai-chat'];
const IMAGE = { mediaType: 'image/png', data: 'AA' } as const;
const user = (content: string): Message => ({ role: 'user', content });
const calls = (...ids: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'read_file', arguments: '{"path":"a"}' })),
});
const result = (id: string, content = 'x'): ToolMessage => ({ role: 'tool', toolCallId: id, content, isError: false });
const tool = (name: string) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: {} },
  effect: 'read' as const,
});
const asks = (...messages: readonly Message[]): ModelRequest => ({ system: '', messages, tools: [tool('read_file')] });
const fitted = (request: ModelRequest, rules: Partial<ServiceRules> = {}) =>
  fitRequest(request, { ...RULES, ...rules });

describe('fitRequest', () => {
  it('keeps a named file apart, or puts it into the message of the user', () => {
    const file: Message = { role: 'user', content: 'text', file: 'a.md', reminder: true };
    expect(fitted(asks(file, user('look'))).messages).toEqual([file, user('look')]);
    expect(fitted(asks(file, user('look')), { files: 'user' }).messages).toEqual([user('text\n\nlook')]);
  });

  it('turns calls and results into text for a request without tools', () => {
    const failed = { ...result('2', 'no'), isError: true, images: [IMAGE] };
    const answer = { ...calls('1', '2'), content: 'Reading.' };
    const { messages } = fitted({
      ...asks(user('go'), answer, result('1'), failed, { ...calls(), content: 'Done.' }),
      tools: [],
    });
    expect(messages).toEqual([
      user('go'),
      {
        role: 'assistant',
        content: 'Reading.\n[Called read_file with {"path":"a"}]\n[Called read_file with {"path":"a"}]',
        toolCalls: [],
      },
      user('[Result of the call]\nx'),
      { role: 'user', content: '[Error of the call]\nno', images: [IMAGE] },
      { role: 'assistant', content: 'Done.', toolCalls: [] },
    ]);
  });

  it('leaves out state that no field may carry', () => {
    const answer = { ...calls('1'), providerState: { model: 'm', items: [1] } };
    expect(fitted(asks(answer, result('1')), { returned: [] }).messages[0]).toEqual(calls('1'));
    expect(fitted(asks(answer, result('1')), { returned: ['reasoning'] }).messages[0]).toEqual(answer);
  });

  it('says that a text is empty', () => {
    expect(fitted(asks(user(' \n'), calls('1'), result('1', ''))).messages).toEqual([
      user('(empty)'),
      calls('1'),
      result('1', '(empty)'),
    ]);
  });

  it('makes ids of nine letters and digits, each for one id, and keeps those of the service', () => {
    const { messages } = fitted(
      asks(
        calls('call_abc', 'aB3dE5gH7'),
        result('call_abc'),
        result('aB3dE5gH7'),
        calls('c00000001'),
        result('c00000001'),
      ),
      { callIds: 'nine' },
    );
    expect(messages).toEqual([
      calls('c00000002', 'aB3dE5gH7'),
      result('c00000002'),
      result('aB3dE5gH7'),
      calls('c00000001'),
      result('c00000001'),
    ]);
  });

  it('makes ids of letters, digits, _ and -, each for one id', () => {
    const kimi = 'functions.read_file:0';
    const { messages } = fitted(asks(calls(kimi, 'a-b_C'), result(kimi), result('a-b_C')), { callIds: 'plain' });
    const made = 'functions_read_file_0_1';
    expect(messages).toEqual([calls(made, 'a-b_C'), result(made), result('a-b_C')]);
  });

  it('puts each call into an answer of its own, ahead of its result', () => {
    const state = { providerState: { model: 'm', items: [1] } };
    const both = { ...calls('1', '2'), content: 'Both.', ...state };
    const one = { ...calls('3'), ...state };
    const history = [user('go'), both, result('2', 'b'), result('1', 'a'), one, result('3'), user('more')];
    const { messages } = fitted(asks(...history), { parallelCalls: 'apart' });
    expect(messages).toEqual([
      user('go'),
      { ...calls('1'), content: 'Both.' },
      result('1', 'a'),
      calls('2'),
      result('2', 'b'),
      one,
      result('3'),
      user('more'),
    ]);
    expect(fitted(asks(both, result('2')), { parallelCalls: 'apart' }).messages).toHaveLength(3);
  });

  it('puts the system text ahead of the first message of the user', () => {
    const request = { ...asks(user('go')), system: 'Be brief.' };
    const rules = { instructions: 'user' } as const;
    expect(fitted(request, rules)).toMatchObject({ system: '', messages: [user('Be brief.\n\ngo')] });
    const answered = { ...request, messages: [{ ...calls(), content: 'Hm.' }, user('go')] };
    expect(fitted(answered, rules).messages).toEqual([user('Be brief.'), ...answered.messages]);
  });

  it('shortens ids of more than 40 characters, and keeps the others', () => {
    const [one, two] = ['1', '2'].map((end) => `${'x'.repeat(60)}${end}`) as [string, string];
    const { messages } = fitted(
      asks(user('go'), calls(one, two, 'b'), result(one), result(two), result('b'), { ...calls(), content: 'ok' }),
    );
    const [first, second] = [`${'x'.repeat(32)}_1`, `${'x'.repeat(32)}_2`];
    expect(messages.slice(1, 5)).toEqual([calls(first, second, 'b'), result(first), result(second), result('b')]);
    const kept = asks(calls(one), result(one));
    expect(fitted(kept, { callIds: 'kept' }).messages).toEqual(kept.messages);
  });

  it('offers no refused tool, and at most as many as the service takes', () => {
    const request = { ...asks(), tools: ['a', 'b', 'c'].map(tool) };
    expect(fitted(request, { refusedTools: ['a'], maxTools: 1 }).tools).toEqual([tool('b')]);
    expect(fitted(request).tools).toEqual(request.tools);
  });

  it('writes the schemas of tools in the dialect of the service', () => {
    const parameters = { type: 'object', properties: { names: { type: 'array' } } };
    const request = { ...asks(), tools: [{ ...tool('a'), parameters }] };
    expect(fitted(request).tools[0]?.parameters).toEqual({
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'string' } } },
    });
    expect(fitted(request, { schema: 'plain' }).tools[0]).toBe(request.tools[0]);
  });
});
