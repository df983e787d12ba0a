import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import type { AssistantMessage } from '../../../../src/agent/ports/messages.ts';
import { StreamJsonEncoder } from '../../../../src/hosts/stream-json/encode.ts';
import { StreamJsonLineSchema } from '../../../support/hosts/stream-json-schema.ts';

const IDS = {
  session_id: '00000000-0000-4000-8000-000000000001',
  uuid: '00000000-0000-4000-8000-000000000002',
};
const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'm' };
const INIT = { type: 'init' };

/** Encodes events; each takes 10 ms. Every line but the first of a run is checked against the schema. */
function encode(events: readonly AgentEvent[], partial = false): readonly object[] {
  const encoder = new StreamJsonEncoder();
  let now = 0;
  const lines = events.flatMap((event) => {
    now += 10;
    return encoder.encode(event, { partial, now, newId: () => 'a-b', init: () => INIT, costOf: () => 0.5 });
  });
  for (const line of lines) if (line !== INIT) StreamJsonLineSchema.parse({ ...line, ...IDS });
  return lines;
}

/** A short form of lines: their kinds, with the parts that matter. */
function short(line: object): string {
  const value = StreamJsonLineSchema.parse({ ...line, ...IDS });
  switch (value.type) {
    case 'assistant':
      return `assistant ${value.message.content.map((block) => block.type).join()}${value.aborted ? ' aborted' : ''}`;
    case 'user':
      return `user ${value.message.content.map((block) => block.type).join()}`;
    case 'stream_event':
      return `~ ${value.event.type}${'index' in value.event ? ` ${value.event.index}` : ''}`;
    case 'system':
    case 'result':
      return `${value.type} ${value.subtype}`;
    default:
      return value.type;
  }
}

const PROMPT: AgentEvent = { type: 'user_message', text: 'go' };
const TURN: AgentEvent = { type: 'turn_start', turn: 1, model: MODEL };
const USAGE: AgentEvent = { type: 'usage', model: MODEL, inputTokens: 9, outputTokens: 2, cachedTokens: 4 };
const CALL = { id: 'c1', name: 'Write', arguments: '{"file_path":"a"}' };
const answer = (
  message: Partial<AssistantMessage>,
  finish: Extract<AgentEvent, { type: 'assistant_message' }>['finish'] = 'stop',
): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', content: '', toolCalls: [], ...message },
  finish,
});
const result = (outcome: Extract<AgentEvent, { type: 'tool_result' }>['outcome']): AgentEvent => ({
  ...{ type: 'tool_result', callId: 'c1', toolName: 'write_file', outcome },
  ...{ content: 'text', summary: '', durationMs: 1 },
});
const piece = (callId: string, text: string): AgentEvent => ({ type: 'tool_call_delta', callId, name: 'Write', text });
const END: AgentEvent = { type: 'run_end', outcome: 'done', message: 'Done.' };

describe('StreamJsonEncoder', () => {
  it('encodes a run with a call, one line per block, with one id per answer', () => {
    const lines = encode([
      PROMPT,
      TURN,
      { type: 'text_delta', text: 'hi' },
      USAGE,
      answer({ reasoning: 'hm', content: 'hi', toolCalls: [CALL] }, 'tool_calls'),
      { type: 'tool_call', call: CALL },
      result('ok'),
      { type: 'turn_end', turn: 1 },
      END,
    ]);
    const usage = { input_tokens: 5, output_tokens: 2, cache_creation_input_tokens: 0, cache_read_input_tokens: 4 };
    const message = {
      ...{ id: 'msg_ab', type: 'message', role: 'assistant', model: 'm' },
      ...{ stop_reason: null, stop_sequence: null, usage },
    };
    const assistant = (content: object) => ({
      type: 'assistant',
      message: { ...message, content: [content] },
      parent_tool_use_id: null,
    });
    expect(lines).toEqual([
      INIT,
      assistant({ type: 'thinking', thinking: 'hm', signature: '' }),
      assistant({ type: 'text', text: 'hi' }),
      assistant({ type: 'tool_use', id: 'c1', name: 'Write', input: { file_path: 'a' } }),
      {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'text' }] },
        parent_tool_use_id: null,
      },
      {
        type: 'result',
        ...{ subtype: 'success', is_error: false, result: 'hi', terminal_reason: 'completed' },
        ...{ duration_ms: 80, duration_api_ms: 30, num_turns: 1, stop_reason: 'tool_use', total_cost_usd: 0.5, usage },
        modelUsage: {
          m: {
            ...{ inputTokens: 5, outputTokens: 2, cacheReadInputTokens: 4, cacheCreationInputTokens: 0 },
            ...{ webSearchRequests: 0, costUSD: 0.5, contextWindow: 0, maxOutputTokens: 0 },
          },
        },
        permission_denials: [],
      },
    ]);
  });

  it.each<readonly [name: string, events: readonly AgentEvent[], lines: readonly string[]]>([
    [
      'streams text, with the whole block before its end',
      [{ type: 'text_delta', text: 'a' }, { type: 'text_delta', text: 'b' }, answer({ content: 'ab' })],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', '~ content_block_delta 0'],
        ...['assistant text', '~ content_block_stop 0', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'closes reasoning where the text begins',
      [
        { type: 'reasoning_delta', text: 'r' },
        { type: 'text_delta', text: 'a' },
        answer({ reasoning: 'r', content: 'a' }),
      ],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'assistant thinking'],
        ...['~ content_block_stop 0', '~ content_block_start 1', '~ content_block_delta 1', 'assistant text'],
        ...['~ content_block_stop 1', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'streams calls as whole blocks',
      [answer({ toolCalls: [CALL, { ...CALL, id: 'c2' }] }, 'tool_calls')],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'assistant tool_use'],
        ...['~ content_block_stop 0', '~ content_block_start 1', '~ content_block_delta 1', 'assistant tool_use'],
        ...['~ content_block_stop 1', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'streams a text whose pieces never came',
      [answer({ content: 'ab' })],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'assistant text'],
        ...['~ content_block_stop 0', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'begins again after a retry',
      [
        { type: 'text_delta', text: 'a' },
        { type: 'retry', attempt: 1, delayMs: 5, code: 'overloaded', message: '' },
        { type: 'text_delta', text: 'b' },
        answer({ content: 'b' }),
      ],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'system api_retry'],
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'assistant text'],
        ...['~ content_block_stop 0', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'streams the pieces of a call, after the text before it',
      [
        { type: 'text_delta', text: 'a' } as const,
        piece('c1', '{"file_path"'),
        piece('c1', ''),
        piece('c1', ':"a"}'),
        ...[piece('c2', '{}'), answer({ content: 'a', toolCalls: [CALL, { ...CALL, id: 'c2' }] }, 'tool_calls')],
      ],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'assistant text'],
        ...['~ content_block_stop 0', '~ content_block_start 1', '~ content_block_delta 1', '~ content_block_delta 1'],
        ...['assistant tool_use', '~ content_block_stop 1', '~ content_block_start 2', '~ content_block_delta 2'],
        ...['assistant tool_use', '~ content_block_stop 2', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'streams a call whole whose pieces come between those of another one',
      [
        ...[piece('c1', '{"file'), piece('c2', '{"x"'), piece('c1', '_path":"a"}'), piece('c2', ':1}')],
        answer({ toolCalls: [CALL, { ...CALL, id: 'c2' }] }, 'tool_calls'),
      ],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', '~ content_block_delta 0'],
        ...['assistant tool_use', '~ content_block_stop 0', '~ content_block_start 1', '~ content_block_delta 1'],
        ...['assistant tool_use', '~ content_block_stop 1', '~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'ends a call that was cut off without a line for it',
      [piece('c1', '{"file'), answer({ partial: true }, 'aborted')],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', '~ content_block_stop 0'],
        ...['~ message_delta', '~ message_stop'],
      ],
    ],
    [
      'streams no text that may be a call',
      [{ type: 'tool_call_delta', text: '<tool' }, answer({ content: '' })],
      ['~ message_start', '~ message_delta', '~ message_stop'],
    ],
    [
      'marks an answer that was cut off',
      [{ type: 'text_delta', text: 'a' }, answer({ content: 'a', partial: true }, 'aborted')],
      [
        ...['~ message_start', '~ content_block_start 0', '~ content_block_delta 0', 'assistant text aborted'],
        ...['~ content_block_stop 0', '~ message_delta', '~ message_stop'],
      ],
    ],
  ])('%s', (_name, events, lines) => {
    expect(encode([TURN, ...events], true).map(short)).toEqual(lines);
  });

  it.each<readonly [event: AgentEvent, line: object]>([
    [
      { type: 'retry', attempt: 2, delayMs: 500, code: 'rate_limit', message: 'slow' },
      { subtype: 'api_retry', attempt: 2, retry_delay_ms: 500, error: 'rate_limit' },
    ],
    [
      { type: 'compaction', tokensBefore: 90, tokensAfter: 10, messages: [] },
      { subtype: 'compact_boundary', compact_metadata: { trigger: 'auto', pre_tokens: 90, post_tokens: 10 } },
    ],
  ])('encodes %o', (event, line) => {
    expect(encode([event])).toEqual([expect.objectContaining({ type: 'system', ...line })]);
  });

  it('writes the pieces of a call so that together they are its arguments', () => {
    const lines = encode(
      [TURN, piece('c1', '{"file_'), piece('c1', 'path":"a"}'), answer({ toolCalls: [CALL] })],
      true,
    );
    const json = lines.flatMap((line) => /"partial_json":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(line))?.[1] ?? []);
    expect(json.map((text) => JSON.parse(text)).join('')).toBe(CALL.arguments);
    expect(encode([TURN, piece('c1', '{}')])).toEqual([]);
  });

  it('encodes another mode during a run; before one, the first line of the run has it', () => {
    const changed: AgentEvent = { type: 'permission_mode', mode: 'accept-edits' };
    expect(encode([changed, PROMPT, changed])).toEqual([
      INIT,
      { type: 'system', subtype: 'status', status: null, permissionMode: 'acceptEdits' },
    ]);
  });

  it('encodes pictures of a result, and names failed calls', () => {
    const images = [{ mediaType: 'image/png', data: 'QUJD' }] as const;
    const failed = { ...result('failed'), images };
    expect(encode([failed])).toMatchObject([
      {
        message: {
          content: [
            {
              is_error: true,
              content: [
                { type: 'text', text: 'text' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
              ],
            },
          ],
        },
      },
    ]);
  });

  it.each<readonly [name: string, end: Partial<Extract<AgentEvent, { type: 'run_end' }>>, fields: object]>([
    ['done', {}, { subtype: 'success', is_error: false, result: 'hi' }],
    ['denied', { outcome: 'denied', message: 'M' }, { subtype: 'success', is_error: false, result: 'hi' }],
    ['limit', { outcome: 'limit', message: 'M' }, { subtype: 'error_max_turns', is_error: true, errors: ['M'] }],
    [
      'cut',
      { outcome: 'limit', message: 'M', error: { code: 'answer_cut', message: 'M' } },
      { subtype: 'error_during_execution', errors: ['M'] },
    ],
    ['stuck', { outcome: 'stuck', message: 'M' }, { subtype: 'error_during_execution', errors: ['M'] }],
    [
      'failed request',
      { outcome: 'failed', message: 'M', error: { code: 'auth', message: 'M' } },
      { subtype: 'success', is_error: true, result: 'API Error: M' },
    ],
    [
      'failure of ybs',
      { outcome: 'failed', message: 'M', error: { code: 'not_saved', message: 'M' } },
      { subtype: 'error_during_execution', is_error: true, errors: ['M'] },
    ],
    ['failure without a code', { outcome: 'failed', message: 'M' }, { subtype: 'error_during_execution' }],
  ])('ends a run: %s', (_name, end, fields) => {
    const lines = encode([PROMPT, TURN, answer({ content: 'hi' }), { ...END, ...end }]);
    expect(lines.at(-1)).toMatchObject({ type: 'result', ...fields });
  });

  it('gives the message of a run that was denied without an answer', () => {
    expect(encode([PROMPT, { ...END, outcome: 'denied', message: 'M' }]).at(-1)).toMatchObject({ result: 'M' });
  });

  it('reports that a run was interrupted before its result', () => {
    const lines = encode([PROMPT, TURN, { type: 'run_end', outcome: 'aborted', message: 'Stopped.' }]);
    expect(lines.slice(1).map(short)).toEqual(['user text', 'result error_during_execution']);
  });

  it('lists the calls that were denied, with the input that the model gave', () => {
    const lines = encode([PROMPT, { type: 'tool_call', call: CALL }, result('denied'), END]);
    const denial = { tool_name: 'Write', tool_use_id: 'c1', tool_input: { file_path: 'a' } };
    expect(lines.at(-1)).toMatchObject({ permission_denials: [denial] });
  });

  it('names a denied call that was never seen by its tool', () => {
    const denial = { tool_name: 'write_file', tool_use_id: 'c1', tool_input: {} };
    expect(encode([result('denied'), END]).at(-1)).toMatchObject({ permission_denials: [denial] });
  });

  it('counts each run from its beginning', () => {
    const run = [PROMPT, TURN, USAGE, answer({ content: 'hi' }), END];
    const [first, second] = encode([...run, ...run]).filter(
      (line) => line !== INIT && short(line).startsWith('result'),
    );
    expect(second).toEqual(first);
  });

  it('writes nothing for reminders, and for pieces that were not requested', () => {
    const reminder: AgentEvent = { type: 'user_message', text: 'r', reminder: true };
    expect(encode([reminder, TURN, { type: 'text_delta', text: 'a' }, { type: 'reasoning_delta', text: 'a' }])).toEqual(
      [],
    );
  });

  it.each(['[1]', 'no JSON', '"a"'])('gives a call with the arguments %s an empty input', (text) => {
    const lines = encode([TURN, answer({ toolCalls: [{ ...CALL, arguments: text }] })]);
    expect(lines).toMatchObject([{ message: { content: [{ input: {} }] } }]);
  });
});
