import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import { digestConversation } from '../../../../mock-llm-server/conversation/outline.ts';
import { createScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { call, conversation, generated, ok, scenarioSet, steps } from '../../../support/stories/builders.ts';

const scenarios = [
  { name: 'fix', trigger: 'fix the test', steps: steps(2) },
  { name: 'endless', trigger: 'endless', steps: steps(1).slice(0, 1) },
  {
    name: 'explicit',
    trigger: 'explicit',
    steps: [
      {
        response: {
          content: 'two',
          tool_calls: [
            { id: 'call_001', type: 'function', function: { name: 'cut', arguments: '{"path": "x' } },
            { name: 'list_files', arguments: { pattern: '*', path: 'ü' } },
          ],
        },
      },
      ...steps(),
    ],
  },
];
const set = scenarioSet({ scenarios });
const withDefault = scenarioSet({ scenarios, default_response: { content: 'I only know stories.' } });

describe('the default response', () => {
  const echo = scenarioSet({ scenarios, default_response: { content: 'You: {{last_user}} {{{{x}}' } });

  it('has the last text of the user', () => {
    const answer = answerConversation(conversation('first', 'hello {{x}}'), echo, 'call_');
    expect(answer).toMatchObject({ type: 'reply', reply: { content: 'You: hello {{x}} {{x}}', source: undefined } });
  });

  it('is refused for a request without the value', () => {
    const other = { ...echo, defaultResponse: '{{match.name}}' };
    expect(answerConversation(conversation('hello'), other, 'call_')).toEqual({
      type: 'refusal',
      code: 'template_has_no_value',
      message: 'default_response: {{match.name}} has no value: the trigger matched no named groups in this request.',
    });
  });
});

describe('a reply', () => {
  it('keeps the explicit ids of the file and generates the others', () => {
    const answer = answerConversation(conversation('explicit'), set, 'toolu_');
    expect(answer).toMatchObject({
      type: 'reply',
      reply: {
        content: 'two',
        source: { scenario: 'explicit', step: 0 },
        toolCalls: [
          { id: 'call_001', name: 'cut', arguments: '{"path": "x' },
          { id: expect.stringMatching(/^toolu_explicit_[0-9a-f]{8}_0_1_[0-9a-f]{6}$/), name: 'list_files' },
        ],
      },
    });
    if (answer.type === 'reply') expect(answer.reply.toolCalls[1]?.arguments).toBe('{"pattern":"*","path":"ü"}');
  });

  it('has a digest that derives from scenario and step as well as the request', () => {
    const digests = ['fix', 'renamed'].map((name) => {
      const renamed = scenarioSet({ scenarios: [{ name, trigger: 'fix', steps: steps() }] });
      const answer = answerConversation(conversation('fix'), renamed, 'call_');
      return answer.type === 'reply' ? answer.reply.digest : answer.type;
    });
    expect(digests[0]).not.toBe(digests[1]);
  });

  it('uses the digest of the conversation that the caller passes', () => {
    const request = conversation('fix the test');
    const options = { conversationDigest: digestConversation(request).digest };
    expect(answerConversation(request, set, 'call_', options)).toEqual(answerConversation(request, set, 'call_'));
  });

  it('has a creation time that derives from the request', () => {
    const times = ['fix the test', 'fix the test now'].map((text) => {
      const answer = answerConversation(conversation(text), set, 'call_');
      return answer.type === 'reply' ? answer.reply.created : 0;
    });
    const [first = 0, second = 0] = times;
    expect(first).not.toBe(second);
    expect(first).toBeGreaterThanOrEqual(Date.UTC(2025, 0, 1) / 1000);
    expect(first).toBeLessThan(Date.UTC(2026, 0, 1) / 1000);
  });

  it('counts more tokens for a longer request', () => {
    const [short = 0, long = 0] = ['fix the test', `fix the test ${'ü'.repeat(400)}`].map((text) => {
      const answer = answerConversation(conversation(text), set, 'call_');
      return answer.type === 'reply' ? answer.reply.usage.inputTokens : 0;
    });
    expect(long - short).toBeGreaterThanOrEqual(200);
  });
});

describe('the answer to a request that no scenario matches', () => {
  it('is the default response of the file', () => {
    expect(answerConversation(conversation('?'), withDefault, 'call_')).toMatchObject({
      type: 'reply',
      reply: { content: 'I only know stories.', toolCalls: [], source: undefined },
    });
  });

  it.each([
    [
      'names the nearest trigger',
      conversation('fix teh tests please'),
      'No scenario matches this request. The user said: "fix teh tests please". The nearest trigger is "fix the test" ' +
        'of scenario "fix" (3 loaded). From the trigger to the text: fix [-the-]{+teh+} [-test-]{+tests please+}. Put a ' +
        'trigger into the user\'s text, add a default_response, or add this to "scenarios":\n' +
        '{"name":"fix-teh-tests-please","trigger":"fix teh tests please","steps":[{"response":{"content":"The answer."}}]}',
      { nearest: 'fix', failed: 'text' },
    ],
    [
      'says that no trigger is near',
      conversation('nope'),
      'No scenario matches this request. The user said: "nope". No trigger is similar; the first of 3 is ' +
        '"fix the test" of scenario "fix". Put a trigger into the user\'s text, add a default_response, or add this to ' +
        '"scenarios":\n{"name":"nope","trigger":"nope","steps":[{"response":{"content":"The answer."}}]}',
      { nearest: 'fix', failed: 'text' },
    ],
    [
      'says that the request has no text',
      conversation(),
      'No scenario matches this request. The request has no text of the user. The nearest trigger is ' +
        '"fix the test" of scenario "fix" (3 loaded). A trigger must be in a text of the user. Put a trigger into ' +
        'the user\'s text, add a default_response, or add this to "scenarios":\n' +
        '{"name":"what-the-user-says","trigger":"what the user says","steps":[{"response":{"content":"The answer."}}]}',
      { nearest: 'fix', failed: 'text' },
    ],
  ])('%s', (_name, input, message, miss) => {
    const refusal = { type: 'refusal', code: 'no_scenario_matched', message, miss };
    expect(answerConversation(input, set, 'call_')).toEqual(refusal);
  });

  it('quotes only the start of a long text', () => {
    const answer = answerConversation(conversation(`${'🙂'.repeat(200)}END`), set, 'call_');
    expect(answer).toMatchObject({ message: expect.stringContaining(`"${'🙂'.repeat(200)}…"`) });
  });

  it('says that no scenarios are loaded', () => {
    expect(answerConversation(conversation('x'), createScenarioSet([]), 'call_')).toMatchObject({
      message:
        'No scenario matches this request: none is loaded. Start the server with some: --scenarios PATH, in code the option scenarios.',
    });
  });
});

it('a request past the last step is refused, even if there is a default response', () => {
  const input = conversation('endless', [generated('endless', 0)], ok(generated('endless', 0).id));
  expect(answerConversation(input, withDefault, 'call_')).toEqual({
    type: 'refusal',
    code: 'past_last_step',
    message:
      'The request has the tool results of step 0, the last of scenario "endless". ' +
      'Add a step that answers them, for example {"response":{"content":"Done."}}.',
    pastEnd: 'endless',
  });
});

it('unpaired tool results are left to the protocol', () => {
  const answer = answerConversation(conversation('x', [call('a')]), withDefault, 'call_');
  expect(answer).toMatchObject({ type: 'unpaired_results', missing: ['a'] });
});

it('a reply has the reasoning of the step and counts it as output', () => {
  const think = (reasoning?: string) => {
    const response = { reasoning, content: 'Done.' };
    const scenarios = scenarioSet({ scenarios: [{ name: 't', trigger: 'think', steps: [{ response }] }] });
    const answer = answerConversation(conversation('think'), scenarios, 'call_');
    if (answer.type !== 'reply') throw new Error(answer.type);
    return [answer.reply.reasoning, answer.reply.usage.outputTokens];
  };
  expect([think(), think('I have to think about this.')]).toEqual([
    [undefined, 2],
    ['I have to think about this.', 8],
  ]);
});
