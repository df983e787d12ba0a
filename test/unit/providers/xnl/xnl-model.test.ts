import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../../src/agent/ports/messages.ts';
import type { ToolDefinition } from '../../../../src/agent/ports/tool.ts';
import { withXnl } from '../../../../src/providers/xnl/xnl-model.ts';
import { collect } from '../../../support/contracts/language-model.ts';
import { createScriptedModel, SCRIPTED, type ScriptedAnswer } from '../../../support/fakes/scripted-model.ts';

const KEY = 'test/scripted/scripted-model';
const tool: ToolDefinition = {
  name: 'run_shell',
  description: 'Run a command.\nWith details.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  effect: 'execute',
};
const generic: ToolDefinition = {
  name: 'find_symbols',
  description: 'Find symbols.',
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Part of the name' },
      kinds: { type: 'array', items: { enum: ['class', 'function'] } },
      range: { type: 'object', properties: { from: { type: 'integer', description: 'Line' } }, required: ['from'] },
      exact: { type: 'boolean' },
      limit: { type: 'number' },
      nothing: { type: 'null' },
      options: { type: 'object' },
      colour: { type: 'object', properties: { red: { type: 'number' } } },
      any: {},
      never: false,
    },
    required: ['name'],
  },
  effect: 'read',
};

const block = (id: string, call: string): string =>
  `!unquote_start\n<tool_call id="${id}" lang="javascript" #>\n${call}\n</#>\n!unquote_end`;

async function run(answer: ScriptedAnswer, messages: readonly Message[] = [], tools = [tool]) {
  const inner = createScriptedModel(answer);
  const events = await collect(withXnl(inner).stream({ system: 'S', messages, tools }, new AbortController().signal));
  const [request] = inner.requests;
  if (request === undefined) throw new Error('no request was sent');
  return { events, request };
}

const callsOf = (events: readonly ModelEvent[]) => events.filter(({ type }) => type === 'tool_call_delta');

describe('withXnl', () => {
  it('keeps the identity of the model below', () => {
    expect(withXnl(createScriptedModel()).identity).toEqual(SCRIPTED);
  });

  it('turns the blocks of an answer into calls and hides them from the user', async () => {
    const raw = `Look.\n${block('a1', 'SysBuiltIn.bash({ command: "ls" })')}`;
    const { events } = await run({ text: [...raw] });
    const shown = events.flatMap((event) => (event.type === 'text_delta' ? [event.text] : [])).join('');
    expect(shown).toBe('Look.\n');
    expect(events.slice(-3)).toEqual([
      { type: 'tool_call_delta', index: 0, id: 'a1', name: 'bash', arguments: '{"command":"ls"}' },
      { type: 'provider_state', state: { model: KEY, items: [{ raw }] } },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('passes on an answer without calls as it is', async () => {
    const { events } = await run({ text: 'Hi.', usage: { inputTokens: 1, outputTokens: 1 }, end: 'length' });
    expect(events).toEqual([
      { type: 'text_delta', text: 'Hi.' },
      { type: 'usage', inputTokens: 1, outputTokens: 1 },
      { type: 'finish', reason: 'length' },
    ]);
  });

  it('uses the later of two calls with the same id, in the place of the first', async () => {
    const calls = [
      block('a', 'SysBuiltIn.bash({ command: "1" })'),
      block('b', 'SysBuiltIn.bash({ command: "2" })'),
      block('a', 'SysBuiltIn.bash({ command: "3" })'),
    ];
    const { events } = await run({ text: calls.join('\n') });
    expect(callsOf(events)).toMatchObject([
      { index: 0, id: 'a', arguments: '{"command":"3"}' },
      { index: 1, id: 'b', arguments: '{"command":"2"}' },
    ]);
  });

  it('tells the model why a call was not executed', async () => {
    const text = [
      block('a', 'SysBuiltIn.bash("ls")'),
      block('b', 'SysBuiltIn.bash({})').replace(' id="b"', ''),
      '!unquote_start\n<tool_call id="c" #>\nSysBuiltIn.bash({})',
    ].join('\n');
    const { events } = await run({ text, end: 'length' });
    expect(callsOf(events)).toMatchObject([
      { id: 'a', name: 'bash', problem: expect.stringContaining('not an object') },
      { name: 'bash', problem: expect.stringContaining('has no id') },
      { id: 'c', name: 'bash', problem: expect.stringContaining('no !unquote_end') },
    ]);
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
  });

  it('forgets what a retry withdraws', async () => {
    const retry: ModelEvent = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'Cut.' };
    const text = block('a', 'SysBuiltIn.bash({ command: "1" })');
    const events: ModelEvent[] = [
      { type: 'text_delta', text },
      { type: 'provider_state', state: { model: KEY, items: [{ half: true }] } },
      retry,
      { type: 'text_delta', text: 'Hi.' },
    ];
    const result = await run({ events });
    const held = { type: 'held_delta', text };
    expect(result.events).toEqual([
      held,
      retry,
      { type: 'text_delta', text: 'Hi.' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('keeps the state of the wire below', async () => {
    const state = { model: KEY, items: [{ signature: 'x' }] };
    const first = await run({ text: 'Hi.', events: [{ type: 'provider_state', state }] });
    expect(first.events).toContainEqual({
      type: 'provider_state',
      state: { model: KEY, items: [{ raw: 'Hi.' }, { signature: 'x' }] },
    });
    const stored = { model: KEY, items: [{ raw: 'Hi.' }, { signature: 'x' }] };
    const message: Message = { role: 'assistant', content: 'Hi.', toolCalls: [], providerState: stored };
    const { request } = await run({ text: 'x' }, [message]);
    expect(request.messages).toEqual([{ role: 'assistant', content: 'Hi.', toolCalls: [], providerState: state }]);
  });

  it('sends answers as they were written, and the results of one answer as one message', async () => {
    const raw = `Look.\n${block('a1', 'SysBuiltIn.bash({ command: "ls" })')}`;
    const call = { id: 'a1', name: 'bash', arguments: '{"command":"ls"}' };
    const messages: Message[] = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'Look.\n', toolCalls: [call], providerState: { model: KEY, items: [{ raw }] } },
      { role: 'tool', toolCallId: 'a1', content: 'x </#a1> y', isError: false },
      { role: 'tool', toolCallId: 'b 2"', content: '', isError: true, images: [{ mediaType: 'image/png', data: '' }] },
      { role: 'user', content: 'and now?' },
      { role: 'assistant', content: '', toolCalls: [call, { id: 'c', name: 'list_files', arguments: ' ' }] },
      { role: 'tool', toolCallId: 'a1', content: 'done', isError: false },
    ];
    const { request } = await run({ text: 'x' }, messages);
    expect(request.tools).toEqual([]);
    expect(request.messages).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: raw, toolCalls: [] },
      {
        role: 'user',
        content: [
          '!unquote_start',
          '<tool_resp id="a1" #a1-2>\nx </#a1> y\n</#a1-2>',
          '<tool_resp id="b 2_" #b_2_>\n\n[1 picture(s) left out: this protocol has only text]\n</#b_2_>',
          '!unquote_end',
        ].join('\n'),
      },
      { role: 'user', content: 'and now?' },
      {
        role: 'assistant',
        content: [
          '!unquote_start',
          '<tool_call id="a1" lang="javascript" #>\nSysBuiltIn.bash({"command":"ls"})\n</#>',
          '<tool_call id="c" lang="javascript" #>\nSysBuiltIn.list_files({})\n</#>',
          '!unquote_end',
        ].join('\n'),
        toolCalls: [],
      },
      { role: 'user', content: '!unquote_start\n<tool_resp id="a1" #a1>\ndone\n</#a1>\n!unquote_end' },
    ]);
  });

  it('gives its calls other indexes than native calls beside them', async () => {
    const { events } = await run({
      events: [
        { type: 'tool_call_delta', index: 0, name: 'run_shell', arguments: '{"command":' },
        { type: 'text_delta', text: block('a1', 'SysBuiltIn.bash({ command: "ls" })') },
        { type: 'tool_call_delta', index: 0, arguments: '"id"}' },
        { type: 'finish', reason: 'tool_calls' },
      ],
      end: 'none',
    });
    expect(callsOf(events)).toMatchObject([{ index: 0 }, { index: 0 }, { index: 1, id: 'a1' }]);
  });

  it('keeps the state of an answer that the same model gave with native calls', async () => {
    const state = { model: KEY, items: [{ signature: 'x' }, { signature: 'y' }] };
    const { request } = await run({ text: 'x' }, [
      { role: 'assistant', content: 'First.', toolCalls: [], providerState: state },
    ]);
    expect(request.messages).toEqual([{ role: 'assistant', content: 'First.', toolCalls: [], providerState: state }]);
  });

  it('writes the text and the calls of another model together', async () => {
    const call = { id: 'c', name: 'list_files', arguments: '{}' };
    const state = { model: 'another/wire/model', items: [{ raw: 'not mine' }] };
    const answers: Message[] = [
      { role: 'assistant', content: 'First.', toolCalls: [call], providerState: state },
      { role: 'assistant', content: 'Second.', toolCalls: [], providerState: { model: KEY, items: [7] } },
    ];
    const { request } = await run({ text: 'x' }, answers);
    expect(request.messages.map(({ content }) => content)).toEqual([
      'First.\n!unquote_start\n<tool_call id="c" lang="javascript" #>\nSysBuiltIn.list_files({})\n</#>\n!unquote_end',
      'Second.',
    ]);
  });

  it('teaches the protocol and describes each tool briefly and in detail', async () => {
    const { request } = await run({ text: 'x' }, [], [tool, generic]);
    expect(request.system).toMatchSnapshot();
    expect(request.system.startsWith('S\n')).toBe(true);
  });

  it('teaches nothing when there are no tools', async () => {
    const request: ModelRequest = (await run({ text: 'x' }, [], [])).request;
    expect(request.system).toBe('S');
  });

  it('describes a tool without properties', async () => {
    const { request } = await run({ text: 'x' }, [], [{ ...generic, parameters: { type: 'object' } }]);
    expect(request.system).toContain('type find_symbols = (input: {}) => string;');
  });
});
