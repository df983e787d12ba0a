import { beforeAll, describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { loadJsonFromSchema } from '../../../../mock-llm-server/reply/json-from-schema.ts';
import type { ScenarioSet } from '../../../../mock-llm-server/scenario/prepare.ts';
import { conversation, generated, ok, type Said, scenarioSet, steps } from '../../../support/stories/builders.ts';
import { ORDINARY_REQUESTS, PROMPT, REAL_REQUESTS, TOOLS } from './auxiliary-prompts.ts';

beforeAll(loadJsonFromSchema);

const set = scenarioSet({
  scenarios: [
    { name: 'own-title', trigger: 'poem', auxiliary: false, steps: [{ response: { content: 'Ode' } }] },
    { name: 'asks-itself', trigger: 'summarize this conversation in rhyme', steps: steps() },
    { name: 'json', trigger: 'as json', steps: [{ response: { content: '{"title":"mine"}' } }] },
    {
      name: 'writes titles',
      trigger: { text: 'a chat about ships', system: 'title writer' },
      steps: [{ response: { content: 'Ships' } }],
    },
    { name: 'ships', trigger: { text: 'about ships', system: 'sailor' }, steps: steps() },
    { name: 'letter', trigger: 'which letter', steps: [{ response: { content: 'B' } }] },
    { name: 'hello', trigger: 'create hello.txt', steps: steps(1) },
  ],
});

const TITLE_SCHEMA = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const ROUTER_SCHEMA = {
  type: 'object',
  properties: {
    reasoning: { type: 'string', description: 'A brief explanation' },
    model_choice: { type: 'string', enum: ['flash', 'pro'] },
  },
  required: ['reasoning', 'model_choice'],
};
const OPENCODE =
  'You are a title generator. You output ONLY a thread title. Nothing else.\n\n<task>\nGenerate a brief title';
const MEMORY =
  'You are now acting as the memory extraction agent. Analyze the most recent messages above and use them to update.';

const request = (messages: readonly Said[], more: Partial<Conversation> = {}): Conversation => ({
  ...conversation(...messages),
  ...more,
});
const hello0 = generated('hello', 0);
const finished = [PROMPT, [hello0], ok(hello0.id), ['done']];

const cases: readonly (readonly [string, Conversation, string])[] = [
  // Scenarios for auxiliary requests
  [
    'a writer of titles with the scenario for its system text',
    request(['a chat about ships'], { system: ['You are a title writer.'] }),
    'writes titles 0',
  ],
  [
    'a writer of titles beside a scenario with another condition',
    request(['a chat about ships'], { system: ['You are a title generator for the sailor.'] }),
    'title: a chat about ships',
  ],
  // Requests of real clients
  [
    'the router of Gemini CLI',
    request([PROMPT], { system: ['You are a specialized Task Routing AI.'], outputSchema: ROUTER_SCHEMA }),
    'schema: {"reasoning":"create hello.txt with a greeting","model_choice":"flash"}',
  ],
  [
    'the title of Claude Code',
    request([PROMPT], {
      model: 'claude-haiku-4-5',
      system: ['You are Claude Code.', 'Generate a concise, sentence-case title (3-7 words) that captures the goal.'],
      outputSchema: TITLE_SCHEMA,
    }),
    'schema: {"title":"create hello.txt with a greeting"}',
  ],
  ['the probe of Claude Code', request(['quota'], { model: 'claude-haiku-4-5' }), 'probe: ok'],
  // Titles and summaries
  [
    'an instruction that contains the prompt',
    request([`Write a short title for this chat: "${PROMPT}"`]),
    'title: create hello.txt with a greeting',
  ],
  ['an instruction without a prompt', request(['Give this chat a title']), 'title: Give this chat a title'],
  [
    'a summary',
    request([...finished, 'Summarize our conversation so far.']),
    'summary: Summary: create hello.txt with a greeting',
  ],
  // Other requests
  ['a prompt without tools', request([PROMPT]), 'hello 0'],
  ['a prompt with tools', request([PROMPT], { tools: TOOLS }), 'hello 0'],
  ['a large model that is asked for a topic', request([PROMPT], { system: ['Find the topic.'] }), 'hello 0'],
  ['a request with a schema and tools', request([PROMPT], { tools: TOOLS, outputSchema: TITLE_SCHEMA }), 'hello 0'],
  ['a writer of titles that has tools', request([PROMPT], { tools: TOOLS, system: [OPENCODE] }), 'hello 0'],
  [
    'a memory agent whose prompt a scenario matches',
    request([PROMPT], { tools: TOOLS, system: [MEMORY] }),
    'background: Nothing to do.',
  ],
  ['a request for JSON with the JSON of a scenario', request(['as json'], { outputSchema: TITLE_SCHEMA }), 'json 0'],
  [
    'a request for one of several texts',
    request([PROMPT], { outputSchema: { type: 'string', enum: ['A', 'B'] }, outputIsText: true }),
    'schema: A',
  ],
  [
    'a request for one of several texts with the text of a scenario',
    request(['which letter'], { outputSchema: { type: 'string', enum: ['A', 'B'] }, outputIsText: true }),
    'letter 0',
  ],
  [
    'a request for one of several texts that the scenario does not have',
    request(['which letter'], { outputSchema: { type: 'string', enum: ['A'] }, outputIsText: true }),
    'schema: A',
  ],
  [
    'a request for JSON with a scenario for auxiliary requests',
    request(['a poem'], { outputSchema: TITLE_SCHEMA }),
    'own-title 0',
  ],
  [
    'a request for a title with a scenario for auxiliary requests',
    request(['a poem'], { system: [OPENCODE] }),
    'own-title 0',
  ],
  [
    'an instruction with the scenario whose trigger is that instruction',
    request(['Summarize this conversation in rhyme']),
    'asks-itself 0',
  ],
  ['an unknown prompt with a miss', request(['do something']), 'no_scenario_matched'],
  ['a sentence that contains the word of a probe with a miss', request(['what is my quota']), 'no_scenario_matched'],
  ['a probe that has tools with a miss', request(['ping'], { tools: TOOLS }), 'no_scenario_matched'],
  [
    'a prompt below a long system text with an instruction at its end',
    request([PROMPT], { system: [`${'You code. '.repeat(80)}Write a title for the session.`] }),
    'hello 0',
  ],
];

describe('answerAuxiliary', () => {
  it.each(cases)('answers %s', (_name, input, expected) => {
    const answer = answerConversation(input, set, 'call_');
    if (answer.type !== 'reply') return expect(answer.type === 'refusal' ? answer.code : answer.type).toBe(expected);
    const { source, content, toolCalls } = answer.reply;
    if (source !== undefined) return expect(`${source.scenario} ${source.step}`).toBe(expected);
    expect(toolCalls).toEqual([]);
    expect(`${answer.auxiliary}: ${content}`).toBe(expected);
  });

  it('does not advance the scenario of the session', () => {
    const title = request(['Generate a title for this conversation:', PROMPT], { system: [OPENCODE] });
    const step = request([PROMPT, [hello0], ok(hello0.id)]);
    const before = answerConversation(step, set, 'call_');
    answerConversation(title, set, 'call_');
    expect(answerConversation(step, set, 'call_')).toEqual(before);
    expect(before).toMatchObject({ reply: { source: { step: 1 } } });
  });

  it.each<readonly [string, Conversation]>([
    ['a title', request(['Generate a title for this conversation: foo'])],
    ['a schema', request(['foo'], { outputSchema: TITLE_SCHEMA })],
  ])('leaves %s to a scenario that a header names, but not to one that the model names', (_name, input) => {
    const headers = { 'x-mock-scenario': 'letter' };
    expect(answerConversation(input, set, 'call_', { headers })).toMatchObject({ reply: { content: 'B' } });
    const named = { ...input, model: 'mock/letter' };
    expect(answerConversation(named, set, 'call_')).toMatchObject({ auxiliary: expect.any(String) });
  });

  const templates = scenarioSet({
    scenarios: [
      {
        name: 'number',
        trigger: { regex: 'number (?<n>\\w+)' },
        steps: [{ response: { content: '{"n": {{match.n}}}' } }],
      },
      { name: 'quote', trigger: 'quote', steps: [{ response: { content: '{"said": "{{last_user}}"}' } }] },
      { name: 'prose', trigger: 'say', steps: [{ response: { content: 'You said "{{last_user}}".' } }] },
      { name: 'value', trigger: '[', steps: [{ response: { content: '{{last_user}}' } }] },
      {
        name: 'lack',
        trigger: { regex: 'lack(?<it> it)?' },
        steps: [{ response: { content: '{"it": "{{match.it}}"}' } }],
      },
      { name: 'void', trigger: { regex: 'void(?<it> it)?' }, steps: [{ response: { content: '{{match.it}}' } }] },
      { name: 'choice', trigger: { regex: 'choose (?<it>\\w+)' }, steps: [{ response: { content: '{{match.it}}' } }] },
    ],
  });
  const anyJson = { outputSchema: {} };
  const choice = { outputSchema: { enum: ['A', 'B'] }, outputIsText: true as const };

  it.each<readonly [string, string, Partial<Conversation>, string]>([
    ['a number', 'number 42', { outputSchema: { type: 'object', required: ['n'] } }, 'number: {"n": 42}'],
    ['a value that breaks the JSON', 'number x', { outputSchema: TITLE_SCHEMA }, 'schema: {"title":"number x"}'],
    ['a quote', 'quote "x"\n', anyJson, 'quote: {"said": "quote \\"x\\"\\n"}'],
    ['a quote beside tools', 'quote "x"', { ...anyJson, tools: TOOLS }, 'quote: {"said": "quote \\"x\\""}'],
    ['a quote without a schema', 'quote "x"', {}, 'quote: {"said": "quote "x""}'],
    ['prose beside tools', 'say "x"', { ...anyJson, tools: TOOLS }, 'prose: You said "say "x"".'],
    ['JSON of the user', '["a"]', anyJson, 'value: ["a"]'],
    ['a choice', 'choose B', choice, 'choice: B'],
    ['a text that is not a choice', 'choose C', choice, 'schema: A'],
    ['a missing value', 'lack', anyJson, 'template_has_no_value'],
    ['a missing value outside of JSON', 'void', { outputSchema: { const: 1 } }, 'schema: 1'],
  ])('checks the content of a scenario with its templates filled: %s', (_name, text, more, expected) => {
    const answer = answerConversation(request([text], more), templates, 'call_');
    if (answer.type !== 'reply') return expect(answer.type === 'refusal' ? answer.code : answer.type).toBe(expected);
    expect(`${answer.auxiliary ?? answer.reply.source?.scenario}: ${answer.reply.content}`).toBe(expected);
  });

  it('precedes the default response, but not the error for unpaired results', () => {
    const more = scenarioSet({
      scenarios: [{ name: 'x', trigger: 'x', steps: steps() }],
      default_response: { content: 'd' },
    });
    expect(answerConversation(request(['quota']), more, 'call_')).toMatchObject({ auxiliary: 'probe' });
    const unpaired = request([PROMPT, [hello0]], { outputSchema: {} });
    expect(answerConversation(unpaired, more, 'call_')).toMatchObject({ type: 'unpaired_results' });
  });
});

const HELLO = { name: 'hello', trigger: 'create hello.txt', steps: steps(1) };
const OTHER = { name: 'other', trigger: 'nobody says this', steps: steps() };

const setOf = (...scenarios: readonly object[]) => scenarioSet({ scenarios });
const hello = setOf(HELLO);
const other = setOf(OTHER);
const auxiliary = setOf({ ...HELLO, trigger: { model: { regex: '.' } }, auxiliary: false, steps: steps(1, 1, 1) });

function answer(request: Conversation, set: ScenarioSet): string {
  const found = answerConversation(request, set, 'call_');
  if (found.type !== 'reply') return found.type === 'refusal' ? found.code : found.type;
  const { source, toolCalls } = found.reply;
  expect(found.auxiliary === undefined || toolCalls.length === 0).toBe(true);
  return source === undefined ? `auxiliary ${found.auxiliary}` : `${source.scenario} ${source.step}`;
}

describe('an auxiliary request of an agent', () => {
  it.each(REAL_REQUESTS)('is recognized although a scenario matches: %s is a %s', (_name, kind, request) => {
    expect(answer(request, hello)).toBe(`auxiliary ${kind}`);
    expect(answer(request, other)).toBe(`auxiliary ${kind}`);
  });

  it.each(REAL_REQUESTS)('is answered by a scenario for auxiliary requests: %s', (_name, _kind, request) => {
    expect(answer(request, auxiliary)).toMatch(/^hello \d$/);
  });
});

describe('a request that only resembles an auxiliary request', () => {
  it.each(ORDINARY_REQUESTS)('is answered by its scenario: %s', (_name, request) => {
    expect(answer(request, hello)).toBe('hello 0');
  });

  it.each(ORDINARY_REQUESTS)('is a miss if no scenario matches: %s', (_name, request) => {
    expect(answer(request, other)).toBe('no_scenario_matched');
  });
});

describe('a scenario for the instruction itself', () => {
  it.each([
    ['its exact words', 'summarize the conversation', 'Please summarize the conversation.'],
    ['one of its words', 'summarize', 'Summarize the conversation, please.'],
    ['a regular expression', { regex: 'summari[sz]e' }, 'Now, summarize our chat.'],
    ['the word title', 'title', 'Write a title for this conversation'],
    ['the subject of the title', 'gardens', 'Write a title for this chat about gardens'],
  ])('answers it if its trigger is %s', (_name, trigger, text) => {
    expect(answer(conversation(text), setOf({ ...OTHER, trigger }))).toBe('other 0');
  });

  it('does not answer it if the text behind the instruction contains the trigger, too', () => {
    const request = conversation('Generate a title for this conversation:', 'say hi');
    expect(answer(request, setOf({ ...OTHER, trigger: 'hi' }))).toBe('auxiliary title');
  });

  it('does not answer it if its trigger does not match texts', () => {
    const request = conversation('Generate a title for this conversation');
    expect(answer(request, setOf({ ...OTHER, trigger: { model: 'm' } }))).toBe('auxiliary title');
  });
});
