import { describe, expect, it } from 'vitest';
import { draftLock } from '../../../../mock-llm-server/drift/lock.ts';
import { createReplay, type Replay } from '../../../../mock-llm-server/record/replay.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import type { ObservedPrompt } from '../../../../mock-llm-server/scenario/lock/prompt-lock.ts';
import type { NamedScenarioFile } from '../../../../mock-llm-server/scenario/prepare.ts';

const content = parseScenarioFile(
  JSON.stringify({
    scenarios: [
      {
        name: 'work',
        trigger: 'go',
        steps: [
          { response: { tool_calls: [{ id: 'a', name: 'read' }] } },
          { response: { tool_calls: [{ id: 'b', name: 'read' }] } },
          { response: { content: 'Done.' } },
        ],
      },
    ],
  }),
  'scenario.json',
);

/** The prompts of the run, with the tool results `one` and `two`. */
const prompts: readonly ObservedPrompt[] = [0, 1, 2].map((step) => ({
  scenario: 'work',
  step,
  parts: [
    { kind: 'system', name: 'system', text: 'Be brief.' },
    { kind: 'user', name: 'user 1', text: 'go' },
    ...['one', 'two'].slice(0, step).map((text, index) => {
      return { kind: 'tool_result', name: `tool result ${index + 1}`, text } as const;
    }),
  ],
}));
const { text } = draftLock([prompts], { agent: 'any', volatile: [] });
const story: NamedScenarioFile = { file: 'scenario.json', content, lock: JSON.parse(text) };

interface Ask {
  readonly system?: string;
  readonly results?: readonly string[];
  readonly prompt?: string;
  readonly more?: object;
  readonly path?: string;
  readonly number?: number;
}

/** The one that answers a request of Chat Completions with these results: the status of the story, or `model`. */
async function ask(
  replay: Replay,
  {
    system = 'Be brief.',
    results = [],
    prompt = 'go',
    more = {},
    path = '/openai/v1/chat/completions',
    number = 1,
  }: Ask,
) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
    ...results.flatMap((result, index) => {
      const id = index === 0 ? 'a' : 'b';
      const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } };
      return [
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: id, content: result },
      ];
    }),
  ];
  const body = JSON.stringify({ model: 'm', messages, ...more });
  return (await replay.answer({ number, path, query: {}, headers: {}, body }))?.status ?? 'model';
}

describe('createReplay', () => {
  it('answers the steps before the first drift, and none after it', async () => {
    const replay = createReplay(story);
    expect(await ask(replay, {})).toBe(200);
    expect(await ask(replay, { results: ['one'], number: 2 })).toBe(200);
    expect(replay.live()).toBeUndefined();
    expect(await ask(replay, { results: ['one', 'other'], number: 3 })).toBe('model');
    expect(replay.live()).toEqual({
      at: { scenario: 'work', step: 2 },
      drift: [expect.objectContaining({ part: 'tool result 2' })],
      number: 3,
    });
    expect(await ask(replay, { number: 4 })).toBe('model');
    expect([...replay.places].map(([number, { step }]) => [number, step])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 0],
    ]);
  });

  it('answers the whole run if nothing drifts', async () => {
    const replay = createReplay(story);
    for (const results of [[], ['one'], ['one', 'two']]) expect(await ask(replay, { results })).toBe(200);
    expect(replay.live()).toBeUndefined();
  });

  it('does not take another sampling for drift', async () => {
    expect(await ask(createReplay(story), { more: { temperature: 1 } })).toBe(200);
  });

  it('leaves a request that the story does not answer to the model', async () => {
    const replay = createReplay(story);
    expect(await ask(replay, { prompt: 'something else' })).toBe('model');
    expect(replay.live()).toEqual({ at: undefined, drift: [], number: 1 });
  });

  it('answers a request for a summary without ending', async () => {
    const replay = createReplay(story);
    const prompt = 'Your task is to create a detailed summary of the conversation so far.';
    expect(await ask(replay, { prompt })).toBe(200);
    expect(await ask(replay, {})).toBe(200);
  });

  it('with a step, leaves this answer to the model, whatever drifts', async () => {
    const replay = createReplay(story, 1);
    expect(await ask(replay, { system: 'Edited.' })).toBe(200);
    expect(await ask(replay, { system: 'Edited.' })).toBe(200);
    expect(await ask(replay, { system: 'Edited.', results: ['one'] })).toBe('model');
    expect(replay.live()?.at).toEqual({ scenario: 'work', step: 1 });
  });

  it.each(['/v1/chat/completions', '/compatible-mode/v1/chat/completions'])(
    'knows the protocol of %s',
    async (path) => {
      expect(await ask(createReplay(story), { path })).toBe(200);
    },
  );
});
