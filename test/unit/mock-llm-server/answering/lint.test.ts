import { describe, expect, it } from 'vitest';
import { lintRequest } from '../../../../mock-llm-server/answering/lint.ts';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { openaiChat } from '../../../../mock-llm-server/wire/openai/chat/chat.ts';
import type { ReadRequest, WireError } from '../../../../mock-llm-server/wire/wire.ts';
import { call, conversation, ok, results } from '../../../support/stories/builders.ts';

const tools: Conversation['tools'] = [
  { name: 'tool', input: 'json' },
  { name: 'patch', input: 'text' },
];
const broken = (name: string) => ({ ...call('b', name), arguments: '{"path":' });
const read = (input: Conversation, lint?: ReadRequest['lint']): ReadRequest => ({
  type: 'request',
  conversation: { ...input, tools },
  json: {},
  stream: false,
  encode: () => ({}),
  frames: () => [],
  encodeFailure: () => '',
  ...(lint !== undefined && { lint }),
});
const NO_SCENARIOS = createScenarioSet([]);
const protocolError: WireError = { type: 'error', status: 400, code: null, message: 'max_tokens: Field required' };

describe('lintRequest', () => {
  it.each<readonly [string, ReadRequest, readonly string[]]>([
    ['no problem', read(conversation('x', [call('a')], ok('a'))), []],
    ['no problem in consecutive messages of one role', read(conversation('x', 'y', ['a'], ['b'])), []],
    ['the error of the protocol', read(conversation('x'), () => [protocolError]), ['max_tokens: Field required']],
    ['a missing result', read(conversation('x', [call('a')], 'y')), ['did not have response']],
    ['an orphan result', read(conversation('x', ok('a'))), ['answer none: a']],
    ['a second result', read(conversation('x', [call('a')], ok('a', 'a'))), ['answer none: a']],
    [
      'a result that is not right after its call',
      read(conversation('x', [call('a')], 'y', ok('a'))),
      ['did not have response'],
    ],
    [
      'the error of the protocol before an orphan result',
      read(conversation('x', ok('a')), () => [protocolError]),
      ['max_tokens', 'answer none: a'],
    ],
    [
      'arguments that are not JSON',
      read(conversation('x', [broken('tool')], ok('b'))),
      ['The arguments of the call b to tool are not JSON: '],
    ],
    [
      'no problem in the text of a text tool',
      read(conversation('x', [{ ...broken('patch'), input: 'text' }], ok('b'))),
      [],
    ],
    [
      'arguments for a tool that is not offered',
      read(conversation('x', [broken('other')], ok('b'))),
      ['The arguments of the call b to other are not JSON: '],
    ],
    [
      'no problem in the arguments of an older answer',
      read(conversation('x', [broken('tool')], ok('b'), ['done'], 'y')),
      [],
    ],
    [
      'no problem in the results of a continued answer',
      read({ ...conversation(results(['a'])), continues: { id: 'resp_1', digest: 'abcdef' } }),
      [],
    ],
  ])('finds %s', (_name, request, expected) => {
    const findings = lintRequest(request, openaiChat, NO_SCENARIOS);
    expect(findings.map(({ message }) => message)).toEqual(expected.map((part) => expect.stringContaining(part)));
  });

  it('does not quote arguments that are not JSON', () => {
    const secret = { ...call('b'), arguments: '{"key": Opaque7key9Canary}' };
    const [finding] = lintRequest(read(conversation([secret], ok('b'))), openaiChat, NO_SCENARIOS);
    expect(finding?.message).toBe("The arguments of the call b to tool are not JSON: Unexpected token 'O' in JSON");
  });

  it('has an error only for problems that the provider rejects', () => {
    const findings = lintRequest(
      read(conversation('x', [broken('tool')], 'y'), () => [protocolError]),
      openaiChat,
      NO_SCENARIOS,
    );
    expect(findings.map(({ error }) => error?.status)).toEqual([400, 400, undefined]);
  });

  it('leaves unpaired tool results to the matcher on demand', () => {
    expect(lintRequest(read(conversation('x', ok('a'))), openaiChat, NO_SCENARIOS, { unpaired: false })).toEqual([]);
  });
});
