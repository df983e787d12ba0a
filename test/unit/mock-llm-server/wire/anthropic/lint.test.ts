import { describe, expect, it } from 'vitest';
import { lintAnthropicRequest } from '../../../../../mock-llm-server/wire/anthropic/lint.ts';
import { signThinking } from '../../../../../mock-llm-server/wire/anthropic/reply.ts';
import { readAnthropicRequest } from '../../../../../mock-llm-server/wire/anthropic/request.ts';
import type { RecallCall } from '../../../../../mock-llm-server/wire/wire.ts';

const version = { 'anthropic-version': '2023-06-01' };

/** Start of the ids of this server's calls: those of a step with reasoning, and all others. */
const recall: RecallCall = (id) =>
  /^(?:reasoned|plain)/.test(id) ? { reasoned: id.startsWith('reasoned') } : undefined;

function lint(body: object, headers: Readonly<Record<string, string>> = version): readonly string[] {
  const request = readAnthropicRequest(JSON.stringify(body));
  if ('type' in request) throw new Error(request.message);
  return lintAnthropicRequest(request, headers, recall).map(({ message }) => message);
}

const call = (id: string) => ({ type: 'tool_use', id, name: 'x', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const text = (value: string) => ({ type: 'text', text: value });
const user = (...content: readonly object[]) => ({ role: 'user', content });
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content });
const thinking = (signature?: string | null) => assistant({ type: 'thinking', thinking: 'hm', signature }, text('a'));

const thinkingOnly = () => thinking(signThinking('hm'));

const prompt = user(text('hi'));
const late = (...ids: readonly string[]) =>
  `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. ` +
  'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';

const twice = (path: string, id: string) =>
  `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;

describe('lintAnthropicRequest', () => {
  it.each<readonly [string, readonly object[], readonly string[]]>([
    [
      'a correct conversation',
      [prompt, assistant(text('I look.'), call('a'), call('b')), user(result('a'), result('b'))],
      [],
    ],
    ['a text after the results', [prompt, assistant(call('a')), user(result('a'), text('and'))], []],
    ['a text before a result', [prompt, assistant(call('a')), user(text('so'), result('a'))], [late('a')]],
    ['an image before a result', [prompt, assistant(call('a')), user({ type: 'image' }, result('a'))], [late('a')]],
    [
      'a text between results',
      [prompt, assistant(call('a'), call('b')), user(result('a'), text('and'), result('b'))],
      [late('b')],
    ],
    [
      'results in two messages, which the API joins',
      [prompt, assistant(call('a'), call('b')), user(result('a')), user(result('b'))],
      [],
    ],
    [
      'a message with a text before them',
      [prompt, assistant(call('a')), user(text('so')), user(result('a'))],
      [late('a')],
    ],
    [
      'a system message before them',
      [prompt, assistant(call('a')), { role: 'system', content: 'x' }, user(result('a'))],
      [],
    ],
    ['an answer without calls', [prompt, assistant(text('a')), user(text('b'), text('c'))], []],
    ['a signed thinking block', [prompt, thinking(signThinking('hm'))], []],
    ['a thinking block with the signature of another server', [prompt, thinking('EqQBCg')], []],
    ['an unsigned thinking block', [prompt, thinking()], ['messages.1.content.0.thinking.signature: Field required']],
    [
      'a thinking block with the signature null',
      [prompt, thinking(null)],
      ['messages.1.content.0.thinking.signature: Field required'],
    ],
    [
      'a changed thinking block',
      [prompt, thinking(signThinking('hmm'))],
      [
        'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      ],
    ],
    [
      'a thinking block with the signature of another service',
      [prompt, thinking('{"encrypted_content":"gAAAA"}')],
      ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ],
    [
      'a thinking block with an empty signature',
      [prompt, thinking('')],
      ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ],
    ['an empty message of the user', [user()], ['messages.0: user messages must have non-empty content']],
    [
      'an empty answer',
      [prompt, assistant(), prompt],
      ['messages.1: all messages must have non-empty content except for the optional final assistant message'],
    ],
    ['an empty answer at the end', [prompt, assistant()], []],
    ['an empty system message', [prompt, { role: 'system', content: [] }], []],
    [
      'a second result for a call',
      [prompt, assistant(call('a'), call('b')), user(result('a'), result('b'), result('a'))],
      [twice('messages.2.content.2', 'a')],
    ],
    [
      'a second result in another message',
      [prompt, assistant(call('a')), user(result('a')), user(text('and'), result('a'))],
      [late('a'), twice('messages.3.content.1', 'a')],
    ],
    [
      'the same id after another answer',
      [prompt, assistant(call('a')), user(result('a')), assistant(text('so'), call('a')), user(result('a'))],
      [],
    ],
    [
      'the same id in one answer',
      [prompt, assistant(call('a'), call('a')), user(result('a'))],
      ['messages.1.content.1: `tool_use` ids must be unique'],
    ],
    ['an empty text', [user(text(''))], ['messages: text content blocks must be non-empty']],
    [
      'an empty text with a mark of the cache',
      [user(text('hello'), { ...text(''), cache_control: { type: 'ephemeral' } })],
      ['messages.0.content.1.text: cache_control cannot be set for empty text blocks'],
    ],
    [
      'an id with characters that the API rejects',
      [prompt, assistant(call('call_1|fc_1')), user(result('call_1|fc_1'))],
      ["messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
    ],
    [
      'a called name with characters that the API rejects',
      [prompt, assistant({ ...call('call_1'), name: 'home.turn on' }), user(result('call_1'))],
      ["messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'"],
    ],
  ])('checks %s', (_name, messages, faults) => {
    expect(lint({ model: 'm', max_tokens: 1, messages })).toEqual(faults);
  });

  it('requires unique tool names', () => {
    const offer = (...tools: readonly object[]) => lint({ model: 'm', max_tokens: 1, messages: [prompt], tools });
    expect(offer({ name: 'x' }, { name: 'y' }, { type: 'web_search_1' }, { type: 'web_fetch_1' })).toEqual([]);
    expect(offer({ name: 'x' }, { type: 'bash_1', name: 'x' })).toEqual(['tools: Tool names must be unique.']);
  });

  const thought = { type: 'thinking', thinking: 'hm', signature: signThinking('hm') };
  const expected = (path: string, type: string) =>
    expect.stringContaining(`${path}: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When`);
  it.each<readonly [string, readonly object[], readonly unknown[]]>([
    ['comes back', [prompt, assistant(thought, call('reasoned')), user(result('reasoned'))], []],
    [
      'comes back redacted',
      [prompt, assistant({ type: 'redacted_thinking', data: 'x' }, call('reasoned')), user(result('reasoned'))],
      [],
    ],
    [
      'comes back in a separate message',
      [prompt, assistant(thought), assistant(call('reasoned')), user(result('reasoned'))],
      [],
    ],
    [
      'is dropped',
      [prompt, assistant(call('reasoned')), user(result('reasoned'))],
      [expected('messages.1.content.0.type', 'tool_use')],
    ],
    [
      'is dropped before a text, in the second of two messages',
      [prompt, assistant(text('so')), assistant(call('reasoned')), user(result('reasoned'))],
      [expected('messages.1.content.0.type', 'text')],
    ],
    ['the step does not have', [prompt, assistant(call('plain')), user(result('plain'))], []],
    ['is unknown to the server', [prompt, assistant(call('a')), user(result('a'))], []],
    [
      'is dropped from an older answer',
      [prompt, assistant(call('reasoned')), user(result('reasoned')), thinkingOnly()],
      [],
    ],
    ['no answer can have', [prompt], []],
  ])('checks thinking that %s', (_name, messages, faults) => {
    const body = { model: 'm', max_tokens: 1, messages };
    expect(lint({ ...body, thinking: { type: 'enabled', budget_tokens: 1024 } })).toEqual(faults);
    for (const thinking of [undefined, null, { type: 'adaptive' }, { type: 'disabled' }, 'on']) {
      expect(lint({ ...body, thinking })).toEqual([]);
    }
  });

  it('names absent required fields in the order of the API', () => {
    expect(lint({ messages: [prompt] }, {})).toEqual([
      'anthropic-version: header is required',
      'model: Field required',
      'max_tokens: Field required',
    ]);
  });
});
