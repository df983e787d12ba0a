import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { readFrames } from '../../../src/web/page/session/connection.js';
import { Model } from '../../../src/web/page/session/model.js';
import { EventBuffer } from '../../../src/web/session/event-buffer.ts';
import type { PageEvent } from '../../../src/web/session/page-event.ts';
import { said } from '../../support/agent/session-events.ts';

const MODEL = { provider: 'mock', wire: 'openai-chat', model: 'm' };

function modelOf(...events: readonly PageEvent[]): Model {
  const model = new Model();
  for (const event of events) model.apply(event);
  return model;
}

const call = (id: string, summary: string): AgentEvent => ({
  type: 'tool_call',
  call: { id, name: 'run_shell', arguments: '{}' },
  effect: { summary, paths: [] },
});
const result = (callId: string, content: string): AgentEvent => ({
  type: 'tool_result',
  callId,
  toolName: 'run_shell',
  outcome: 'ok',
  content,
  summary: 'exit code 0',
  durationMs: 1,
});
const output = (callId: string, text: string): AgentEvent => ({ type: 'tool_output', callId, stream: 'stdout', text });

/** The events of a message with two answers and two calls of the same id. */
const RUN: readonly PageEvent[] = [
  { type: 'message_start', id: 'm1', text: 'go' },
  { type: 'user_message', text: 'go' },
  { type: 'turn_start', turn: 1, model: MODEL },
  { type: 'reasoning_delta', text: 'Hm' },
  { type: 'text_delta', text: 'I am cut' },
  { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'cut' },
  { type: 'text_delta', text: 'I ' },
  { type: 'text_delta', text: 'look' },
  { type: 'usage', model: MODEL, inputTokens: 3, outputTokens: 4 },
  {
    type: 'assistant_message',
    message: { role: 'assistant', content: 'I look', reasoning: 'Hm', toolCalls: [] },
    finish: 'stop',
  },
  call('c1', 'run a'),
  output('c1', 'one\n'),
  output('c1', 'two\n'),
  result('c1', 'one\ntwo\n'),
  { type: 'tasks', tasks: [{ content: 'Look', status: 'completed' }] },
  { type: 'text_delta', text: 'Again' },
  said('Again'),
  call('c1', 'run b'),
  result('c1', 'three\n'),
  { type: 'text_delta', text: 'Done' },
  said('Done'),
  { type: 'run_end', outcome: 'done', message: 'Done.' },
  { type: 'message_end', id: 'm1' },
  { type: 'state', queue: [] },
];

/** Everything of a model that the page shows, without live output of calls that have a result. */
function shown(model: Model): unknown {
  const seen = model.items.filter((item) => item.kind !== 'agent' || item.text !== '');
  const items = seen.map((item) =>
    item.kind === 'tool' && item.result !== undefined ? { ...item, output: '' } : item,
  );
  return { items, tasks: model.tasks, tokens: model.tokens, state: model.state, questions: [...model.questions] };
}

describe('the conversation of the page', () => {
  it('is the same, wherever a tab has lost its connection', () => {
    const whole = shown(modelOf(...RUN));
    for (let cut = 0; cut <= RUN.length; cut += 1) {
      const buffer = new EventBuffer(0);
      const model = new Model();
      for (const event of RUN.slice(0, cut)) {
        buffer.add(event);
        model.apply(event);
      }
      for (const event of RUN.slice(cut)) buffer.add(event);
      const reading = buffer.read(cut);
      for (const { event } of reading.type === 'events' ? reading.events : []) model.apply(event);
      expect(shown(model)).toEqual(whole);
    }
  });

  it('has a message of the user once, even from the log', () => {
    const texts = (...events: readonly PageEvent[]) =>
      modelOf(...events).items.map((item) => 'text' in item && item.text);
    expect(texts(...RUN.slice(0, 2))).toEqual(['go']);
    expect(texts({ type: 'user_message', text: 'earlier' }, ...RUN.slice(0, 2))).toEqual(['earlier', 'go']);
  });

  it('withdraws the part of an answer that begins again below the note', () => {
    const retry: PageEvent = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'cut' };
    const { items } = modelOf(
      { type: 'text_delta', text: 'Le' },
      retry,
      { type: 'text_delta', text: 'Let' },
      said('Let'),
    );
    expect(items).toMatchObject([
      { kind: 'agent', text: '', open: false },
      { kind: 'note', text: 'Trying again: cut' },
      { kind: 'agent', text: 'Let', open: false },
    ]);
  });

  it('keeps the part of an answer that was stopped', () => {
    const end: PageEvent = { type: 'run_end', outcome: 'aborted', message: 'Stopped.' };
    expect(modelOf({ type: 'text_delta', text: 'Le' }, end).items).toEqual([
      { kind: 'agent', text: 'Le', reasoning: '', open: false },
      { kind: 'note', text: 'Stopped.' },
    ]);
  });

  it('has no entry for an answer that only calls tools', () => {
    expect(modelOf(said(''), call('c1', 'run a')).items).toMatchObject([{ kind: 'tool' }]);
  });

  it('shows the new plan of a call that the user has changed', () => {
    expect(modelOf(call('c1', 'run a'), call('c1', 'run b')).items).toMatchObject([{ effect: { summary: 'run b' } }]);
  });

  it('shows questions until they are closed', () => {
    const request = { callId: 'c1', toolName: 'run_shell', effect: { summary: 'run', paths: [] }, reason: 'asks' };
    const model = modelOf({ type: 'question', id: 'q1', digest: '', request, answers: [] });
    expect([...model.questions.keys()]).toEqual(['q1']);
    model.apply({ type: 'question_closed', id: 'q1' });
    expect(model.questions.size).toBe(0);
  });

  it('shows the output of a command of the user, even from the log', () => {
    const text = '[Shell command output]\nCommand: ls\nexit_code: 0\n\na.txt\n';
    expect(modelOf({ type: 'user_message', text }).items).toEqual([{ kind: 'output', text }]);
  });

  it('reports the work of a run and its failures', () => {
    const { items } = modelOf(
      { type: 'receipt_rows', rows: ['1 file changed: a.js', 'no tests ran'] },
      { type: 'run_end', outcome: 'failed', message: 'No key.' },
    );
    expect(items).toEqual([
      { kind: 'note', text: '1 file changed: a.js\nno tests ran' },
      { kind: 'problem', text: 'No key.' },
    ]);
  });

  it('joins the output of a command that the user has typed, and keeps its end', () => {
    const { items } = modelOf({ type: 'user_output', text: 'x'.repeat(40_000) }, { type: 'user_output', text: 'end' });
    expect(items).toHaveLength(1);
    expect(items).toMatchObject([{ kind: 'output', text: `${'x'.repeat(29_997)}end` }]);
  });

  it('shows whether the session works, or waits for an answer', () => {
    const session = { id: 's', name: 's', workspace: '/work', model: 'm', mode: 'ask' };
    const request = { callId: 'c1', toolName: 'run_shell', effect: { summary: 'run', paths: [] }, reason: 'asks' };
    const model = new Model();
    expect(model.status).toBe('Opening the session …');
    model.apply({ type: 'state', queue: [], session });
    expect(model.status).toBe('Ready · m · ask');
    model.apply({ type: 'state', queue: [], session, running: 'm1' });
    model.apply({ type: 'usage', model: MODEL, inputTokens: 1000, outputTokens: 234 });
    expect(model.status).toBe('Working · m · ask · 1,234 tokens');
    model.apply({ type: 'question', id: 'q1', digest: '', request, answers: [] });
    expect(model.status).toBe('Waits for your answer · m · ask · 1,234 tokens');
    model.apply({ type: 'state', queue: [], session: { ...session, agent: 'critic' } });
    expect(model.status).toBe('Ready · m · ask · critic · 1,234 tokens');
  });

  it.each<[string, PageEvent]>([
    ['the next prompt', { type: 'user_message', text: 'again' }],
    ['the end of the run', { type: 'run_end', outcome: 'aborted', message: 'Stopped.' }],
    ['a note about the log', { type: 'note', text: 'Interrupted in the last run: 1 call.' }],
  ])('ends a call without a result at %s', (_what, event) => {
    const model = modelOf({ type: 'user_message', text: 'go' }, call('c', 'run sleep'), result('d', ''));
    model.apply(event);
    expect(model.items).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        result: { outcome: 'interrupted', summary: 'interrupted', content: '' },
      }),
    );
  });

  it('explains how to continue the session that was shown before, if it is another one', () => {
    const state = (name: string): PageEvent => {
      return { type: 'state', queue: [], session: { id: name, name, workspace: '/work', model: 'm', mode: 'ask' } };
    };
    const model = new Model();
    expect([model.noteBefore('old'), model.noteBefore('')]).toEqual([false, false]);
    model.apply(state('new'));
    expect(model.begun).toBe('');
    expect([model.noteBefore('new'), model.noteBefore('old')]).toEqual([true, true]);
    expect(model.items).toEqual([
      { kind: 'note', text: 'ybs has begun another session. /load old goes on with the one that was here.' },
    ]);
    model.apply({ type: 'user_message', text: 'go' });
    expect(model.begun).toBe('new');
  });

  it('keeps a call of the current run, whatever is noted meanwhile', () => {
    const model = modelOf({ type: 'message_start', id: 'm', text: 'go' }, call('c', 'run sleep'));
    model.apply({ type: 'note', text: 'The permission mode is ask.' });
    expect(model.items).toContainEqual(expect.objectContaining({ kind: 'tool', result: undefined }));
  });

  it('distinguishes the current run from earlier ones, which a reloaded page also receives', () => {
    const running: PageEvent = { type: 'state', queue: [], running: 'm2' };
    expect(modelOf(running, ...RUN.slice(0, -2)).isRunning).toBe(false);
    expect(modelOf(running, ...RUN.slice(0, -1)).isRunning).toBe(false);
    const next: PageEvent = { type: 'message_start', id: 'm2', text: 'go on' };
    expect(modelOf(running, ...RUN.slice(0, -1), next).isRunning).toBe(true);
    expect(modelOf({ type: 'state', queue: [] }, ...RUN.slice(0, -2)).isRunning).toBe(false);
  });

  describe('after the user has gone back to an earlier message', () => {
    const LINE = 'The crossed-out messages are no longer part of the conversation.';
    const stored = (text: string): readonly PageEvent[] => [{ type: 'user_message', text }, said(`${text}!`)];
    const typed = (text: string, ...events: readonly PageEvent[]): readonly PageEvent[] => [
      { type: 'message_start', id: text, text },
      ...events,
      { type: 'message_end', id: text },
    ];
    const goBack = (prompt: number): readonly PageEvent[] => {
      return typed('/rewind', { type: 'rewind', prompt }, { type: 'note', text: 'It is as before.' });
    };
    const textsOf = (model: Model) =>
      model.items.map((item) => {
        const text = 'text' in item ? item.text : item.name;
        return item.isDropped === true ? `-${text}` : text;
      });

    it('crosses out the messages from there on, but not the command', () => {
      const help = typed('/help', { type: 'note', text: 'Help' });
      const model = modelOf(...typed('one', ...stored('one')), ...help, ...typed('two', ...stored('two')));
      model.takeChanged();
      for (const event of goBack(1)) model.apply(event);
      expect(textsOf(model)).toEqual([
        ...['one', 'one!', '/help', 'Help', '-two', '-two!'],
        ...['/rewind', LINE, 'It is as before.'],
      ]);
      expect([...model.takeChanged()]).toHaveLength(5);
    });

    it('also counts messages of the log, and those that were already crossed out', () => {
      const model = modelOf(...stored('one'), ...stored('two'), { type: 'rewind', prompt: 1 });
      for (const event of [...typed('three', ...stored('three')), ...goBack(2)]) model.apply(event);
      expect(textsOf(model)).toEqual([
        ...['one', 'one!', '-two', '-two!', LINE],
        ...['-three', '-three!', '/rewind', LINE, 'It is as before.'],
      ]);
    });

    it('crosses out the output of a command with the command', () => {
      const report: PageEvent = { type: 'user_message', text: '[Shell command output]\nCommand: ls' };
      const model = modelOf(...typed('!ls', { type: 'user_output', text: 'a' }, report, said('ok')), ...goBack(0));
      expect(textsOf(model).slice(0, 3)).toEqual(['-!ls', '-a', '-ok']);
    });

    it('reports an unspecified earlier message if the log does not contain its number', () => {
      const model = modelOf(...stored('one'), { type: 'rewind' });
      expect(textsOf(model)).toEqual([...['one', 'one!'], 'The conversation went back to an earlier message here.']);
    });
  });

  it('reports changes since the last time', () => {
    const model = modelOf({ type: 'text_delta', text: 'a' }, { type: 'text_delta', text: 'b' });
    expect(model.takeChanged().size).toBe(1);
    expect(model.takeChanged().size).toBe(0);
    model.apply({ type: 'text_delta', text: 'c' });
    expect([...model.takeChanged()]).toMatchObject([{ text: 'abc' }]);
  });
});

describe('the frames of a stream', () => {
  const stream = 'event: reset\ndata: {}\n\nid: 7\ndata: {"a":"b: c"}\n\nevent: cut\nda';

  it('are the same for every split of it', async () => {
    for (let size = 1; size <= stream.length; size += 1) {
      const frames = [];
      for await (const frame of readFrames(chunksOf(size))) frames.push(frame);
      expect(frames).toEqual([
        { event: 'reset', data: '{}', id: undefined },
        { event: 'message', data: '{"a":"b: c"}', id: '7' },
      ]);
    }
  });

  async function* chunksOf(size: number): AsyncGenerator<string> {
    for (let start = 0; start < stream.length; start += size) yield stream.slice(start, start + size);
  }
});

it('typed messages are remembered, but not prompts of a log, whose triggers were only text', () => {
  const stored: PageEvent = { type: 'user_message', text: '!rm a.txt' };
  expect(modelOf(stored).typed).toEqual([]);
  expect(
    modelOf({ type: 'message_start', id: 'm', text: '!ls' }, { type: 'message_end', id: 'm' }, stored).typed,
  ).toEqual(['!ls']);
});

describe('a call that the model is writing', () => {
  const piece = (size: number, path?: string, callId = 'c1'): PageEvent => ({
    ...{ type: 'tool_call_delta', callId, name: 'run_shell', text: '' },
    written: { name: 'run_shell', size, tail: 'x', ...(path !== undefined && { path }) },
  });
  const running: PageEvent = { type: 'message_start', id: 'm1', text: 'go' };
  const state: PageEvent = {
    ...{ type: 'state', running: 'm1', queue: [] },
    session: { id: 's', name: 's', workspace: '/w', model: 'm', mode: 'ask' },
  };
  const tools = (model: Model) => model.items.filter(({ kind }) => kind === 'tool');

  it('is one entry from its first piece to its result', () => {
    const message = {
      role: 'assistant',
      content: 'a',
      toolCalls: [{ id: 'c1', name: 'run_shell', arguments: '{}' }],
    } as const;
    const model = modelOf(state, running, { type: 'text_delta', text: 'a' }, piece(0), piece(2_048, 'a.ts'));
    expect(tools(model)).toMatchObject([{ name: 'run_shell', written: { size: 2_048 }, result: undefined }]);
    expect(model.status).toMatch(/^Writing a\.ts \(2\.0 KB\) · /);
    model.apply({ type: 'assistant_message', message, finish: 'tool_calls' });
    expect(tools(model)).toMatchObject([{ written: { size: 2_048 }, isWritten: true, result: undefined }]);
    model.apply(call('c1', 'run ls'));
    expect(model.status).toMatch(/^Running · /);
    model.apply(result('c1', 'ok'));
    expect(tools(model)).toMatchObject([
      { args: '{}', effect: { summary: 'run ls' }, written: undefined, result: { outcome: 'ok' } },
    ]);
    expect(model.items.map(({ kind }) => kind)).toEqual(['user', 'agent', 'tool']);
  });

  it.each<readonly [string, PageEvent]>([
    ['a retry', { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'x' }],
    ['an answer that was cut off', said('')],
    ['the end of the run', { type: 'run_end', outcome: 'aborted', message: 'Stopped.' }],
  ])('was not completed after %s', (_name, end) => {
    expect(tools(modelOf(running, piece(0), end))).toMatchObject([{ result: { summary: 'was not completed' } }]);
  });

  it('has no entry as long as it may be text', () => {
    const model = modelOf(state, running, { type: 'tool_call_delta', text: '', written: { size: 1, tail: 'x' } });
    expect(tools(model)).toEqual([]);
    expect(model.status).toMatch(/^Writing · /);
  });

  it.each<readonly [PageEvent, string]>([
    [{ type: 'turn_start', turn: 1, model: MODEL }, 'Waiting for the server'],
    [{ type: 'reasoning_delta', text: 'x' }, 'Thinking'],
    [{ type: 'text_delta', text: 'x' }, 'Answering'],
    [piece(12), 'Writing run_shell (12 bytes)'],
    [{ type: 'warning', code: 'c', message: 'x' }, 'Working'],
  ])('is distinguished from other activity: %o', (event, status) => {
    expect(modelOf(state, running, event).status).toBe(`${status} · m · ask`);
  });
});
