import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../mock-llm-server/delivery/clock.ts';
import { createJournal } from '../../../../mock-llm-server/journal/journal.ts';
import { createMockServer } from '../../../../mock-llm-server/server/app.ts';
import { renderJunit, renderText } from '../../../../mock-llm-server/verify/render.ts';
import { type VerifyOptions, verifyJournal } from '../../../../mock-llm-server/verify/report.ts';
import { scenarioSet, steps } from '../../../support/stories/builders.ts';

/** A message in the same form for all protocols; the texts of calls and results are their ids. */
type Said = `${'user' | 'assistant' | 'call' | 'result'}: ${string}`;

interface Asked {
  readonly said: readonly Said[];
  readonly system?: string;
  readonly tools?: readonly string[];
  readonly test?: string;
}

/** A message of Chat Completions. */
function messageOf(each: Said): object {
  const [kind = '', text = ''] = each.split(': ', 2);
  if (kind === 'call') {
    const call = { id: text, type: 'function', function: { name: 'tool', arguments: '{}' } };
    return { role: 'assistant', content: null, tool_calls: [call] };
  }
  return kind === 'result' ? { role: 'tool', tool_call_id: text, content: 'ok' } : { role: kind, content: text };
}

/** The body of a request. */
function bodyOf({ said, system, tools = ['tool'] }: Asked): object {
  return {
    model: 'm',
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...said.map(messageOf)],
    tools: tools.map((name) => ({ type: 'function', function: { name } })),
    stream: true,
  };
}

const cut = { cut: 'before_finish', times: 1 } as const;
const said = { response: { content: 'A long answer of several words.' } };
const called = { response: { tool_calls: [{ id: 'call_1', name: 'tool' }] } };
const set = scenarioSet({
  scenarios: [
    { name: 'cut', trigger: 'cut', steps: [{ ...said, fault: cut }] },
    { name: 'cut-call', trigger: 'call', steps: [{ ...called, fault: cut }, said] },
    { name: 'busy', trigger: 'busy', steps: [{ ...said, fault: { status: 429, retry_after: 2, times: 1 } }] },
    { name: 'late', trigger: 'late', steps: [{ ...said, fault: { cut: 'after_finish' } }] },
    { name: 'two', trigger: 'two', steps: steps(1) },
    { name: 'hello', trigger: 'hello', steps: steps() },
  ],
});

function client(maxEntries = 1000) {
  const journal = createJournal({ maxEntries });
  const clock = createVirtualClock();
  const app = createMockServer({ scenarios: set, journal, clock });
  const ask = async (asked: Asked) => {
    const headers = { ...(asked.test !== undefined && { 'x-test-id': asked.test }) };
    const init = { method: 'POST', headers, body: JSON.stringify(bodyOf(asked)) };
    await (await app.request('/v1/chat/completions', init)).text().catch(() => '');
  };
  const judge = (options?: VerifyOptions) => verifyJournal(journal, set.scenarios, options);
  return { ask, judge, clock, journal };
}

describe('a client', () => {
  const prompt: Said = 'user: cut';

  it('that asks for the rest of half an answer has not trusted it', async () => {
    const { ask, judge } = client();
    await ask({ said: [prompt] });
    await ask({ said: [prompt, 'assistant: A long'] });
    expect(judge().resilience.faults[0]).toMatchObject({ outcome: 'resumed', continuedBy: 2, ok: true });
  });

  it('that asks for it in words has not trusted it either', async () => {
    const { ask, judge } = client();
    await ask({ said: [prompt] });
    await ask({ said: [prompt, 'assistant: A long', 'user: Your response was cut off. Resume it.'] });
    expect(judge().resilience.faults[0]).toMatchObject({ outcome: 'resumed', continuedBy: 2, ok: true });
  });

  it('that leaves half an answer out has not trusted it', async () => {
    const { ask, judge } = client();
    await ask({ said: [prompt] });
    await ask({ said: [prompt, 'user: hello'] });
    expect(judge().resilience.faults).toMatchObject([
      { outcome: expect.stringMatching(/^(?:went_on|ended)$/), ok: true },
    ]);
  });

  it.each<[string, Partial<Asked>, Partial<Asked>, readonly string[]]>([
    ['keeps its prompts stable', {}, {}, []],
    ['changes its system text', { system: 'It is 10:01.' }, { system: 'It is 10:02.' }, ['system']],
    ['adds a tool', { tools: ['a'] }, { tools: ['a', 'b'] }, ['tools: added b']],
    ['replaces a tool', { tools: ['a'] }, { tools: ['c'] }, ['tools: added c; removed a']],
    ['sorts its tools', { tools: ['a', 'b'] }, { tools: ['b', 'a'] }, ['tools: in another order']],
    [
      'changes an earlier message',
      {
        said: ['user: hello', 'assistant: one', 'user: on'],
      },
      {
        said: ['user: hello', 'assistant: One', 'user: on', 'assistant: two', 'user: on'],
      },
      ['message 1 (assistant)'],
    ],
  ])('%s', async (_name, first, second, parts) => {
    const { ask, judge } = client();
    await ask({ said: ['user: hello'], ...first });
    await ask({
      said: ['user: hello', 'assistant: done', 'user: hello again'],
      ...second,
    });
    const { cache } = judge();
    expect([cache.continued, cache.breaks.map(({ part }) => part)]).toEqual([1, parts]);
  });
});

describe('the wait after a 429', () => {
  it.each([
    [2000, true],
    [1995, true],
    [1000, false],
  ])('of %i ms is judged against the time that the answer asked for', async (ms, ok) => {
    const { ask, judge, clock } = client();
    await ask({ said: ['user: busy'] });
    await clock.advance(ms);
    await ask({ said: ['user: busy'] });
    expect(judge().resilience.faults).toMatchObject([{ retryAfter: { askedMs: 2000, waitedMs: ms }, ok }]);
  });

  it('is not judged if the client gives up', async () => {
    const { ask, judge } = client();
    await ask({ said: ['user: busy'] });
    expect(judge().resilience.faults).toMatchObject([
      { outcome: 'ended', retryAfter: { askedMs: 2000, waitedMs: undefined }, ok: true },
    ]);
  });
});

describe('verifyJournal', () => {
  it('does not accuse a client of an answer that was cut after its end', async () => {
    const { ask, judge } = client();
    await ask({ said: ['user: late'] });
    await ask({
      said: ['user: late', 'assistant: A long answer of several words.', 'user: hello'],
    });
    expect(judge()).toMatchObject({ passed: true, resilience: { faults: [{ outcome: 'went_on', ok: true }] } });
  });

  it('counts equal requests that followed an answer as needless', async () => {
    const { ask, judge } = client();
    for (let time = 0; time < 3; time++) await ask({ said: ['user: hello'] });
    expect(judge().resilience.repeated).toEqual([{ request: 1, times: 3, needless: 2 }]);
  });

  it('separates tests, also those with equal conversations', async () => {
    const { ask, judge } = client();
    await ask({ said: ['user: cut'], test: 'a' });
    await ask({
      said: ['user: cut', 'assistant: A long', 'user: hello'],
      test: 'b',
    });
    await ask({ said: ['user: nothing of this'], test: 'b' });
    expect(judge({ testId: 'a' })).toMatchObject({ passed: true, test: 'a', requests: 1 });
    expect(judge({ testId: 'b' })).toMatchObject({ passed: false, requests: 2, problems: [{ kind: 'miss' }] });
    expect(judge().resilience.faults).toMatchObject([{ outcome: 'ended', ok: true }]);
  });

  it('names a scenario that was started and not finished, and a request past its end', async () => {
    const { ask, judge } = client();
    await ask({ said: ['user: two'] });
    expect(judge().problems).toMatchObject([{ kind: 'unused', scenario: 'two' }]);
    await ask({
      said: ['user: two', 'call: x', 'result: x'],
    });
    expect(judge().passed).toBe(true);
    await ask({
      said: ['user: two', 'call: x', 'result: x', 'call: y', 'result: y'],
    });
    expect(judge().problems).toMatchObject([{ kind: 'past_end', scenario: 'two' }]);
    expect(judge().missed).toEqual([]);
    expect(judge({ failOn: ['miss'] }).passed).toBe(true);
  });

  it('still counts requests that the journal has dropped', async () => {
    const { ask, judge, journal } = client(2);
    await ask({ said: ['user: nothing of this'], test: 'a' });
    await ask({ said: ['user: two'], test: 'a' });
    for (let time = 0; time < 4; time++) await ask({ said: ['user: hello'], test: 'b' });
    expect(judge({ testId: 'a' })).toMatchObject({
      requests: 2,
      dropped: 2,
      problems: [
        { kind: 'unused', scenario: 'two' },
        { kind: 'miss', message: expect.stringContaining('has dropped') },
      ],
    });
    journal.clear('a');
    expect(judge({ testId: 'a' })).toMatchObject({ requests: 0, problems: [{ kind: 'nothing_ran' }] });
    journal.clear();
    expect(judge().requests).toBe(0);
  });

  it('finds the request that another continues among interleaved conversations', async () => {
    const { ask, judge } = client();
    await ask({
      said: ['user: hello', 'assistant: a', 'user: on'],
    });
    await ask({
      said: ['user: hello', 'assistant: b', 'user: on'],
    });
    await ask({
      said: ['user: hello', 'assistant: a', 'user: on', 'assistant: a2', 'user: on'],
    });
    await ask({
      said: ['user: hello', 'assistant: b', 'user: on', 'assistant: b2', 'user: on'],
    });
    expect(judge().cache).toMatchObject({ continued: 2, stable: 2 });
  });
});

describe('a report', () => {
  it('is a text whose lines no request can add to', async () => {
    const { ask, judge } = client();
    await ask({ said: ['user: busy'] });
    await ask({ said: ['user: evil\n\u001b[31mscenarios: 9 of 9 used'] });
    const text = renderText(judge());
    expect(text.split('\n').filter((line) => line.startsWith('scenarios:'))).toEqual(['scenarios: 1 of 6 used']);
    expect(text).not.toContain('\u001b');
    expect(text).toMatch(/^failed: 1 problem \(2 requests\)\n {2}miss: request 2: No scenario matches/);
    expect(text).toContain('  ok: request 1 (fault status 429, retry_after 2, times 1): the client sent nothing more');
  });

  it('is JUnit with a failure for each scenario with a problem', async () => {
    const { ask, judge } = client();
    await ask({ said: ['user: two'], test: '<&"' });
    await ask({ said: ['user: hello'], test: '<&"' });
    const xml = renderJunit(judge({ testId: '<&"' }));
    expect(xml.split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuite name="mock-llm-server &#60;&#38;&#34;" tests="3" failures="1">',
      '  <testcase classname="mock-llm-server" name="2 requests"/>',
      '  <testcase classname="mock-llm-server" name="two">',
      '    <failure>unused: &#34;two&#34; was started, but not used: step 1</failure>',
      '  </testcase>',
      '  <testcase classname="mock-llm-server" name="hello"/>',
      '</testsuite>',
    ]);
  });
});
