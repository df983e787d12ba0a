import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../mock-llm-server/conversation/conversation.ts';
import { createDriftCheck, observePrompt } from '../../../../mock-llm-server/drift/check-drift.ts';
import { comparePrompt, expectedSteps } from '../../../../mock-llm-server/drift/compare.ts';
import {
  compareRuns,
  createLock,
  draftLock,
  formatLock,
  MAX_LOCKED_TEXT,
} from '../../../../mock-llm-server/drift/lock.ts';
import { cutPrompt } from '../../../../mock-llm-server/drift/prompt-parts.ts';
import { DURATION } from '../../../../mock-llm-server/drift/volatile.ts';
import { parsePromptLock } from '../../../../mock-llm-server/scenario/lock/parse-lock.ts';
import type { ObservedPrompt } from '../../../../mock-llm-server/scenario/lock/prompt-lock.ts';

const ybs = { agent: 'ybs', volatile: [] };

interface Prompt {
  readonly system?: string;
  readonly tools?: Readonly<Record<string, string>>;
  readonly schema?: string;
  readonly texts?: readonly string[];
  readonly results?: readonly string[];
}

function conversationOf({ system = 'Be brief.', tools = { read: 'Reads.' }, ...rest }: Prompt): Conversation {
  const { texts = ['Fix it'], results = [], schema = 'object' } = rest;
  return {
    protocol: 'openai-chat',
    model: 'mock',
    system: system === '' ? [] : [system],
    tools: Object.entries(tools).map(([name, description]) => ({
      name,
      description,
      input: 'json',
      parameters: { type: schema },
    })),
    messages: [
      { role: 'user', index: 0, parts: texts.map((text) => ({ type: 'text', text })) },
      ...results.flatMap((content, index) => [
        { role: 'assistant' as const, index, parts: [{ type: 'text' as const, text: `answer ${index}` }] },
        { role: 'user' as const, index, parts: [{ type: 'tool_result' as const, callId: `${index}`, content }] },
      ]),
    ],
  };
}

/** A run of the scenario `s` with these prompts, one a step. */
function run(...prompts: readonly Prompt[]): readonly ObservedPrompt[] {
  return prompts.map((prompt, step) => ({ scenario: 's', step, parts: cutPrompt(conversationOf(prompt)) }));
}

describe('createLock', () => {
  it('lists each part at the first step that has it', () => {
    const { steps } = createLock(run({}, { results: ['one'] }, { results: ['one', 'two'] }), ybs);
    expect(steps.map(({ step, parts }) => [step, ...parts.map(({ part }) => part)])).toEqual([
      [0, 'system', 'tool read', 'user 1'],
      [1, 'tool result 1'],
      [2, 'tool result 2'],
    ]);
    expect(steps[0]?.parts[0]).toEqual({
      part: 'system',
      digest: expect.stringMatching(/^[0-9a-f]{32}$/),
      text: ['Be brief.'],
    });
  });

  it('lists a part again that changes during the run, and those that go', () => {
    const { steps } = createLock(run({ results: ['one'] }, { system: 'Plan.', tools: {} }), ybs);
    expect(steps[1]).toMatchObject({ parts: [{ part: 'system', text: ['Plan.'] }] });
    expect(steps[1]?.removed).toEqual(['tool read', 'tool result 1']);
  });

  it('takes the first prompt of a step that was asked for again', () => {
    const [first, second] = run({}, { system: 'Again.' });
    const prompts = [first, second && { ...second, step: 0 }].filter((prompt) => prompt !== undefined);
    expect(createLock(prompts, ybs).steps).toHaveLength(1);
  });

  it('keeps a large tool result and a large text of the user by digest, other parts with their text', () => {
    const large = 'x'.repeat(MAX_LOCKED_TEXT + 1);
    const [step] = createLock(run({ system: large, texts: [large], results: [large] }), ybs).steps;
    const kept = step?.parts.map(({ part, note, text }) => [part, note ?? text?.join('').length]);
    expect(kept).toEqual([
      ['system', MAX_LOCKED_TEXT + 1],
      ['tool read', expect.any(Number)],
      ['user 1', '8001 characters, kept by digest'],
      ['tool result 1', '8001 characters, kept by digest'],
    ]);
  });

  it('replaces volatile texts', () => {
    const volatile = [{ name: 'day', text: 'Monday' }];
    const [step] = createLock(run({ system: 'It is Monday.' }), { agent: 'ybs', volatile }).steps;
    expect(step?.parts[0]?.text).toEqual(['It is <day>.']);
  });

  it('survives its file', () => {
    const lock = createLock(run({}, { results: ['one'] }), { agent: 'ybs', volatile: [{ name: 'a', pattern: '\\d' }] });
    const text = formatLock(lock);
    expect(parsePromptLock(text, 'prompt.lock.json')).toEqual(lock);
    expect(text).toContain('          "text": [\n            "Be brief."\n          ]');
    expect(text.endsWith('}\n')).toBe(true);
  });
});

describe('comparePrompt', () => {
  const accepted: Prompt = { system: 'One.\nTwo.\nThree.', tools: { read: 'Reads.', edit: 'Edits.' }, results: ['ok'] };
  const cases: readonly [what: string, changed: Prompt, drift: readonly string[]][] = [
    ['nothing', {}, []],
    ['an edited system prompt', { system: 'One.\nZwei.\nThree.\nFour.' }, ['system: +2 −1 lines']],
    ['no system prompt', { system: '' }, ['system: removed']],
    [
      'a tool with another description',
      { tools: { read: 'Reads!', edit: 'Edits.' } },
      ['tool read: description changed'],
    ],
    ['another schema', { schema: 'array' }, ['tool read: schema changed', 'tool edit: schema changed']],
    [
      'both',
      { tools: { edit: 'Edits!' }, schema: 'array' },
      ['tool edit: description and schema changed', 'tool read: removed'],
    ],
    ['another tool', { tools: { ...accepted.tools, list: 'Lists.' } }, ['tool list: added']],
    ['another text of the user', { texts: ['Repair it'] }, ['user 1: +1 −1 lines']],
    ['another tool result', { results: ['failed'] }, ['tool result 1: differs']],
    ['another tool result more', { results: ['ok', 'ok'] }, ['tool result 2: added']],
  ];
  it.each(cases)('finds %s', (_what, changed, drift) => {
    const [expected = new Map()] = expectedSteps(createLock(run(accepted), ybs)).values();
    const found = comparePrompt(expected, cutPrompt(conversationOf({ ...accepted, ...changed })));
    expect(found.map(({ part, summary }) => `${part}: ${summary}`)).toEqual(drift);
  });

  it('shows the lines that differ', () => {
    const [expected = new Map()] = expectedSteps(createLock(run(accepted), ybs)).values();
    const [drift] = comparePrompt(expected, cutPrompt(conversationOf({ ...accepted, system: 'One.\nTwo.\n3.' })));
    expect(drift?.diff).toBe('@@ line 2 → 2 @@\n Two.\n-Three.\n+3.');
  });

  it('finds other sampling settings', () => {
    const parts = (temperature: number) => cutPrompt(conversationOf({}), { temperature });
    const lock = createLock([{ scenario: 's', step: 0, parts: parts(0) }], ybs);
    const [expected = new Map()] = expectedSteps(lock).values();
    const [drift] = comparePrompt(expected, parts(1));
    expect(drift).toMatchObject({ part: 'sampling', summary: 'changed' });
    expect(drift?.diff).toContain('-  "temperature": 0\n+  "temperature": 1');
  });

  it('cuts a long diff, and shows none of a text that the lock has by digest', () => {
    const large = (line: string) => `${line}\n`.repeat(MAX_LOCKED_TEXT);
    const lock = createLock(run({ system: large('a'), results: [large('a')] }), ybs);
    const [expected = new Map()] = expectedSteps(lock).values();
    const other = cutPrompt(conversationOf({ system: large('b'), results: [large('b')] }));
    const drift = comparePrompt(expected, other, 100);
    expect(drift.map(({ summary }) => summary)).toEqual(['+8001 −8001 lines', 'differs']);
    expect(drift.map(({ diff }) => diff)).toEqual(['', '']);
    const some = comparePrompt(
      expected,
      cutPrompt(conversationOf({ system: large('a').replace('a', 'b'.repeat(500)) })),
    );
    expect(some[0]?.diff).toMatch(/\n\+b{199}…\n/);
    const more = comparePrompt(expected, cutPrompt(conversationOf({ system: `${'b\n'.repeat(99)}${large('a')}` })));
    expect(more[0]?.diff).toMatch(/\n\+b\n… 61 more lines$/);
  });
});

describe('createDriftCheck', () => {
  const lock = createLock(
    run({}, { results: ['one'] }, { results: ['one', 'two'] }).map((prompt) => ({
      ...prompt,
      parts: observePrompt({
        conversation: conversationOf({ results: resultsOf(prompt.step) }),
        body: '{}',
        secrets: [],
      }),
    })),
    ybs,
  );

  function resultsOf(step: number): readonly string[] {
    return ['one', 'two'].slice(0, step);
  }

  function checkOf() {
    const { check } = createDriftCheck();
    return (step: number, changed: Prompt = {}, testId?: string) => {
      const conversation = conversationOf({ results: resultsOf(step), ...changed });
      const prompt = { scenario: 's', step, conversation, body: '{}', secrets: [], testId };
      return check(lock, prompt).map(({ part }) => part);
    };
  }

  it('reports a part at the first step that has it, and again for a retry of this step', () => {
    const check = checkOf();
    expect(check(0)).toEqual([]);
    expect([check(1, { system: 'Edited.' }), check(1, { system: 'Edited.' })]).toEqual([['system'], ['system']]);
    expect(check(2, { system: 'Edited.' })).toEqual([]);
  });

  it('reports a volatile pattern that takes too long, once in a run', () => {
    const volatile = [{ name: 'trap', pattern: '(a+)+$', part: 'system' }];
    const lock = { ...createLock(run({}, {}), ybs), volatile };
    const { check } = createDriftCheck({ limitMs: 10 });
    const conversation = conversationOf({ system: `${'a'.repeat(60)}!` });
    const prompt = { scenario: 's', conversation, body: '{}', secrets: [], testId: undefined };
    const summary = expect.stringMatching(/"trap", .* took more than 0\.01 s in system/);
    expect(check(lock, { ...prompt, step: 0 })).toEqual([{ part: 'volatile trap', summary, diff: '' }]);
    expect(check(lock, { ...prompt, step: 1 })).toEqual([]);
  });

  it('passes on errors that are not about patterns', () => {
    const conversation = conversationOf({});
    const prompt = { scenario: 's', step: 0, conversation, body: '{', secrets: [], testId: undefined };
    expect(() => createDriftCheck().check(createLock(run({}), ybs), prompt)).toThrow(SyntaxError);
  });

  it('forgets its findings when there are too many, and reports one again', () => {
    const { check } = createDriftCheck();
    const lock = createLock(run({}, {}), ybs);
    const changed = (step: number, system: string) => {
      const prompt = { scenario: 's', step, conversation: conversationOf({ system }), body: '{}', secrets: [] };
      return check(lock, { ...prompt, testId: undefined }).length;
    };
    for (let index = 0; index < 1000; index++) changed(0, `other ${index}`);
    expect([changed(0, 'a'), changed(1, 'a'), changed(1, 'other 0')]).toEqual([1, 0, 1]);
  });

  it('reports a part again that drifts in another way', () => {
    const check = checkOf();
    expect([check(0, { system: 'Edited.' }), check(1, { system: 'Edited again.' })]).toEqual([['system'], ['system']]);
  });

  it('reports the drift of each test', () => {
    const check = checkOf();
    expect([check(0, { system: 'Edited.' }, 'a'), check(1, { system: 'Edited.' }, 'b')]).toEqual([
      ['system'],
      ['system'],
    ]);
  });

  it('reports a step that the lock does not have', () => {
    expect(checkOf()(3)).toEqual(['step']);
  });

  it('compares neither secrets nor the directory of the client', () => {
    const conversation = (directory: string, key: string) =>
      conversationOf({ system: `Directory: ${directory}\nkey ${key}`, results: [`${directory}/a.txt`] });
    const parts = (directory: string, key: string) =>
      observePrompt({ conversation: conversation(directory, key), body: '{}', secrets: [key] });
    expect(parts('/tmp/a', 'correct-horse-1')).toEqual(parts('/tmp/b', 'correct-horse-2'));
    expect(parts('/tmp/a', 'correct-horse-1')[0]?.text).toBe('Directory: <directory>\nkey [redacted]');
  });
});

describe('draftLock', () => {
  const durations = { name: 'duration', part: 'tool result', pattern: DURATION };

  it('declares the durations in tool results as volatile, even if they are rounded to the same', () => {
    const prompts = run({ system: 'Wait 5 s.', results: ['duration: 0.0 s'] });
    const { text, proposed } = draftLock([prompts, prompts], ybs);
    expect(proposed).toEqual([durations]);
    expect(text).toContain('"duration: <duration> s"');
    expect(text).toContain('"Wait 5 s."');
  });

  it('adds no entry for durations that are volatile already, or for none', () => {
    expect(draftLock([run({ results: ['took 3 ms'] })], { agent: 'ybs', volatile: [durations] }).proposed).toEqual([]);
    expect(draftLock([run({ results: ['done'] })], ybs).proposed).toEqual([]);
  });
});

describe('compareRuns', () => {
  it('proposes what differs between two runs, each part once', () => {
    const took = (ms: number): Prompt => ({ results: [`took ${ms} ms`] });
    const proposal = compareRuns(run({}, took(3), took(3)), run({}, took(4), took(4)));
    expect(proposal.entries.map(({ name, part }) => [name, part])).toEqual([['duration', 'tool result 1']]);
  });

  it('compares the first prompts of a step that was asked for again', () => {
    const retried = [...run({ system: 'One.' }), ...run({ system: 'Two.' })];
    expect(compareRuns(retried, run({ system: 'One.' }))).toEqual({ entries: [], unexplained: [] });
    expect(compareRuns(run({ system: 'One.' }), retried)).toEqual({ entries: [], unexplained: [] });
  });

  it('leaves out what is known, and what only one run has', () => {
    const first = run({ system: 'It is Monday.' }, { results: ['more'] });
    const known = [{ name: 'day', pattern: '(Mon|Tues)day' }];
    expect(compareRuns(first, run({ system: 'It is Tuesday.' }), known)).toEqual({ entries: [], unexplained: [] });
  });
});
