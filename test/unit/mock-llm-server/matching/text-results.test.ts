import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { matchConversation } from '../../../../mock-llm-server/matching/match.ts';
import { readTextResults } from '../../../../mock-llm-server/matching/text-results.ts';
import {
  assistant,
  call,
  conversation,
  generated,
  ok,
  results,
  scenarioSet,
  steps,
  user,
} from '../../../support/stories/builders.ts';

const tools: Conversation['tools'] = [{ name: 'tool', input: 'json' }];
const ASK = 'I look: <tool_call id="a">ls</tool_call>';

/** The parts of the last message, which follows an answer of the assistant. */
function read(text: string): string[] {
  const last = readTextResults(conversation('go', [ASK], text)).at(-1);
  return (last?.parts ?? []).map((part) => {
    if (part.type === 'text') return `text ${JSON.stringify(part.text)}`;
    return part.type === 'tool_result' ? `${part.callId}: ${JSON.stringify(part.content)}` : part.type;
  });
}

describe('readTextResults', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['an id in double quotes', '<tool_resp id="a">ok</tool_resp>', ['a: "ok"']],
    ['an id in single quotes', "<tool_resp id='a'>ok</tool_resp>", ['a: "ok"']],
    ['an id without quotes', '<tool_resp id=a>ok</tool_resp>', ['a: "ok"']],
    ['an id among other attributes', '<tool_resp name="ls" id="a" is_error="true">no</tool_resp>', ['a: "no"']],
    ['tool_call_id', '<tool_result tool_call_id="a">ok</tool_result>', ['a: "ok"']],
    ['tool_use_id', '<tool_result tool_use_id="a">ok</tool_result>', ['a: "ok"']],
    ['call_id', '<tool_response call_id="a" name="ls">ok</tool_response>', ['a: "ok"']],
    [
      'no id, as open models are trained on',
      '<tool_response>\n{"n": 1}\n</tool_response>',
      ['(no id): "{\\"n\\": 1}"'],
    ],
    ['a close for all', '<tool_resp id="a" #>\nls -la\n</#>', ['a: "ls -la"']],
    [
      'a close with a mark',
      '<tool_resp id="a" #x1>\nsee </#> and </tool_resp>\n</#x1>',
      ['a: "see </#> and </tool_resp>"'],
    ],
    ['several lines', '<tool_resp id="a">\r\n one\n\ntwo \r\n  </tool_resp>', ['a: " one\\n\\ntwo "']],
    ['nothing inside', '<tool_resp id="a"></tool_resp>', ['a: ""']],
    [
      'several, with text around them',
      'Results:\n<tool_resp id="a">1</tool_resp>\n\n<tool_resp id="b">2</tool_resp>\n<cwd>/w</cwd>',
      ['text "Results:\\n"', 'a: "1"', 'text "\\n\\n"', 'b: "2"', 'text "\\n<cwd>/w</cwd>"'],
    ],
    [
      'inside of another tag',
      '<results>\n  <tool_result>1</tool_result> <tool_result>2</tool_result></results>',
      ['text "<results>\\n  "', '(no id): "1"', 'text " "', '(no id): "2"', 'text "</results>"'],
    ],
    ['blank lines before it', ' \n\n<tool_result>1</tool_result>', ['text " \\n\\n"', '(no id): "1"']],
    [
      'an id of the server in the middle of a line',
      `Result: <tool_resp id="${generated('tests', 0).id}">1</tool_resp>`,
      ['text "Result: "', `${generated('tests', 0).id}: "1"`],
    ],
    [
      'a block of another kind inside',
      '<tool_resp id="a"><tool_result id="b">x</tool_result></tool_resp>',
      ['a: "<tool_result id=\\"b\\">x</tool_result>"'],
    ],
    [
      'one that is not closed before one that is',
      '<tool_result id="a"><tool_resp id="b">x</tool_resp>',
      ['text "<tool_result id=\\"a\\">"', 'b: "x"'],
    ],
  ])('reads a result with %s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['is_error="true"', true],
    ['is_error=true', true],
    ["status='error'", true],
    ['is_error="false"', undefined],
    ['status="errorless"', undefined],
  ])('reads whether the call failed from the attribute %s', (attribute, isError) => {
    const block = `<tool_resp id="a" ${attribute}>x</tool_resp>`;
    const input = conversation('go', [ASK], block);
    expect(readTextResults(input).at(-1)?.parts).toEqual([
      { type: 'tool_result', callId: 'a', content: 'x', ...(isError && { isError }) },
    ]);
  });
});

describe('a text without results', () => {
  it.each<readonly [string, string]>([
    ['a mention of the tag', 'What does <tool_resp id="a"> mean?'],
    ['a closing tag alone', 'It ends with </tool_resp>.'],
    ['a closing tag before the opening one', '</tool_resp> <tool_resp id="a">'],
    ['the closing tag of another kind', '<tool_resp id="a">x</tool_result>'],
    ['the close for all of a tag that has its own', '<tool_resp id="a">x</#>'],
    ['another mark', '<tool_resp id="a" #x>y</#z>'],
    ['a quotation', 'Why is `<tool_resp id="a">x</tool_resp>` wrong?'],
    ['a longer name', '<tool_responses id="a">x</tool_responses>'],
    ['a tag that is cut', '<tool_resp id="a"'],
    ['a block that is spoken of', 'say hi and explain <tool_result>abc</tool_result>'],
    ['a block with an id that is spoken of', 'say hi and explain <tool_result id="a">abc</tool_result>'],
    ['a block without an id below a question', 'Explain this:\n<tool_result>\nabc\n</tool_result>'],
  ])('finds no result in %s', (_name, text) => {
    expect(read(text)).toEqual([`text ${JSON.stringify(text)}`]);
  });

  const block = '<tool_resp id="a">x</tool_resp>';
  it.each<readonly [string, Conversation]>([
    ['the first thing that is said', conversation(block)],
    ['the answer of the assistant', conversation('go', [block])],
    ['a text of a client that calls tools', conversation('go', [call('a')], ok('a'), block)],
    ['a text beside results', conversation('go', [call('a')], results(['a'], [block]))],
    ['a text of a client that offers tools', { ...conversation(user('go'), assistant(ASK), user(block)), tools }],
  ])('finds no result in %s', (_name, input) => {
    expect(readTextResults(input)).toBe(input.messages);
  });
});

const set = scenarioSet({
  scenarios: [
    {
      name: 'text',
      trigger: 'look around',
      steps: [
        { response: { content: '<tool_call id="a">ls</tool_call>' }, results: 1 },
        { response: { content: '<tool_call id="b">cat</tool_call><tool_call id="c">cat</tool_call>' }, results: 2 },
        { response: { content: 'I saw {{tool_result 1}}, {{tool_result 2}} and {{tool_result last}}.' } },
      ],
    },
    { name: 'red', trigger: { text: 'run the tests', tool_result: 'FAIL' }, steps: steps() },
    { name: 'tests', trigger: 'run the tests', steps: steps(1, 1) },
    { name: 'other', trigger: 'title of the session', steps: steps() },
    { name: 'hi', trigger: 'hello', steps: steps() },
    {
      name: 'asked',
      trigger: { regex: 'why (?<what>\\w+)' },
      steps: [{ response: { content: '{{match.what}} {{last_user}}' } }],
    },
  ],
});
const id = generated('tests', 0).id;
const response = (callId: string, content: string) => `<tool_resp id="${callId}">${content}</tool_resp>`;

describe('a story', () => {
  it.each<readonly [string, Conversation, string]>([
    ['one result', conversation('look around', ['ls'], response('a', 'x')), 'text 1'],
    [
      'a trigger beside the result',
      conversation('look around', ['ls'], `${response('a', 'x')}\nNow run the tests.`),
      'text 1',
    ],
    [
      'a trigger in another block beside the result',
      conversation('look around', ['ls'], user(response('a', 'x'), 'run the tests')),
      'text 1',
    ],
    [
      'two results in one text',
      conversation('look around', ['ls'], response('a', 'x'), ['cat'], response('b', 'y') + response('c', 'z')),
      'text 2',
    ],
    [
      'two results in two messages',
      conversation('look around', ['ls'], response('a', 'x'), ['cat'], response('b', 'y'), response('c', 'z')),
      'text 2',
    ],
    [
      'a reminder between results',
      conversation(
        'look around',
        ['ls'],
        response('a', 'x'),
        ['cat'],
        response('b', 'y'),
        'be brief',
        response('c', 'z'),
      ),
      'text 2',
    ],
    [
      'fewer results than the step expects, one of them twice',
      conversation('look around', ['ls'], response('a', 'x'), response('a', 'x')),
      'unpaired_results',
    ],
    [
      'a question about results, later',
      conversation('look around', ['ls'], 'run the tests and explain <tool_result>abc</tool_result>'),
      'tests 0',
    ],
    ['a second run', conversation('look around', ['ls'], response('a', 'x'), ['done'], 'look around'), 'text 0'],
    ['ids of the server, in a history without anything else', conversation(response(id, 'x')), 'tests 1'],
    ['other ids, in a history without anything else', conversation(response('a', 'x')), 'unmatched'],
    ['ids of the server', conversation('and', ['ls'], response(id, 'x')), 'tests 1'],
    ['a result that starts another', conversation('run the tests', ['t'], response('a', 'FAIL')), 'red 0'],
    [
      'ids of the server whose scenario they would start',
      conversation('run the tests', ['t'], response(id, 'ok')),
      'tests 1',
    ],
    [
      'ids of the server of a client that offers tools',
      { ...conversation(user('and'), assistant('ls'), user(response(id, 'x'))), tools },
      'tests 1',
    ],
    [
      'a pasted result of a client that offers tools',
      { ...conversation(user('hello'), assistant('hi'), user(`Why this? It says:\n${response('7', 'boom')}`)), tools },
      'asked 0',
    ],
    [
      'a pasted result that no step awaits',
      conversation('hello', ['hi'], `<tool_result>\nboom\n</tool_result>\nWhy this?`),
      'asked 0',
    ],
    [
      'a pasted result after something else that no scenario knows',
      conversation('so', ['hm'], `${response('7', 'boom')}\nWhy this?`),
      'asked 0',
    ],
    [
      'a pasted result whose content alone has a trigger',
      conversation('hello', ['hi'], `${response('7', 'Why this?')}\nWell?`),
      'past_last_step',
    ],
    [
      'a result too many beside the prompt, which starts nothing anew',
      conversation('hello', ['hi'], `${response('7', 'boom')}\nhello`),
      'past_last_step',
    ],
  ])('is continued correctly after %s', (_name, input, expected) => {
    const outcome = matchConversation(input, set);
    expect(outcome.type === 'match' ? `${outcome.scenario.name} ${outcome.stepIndex}` : outcome.type).toBe(expected);
  });

  it('fills templates with the contents', () => {
    const input = conversation(
      'look around',
      ['ls'],
      response('a', 'a <b>'),
      ['cat'],
      `${response('b', '2')} ${response('c', '3')}`,
    );
    expect(answerConversation(input, set, 'call_')).toMatchObject({ reply: { content: 'I saw a <b>, 2 and 3.' } });
  });

  it('fills templates with the text around a pasted result', () => {
    const pasted = '<tool_result>\nboom\n</tool_result>\nWhy this?';
    const input = conversation('hello', ['hi'], pasted);
    expect(answerConversation(input, set, 'call_')).toMatchObject({ reply: { content: 'this \nWhy this?' } });
  });

  it('does not mistake a result for a request for a title', () => {
    const input = conversation('look around', ['ls'], response('a', 'the title of the session'));
    expect(answerConversation(input, set, 'call_')).toMatchObject({ reply: { source: { scenario: 'text', step: 1 } } });
  });
});

it('a text may contain more results than a function takes arguments', () => {
  const results = '<tool_result>a</tool_result>'.repeat(130_000);
  const read = readTextResults(conversation('x', ['y'], results));
  expect(read.at(-2)?.parts.length).toBe(130_000);
});
