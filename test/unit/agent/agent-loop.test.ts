import { describe, expect, it } from 'vitest';
import { runAgent } from '../../../src/agent/agent-loop.ts';
import { ModelError, ToolError } from '../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { LanguageModel } from '../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import type { Tool } from '../../../src/agent/ports/tool.ts';
import { sendWholeHistory } from '../../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { computeDigest } from '../../../src/node/system.ts';
import { allowAll, eventsOf, outcomeOf, runHarness } from '../../support/agent/agent-harness.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { scriptedCall as call, createScriptedModel, SCRIPTED } from '../../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';

/** The events of a run with this model and without tools. */
function runModel(model: Pick<LanguageModel, 'stream'>) {
  const ports = {
    model: { identity: SCRIPTED, ...model },
    clock: createManualClock(),
    digest: computeDigest,
    tools: scriptedTools({}),
    approver: { decide: () => Promise.reject(new Error('not asked')) },
  };
  const input = { prompt: 'go', session: { state: EMPTY_SESSION }, signal: new AbortController().signal };
  const settings = { system: '', maxIterations: 1, dryRun: false, decide: allowAll, prepareRequest: sendWholeHistory };
  return runAgent(input, ports, settings);
}

/** The contents of all tool results, in order. */
function resultsIn(messages: readonly Message[] | undefined): string[] {
  return (messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
}

describe('a run', () => {
  it('answers without tools', async () => {
    const run = await runHarness({
      answers: [{ text: ['Hel', 'lo.'], reasoning: 'Hm.', usage: { inputTokens: 7, outputTokens: 2 } }],
      prompt: 'hello',
    });
    expect(run.events).toMatchInlineSnapshot(`
      [
        {
          "model": "scripted",
          "permissionMode": "ask",
          "sessionId": "session",
          "time": "2026-11-20T09:00:00.000Z",
          "type": "session_start",
          "workspace": "/work",
        },
        {
          "text": "hello",
          "type": "user_message",
        },
        {
          "model": {
            "model": "scripted-model",
            "provider": "test",
            "wire": "scripted",
          },
          "turn": 1,
          "type": "turn_start",
        },
        {
          "text": "Hm.",
          "type": "reasoning_delta",
        },
        {
          "text": "Hel",
          "type": "text_delta",
        },
        {
          "text": "lo.",
          "type": "text_delta",
        },
        {
          "inputTokens": 7,
          "model": {
            "model": "scripted-model",
            "provider": "test",
            "wire": "scripted",
          },
          "outputTokens": 2,
          "type": "usage",
        },
        {
          "finish": "stop",
          "message": {
            "content": "Hello.",
            "reasoning": "Hm.",
            "role": "assistant",
            "toolCalls": [],
          },
          "type": "assistant_message",
        },
        {
          "turn": 1,
          "type": "turn_end",
        },
        {
          "message": "Done.",
          "outcome": "done",
          "type": "run_end",
        },
      ]
    `);
  });

  it('runs a call and answers with its result', async () => {
    const run = await runHarness({
      answers: [{ text: 'Let me look.', calls: [call('a', 'read', { label: 'x' })] }, { text: 'It says x.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(run.events.slice(4).map((event) => event.type)).toEqual([
      'tool_call_delta',
      'assistant_message',
      'tool_call',
      'tool_result',
      'turn_end',
      'turn_start',
      'text_delta',
      'assistant_message',
      'turn_end',
      'run_end',
    ]);
    expect(run.model.requests[1]?.messages).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: 'Let me look.',
        toolCalls: [{ id: 'a', name: 'read', arguments: '{"label":"x"}' }],
      },
      { role: 'tool', toolCallId: 'a', content: 'result of x', isError: false },
    ]);
  });

  it('sends each request as a prefix of the next', async () => {
    const turns = Array.from({ length: 6 }, (_, turn) => ({
      text: `turn ${turn}`,
      calls: [call(`a${turn}`, 'read', { label: `${turn}` }), call(`b${turn}`, 'none', { label: `${turn}` })],
    }));
    const { model } = await runHarness({
      answers: [...turns, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
    });
    const bytes = model.requests.map(
      ({ messages, ...rest }) => `${JSON.stringify(rest)}${JSON.stringify(messages).slice(0, -1)}`,
    );
    for (const [position, next] of bytes.slice(1).entries())
      expect(next.startsWith(bytes[position] ?? 'none')).toBe(true);
    expect(bytes).toHaveLength(7);
  });

  it('continues an earlier run and starts the session once', async () => {
    const first = await runHarness({ answers: [{ text: 'One.' }], prompt: 'first' });
    const second = await runHarness({ answers: [{ text: 'Two.' }], prompt: 'second', state: first.state });
    expect(eventsOf(second, 'session_start')).toEqual([]);
    expect(second.model.requests[0]?.messages.map((message) => message.content)).toEqual(['first', 'One.', 'second']);
  });

  it('shows the live output of a call', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        run: {
          effect: 'execute',
          async *run() {
            yield { stream: 'stdout', text: 'one' };
            yield { stream: 'stderr', text: 'two' };
            return result('exit code 1');
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_output')).toEqual([
      { type: 'tool_output', callId: 'a', stream: 'stdout', text: 'one' },
      { type: 'tool_output', callId: 'a', stream: 'stderr', text: 'two' },
    ]);
  });

  it('measures how long a call ran', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        run: {
          effect: 'execute',
          async *run() {
            yield { stream: 'stdout', text: 'waiting' };
            return result('late');
          },
        },
      }),
      onEvent: async (event, _stop, clock) => {
        if (event.type === 'tool_output') await clock.advance(70);
      },
    });
    expect(eventsOf(run, 'tool_result')[0]?.durationMs).toBe(70);
    run.clock.assertIdle();
  });

  it('measures how long a failed call ran, and summarizes its error by the first line', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        run: {
          effect: 'execute',
          async *run() {
            yield { stream: 'stdout', text: 'waiting' };
            throw new ToolError('not_found', 'It broke.\nTry again.');
          },
        },
      }),
      onEvent: async (event, _stop, clock) => {
        if (event.type === 'tool_output') await clock.advance(70);
      },
    });
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({
      durationMs: 70,
      content: 'It broke.\nTry again.\nerror: not_found',
      summary: 'It broke.',
    });
  });
});

describe('several calls in one answer', () => {
  const effects = { read: { effect: 'read' }, write: { effect: 'write' }, run: { effect: 'execute' } } as const;

  it('keep their order, whatever their effects', async () => {
    const tools = scriptedTools(effects);
    const names = ['read', 'read', 'write', 'read', 'run', 'run', 'read'];
    const calls = names.map((name, position) => call(`${position}`, name, { label: `${position}` }));
    const run = await runHarness({ answers: [{ calls }, { text: 'Done.' }], tools });
    expect(tools.ran).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(resultsIn(run.state.messages)).toEqual(names.map((_, position) => `result of ${position}`));
  });

  it.each([
    ['neighbouring reads run in parallel, at most four', ['read', 'read', 'read', 'read', 'read', 'read'], 4],
    ['writes run alone', ['write', 'write', 'write'], 1],
    ['commands run alone', ['run', 'run'], 1],
    ['a write between reads keeps them apart', ['read', 'write', 'read'], 1],
    ['an unknown tool between reads keeps them apart', ['read', 'none', 'read'], 1],
  ])('%s', async (_name, names, expected) => {
    let running = 0;
    let max = 0;
    async function* slowly() {
      running += 1;
      max = Math.max(max, running);
      yield { stream: 'stdout', text: 'working' } as const;
      running -= 1;
      return result('ok');
    }
    const scripts = Object.entries(effects).map(([name, effect]) => [name, { ...effect, run: slowly }] as const);
    const calls = names.map((name, position) => call(`${position}`, name, {}));
    const run = await runHarness({
      answers: [{ calls }, { text: 'Done.' }],
      tools: scriptedTools(Object.fromEntries(scripts)),
    });
    expect(max).toBe(expected);
    expect(eventsOf(run, 'tool_result').map((event) => event.callId)).toEqual(
      names.map((_, position) => `${position}`),
    );
  });
});

describe('calls that are never run', () => {
  it.each([
    [
      'arguments that are cut',
      [call('a', 'read', '{"label": "x"}')],
      'length',
      [
        'The arguments of read were cut after 14 characters because the answer reached its length limit, so the call was not executed. Send it again in smaller parts.\nerror: invalid_arguments',
      ],
    ],
    [
      'only the last call of a cut answer',
      [call('a', 'read', '{"label": "x"}'), call('b', 'read', '{"la')],
      'length',
      [
        'result of x',
        'The arguments of read were cut after 4 characters because the answer reached its length limit, so the call was not executed. Send it again in smaller parts.\nerror: invalid_arguments',
      ],
    ],
    [
      'open JSON in an answer that claims to be complete',
      [call('a', 'read', '{"label": "x')],
      'tool_calls',
      [
        expect.stringMatching(
          /^The arguments of read are not valid JSON, so the call was not executed: .+ Send the call again with a complete JSON object\.\nerror: invalid_arguments$/,
        ),
      ],
    ],
    [
      'an unknown tool with a similar name',
      [call('a', 'reader', {})],
      'tool_calls',
      ['There is no tool "reader". Did you mean read? The tools are: read, run.\nerror: invalid_arguments'],
    ],
    [
      'an unknown tool without a similar name',
      [call('a', 'zzz', {})],
      'tool_calls',
      ['There is no tool "zzz". The tools are: read, run.\nerror: invalid_arguments'],
    ],
    [
      'arguments that the tool rejects',
      [call('a', 'read', '"x"')],
      'tool_calls',
      ['Send an object.\nerror: invalid_arguments'],
    ],
  ] as const)('are answered with an error: %s', async (_name, calls, end, expected) => {
    const tools = scriptedTools({ read: {}, run: { effect: 'execute' } });
    const run = await runHarness({ answers: [{ calls, end }, { text: 'Sorry.' }], tools });
    expect(resultsIn(run.model.requests[1]?.messages)).toEqual(expected);
    expect(tools.ran).toHaveLength(expected.filter((text) => text === 'result of x').length);
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it.each(['', ' \n'])('do not include a call without arguments, which mean an empty object: %j', async (text) => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', text)] }, { text: 'Done.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(resultsIn(run.state.messages)).toEqual(['result of a call']);
  });

  it('are reported with the name of the tool, or else that of the call', async () => {
    const tools = scriptedTools({ read: {} });
    const run = await runHarness({
      answers: [{ calls: [call('a', 'cat', {}), call('b', 'dog', {})] }, { text: 'Done.' }],
      tools: { ...tools, find: (name) => tools.find(name === 'cat' ? 'read' : name) },
    });
    expect(eventsOf(run, 'tool_call').map(({ call: { name }, effect }) => [name, effect?.summary])).toEqual([
      ['cat', 'read read'],
      ['dog', undefined],
    ]);
    expect(eventsOf(run, 'tool_result').map(({ toolName, durationMs }) => [toolName, durationMs])).toEqual([
      ['read', 0],
      ['dog', 0],
    ]);
  });

  it('are planned in a dry run, which runs only reads', async () => {
    const tools = scriptedTools({ read: {}, write: { effect: 'write' }, go: { effect: 'execute' } });
    const calls = [call('a', 'read', { label: 'x' }), call('b', 'write', { label: 'y' }), call('c', 'go', {})];
    const run = await runHarness({
      answers: [{ calls }, { text: 'Done.' }],
      tools,
      dryRun: true,
      decide: ({ definition }) =>
        definition.effect === 'write'
          ? { type: 'ask', rule: 'test', reason: 'it writes' }
          : { type: 'allow', rule: 'test' },
    });
    expect(tools.ran).toEqual(['x']);
    expect(eventsOf(run, 'tool_call')[1]?.effect?.summary).toBe('write y');
    expect(resultsIn(run.state.messages)).toEqual([
      'result of x',
      'Dry run: planned and not executed. It would write y.',
      'Dry run: planned and not executed. It would go go.',
    ]);
    const results = eventsOf(run, 'tool_result');
    expect(results.map(({ outcome }) => outcome)).toEqual(['ok', 'not_run', 'not_run']);
    expect(results.at(-1)?.summary).toBe('dry run, not executed');
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it.each([
    ['a command', { command: 'rm a' }],
    ['a written path', { paths: [{ requested: 'a', realPath: '/work/a', access: 'write' }] }],
  ] as const)('include, in a dry run, those of a reading tool with %s', async (_name, extra) => {
    const read = scriptedTools({ read: {} });
    const [definition] = read.definitions;
    const tool: Tool = {
      definition: definition ?? expect.fail('no tool'),
      async plan(args, context) {
        const planned = await read.find('read')?.plan(args, context);
        if (planned === undefined) throw new Error('no plan');
        return { ...planned, effect: { ...planned.effect, ...extra } };
      },
    };
    const run = await runHarness({
      answers: [{ calls: [call('a', 'read', {})] }, { text: 'Done.' }],
      tools: { ...read, find: () => tool },
      dryRun: true,
    });
    expect(read.ran).toEqual([]);
    expect(eventsOf(run, 'tool_result')[0]?.outcome).toBe('not_run');
  });
});

describe('a tool that fails', () => {
  it.each([
    ['an error', new Error('out of luck'), 'out of luck'],
    ['a string', 'a text', 'a text'],
  ])('by throwing %s gives the model a result and does not end the run', async (_name, thrown, reason) => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {}), call('b', 'run', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        run: {
          async *run(_args, { callId }) {
            if (callId === 'a') throw thrown;
            return result('fine');
          },
        },
      }),
    });
    expect(resultsIn(run.state.messages)).toEqual([
      `run failed unexpectedly: ${reason}. This is an error in the tool, not in the arguments.\nerror: internal_error`,
      'fine',
    ]);
  });

  it('reports an error and is marked as failed', async () => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        run: {
          async *run() {
            return result('no such file', true);
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({ outcome: 'failed', summary: 'no such file' });
  });

  it.each([
    ['It failed.\nTry again.', 'It failed.'],
    [
      'It does not fit:\n✖ Expected a text\n  → at path\n✖ Expected a number',
      'It does not fit: Expected a text at path',
    ],
    ['It does not fit:\n✖ Expected a text\n✖ Expected a number', 'It does not fit: Expected a text'],
    ['It does not fit:\n✖ Expected a text', 'It does not fit: Expected a text'],
    ['It failed:', 'It failed:'],
    ['It failed.\nSee this:\n  → at path', 'It failed.'],
  ])('is summarized with its first reason: %j', async (message, summary) => {
    const run = await runHarness({
      answers: [{ calls: [call('a', 'run', {})] }, { text: 'Done.' }],
      tools: scriptedTools({
        run: {
          async *run() {
            throw new ToolError('invalid_arguments', message);
          },
        },
      }),
    });
    expect(eventsOf(run, 'tool_result')[0]).toMatchObject({ outcome: 'failed', summary });
  });
});

describe('the end of a run', () => {
  it('comes at the limit of requests, and reports it', async () => {
    const answers = [1, 2, 3].map((turn) => ({ calls: [call(`${turn}`, 'read', { label: `${turn}` })] }));
    const run = await runHarness({ answers, tools: scriptedTools({ read: {} }), maxIterations: 3 });
    expect(outcomeOf(run)).toEqual({
      type: 'run_end',
      outcome: 'limit',
      message: 'Stopped after 3 requests to the model (agent.max_iterations). Say "go on" to continue.',
    });
    expect(resultsIn(run.state.messages)).toHaveLength(3);
  });

  it.each([
    ['an empty answer', { end: 'stop' }, 'failed', 'empty_answer', 'The model sent an empty answer.'],
    [
      'an answer cut at the output limit',
      { text: 'Once upon', end: 'length' },
      'limit',
      'answer_cut',
      'The answer was cut at the output limit. Raise llm.max_tokens, or ask for less at once.',
    ],
    [
      'a withheld answer',
      { text: 'I', end: 'content_filter' },
      'failed',
      'content_filter',
      "The provider's content filter withheld the answer.",
    ],
    [
      'an answer with an unknown reason',
      { text: 'I', end: 'unknown' },
      'failed',
      'incomplete_answer',
      'The answer ended with a reason that does not mean that it is complete. Try again.',
    ],
    [
      'an answer without a finish reason',
      { text: 'I', end: 'none' },
      'failed',
      'cut_off',
      'The answer ended without a finish reason. Try again.',
    ],
    [
      'an error of the provider',
      { text: 'I', end: new ModelError('auth', 'The key is wrong.') },
      'failed',
      'auth',
      'The key is wrong.',
    ],
  ] as const)('comes with %s', async (_name, answer, outcome, code, message) => {
    const run = await runHarness({ answers: [answer] });
    expect(outcomeOf(run)).toEqual({ type: 'run_end', outcome, message, error: { code, message } });
  });

  it('comes when the window is still full after the conversation was shortened', async () => {
    const run = await runHarness({
      answers: [
        { text: 'I', end: 'window' },
        { text: 'We', end: 'window' },
      ],
    });
    expect(outcomeOf(run)).toMatchObject({ outcome: 'limit', error: { code: 'window_full' } });
  });

  it('comes after a paused answer has continued', async () => {
    const run = await runHarness({ answers: [{ text: 'I', end: 'paused' }, { text: 'am done' }] });
    expect(outcomeOf(run)).toMatchObject({ outcome: 'done' });
  });

  it.each([
    ['an error', new TypeError('no such thing'), 'The request to the model failed unexpectedly: no such thing'],
    ['a string', 'a text', 'The request to the model failed unexpectedly: a text'],
  ])('comes when the model throws %s that is not a ModelError', async (_name, thrown, message) => {
    const events = runModel({
      async *stream() {
        throw thrown;
      },
    });
    let last: AgentEvent | undefined;
    for await (const event of events) last = event;
    expect(last).toEqual({
      type: 'run_end',
      outcome: 'failed',
      message,
      error: { code: 'internal', message },
    });
  });

  it.each([
    ['text', Array.from({ length: 3 }, () => ({ type: 'text_delta', text: 'x'.repeat(700_000) }) as const)],
    ['reasoning', Array.from({ length: 3 }, () => ({ type: 'reasoning_delta', text: 'x'.repeat(700_000) }) as const)],
    [
      'arguments',
      Array.from(
        { length: 3 },
        () => ({ type: 'tool_call_delta', index: 0, id: 'a', name: 'read', arguments: 'x'.repeat(700_000) }) as const,
      ),
    ],
    [
      'calls',
      Array.from(
        { length: 1_001 },
        (_, index) => ({ type: 'tool_call_delta', index, id: `a${index}`, name: 'read', arguments: '' }) as const,
      ),
    ],
  ])('comes when an answer has endless %s, of which only the start is kept', async (_name, events) => {
    const run = await runHarness({ answers: [{ events, end: 'stall' }] });
    expect(outcomeOf(run)).toMatchObject({
      outcome: 'failed',
      error: { code: 'answer_too_long' },
      message: 'The answer did not end within 2 million characters and 1,000 tool calls, so it was stopped. Try again.',
    });
    const kept = run.state.messages.slice(1).map((message) => message.content.length);
    expect(kept).toEqual(_name === 'text' ? [10_000] : []);
  });

  it('is not caused by the longest answer within the limits', async () => {
    const run = await runHarness({ answers: [{ text: 'x'.repeat(2_000_000), end: 'stop' }] });
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it.each([
    [1_000, 'aborted'],
    [1_001, 'failed'],
  ])('is reported for an answer with %d calls as %s', async (count, outcome) => {
    const calls = Array.from({ length: count }, (_, index) => call(`${index}`, 'read', {}));
    const run = await runHarness({
      answers: [{ calls }],
      onEvent: (event, stop) => {
        if (event.type === 'assistant_message') stop();
      },
    });
    expect(outcomeOf(run).outcome).toBe(outcome);
  });

  it('comes when an answer is one character longer', async () => {
    const run = await runHarness({ answers: [{ text: 'x'.repeat(2_000_001), end: 'stop' }] });
    expect(outcomeOf(run).error?.code).toBe('answer_too_long');
  });

  it('keeps the text of an interrupted answer, marked, without its calls', async () => {
    const answer = { text: 'Half', calls: [call('a', 'read', '{')], end: new ModelError('network', 'Gone.') };
    const run = await runHarness({ answers: [answer] });
    expect(run.state.messages[1]).toEqual({ role: 'assistant', content: 'Half', toolCalls: [], partial: true });
    expect(eventsOf(run, 'assistant_message')[0]?.finish).toBe('failed');
  });

  it('leaves no message of an answer that was interrupted before its text', async () => {
    const run = await runHarness({ answers: [{ end: new ModelError('network', 'Gone.') }] });
    expect(eventsOf(run, 'assistant_message')).toEqual([]);
    expect(run.state.messages.map(({ role }) => role)).toEqual(['user']);
  });

  it('drops the text that a retry withdraws', async () => {
    const run = await runHarness({
      answers: [
        {
          events: [
            { type: 'text_delta', text: 'Wrong' },
            { type: 'retry', attempt: 1, delayMs: 5, code: 'overloaded', message: 'busy' },
            { type: 'text_delta', text: 'Right.' },
          ],
        },
      ],
    });
    expect(run.state.messages[1]?.content).toBe('Right.');
    expect(eventsOf(run, 'retry')).toHaveLength(1);
  });

  it('shows a warning of the model in the middle of an answer', async () => {
    const warning = { type: 'warning', code: 'odd', message: 'It is odd.' } as const;
    const run = await runHarness({
      answers: [{ text: 'Right', events: [warning, { type: 'text_delta', text: '.' }] }],
    });
    expect(eventsOf(run, 'warning')).toEqual([warning]);
    expect(run.state.messages[1]?.content).toBe('Right.');
  });

  it('ignores an error of the stream after the end of the answer', async () => {
    const finish = { type: 'finish', reason: 'stop' } as const;
    const steps = [{ type: 'text_delta', text: 'Hi.' } as const, finish];
    const iterator = {
      next: async () => {
        const value = steps.shift();
        return value === undefined ? { done: true as const, value } : { done: false as const, value };
      },
      return: () => Promise.reject(new Error('too late')),
    };
    let last: AgentEvent | undefined;
    for await (const event of runModel({ stream: () => ({ [Symbol.asyncIterator]: () => iterator }) })) last = event;
    expect(last).toMatchObject({ outcome: 'done' });
  });

  it('ends the model stream when the consumer leaves early', async () => {
    const model = createScriptedModel({ text: ['one', 'two'], end: 'stall' });
    let ended = false;
    const watched = {
      async *stream(...request: Parameters<typeof model.stream>) {
        try {
          yield* model.stream(...request);
        } finally {
          ended = true;
        }
      },
    };
    for await (const event of runModel(watched)) {
      if (event.type === 'text_delta') break;
    }
    expect(ended).toBe(true);
  });
});

describe('a model that repeats its calls', () => {
  const again = (id: string) => ({ calls: [call(id, 'read', { label: 'x' })] });

  it('is warned once, then stopped', async () => {
    const run = await runHarness({
      answers: ['a', 'b', 'c', 'd'].map(again),
      tools: scriptedTools({ read: {} }),
    });
    const results = resultsIn(run.state.messages);
    const note =
      'Note: you have made the same call three times with the same result. Repeating will not change it: try something else, or say what prevents you from going on.';
    expect(results).toEqual(['result of x', 'result of x', `result of x\n\n${note}`, 'result of x']);
    const message =
      'The model has made the same call three times with the same result. It was told to try something else.';
    expect(eventsOf(run, 'warning')).toEqual([{ type: 'warning', code: 'repetition', message }]);
    expect(outcomeOf(run)).toEqual({
      type: 'run_end',
      outcome: 'stuck',
      message: 'Stopped: the model keeps repeating the same calls with the same results.',
    });
  });

  it('continues when it heeds the warning', async () => {
    const run = await runHarness({
      answers: [...['a', 'b', 'c'].map(again), { text: 'I see.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it('learns the number of calls that it repeats', async () => {
    const pair = (turn: number) => ({
      calls: [call(`a${turn}`, 'read', { label: 'x' }), call(`b${turn}`, 'read', { label: 'y' })],
    });
    const run = await runHarness({
      answers: [pair(1), pair(2), pair(3), { text: 'I see.' }],
      tools: scriptedTools({ read: {} }),
    });
    expect(eventsOf(run, 'warning')[0]?.message).toContain('the same 2 calls in turn three times');
  });

  it('may make many equal calls in one answer before it is warned', async () => {
    const calls = Array.from({ length: 8 }, (_, position) => call(`${position}`, 'read', { label: 'x' }));
    const run = await runHarness({ answers: [{ calls }, { text: 'I see.' }], tools: scriptedTools({ read: {} }) });
    expect(eventsOf(run, 'warning')).toHaveLength(1);
    expect(outcomeOf(run).outcome).toBe('done');
  });

  it('is stopped although the results differ in a part that is not comparable', async () => {
    let made = 0;
    const tools = scriptedTools({
      run: {
        async *run() {
          made += 1;
          return { ...result(`took ${made} s`), comparable: 'took' };
        },
      },
    });
    const answers = [1, 2, 3, 4].map((turn) => ({ calls: [call(`${turn}`, 'run', {})] }));
    expect(outcomeOf(await runHarness({ answers, tools })).outcome).toBe('stuck');
  });

  it('may poll a command whose output changes', async () => {
    let polled = 0;
    const tools = scriptedTools({
      run: {
        async *run() {
          polled += 1;
          return result(`poll ${polled}`);
        },
      },
    });
    const answers = [1, 2, 3, 4, 5].map((turn) => ({ calls: [call(`${turn}`, 'run', {})] }));
    const run = await runHarness({ answers: [...answers, { text: 'Ready.' }], tools });
    expect(outcomeOf(run).outcome).toBe('done');
  });
});

it('sends a message of the user with the next request, after the results of the calls', async () => {
  const waiting: string[] = [];
  const { events, model } = await runHarness({
    answers: [{ calls: [call('c1', 'look', {})] }, { text: ['Both done.'] }],
    tools: scriptedTools({ look: {} }),
    takeMessages: () => waiting.splice(0),
    onEvent: ({ type }) => void (type === 'tool_result' && waiting.push('and this', 'and that')),
  });
  expect(model.requests.map(({ messages }) => messages.map(({ role, content }) => `${role} ${content}`))).toEqual([
    ['user go'],
    ['user go', 'assistant ', 'tool result of a call', 'user and this', 'user and that'],
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  expect(events.filter(({ type }) => type === 'user_message')).toEqual([
    { type: 'user_message', text: 'go' },
    { type: 'user_message', text: 'and this', steered: true },
    { type: 'user_message', text: 'and that', steered: true },
  ]);
});
