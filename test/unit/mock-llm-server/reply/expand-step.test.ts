import { describe, expect, it } from 'vitest';
import { answerConversation } from '../../../../mock-llm-server/answering/choose-reply.ts';
import type { Conversation, OfferedTool } from '../../../../mock-llm-server/conversation/conversation.ts';
import { isSameServedTool } from '../../../../mock-llm-server/conversation/served-name.ts';
import { offeredForm } from '../../../../mock-llm-server/reply/expand-step.ts';
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
import { AGENTS, offer } from './intents/agents.ts';

const named = { name: 'remember', arguments: { a: ['{{last_user}}'], n: 1 } };
const long = { id: 'call_9', type: 'function', function: { name: 'remember', arguments: '{"r":"{{tool_result 1}}"}' } };
const set = scenarioSet({
  scenarios: [
    {
      name: 'note',
      trigger: { regex: 'note (?<what>.+) in (?<file>\\S+)' },
      cwd: '/scenario',
      steps: [
        { intent: 'write_file', path: '{{match.file}}', content: '{{match.what}}\n' },
        {
          response: {
            content: 'It is {{match.what}}.',
            tool_calls: [named, long, { intent: 'read_file', path: 'b', id: 'mine' }],
          },
        },
        { response: { content: '{{tool_result last}} of {{tool_result 2}}' } },
      ],
    },
    {
      name: 'own-id',
      trigger: 'own id',
      steps: [{ response: { tool_calls: [{ id: 'own', intent: 'read_file', path: 'b' }] } }, ...steps()],
    },
    { name: 'far', trigger: 'far', steps: [{ response: { content: '{{match.x}}' } }] },
    {
      name: 'mixed',
      trigger: 'mixed',
      steps: [{ response: { tool_calls: [{ intent: 'shell', command: 'ls' }, { name: 'x' }] } }, ...steps()],
    },
    {
      name: 'all',
      trigger: { regex: 'all (?<v>.+)' },
      steps: [
        { intent: 'edit_file', path: '{{match.v}}', old_text: '{{match.v}}', new_text: '{{match.v}}' },
        { intent: 'shell', command: '{{match.v}}' },
        { intent: 'list_files', pattern: '{{match.v}}', path: '{{match.v}}' },
        { intent: 'search_files', pattern: '{{match.v}}', path: '{{match.v}}' },
        { intent: 'list_files', path: '{{match.v}}' },
        { intent: 'search_files', pattern: '{{match.v}}' },
        { intent: 'read_file', path: '{{match.v}}' },
        ...steps(),
      ],
    },
  ],
});

const claude = (said: Conversation): Conversation => ({ ...said, tools: AGENTS['Claude Code'].tools });
const prompt = user('note "milk" in a.txt');
const first = assistant(generated('note', 0, 0, 'Write'));
const firstResult = results([generated('note', 0).id]);

function callsOf(said: Conversation, headers: Readonly<Record<string, string>> = {}) {
  const answer = answerConversation(said, set, 'call_', { headers });
  if (answer.type !== 'reply') return answer;
  return answer.reply.toolCalls.map(({ name, arguments: text }) => `${name} ${text}`);
}

describe('the working directory', () => {
  const write = (path: string) => [`Write {"file_path":"${path}","content":"\\"milk\\"\\n"}`];

  it('is the one of the scenario if the request does not state any', () => {
    expect(callsOf(claude(conversation(prompt)))).toEqual(write('/scenario/a.txt'));
  });

  it('is the one of the header, else the one that the client states', () => {
    const said = { ...claude(conversation(prompt)), system: ['Working directory: /said'] };
    expect(callsOf(said)).toEqual(write('/said/a.txt'));
    expect(callsOf(said, { 'x-mock-cwd': '/header' })).toEqual(write('/header/a.txt'));
  });
});

describe('the values of a request', () => {
  it('fill texts, arguments and intents', () => {
    const said = claude(
      conversation(prompt, first, {
        ...firstResult,
        parts: [{ type: 'tool_result', callId: generated('note', 0).id, content: 'say "ok"' }],
      } as typeof firstResult),
    );
    const answer = answerConversation(said, set, 'call_');
    expect(answer).toMatchObject({
      reply: {
        content: 'It is "milk".',
        toolCalls: [
          { name: 'remember', arguments: '{"a":["note \\"milk\\" in a.txt"],"n":1}' },
          { id: 'call_9', name: 'remember', arguments: '{"r":"say \\"ok\\""}' },
          { id: 'mine', name: 'Read', arguments: '{"file_path":"/scenario/b"}' },
        ],
      },
    });
  });

  it('contain the tool results since the text that started the scenario', () => {
    const stopped = [prompt, first, firstResult];
    const ids = [generated('note', 1, 0, 'remember').id, 'call_9', 'mine'];
    const second = assistant(generated('note', 1, 0, 'remember'), call('call_9', 'remember'), call('mine', 'Read'));
    const said = claude(conversation(...stopped, prompt, first, firstResult, second, results(ids)));
    expect(answerConversation(said, set, 'call_')).toMatchObject({
      reply: { content: 'ok of ok', source: { step: 2 } },
    });
  });

  it('are refused with an explanation if one is missing', () => {
    expect(callsOf(claude(conversation('far')))).toEqual({
      type: 'refusal',
      code: 'template_has_no_value',
      message:
        'Step 0 of scenario "far": {{match.x}} has no value: the trigger matched no named groups in this request.',
    });
  });

  it.each([
    [0, 'Edit {"file_path":"v","old_string":"v","new_string":"v"}'],
    [1, 'Bash {"command":"v"}'],
    [2, 'Glob {"pattern":"v","path":"v"}'],
    [3, 'Grep {"pattern":"v","path":"v","output_mode":"content"}'],
    [4, 'Glob {"pattern":"*","path":"v"}'],
    [5, 'Grep {"pattern":"v","output_mode":"content"}'],
    [6, 'Read {"file_path":"v"}'],
  ])('fill every field of an intent: step %i', (step, expected) => {
    const ids = Array.from({ length: step }, (_, index) => generated('all', index));
    const turns = ids.flatMap((part) => [assistant(part), results([part.id])]);
    expect(callsOf(claude(conversation('all v', ...turns)))).toEqual([expected]);
  });
});

describe('a call whose tool and arguments come from the request', () => {
  const trigger = { regex: 'call (?<tool>\\S*) with (?<json>.*)$' };
  const ask = (text: string, ...tool_calls: readonly object[]) => {
    const steps = [{ response: { tool_calls } }, { response: { content: '{{tool_result 1}}' } }];
    const scenarios = scenarioSet({ scenarios: [{ name: 'any', trigger, steps }] });
    const answer = answerConversation(conversation(text), scenarios, 'call_');
    return answer.type === 'reply' ? answer.reply.toolCalls.map((one) => `${one.name} ${one.arguments}`) : answer;
  };

  it.each<readonly [string, object]>([
    ['the short form', { name: '{{match.tool}}', arguments: '{{match.json}}' }],
    ['the long form', { function: { name: '{{match.tool}}', arguments: '{{match.json}}' } }],
  ])('has both in %s', (_form, call) => {
    expect(ask('call read_file with {"path": "a \\"b\\""}', call)).toEqual(['read_file {"path": "a \\"b\\""}']);
  });

  it('has a part of the name, and JSON inside its arguments', () => {
    const call = {
      function: { name: 'mcp__{{match.tool}}', arguments: '{"list": {{match.json}}, "raw": "{{match.json}}"}' },
    };
    expect(ask('call x with [1,"2"]', call)).toEqual(['mcp__x {"list": [1,"2"], "raw": "[1,\\"2\\"]"}']);
  });

  it('is refused with a name that is blank', () => {
    expect(ask('call  with {}', { name: '{{match.tool}}' })).toMatchObject({
      code: 'template_has_no_value',
      message: 'Step 0 of scenario "any": the tool name {{match.tool}} is blank after its templates are filled.',
    });
  });

  it('is recognized by its explicit id, whatever its name was', () => {
    const steps = [
      { response: { tool_calls: [{ id: 'call_7', name: '{{match.tool}}' }] } },
      { response: { content: 'Done.' } },
    ];
    const scenarios = scenarioSet({ scenarios: [{ name: 'any', trigger, steps }] });
    const said = conversation('go on', [call('call_7', 'read_file')], ok('call_7'));
    expect(answerConversation(said, scenarios, 'call_')).toMatchObject({ reply: { content: 'Done.' } });
  });
});

describe('an intent', () => {
  it('is refused with the offered tools if none can carry it out', () => {
    const said = { ...conversation(user('mixed')), tools: [offer('weather', 'city!')] };
    expect(callsOf(said)).toEqual({
      type: 'refusal',
      code: 'intent_not_offered',
      message: expect.stringMatching(
        /^Step 0 of scenario "mixed": No tool .* the intent "shell"; the client offers weather\. /,
      ),
      param: 'tools',
    });
  });

  it('counts as one call and keeps its id for every tool', () => {
    const ids = [generated('mixed', 0, 0, 'Bash'), generated('mixed', 0, 1, 'x')];
    const said = conversation('mixed', [...ids], results(ids.map(({ id }) => id)));
    expect(answerConversation(claude(said), set, 'call_')).toMatchObject({ reply: { content: 'done' } });
    const stated = conversation('own id', [call('own', 'Read')], ok('own'));
    expect(answerConversation(claude(stated), set, 'call_')).toMatchObject({
      type: 'reply',
      reply: { source: { step: 1 } },
    });
  });

  it('becomes the same bytes for the same request', () => {
    const answers = [1, 2].map(() => JSON.stringify(answerConversation(claude(conversation(prompt)), set, 'call_')));
    expect(answers[0]).toBe(answers[1]);
  });
});

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
])('a call has the form of the offered tool: %s', (_name, tools, expected) => {
  expect(offeredForm('exec', tools)).toEqual({ name: 'exec', ...expected });
});

// As each agent offered the tool add_note of a server notes in a run against the mock server.
it.each<readonly [string, OfferedTool, object]>([
  ['Claude Code 2.1.329', { ...json, name: 'ToolSearch' }, { name: 'mcp__notes__add_note' }],
  [
    'Codex 0.169.0',
    { ...json, name: 'add_note', namespace: 'mcp__notes' },
    { name: 'add_note', namespace: 'mcp__notes' },
  ],
  ['opencode 1.18.33', { ...json, name: 'notes_add_note' }, { name: 'notes_add_note' }],
  ['Gemini CLI 0.61.0', { ...json, name: 'mcp_notes_add_note' }, { name: 'mcp_notes_add_note' }],
  ['ybs', { ...json, name: 'notes__add_note' }, { name: 'notes__add_note' }],
  ['an older Claude Code', { ...json, name: 'mcp__notes__add_note' }, { name: 'mcp__notes__add_note' }],
])('a call of a tool of a server has the form of %s', (_agent, tool, expected) => {
  for (const name of ['notes__add_note', 'mcp__notes__add_note']) {
    expect(offeredForm(name, [other, tool])).toEqual({ input: 'json', ...expected });
    const sent = { name, ...(tool.namespace !== undefined && { namespace: tool.namespace }) };
    expect(isSameServedTool({ name }, { ...sent, ...expected })).toBe(true);
  }
  expect(offeredForm('notes', [tool])).toEqual({ name: 'notes', input: 'json' });
  expect(isSameServedTool({ name: 'notes__add_note' }, { name: 'other' })).toBe(false);
  expect(isSameServedTool({ name: 'add_note' }, { name: 'notes_add_note' })).toBe(false);
});

describe('a step that names a tool', () => {
  const calling = (toolCall: object) => {
    const steps = [{ response: { tool_calls: [toolCall] } }];
    return scenarioSet({ scenarios: [{ name: 'a', trigger: { regex: 'say (?<what>.*)' }, steps }] });
  };
  const callsOfTool = (toolCall: object, ...tools: readonly OfferedTool[]) => {
    const request = { ...conversation(user('say "hi"')), tools };
    const answered = answerConversation(request, calling(toolCall), 'call_');
    return answered.type === 'reply' ? answered.reply.toolCalls : answered;
  };
  const namedLong = { type: 'function', function: { name: 'exec', arguments: '{"what":"{{match.what}}"}' } };

  it('writes a text unchanged to a tool that takes a text', () => {
    const patch = { type: 'function', function: { name: 'exec', arguments: '*** {{match.what}}\n' } };
    expect(callsOfTool(patch, spaced)).toMatchObject([
      { name: 'exec', namespace: 'functions', input: 'text', arguments: '*** "hi"\n' },
    ]);
  });

  it('writes escaped values into the JSON of a function', () => {
    expect(callsOfTool(namedLong, json)).toMatchObject([{ input: 'json', arguments: '{"what":"\\"hi\\""}' }]);
    expect(callsOfTool({ name: 'exec', arguments: { what: '{{match.what}}' } }, spaced)).toMatchObject([
      { input: 'text', namespace: 'functions', arguments: '{"what":"\\"hi\\""}' },
    ]);
  });
});
