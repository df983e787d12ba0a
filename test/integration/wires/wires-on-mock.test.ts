import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../mock-llm-server/scenario/format/faults/fault-format.ts';
import type { MockScenario } from '../../../mock-llm-server/testing.ts';
import { runAgent } from '../../../src/agent/agent-loop.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { ModelErrorCode } from '../../../src/agent/ports/language-model.ts';
import { sendWholeHistory } from '../../../src/agent/run-input.ts';
import { EMPTY_SESSION } from '../../../src/agent/session-state.ts';
import { computeDigest, systemClock } from '../../../src/node/system.ts';
import { listModels } from '../../../src/providers/list-models.ts';
import { rulesFor } from '../../../src/providers/service/services.ts';
import { loadWire, WIRE_NAMES, WIRES, type Wire } from '../../../src/providers/wires.ts';
import { allowAll } from '../../support/agent/agent-harness.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';
import { serveScenarios } from '../../support/wires/serve-scenarios.ts';

const PICTURE = { mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

const FAULTS: readonly (readonly [trigger: string, fault: Fault, ModelErrorCode])[] = [
  ['be overloaded', { status: 503 }, 'overloaded'],
  ['break off with an error', { status: 503, at: 'middle' }, 'overloaded'],
  ['limit me', { status: 429 }, 'rate_limit'],
  ['refuse my key', { status: 401 }, 'auth'],
  ['end early', { cut: true, at: 'middle' }, 'cut_off'],
  ['reset the connection', { reset: true, at: 'middle' }, 'network'],
  ['overflow', { status: 400, message: 'prompt is too long: 9 tokens > 8 maximum' }, 'context_overflow'],
];

const SCENARIOS: readonly MockScenario[] = [
  {
    name: 'look',
    trigger: 'look at both',
    steps: [
      {
        response: {
          reasoning: 'Two files. I read both.',
          content: 'Reading.',
          tool_calls: [
            { name: 'read_file', arguments: { label: 'a.png' } },
            { name: 'read_file', arguments: { label: 'ü "b"' } },
          ],
        },
      },
      { response: { reasoning: 'And a third.', tool_calls: [{ name: 'read_file', arguments: { label: 'c' } }] } },
      { response: { content: 'They are equal.' } },
    ],
  },
  ...FAULTS.map(([trigger, fault]) => ({
    name: trigger,
    trigger,
    steps: [{ response: { content: 'A long answer that breaks.' }, fault }],
  })),
];

const MODELS: Readonly<Record<Wire, string>> = {
  'openai-chat': 'mock-model',
  'openai-responses': 'gpt-5.4',
  'anthropic-messages': 'claude-sonnet-5',
  gemini: 'gemini-3-pro',
  'ollama-chat': 'qwen3:14b',
};

const served = serveScenarios(SCENARIOS);

describe.each(WIRE_NAMES)('the wire %s before the mock server', (wire) => {
  const options = () => ({
    provider: 'mock',
    label: 'The mock',
    endpoint: `${served.url}${WIRES[wire].basePath}`,
    model: MODELS[wire],
    maxTokens: 4096,
    form: () => ({ rules: rulesFor(wire, served.url, MODELS[wire]), maxTokens: 4096 }),
    reasoningEffort: 'low' as const,
    timeoutMs: 10_000,
    clock: systemClock,
    digest: computeDigest,
  });

  async function run(prompt: string) {
    const model = (await loadWire(wire))(options());
    const tools = scriptedTools({
      read_file: {
        async *run() {
          return { ...result('pixels'), images: [PICTURE] };
        },
      },
    });
    const settings = {
      system: 'Be brief.',
      maxIterations: 5,
      dryRun: false,
      decide: allowAll,
      prepareRequest: sendWholeHistory,
      session: { sessionId: 's', model: 'm', workspace: '/w', permissionMode: 'ask' },
    };
    const session = { state: EMPTY_SESSION };
    const approver = { decide: () => Promise.reject(new Error('no question was expected')) };
    const input = { prompt, session, signal: new AbortController().signal };
    const events: AgentEvent[] = [];
    const ports = { model, tools, approver, clock: systemClock, digest: computeDigest };
    for await (const event of runAgent(input, ports, settings)) events.push(event);
    return { events, ran: tools.ran, messages: session.state.messages };
  }

  it('plays a scenario with reasoning, parallel calls and pictures to its end', async () => {
    const { events, ran, messages } = await run('Please look at both files.');
    expect(served.answers()).toEqual(['200 look step 0', '200 look step 1', '200 look step 2']);
    expect(ran).toEqual(['a.png', 'ü "b"', 'c']);
    expect(messages[1]).toMatchObject({ content: 'Reading.', reasoning: 'Two files. I read both.' });
    expect(messages.at(-1)).toMatchObject({ content: 'They are equal.' });
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
    expect(events.find(({ type }) => type === 'usage')).toMatchObject({ inputTokens: expect.any(Number) });
  });

  it.each(FAULTS)('reports the fault of "%s"', async (trigger, _fault, code) => {
    const { events } = await run(`Please ${trigger}.`);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed', error: { code } });
  });

  it('lists the models of the server', async () => {
    const models = await listModels(wire, options(), new AbortController().signal);
    expect(models.map(({ name }) => typeof name)).toContain('string');
  });
});
