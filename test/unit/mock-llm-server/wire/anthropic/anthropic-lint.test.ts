import { describe, expect, it } from 'vitest';
import { lintAnthropicRequest } from '../../../../../mock-llm-server/wire/anthropic/lint.ts';
import { signThinking } from '../../../../../mock-llm-server/wire/anthropic/reply.ts';
import { readAnthropicRequest } from '../../../../../mock-llm-server/wire/anthropic/request.ts';
import type { RecallCall } from '../../../../../mock-llm-server/wire/wire.ts';

const version = { 'anthropic-version': '2023-06-01' };

/** Start of the ids of this server's calls: explicit ones, those of a step with reasoning, and all others. */
const recall: RecallCall = (id) =>
  /^(?:explicit|reasoned|plain)/.test(id)
    ? { explicit: id.startsWith('explicit'), reasoned: id.startsWith('reasoned') }
    : undefined;

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

const ask = user(text('hi'));
const late = (...ids: readonly string[]) =>
  `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. ` +
  'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';

const twice = (place: string, id: string) =>
  `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;

describe('lintAnthropicRequest', () => {
  it.each<readonly [string, readonly object[], readonly string[]]>([
    [
      'a sound conversation',
      [ask, assistant(text('I look.'), call('a'), call('b')), user(result('a'), result('b'))],
      [],
    ],
    ['a text after the results', [ask, assistant(call('a')), user(result('a'), text('and'))], []],
    ['a text before a result', [ask, assistant(call('a')), user(text('so'), result('a'))], [late('a')]],
    ['an image before a result', [ask, assistant(call('a')), user({ type: 'image' }, result('a'))], [late('a')]],
    [
      'a text between results',
      [ask, assistant(call('a'), call('b')), user(result('a'), text('and'), result('b'))],
      [late('b')],
    ],
    [
      'results in two messages, which are one to the API',
      [ask, assistant(call('a'), call('b')), user(result('a')), user(result('b'))],
      [],
    ],
    [
      'a message with a text before them',
      [ask, assistant(call('a')), user(text('so')), user(result('a'))],
      [late('a')],
    ],
    [
      'a system message before them',
      [ask, assistant(call('a')), { role: 'system', content: 'x' }, user(result('a'))],
      [],
    ],
    ['an answer without calls', [ask, assistant(text('a')), user(text('b'), text('c'))], []],
    ['a signed thought', [ask, thinking(signThinking('hm'))], []],
    ["a thought that somebody else's server signed", [ask, thinking('EqQBCg')], []],
    ['an unsigned thought', [ask, thinking()], ['messages.1.content.0.thinking.signature: Field required']],
    ['a thought signed null', [ask, thinking(null)], ['messages.1.content.0.thinking.signature: Field required']],
    [
      'a thought that was changed',
      [ask, thinking(signThinking('hmm'))],
      ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ],
    [
      'a thought with an empty signature',
      [ask, thinking('')],
      ['messages.1.content.0: Invalid `signature` in `thinking` block'],
    ],
    ['a user who says nothing', [user()], ['messages.0: user messages must have non-empty content']],
    [
      'an answer of nothing',
      [ask, assistant(), ask],
      ['messages.1: all messages must have non-empty content except for the optional final assistant message'],
    ],
    ['an answer of nothing at the end', [ask, assistant()], []],
    ['a system message of nothing', [ask, { role: 'system', content: [] }], []],
    [
      'a second result for a call',
      [ask, assistant(call('a'), call('b')), user(result('a'), result('b'), result('a'))],
      [twice('messages.2.content.2', 'a')],
    ],
    [
      'a second result in a message of its own',
      [ask, assistant(call('a')), user(result('a')), user(text('and'), result('a'))],
      [late('a'), twice('messages.3.content.1', 'a')],
    ],
    [
      'the same id after another answer',
      [ask, assistant(call('a')), user(result('a')), assistant(text('so'), call('a')), user(result('a'))],
      ['messages.3.content.1: `tool_use` ids must be unique'],
    ],
    [
      'the same id in one answer',
      [ask, assistant(call('a'), call('a')), user(result('a'))],
      ['messages.1.content.1: `tool_use` ids must be unique'],
    ],
    [
      'the same id after another answer, as the scenario states it',
      [
        ask,
        assistant(call('explicit')),
        user(result('explicit')),
        assistant(call('explicit')),
        user(result('explicit')),
      ],
      [],
    ],
    ['an empty text', [user(text(''))], ['messages: text content blocks must be non-empty']],
    [
      'an id that the API does not take',
      [ask, assistant(call('call_1|fc_1')), user(result('call_1|fc_1'))],
      ["messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
    ],
  ])('checks %s', (_name, messages, faults) => {
    expect(lint({ model: 'm', max_tokens: 1, messages })).toEqual(faults);
  });

  it('requires unique tool names', () => {
    const offer = (...tools: readonly object[]) => lint({ model: 'm', max_tokens: 1, messages: [ask], tools });
    expect(offer({ name: 'x' }, { name: 'y' }, { type: 'web_search_1' }, { type: 'web_fetch_1' })).toEqual([]);
    expect(offer({ name: 'x' }, { type: 'bash_1', name: 'x' })).toEqual(['tools: Tool names must be unique.']);
  });

  const thought = { type: 'thinking', thinking: 'hm', signature: signThinking('hm') };
  const expected = (place: string, type: string) =>
    expect.stringContaining(`${place}: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When`);
  it.each<readonly [string, readonly object[], readonly unknown[]]>([
    ['comes back', [ask, assistant(thought, call('reasoned')), user(result('reasoned'))], []],
    [
      'comes back redacted',
      [ask, assistant({ type: 'redacted_thinking', data: 'x' }, call('reasoned')), user(result('reasoned'))],
      [],
    ],
    [
      'comes back in a message of its own',
      [ask, assistant(thought), assistant(call('reasoned')), user(result('reasoned'))],
      [],
    ],
    [
      'is dropped',
      [ask, assistant(call('reasoned')), user(result('reasoned'))],
      [expected('messages.1.content.0.type', 'tool_use')],
    ],
    [
      'is dropped before a text, in the second of two messages',
      [ask, assistant(text('so')), assistant(call('reasoned')), user(result('reasoned'))],
      [expected('messages.1.content.0.type', 'text')],
    ],
    ['was not there', [ask, assistant(call('plain')), user(result('plain'))], []],
    ['is not known to have been there', [ask, assistant(call('a')), user(result('a'))], []],
    [
      'is dropped from an older answer',
      [ask, assistant(call('reasoned')), user(result('reasoned')), thinkingOnly()],
      [],
    ],
    ['cannot be there', [ask], []],
  ])('checks thinking that %s', (_name, messages, faults) => {
    const body = { model: 'm', max_tokens: 1, messages };
    expect(lint({ ...body, thinking: { type: 'enabled', budget_tokens: 1024 } })).toEqual(faults);
    for (const thinking of [undefined, null, { type: 'adaptive' }, { type: 'disabled' }, 'on']) {
      expect(lint({ ...body, thinking })).toEqual([]);
    }
  });

  it('names absent required fields in the order of the API', () => {
    expect(lint({ messages: [ask] }, {})).toEqual([
      'anthropic-version: header is required',
      'model: Field required',
      'max_tokens: Field required',
    ]);
  });
});
