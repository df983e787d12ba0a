import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContextSettings, compactSession, fitIntoWindow } from '../../../../src/agent/context/fit-into-window.ts';
import { sizeOfAll, sizeOfFrame } from '../../../../src/agent/context/request-size.ts';
import { ModelError } from '../../../../src/agent/errors.ts';
import type { AgentEvent } from '../../../../src/agent/ports/events.ts';
import type { ContextWindow } from '../../../../src/agent/ports/language-model.ts';
import type { Message, UserMessage } from '../../../../src/agent/ports/messages.ts';
import { repairHistory } from '../../../../src/agent/repair-history.ts';
import type { PrepareRequest } from '../../../../src/agent/run-input.ts';
import { EMPTY_SESSION, type SessionState } from '../../../../src/agent/session-state.ts';
import { computeDigest } from '../../../../src/node/system.ts';
import { eventsOf, type HarnessScript, outcomeOf, runHarness } from '../../../support/agent/agent-harness.ts';
import { anyHistory } from '../../../support/agent/random-history.ts';
import { createFakeSessionFiles } from '../../../support/fakes/fake-session-files.ts';
import {
  scriptedCall as call,
  createScriptedModel,
  SCRIPTED,
  type ScriptedAnswer,
} from '../../../support/fakes/scripted-model.ts';
import { result, scriptedTools } from '../../../support/fakes/scripted-tools.ts';
import { propertySettings } from '../../../support/random/property.ts';

const SETTINGS: ContextSettings = { maxTokens: 20_000, threshold: 0.95, maxAnswerTokens: 1_000 };
const OVERFLOW = new ModelError('context_overflow', 'The conversation is too long for scripted-model.');

/** A text of the given number of tokens. */
const text = (tokens: number, letter = 'x'): string => letter.repeat(Math.floor(tokens / 0.33));
const prompt = (content: string): Message => ({ role: 'user', content });
const answer = (content: string): Message => ({ role: 'assistant', content, toolCalls: [] });
const turn = (id: string, content: string): readonly Message[] => [
  { role: 'assistant', content: '', toolCalls: [call(id, 'read', {})] },
  { role: 'tool', toolCallId: id, content, isError: false },
];
const stateOf = (...messages: readonly Message[]): SessionState => ({ ...EMPTY_SESSION, started: true, messages });

/** Runs the prompt `go` after a history, with a context of this size. */
async function run(script: HarnessScript & { readonly settings?: Partial<ContextSettings> }) {
  const files = createFakeSessionFiles();
  const prepareRequest = fitIntoWindow({ ...SETTINGS, ...script.settings, files });
  const played = await runHarness({ prepareRequest, ...script });
  const [compaction] = eventsOf(played, 'compaction');
  const sent = played.model.requests.map(({ messages }) => messages);
  return { ...played, files, compaction, sent, warnings: eventsOf(played, 'warning').map(({ message }) => message) };
}

describe('a request', () => {
  it('has the whole history while it fits', async () => {
    const history = [prompt('first'), ...turn('a', text(15_000))];
    const { sent, compaction } = await run({ state: stateOf(...history), answers: [{ text: 'Done.' }] });
    expect(sent).toEqual([[...history, prompt('go')]]);
    expect(compaction).toBeUndefined();
  });

  it.each([
    ['the threshold', { threshold: 0.5 }, 10_000],
    ['the room for the answer and a reserve', { maxAnswerTokens: 5_000 }, 13_976],
    ['half of the window, if the answer may be longer than that', { maxAnswerTokens: 20_000 }, 10_000],
    ['the window of the settings', { maxTokens: 10_000 }, 7_976],
  ])('is shortened when it would pass %s', async (_name, settings, limit) => {
    const history = (length: number) => [prompt('first'), ...turn('a', 'x'.repeat(length)), answer(text(400))];
    const others = sizeOfFrame({ system: 'You are under test.', tools: [] }) + sizeOfAll([...history(0), prompt('go')]);
    const longest = Math.floor((limit - others) / 0.33);
    for (const [length, compactions] of [
      [longest, 0],
      [longest + 1, 1],
    ] as const) {
      const played = await run({ settings, state: stateOf(...history(length)), answers: [{ text: 'Done.' }] });
      expect(eventsOf(played, 'compaction'), `a result of ${length} characters`).toHaveLength(compactions);
    }
  });

  it('is not shortened when it fills its limit exactly', async () => {
    const history = [prompt('first'), ...turn('a', text(9_000)), answer(text(400))];
    const frame = sizeOfFrame({ system: 'You are under test.', tools: [] });
    const size = frame + sizeOfAll([...history, prompt('go')]);
    const settings = { maxTokens: 2 * size, maxAnswerTokens: 2 * size };
    expect((await run({ settings, state: stateOf(...history), answers: [{ text: 'Done.' }] })).compaction).toBe(
      undefined,
    );
  });

  it('is measured by what the provider has counted', async () => {
    const answers = [
      { calls: [call('b', 'read', {})], usage: { inputTokens: 8_000, outputTokens: 1 } },
      { text: 'Done.' },
    ];
    const read = {
      read: {
        run: async function* () {
          return result(text(2_000));
        },
      },
    };
    const history = [prompt('first'), ...turn('a', text(4_000, 'a')), ...turn('c', text(2_000, 'c'))];
    const tools = scriptedTools(read);
    const counted = await run({ tools, settings: { maxTokens: 12_000 }, state: stateOf(...history), answers });
    expect(counted.compaction).toMatchObject({
      tokensBefore: expect.closeTo(10_700, -2),
      tokensAfter: expect.closeTo(2_850, -2),
    });
    const uncounted = answers.map(({ usage: _usage, ...rest }) => rest);
    const { compaction } = await run({
      tools: scriptedTools(read),
      settings: { maxTokens: 12_000 },
      state: stateOf(...history),
      answers: uncounted,
    });
    expect(compaction).toBeUndefined();
  });
});

describe('a compaction', () => {
  it('first replaces old outputs by lines with the paths of their full texts', async () => {
    const history = [
      prompt('first'),
      ...turn('a', text(9_000, 'a')),
      ...turn('b', text(50, 'b')),
      ...turn('c', text(9_000, 'c')),
      ...turn('d', text(3_000, 'd')),
    ];
    const { sent, compaction, files, state } = await run({ state: stateOf(...history), answers: [{ text: 'Done.' }] });
    const replaced = [
      prompt('first'),
      ...turn('a', `[Output of ${text(9_000).length} characters, moved to /out/a.txt to save space.]`),
      ...turn('b', text(50, 'b')),
      ...turn('c', `[Output of ${text(9_000).length} characters, moved to /out/c.txt to save space.]`),
      ...turn('d', text(3_000, 'd')),
      prompt('go'),
    ];
    expect(sent).toEqual([replaced]);
    expect(compaction).toMatchObject({ messages: replaced, tokensBefore: expect.closeTo(21_200, -2) });
    expect(compaction?.tokensAfter).toBeLessThan(3_500);
    expect(state.messages).toEqual([...replaced, answer('Done.')]);
    expect(files.saved).toEqual(
      new Map([
        ['/out/a.txt', text(9_000, 'a')],
        ['/out/c.txt', text(9_000, 'c')],
      ]),
    );
  });

  it.each([
    ['is not replaced when it has 200 tokens', '漢'.repeat(128), false],
    ['is replaced when it has more than 200 tokens', `${'漢'.repeat(127)}${'a'.repeat(6)}`, true],
  ])('at an output: it %s', async (_name, output, isReplaced) => {
    const history = [prompt('first'), ...turn('a', text(19_000)), ...turn('b', output), answer(text(6_000))];
    const { sent } = await run({ state: stateOf(...history), answers: [{ text: 'Done.' }] });
    expect(sent[0]?.[4]?.content !== output).toBe(isReplaced);
  });

  it('also replaces an output that cannot be saved', async () => {
    const history = [prompt('first'), ...turn('a', text(19_000)), ...turn('b', text(3_000))];
    const line = `[Output of ${text(19_000).length} characters, left out to save space. Repeat the call if you need it.]`;
    for (const files of [{ saveOutput: () => Promise.reject(new Error('full')) }, undefined]) {
      const prepareRequest = fitIntoWindow(files === undefined ? SETTINGS : { ...SETTINGS, files });
      const { sent } = await run({ prepareRequest, state: stateOf(...history), answers: [{ text: 'Done.' }] });
      expect(sent[0]?.[2]?.content).toBe(line);
    }
  });

  const LONG = [
    prompt('first'),
    answer(text(9_000, 'a')),
    prompt('second'),
    answer(text(9_000, 'b')),
    answer(text(2_000, 'c')),
  ];

  it('then replaces all but the first prompt and the last messages by a summary of the small model', async () => {
    const smallModel = createScriptedModel({
      text: ['\n## Goal\n', 'Win.\n'],
      usage: { inputTokens: 9, outputTokens: 2 },
    });
    const { sent, compaction, events } = await run({
      smallModel: { ...smallModel, identity: { ...SCRIPTED, model: 'small' } },
      state: stateOf(...LONG),
      answers: [{ text: 'Done.' }],
    });
    expect(sent[0]?.map(({ content }) => content)).toEqual([
      'first',
      '[Summary of the earlier messages, which no longer fit into the context window]\n## Goal\nWin.',
      text(2_000, 'c'),
      'go',
    ]);
    expect(compaction?.messages).toEqual(sent[0]);
    expect(smallModel.requests).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', model: { ...SCRIPTED, model: 'small' }, purpose: 'summary', inputTokens: 9, outputTokens: 2 },
    ]);
  });

  it('asks the model itself if there is no small model, in a request that fits', async () => {
    const { model, sent } = await run({
      state: stateOf(...LONG, ...turn('x', text(9_000)), answer(text(4_000, 'd'))),
      answers: [{ text: 'The summary.' }, { text: 'Done.' }],
    });
    const [summary, next] = model.requests;
    expect(summary?.system).toContain('You are a conversation summarizer');
    expect(summary?.tools).toEqual([]);
    expect(sizeOfAll(summary?.messages ?? [])).toBeLessThan(18_000);
    expect(next?.messages[1]).toMatchObject({ summary: true, content: expect.stringContaining('The summary.') });
    expect(sent).toHaveLength(2);
  });

  it('asks a small model with a small window in a request that fits into it', async () => {
    const smallModel = {
      ...createScriptedModel({ text: 'A summary.' }),
      contextWindow: async () => ({ tokens: 4_000 }),
    };
    const { sent } = await run({ smallModel, state: stateOf(...LONG), answers: [{ text: 'Done.' }] });
    expect(sizeOfAll(smallModel.requests[0]?.messages ?? [])).toBeLessThan(2_000);
    expect(sent[0]?.[1]?.content).toContain('A summary.');
  });

  it('takes over an earlier summary into the next one', async () => {
    const state = stateOf(prompt('first'), { role: 'user', content: 'What was.', summary: true }, ...LONG.slice(1));
    const { model, sent } = await run({ state, answers: [{ text: 'All of it.' }, { text: 'Done.' }] });
    expect(model.requests[0]?.messages[0]?.content).toContain('Earlier summary: What was.');
    expect(sent[1]?.filter((message) => message.role === 'user' && message.summary)).toHaveLength(1);
  });

  it.each([
    ['fails', { end: new ModelError('overloaded', 'Try later.') }, 'Try later.'],
    ['is empty', { text: ' \n' }, 'Its answer is empty.'],
    ['is longer than the messages', { text: text(30_000) }, 'Its summary is not shorter than the messages.'],
    [
      'never ends',
      { text: Array(300).fill('x'.repeat(1_000)), end: 'stall' },
      'Its summary is not shorter than the messages.',
    ],
  ] as const)('asks the model itself when the summary of the small model %s', async (_name, bad, reason) => {
    const { warnings, sent } = await run({
      smallModel: createScriptedModel(bad),
      state: stateOf(...LONG),
      answers: [{ text: 'A good one.' }, { text: 'Done.' }],
    });
    expect(warnings).toEqual([`scripted-model did not summarize the conversation: ${reason}`]);
    expect(sent[1]?.[1]?.content).toContain('A good one.');
  });

  it('withdraws the text of a summary that is requested again', async () => {
    const retry = { type: 'retry', attempt: 1, delayMs: 1, code: 'network', message: 'Lost.' } as const;
    const { sent, events } = await run({
      state: stateOf(...LONG),
      answers: [{ text: 'Half a', events: [retry, { type: 'text_delta', text: 'Whole.' }] }, { text: 'Done.' }],
    });
    expect(sent[1]?.[1]?.content).toMatch(/\]\nWhole\.$/);
    expect(events).toContainEqual(retry);
  });

  it('leaves the oldest messages out when there is no summary', async () => {
    const { sent, compaction } = await run({
      state: stateOf(...LONG),
      answers: [{ end: new ModelError('overloaded', 'Try later.') }, { text: 'Done.' }],
    });
    expect(sent[1]?.map(({ content }) => content.slice(0, 20))).toEqual([
      'first',
      '[Earlier messages we',
      text(2_000, 'c').slice(0, 20),
      'go',
    ]);
    expect(compaction?.messages).toEqual(sent[1]);
  });

  it('is skipped when the messages cannot become shorter', async () => {
    const settings = { maxTokens: 2_000, maxAnswerTokens: 500 };
    const tools = scriptedTools(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`tool${index}`, {}])));
    const { sent, compaction } = await run({ settings, tools, answers: [{ text: 'Done.' }] });
    expect(sent).toEqual([[prompt('go')]]);
    expect(compaction).toBeUndefined();
  });

  it('asks for no summary when the window has no room for one', async () => {
    const settings = { maxTokens: 1_900, maxAnswerTokens: 1_000 };
    const { sent, warnings } = await run({ settings, state: stateOf(...LONG), answers: [{ text: 'Done.' }] });
    expect(sent[0]?.[1]?.content).toContain('Earlier messages were left out');
    expect(warnings).toHaveLength(1);
  });

  it('asks for a summary when the window has room for a request of 1,000 tokens', async () => {
    const settings = { maxTokens: 2_000, maxAnswerTokens: 2_000 };
    const answers = [{ text: 'A summary.' }, { text: 'Done.' }];
    const { sent } = await run({ settings, state: stateOf(...LONG), answers });
    expect(sent[1]?.[1]?.content).toContain('A summary.');
  });

  it('asks for no summary when system text and tools fill the window', async () => {
    const settings = { maxTokens: 4_000, maxAnswerTokens: 500 };
    const tools = scriptedTools(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`tool${index}`, {}])));
    for (const history of [LONG, [prompt('漢'.repeat(256))]]) {
      const { sent } = await run({ settings, tools, state: stateOf(...history), answers: [{ text: 'Done.' }] });
      expect(sizeOfAll(sent[0] ?? [])).toBeLessThanOrEqual(400);
      expect(sent).toHaveLength(1);
    }
  });

  it('leaves out the content of an old file that the user named, and a picture, but not their names', async () => {
    const file = (path: string, content: string, images?: UserMessage['images']): Message => {
      return { role: 'user', content, reminder: true, file: path, ...(images && { images }) };
    };
    const png = [{ mediaType: 'image/png', data: 'AAAA' }] as const;
    const [old, picture, short] = [
      file('a.md', `@file:a.md\n${text(16_000)}`),
      file('b.png', '@file:b.png', png),
      file('c.md', '@file:c.md\nc'),
    ];
    const history = [old, picture, short, prompt('first'), ...turn('b', 'x'), ...turn('c', text(5_000))];
    const { sent } = await run({ state: stateOf(...history), answers: [{ text: 'Done.' }] });
    const note = (path: string, { content }: Message) =>
      `@file:${path}\n[${content.length} characters, left out to save space. Read the file if you need it.]`;
    expect(sent[0]?.slice(0, 4)).toEqual([
      { ...file('a.md', note('a.md', old)) },
      { ...file('b.png', note('b.png', picture)) },
      short,
      prompt('first'),
    ]);
  });

  it('does not claim that a picture was moved to a file', async () => {
    const images = [{ mediaType: 'image/png', data: 'AAAA' }] as const;
    const shown = turn('a', 'x.png').map((message) => (message.role === 'tool' ? { ...message, images } : message));
    const history = [prompt('first'), ...shown, ...turn('b', text(16_000)), ...turn('c', text(3_000))];
    const { sent, files } = await run({ state: stateOf(...history), answers: [{ text: 'Done.' }] });
    const line = '[Output of 5 characters, left out to save space. Repeat the call if you need it.]';
    expect(sent[0]?.[2]).toEqual({ role: 'tool', toolCallId: 'a', content: line, isError: false });
    expect([...files.saved.keys()]).toEqual(['/out/b.txt']);
  });

  it('is abandoned when the user stops the run while the summary is written', async () => {
    const played = await run({
      state: stateOf(...LONG),
      answers: [{ text: 'Half', usage: { inputTokens: 1, outputTokens: 1 }, end: 'stall' }],
      onEvent: (event, stop) => {
        if (event.type === 'usage') stop();
      },
    });
    expect(outcomeOf(played).outcome).toBe('aborted');
    expect(played.state.messages).toEqual([...LONG, prompt('go')]);
  });
});

describe('any history in any window', () => {
  it('fits after at most one compaction, is valid, and keeps the first prompt', async () => {
    const anySummary = fc.constantFrom<ScriptedAnswer>(
      { text: 'Short.' },
      { text: 'Long. '.repeat(2_000) },
      { text: '' },
    );
    const anyWindow = fc.integer({ min: 2_000, max: 60_000 });
    await fc.assert(
      fc.asyncProperty(anyHistory, anyWindow, anySummary, async (history, maxTokens, summary) => {
        const prepare = fitIntoWindow({ ...SETTINGS, maxTokens });
        const model = createScriptedModel(summary);
        const next = { model, system: '', tools: [] };
        const { signal } = new AbortController();
        const prepared = async (messages: readonly Message[]): Promise<readonly Message[]> => {
          const steps = prepare(stateOf(...messages), next, signal);
          for (;;) {
            const step = await steps.next();
            if (step.done === true) return step.value;
          }
        };
        const messages = await prepared(history);
        expect(sizeOfAll(messages) + 8).toBeLessThanOrEqual(Math.max(maxTokens / 2, maxTokens - 2_024));
        expect(repairHistory(messages)).toEqual(messages);
        expect(await prepared(messages)).toEqual(messages);
        const [first] = history;
        if (first !== undefined && sizeOfAll([first]) < maxTokens / 4) expect(messages[0]).toEqual(first);
        expect(model.requests.length).toBeLessThanOrEqual(1);
      }),
      propertySettings(),
    );
  });
});

describe('a request that the provider refuses as too long', () => {
  it('is shortened and sent once more', async () => {
    const history = [prompt('first'), ...turn('a', text(2_000)), ...turn('b', text(200, 'b'))];
    const played = await run({ state: stateOf(...history), answers: [{ end: OVERFLOW }, { text: 'Done.' }] });
    expect(played.sent.map((messages) => messages.map(({ content }) => content.slice(0, 10)))).toEqual([
      ['first', '', 'xxxxxxxxxx', '', 'bbbbbbbbbb', 'go'],
      ['first', '', '[Output of', '', 'bbbbbbbbbb', 'go'],
    ]);
    expect(played.events.map(({ type }) => type).slice(2, 5)).toEqual(['retry', 'compaction', 'text_delta']);
    expect(outcomeOf(played).outcome).toBe('done');
  });

  it('is shortened to half of its size, although it seemed to fit', async () => {
    const history = [prompt('first'), answer(text(3_000, 'a')), answer(text(3_000, 'b')), answer(text(1_000, 'c'))];
    const { sent, compaction } = await run({
      state: stateOf(...history),
      answers: [{ end: OVERFLOW }, { text: 'A summary.' }, { text: 'Done.' }],
    });
    expect(sent[2]?.map(({ content }) => content.at(-1))).toEqual(['t', '.', 'c', 'o']);
    expect(compaction?.tokensAfter).toBeLessThan((compaction?.tokensBefore ?? 0) / 2);
  });

  it('is shortened to the window with which the server loaded the model', async () => {
    let windows = 0;
    const contextWindow = async () => {
      windows += 1;
      return { tokens: windows === 1 ? 20_000 : 5_000 };
    };
    const played = await run({
      model: { contextWindow },
      settings: { threshold: 0.5 },
      prompt: text(2_800),
      state: stateOf(prompt('first'), ...turn('a', text(4_000))),
      answers: [{ end: OVERFLOW }, { text: 'A summary.' }, { text: 'Done.' }],
    });
    expect(played.sent.slice(1).every((messages) => sizeOfAll(messages) < 2_500)).toBe(true);
    expect(outcomeOf(played).outcome).toBe('done');
  });

  it('ends the run with its error if the shortened request is refused as well', async () => {
    const played = await run({ answers: [{ end: OVERFLOW }, { end: OVERFLOW }] });
    expect(outcomeOf(played)).toEqual({
      type: 'run_end',
      outcome: 'failed',
      message: OVERFLOW.message,
      error: { code: 'context_overflow', message: OVERFLOW.message },
    });
  });
});

describe('the context window', () => {
  const withWindow = (window: ContextWindow | undefined | Error) => ({
    contextWindow: async () => {
      if (window instanceof Error) throw window;
      return window;
    },
  });
  const history = [prompt('first'), ...turn('a', text(9_000)), ...turn('b', text(500))];

  it.each([
    ['is that of the model if it is smaller', { tokens: 8_192 }, true],
    ['is that of the settings if the model has a larger one', { tokens: 1_000_000 }, false],
    ['is that of the settings if the model does not know it', undefined, false],
    ['is that of the settings if the server does not answer', new ModelError('network', 'No.'), false],
  ])('%s', async (_name, window, isShortened) => {
    const answers = [{ text: 'Done.' }];
    const { compaction } = await run({ model: withWindow(window), state: stateOf(...history), answers });
    expect(compaction !== undefined).toBe(isShortened);
  });

  it('is determined again before each request, because it may become smaller', async () => {
    let asked = 0;
    const contextWindow = async () => {
      asked += 1;
      return { tokens: asked === 1 ? 20_000 : 8_192 };
    };
    const { compaction } = await run({
      model: { contextWindow },
      state: stateOf(...history),
      tools: scriptedTools({ read: {} }),
      answers: [{ calls: [call('c', 'read', {})] }, { text: 'Done.' }],
    });
    expect(asked).toBe(2);
    expect(compaction?.messages.at(-1)).toMatchObject({ toolCallId: 'c' });
  });

  it.each([
    [
      'small',
      { tokens: 8_192 },
      'small_window',
      'scripted-model has a context window of only 8,192 tokens. Long tasks need 16,000 or more; see context.max_tokens.',
    ],
    ['unusual', { tokens: 8_192, warning: 'It is a guess.' }, 'context_window', 'It is a guess.'],
  ])('that is %s is announced once in a session', async (_name, window, code, warning) => {
    const script = { model: withWindow(window), tools: scriptedTools({ read: {} }) };
    const first = await run({ ...script, answers: [{ calls: [call('c', 'read', {})] }, { text: 'Done.' }] });
    expect(eventsOf(first, 'warning')).toEqual([{ type: 'warning', code, message: warning }]);
    expect((await run({ ...script, state: first.state, answers: [{ text: 'Done.' }] })).warnings).toEqual([]);
  });

  it('of 16,000 tokens is not announced', async () => {
    expect((await run({ model: withWindow({ tokens: 16_000 }), answers: [{ text: 'Done.' }] })).warnings).toEqual([]);
  });
});

describe('a compaction that the user asks for', () => {
  async function compact(
    state: SessionState,
    { signal = new AbortController().signal, prepareRequest = fitIntoWindow(SETTINGS) },
    ...answers: readonly ScriptedAnswer[]
  ) {
    const model = createScriptedModel(...answers);
    const session = { state };
    const ports = {
      model,
      tools: scriptedTools({}),
      approver: { decide: () => Promise.reject() },
      clock: { now: () => 0, sleep: async () => {} },
      digest: computeDigest,
    };
    const settings = {
      system: '',
      maxIterations: 1,
      dryRun: false,
      decide: () => ({ type: 'allow', rule: 'test' }) as const,
      prepareRequest,
      session: { sessionId: 's', model: 'm', workspace: '/w', permissionMode: 'ask' },
    };
    const events: AgentEvent[] = [];
    for await (const event of compactSession(session, ports, settings, signal)) events.push(event);
    return { events, state: session.state, model };
  }
  const short = stateOf(prompt('first'), answer(text(200, 'a')), prompt('second'), answer(text(50, 'b')));

  it('summarizes a history that fits', async () => {
    const { events, state } = await compact(short, {}, { text: 'Short.' });
    expect(events.map(({ type }) => type)).toEqual(['compaction']);
    expect(state.messages.map(({ content }) => content.slice(0, 8))).toEqual([
      'first',
      '[Summary',
      'second',
      'bbbbbbbb',
    ]);
  });

  it('does nothing if there is nothing to shorten', async () => {
    for (const state of [EMPTY_SESSION, stateOf(prompt('first'), answer('Yes.'))]) {
      expect(await compact(state, {})).toMatchObject({ events: [], state, model: { requests: [] } });
    }
  });

  it('ends when the user stops it', async () => {
    expect(await compact(short, { signal: AbortSignal.abort() })).toMatchObject({ events: [], state: short });
  });

  it('fails when the preparation does', async () => {
    const prepareRequest: PrepareRequest = () => {
      throw new Error('lost');
    };
    await expect(compact(short, { prepareRequest })).rejects.toThrow('lost');
  });
});
