import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../../src/hosts/stream-json/decode.ts';
import type { Initialization } from '../../../../src/hosts/stream-json/frames.data.ts';

const seen: Initialization[] = [];
const PORTS = {
  servers: () => [],
  initialize(settings: Initialization) {
    if (settings.appendSystemPrompt === 'too late') throw new Error('The session has begun.');
    seen.push(settings);
    return { models: [] };
  },
};
const decode = (value: Readonly<Record<string, unknown>>) => decodeFrame({ type: 'frame', value }, PORTS);
const control = (subtype: string, more: object = {}) => ({
  type: 'control_request',
  request_id: 'r1',
  request: { subtype, ...more },
});
const reply = (response: object) => ({ type: 'reply', lines: [{ type: 'control_response', response }] });
const error = (id: string, text: string) =>
  reply({ subtype: 'error', request_id: id, error: expect.stringContaining(text) });
const UNREADABLE = { type: 'unreadable', problem: expect.stringContaining('content must be') };
const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
const source = { type: 'base64', media_type: 'image/png', data: 'QUJD' };

describe('decodeFrame', () => {
  it.each<readonly [name: string, value: Readonly<Record<string, unknown>>, command: object]>([
    ['a text', user('go'), { type: 'prompt', text: 'go' }],
    [
      'blocks of text',
      user([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
      { type: 'prompt', text: 'a\nb' },
    ],
    [
      'a picture',
      user([
        { type: 'text', text: 'a' },
        { type: 'image', source },
      ]),
      { type: 'prompt', text: 'a', images: [{ mediaType: 'image/png', data: 'QUJD' }] },
    ],
    ['a text for the next request', { ...user('go'), priority: 'next' }, { type: 'prompt', text: 'go', steers: true }],
    ['a text for now', { ...user('go'), priority: 'now' }, { type: 'prompt', text: 'go', steers: true }],
    ['a text for later', { ...user('go'), priority: 'later' }, { type: 'prompt', text: 'go' }],
    ['a content of another kind', user(7), UNREADABLE],
    ['a block of another kind', user([{ type: 'audio' }]), UNREADABLE],
    ['an empty text', user(' '), { type: 'unreadable', problem: 'The message of the user is empty.' }],
    ['no blocks', user([]), { type: 'unreadable', problem: 'The message of the user is empty.' }],
    ['a user without a message', { type: 'user' }, UNREADABLE],
    ['an unknown type', { type: 'other', request_id: 'r1' }, error('r1', 'Unknown type of message: "other"')],
    ['no type', {}, error('', 'Unknown type of message: undefined')],
    ['a line that keeps the pipe open', { type: 'keep_alive' }, { type: 'ignored' }],
    ['a question that is taken back', { type: 'control_cancel_request', request_id: 'x' }, { type: 'ignored' }],
    ['a request without a subtype', { type: 'control_request', request_id: 'r1', request: {} }, error('r1', 'needs')],
    ['a request without an id', { type: 'control_request', request: { subtype: 'interrupt' } }, error('', 'needs')],
    ['an unknown request', control('rewind_files'), error('r1', 'Unsupported control request: "rewind_files"')],
    [
      'a question about servers',
      control('mcp_status'),
      reply({ subtype: 'success', request_id: 'r1', response: { mcpServers: [] } }),
    ],
    ['an unknown mode', control('set_permission_mode', { mode: 'godlike' }), error('r1', '"godlike"')],
    ['no mode', control('set_permission_mode'), error('r1', 'Unknown permission mode: undefined')],
    ['no model', control('set_model', { model: null }), error('r1', 'needs the name')],
    ['settings that cannot be read', control('initialize', { hooks: 7 }), error('r1', 'initialize cannot be read')],
    [
      'settings that come too late',
      control('initialize', { appendSystemPrompt: 'too late' }),
      error('r1', 'has begun'),
    ],
    ['an answer without an id', { type: 'control_response', response: {} }, error('', 'needs response.request_id')],
  ])('decodes %s', async (_name, value, command) => {
    expect(await decode(value)).toEqual(command);
  });

  it('decodes settings', async () => {
    seen.length = 0;
    const settings = { systemPrompt: ['p'], hooks: { Stop: [{ hookCallbackIds: ['h'] }] }, sdkMcpServers: ['s'] };
    const success = { subtype: 'success', request_id: 'r1', response: { models: [] } };
    expect(await decode(control('initialize', { ...settings, agents: {}, title: 't' }))).toEqual(reply(success));
    expect(seen).toMatchObject([settings]);
  });

  it.each([
    ['interrupt', {}, { type: 'interrupt' }, { still_queued: [] }],
    [
      'set_permission_mode',
      { mode: 'acceptEdits' },
      { type: 'set_mode', mode: 'accept-edits' },
      { mode: 'acceptEdits' },
    ],
    ['set_model', { model: 'm' }, { type: 'set_model', model: 'm' }, { model: 'm' }],
  ])('decodes %s, and answers it', async (subtype, more, command, response) => {
    const decoded = await decode(control(subtype, more));
    expect(decoded).toMatchObject(command);
    if (!('reply' in decoded)) throw new Error('no reply');
    expect(decoded.reply()).toEqual(reply({ subtype: 'success', request_id: 'r1', response }).lines);
    if (subtype !== 'interrupt') expect(decoded.reply('No.')).toEqual(error('r1', 'No.').lines);
  });

  it.each<readonly [object, object]>([
    [{ subtype: 'success', response: { behavior: 'allow' } }, { answer: { response: { behavior: 'allow' } } }],
    [{ subtype: 'success' }, { answer: { response: undefined } }],
    [{ subtype: 'error', error: 'no' }, { answer: { response: undefined, error: 'no' } }],
    [
      { subtype: 'success', response: { behavior: 'deny', interrupt: true } },
      { answer: { response: { behavior: 'deny', interrupt: true } }, interrupt: true },
    ],
  ])('decodes the answer %o', async (response, command) => {
    const frame = { type: 'control_response', response: { request_id: 'q1', ...response } };
    expect(await decode(frame)).toEqual({ type: 'answer', id: 'q1', ...command });
  });

  it('answers a line that is not JSON', async () => {
    expect(await decodeFrame({ type: 'malformed', problem: 'no JSON' }, PORTS)).toEqual(error('', 'no JSON'));
  });
});
