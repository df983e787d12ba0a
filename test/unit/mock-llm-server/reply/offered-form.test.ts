import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { OfferedTool } from '../../../../mock-llm-server/conversation/conversation.ts';
import { offeredForm } from '../../../../mock-llm-server/reply/expand-step.ts';
import { conversation, scenarioSet, user } from '../builders.ts';

const json: OfferedTool = { name: 'exec', input: 'json', parameters: {} };
const text: OfferedTool = { name: 'exec', input: 'text' };
const spaced: OfferedTool = { ...text, namespace: 'functions' };
const other: OfferedTool = { ...text, name: 'other' };

it.each<readonly [string, readonly OfferedTool[], object]>([
  ['no tools', [], { input: 'json' }],
  ['another tool', [other], { input: 'json' }],
  ['a function', [other, json], { input: 'json' }],
  ['a tool that takes text', [text], { input: 'text' }],
  ['a tool in a namespace', [spaced], { input: 'text', namespace: 'functions' }],
  ['two, one of them in a namespace', [spaced, json], { input: 'json' }],
])('is read from %s', (_name, tools, expected) => {
  expect(offeredForm('exec', tools)).toEqual(expected);
});

describe('a step that names a tool', () => {
  const calling = (toolCall: object) => {
    const steps = [{ response: { tool_calls: [toolCall] } }];
    return scenarioSet({ scenarios: [{ name: 'a', trigger: { regex: 'say (?<what>.*)' }, steps }] });
  };
  const answer = (toolCall: object, ...tools: readonly OfferedTool[]) => {
    const request = { ...conversation(user('say "hi"')), tools };
    const answered = answerConversation(request, calling(toolCall), 'call_');
    return answered.type === 'reply' ? answered.reply.toolCalls : answered;
  };
  const long = { type: 'function', function: { name: 'exec', arguments: '{"what":"{{match.what}}"}' } };

  it('writes its text as it is to a tool that takes text', () => {
    const patch = { type: 'function', function: { name: 'exec', arguments: '*** {{match.what}}\n' } };
    expect(answer(patch, spaced)).toMatchObject([
      { name: 'exec', namespace: 'functions', input: 'text', arguments: '*** "hi"\n' },
    ]);
  });

  it('writes JSON to a function', () => {
    expect(answer(long, json)).toMatchObject([{ input: 'json', arguments: '{"what":"\\"hi\\""}' }]);
    expect(answer({ name: 'exec', arguments: { what: '{{match.what}}' } }, spaced)).toMatchObject([
      { input: 'text', namespace: 'functions', arguments: '{"what":"\\"hi\\""}' },
    ]);
  });
});
