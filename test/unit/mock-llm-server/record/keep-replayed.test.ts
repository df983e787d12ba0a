import { describe, expect, it } from 'vitest';
import { generateCallId } from '../../../../mock-llm-server/conversation/ids.ts';
import { createContinuations, readExchange } from '../../../../mock-llm-server/record/exchange.ts';
import { createRedaction } from '../../../../mock-llm-server/record/redaction.ts';
import type { BuiltScenarios } from '../../../../mock-llm-server/record/scenarios/build-scenarios.ts';
import { buildFromReplay, keepReplayed } from '../../../../mock-llm-server/record/scenarios/keep-replayed.ts';
import type { ScenarioFile } from '../../../../mock-llm-server/scenario/format.ts';
import { parseScenarioFile } from '../../../../mock-llm-server/scenario/loading/parse.ts';
import { gemini } from '../../../../mock-llm-server/wire/gemini/gemini.ts';

type Steps = readonly string[];

/** A scenario whose steps call a tool for each text but the last. */
function scenario(name: string, steps: Steps, trigger: unknown = name): object {
  return {
    name,
    trigger,
    steps: steps.map((text, index) => {
      const call = { id: `${text}-id`, name: 'tool' };
      return { response: { content: text, ...(index < steps.length - 1 && { tool_calls: [call] }) } };
    }),
  };
}

function scenariosOf(...scenarios: readonly object[]): ScenarioFile['scenarios'] {
  return parseScenarioFile(JSON.stringify({ scenarios }), 'scenario.json').scenarios;
}

/** The story `old` has three steps; the recorded scenario `new` repeats them from the request `firstLive` on. */
function keep(
  firstLive: number,
  old = scenario('old', ['a', 'b', 'c'], { regex: 'go' }),
  others: readonly object[] = [],
) {
  const built: BuiltScenarios = {
    scenarios: scenariosOf(scenario('new', ['A', 'B', 'C'], 'go')),
    places: new Map([1, 2, 3].map((number) => [number, { scenario: 'new', step: number - 1 }])),
    notes: [],
  };
  const places = new Map([1, 2, 3].map((number) => [number, { scenario: 'old', step: number - 1 }]));
  return keepReplayed(built, [], { scenarios: scenariosOf(old, ...others), places, firstLive });
}

const textsOf = ({ scenarios }: BuiltScenarios) =>
  scenarios.map(({ name, steps }) => [
    name,
    ...steps.map((step) => ('response' in step ? step.response.content : undefined)),
  ]);

describe('keepReplayed', () => {
  it.each([
    [1, ['old', 'A', 'B', 'C']],
    [2, ['old', 'a', 'B', 'C']],
    [3, ['old', 'a', 'b', 'C']],
    [4, ['old', 'a', 'b', 'c']],
  ])('keeps the steps before request %i', (firstLive, expected) => {
    const kept = keep(firstLive);
    expect(textsOf(kept)).toEqual([expected]);
    expect(kept.scenarios[0]?.trigger).toEqual({ regex: 'go' });
    expect(kept.places.get(3)).toEqual({ scenario: 'old', step: 2 });
  });

  it('keeps the other scenarios of the story in their order', () => {
    const others = [scenario('later', ['x'])];
    expect(textsOf(keep(2, undefined, others)).map(([name]) => name)).toEqual(['old', 'later']);
  });

  it('adds a scenario that the story does not have, under a free name', () => {
    const built: BuiltScenarios = {
      scenarios: scenariosOf(scenario('old', ['A'], 'new prompt')),
      places: new Map([[1, { scenario: 'old', step: 0 }]]),
      notes: [],
    };
    const kept = keepReplayed(built, [], {
      scenarios: scenariosOf(scenario('old', ['a'])),
      places: new Map(),
      firstLive: 1,
    });
    expect(textsOf(kept)).toEqual([
      ['old', 'a'],
      ['old-2', 'A'],
    ]);
    expect(kept.places.get(1)).toEqual({ scenario: 'old-2', step: 0 });
  });
});

describe('buildFromReplay', () => {
  it.each([
    ['generateContent', (text: string) => text],
    ['streamGenerateContent', (text: string) => `data: ${text}\r\n\r\n`],
  ])('writes holes for ids with positions of another server, with %s', async (method, encode) => {
    const id = generateCallId('call_', 'of the upstream', { step: 0, call: 0 }, 'abcdef');
    const call = { functionCall: { id, name: 'tool', args: { ids: ['other', 1] } }, thoughtSignature: 'c2lnbmVk' };
    const candidates = [{ content: { role: 'model', parts: [call] }, finishReason: 'STOP', index: 0 }];
    const request = {
      method: 'POST',
      path: `/v1beta/models/m:${method}`,
      query: { alt: 'sse' },
      headers: {},
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'go' }] }] }),
    };
    const contentType = method === 'generateContent' ? 'application/json' : 'text/event-stream';
    const { exchange } = readExchange(
      {
        ...{ number: 1, wire: gemini, request, end: 'complete' },
        head: { status: 200, headers: new Headers({ 'content-type': contentType }), ms: 1 },
        body: encode(JSON.stringify({ candidates, modelVersion: 'm', aFieldOfItsOwn: true })),
      },
      createContinuations(),
      createRedaction(),
    );
    if (exchange === undefined) throw new Error('the exchange was not read');
    const { scenarios } = buildFromReplay([exchange], { scenarios: [], places: new Map(), firstLive: 1 });
    const written = JSON.stringify(scenarios[0]?.steps[0]);
    expect(written).toContain('"id":"{{call_id 1}}"');
    expect(written).not.toContain(id);
  });
});
