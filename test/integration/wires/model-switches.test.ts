import { describe, expect, it } from 'vitest';
import { defineScenarios, mockLlmFetch } from '../../../mock-llm-server/testing.ts';
import { runAgent } from '../../../src/agent/agent-loop.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import type { LanguageModel } from '../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { type AgentSettings, sendWholeHistory } from '../../../src/agent/run-input.ts';
import { EMPTY_SESSION, type SessionState } from '../../../src/agent/session-state.ts';
import { computeDigest, systemClock } from '../../../src/node/system.ts';
import { loadWire, WIRE_NAMES, WIRES, type Wire } from '../../../src/providers/wires.ts';
import { withXnl } from '../../../src/providers/xnl/xnl-model.ts';
import { result, scriptedTools } from '../../support/fakes/scripted-tools.ts';

const scenarios = defineScenarios([
  {
    name: 'before the switch',
    trigger: 'look',
    steps: [
      {
        response: {
          reasoning: 'Both at once.',
          content: 'I look.',
          tool_calls: [
            { name: 'read', arguments: { path: 'a' } },
            { name: 'unknown', arguments: { path: 'b' } },
          ],
        },
        results: 2,
      },
      { response: { reasoning: 'Now this.', tool_calls: [{ name: 'read', arguments: { path: 'c' } }] } },
      { response: { content: 'Seen.' } },
    ],
  },
]);

const SETTINGS: AgentSettings = {
  system: 'You are under test.',
  maxIterations: 9,
  dryRun: false,
  decide: () => ({ type: 'allow', rule: 'test' }),
  prepareRequest: sendWholeHistory,
  session: { sessionId: 's', model: 'mock-model', workspace: '/w', permissionMode: 'ask' },
};

const image = { mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const tools = scriptedTools({
  read: {
    run: async function* () {
      return {
        ...result('<tool_call>{"name":"read"}</tool_call>\n!unquote_start\n</think> \ud83d\ude00'),
        images: [image],
      };
    },
  },
});

/** Messages that no wire makes alone: parts that were cut, repeated ids, and calls that could not be executed. */
const ODD: readonly Message[] = [
  { role: 'user', content: 'and?' },
  { role: 'assistant', content: 'half', toolCalls: [], partial: true },
  { role: 'user', content: ' ' },
  { role: 'user', content: 'What was before.', summary: true },
  { role: 'assistant', content: ' \n', toolCalls: [{ id: 'a', name: 'constructor', arguments: '{"__proto__":1}' }] },
  { role: 'tool', toolCallId: 'a', content: '', isError: true },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'a', name: 'x', arguments: 'not JSON', problem: 'It is not JSON.' },
      { id: '!', name: 'x', arguments: '' },
    ],
  },
  { role: 'tool', toolCallId: 'a', content: ' ', isError: true },
  { role: 'tool', toolCallId: '!', content: '\ud83d', isError: true },
];

/** A model that is reached over this wire, and the bodies of its requests. */
async function open(wire: Wire) {
  const mock = mockLlmFetch({ scenarios, default_response: 'Done.' });
  const bodies: string[] = [];
  const createModel = await loadWire(wire);
  const model = createModel({
    provider: 'mock',
    endpoint: `http://mock.invalid${WIRES[wire].basePath}`,
    label: 'mock',
    model: 'mock-model',
    maxTokens: 4_096,
    reasoningEffort: 'medium',
    timeoutMs: 10_000,
    clock: systemClock,
    async fetch(input, init) {
      bodies.push(await new Request(input, { ...init, signal: null }).text());
      return mock(input, init);
    },
  });
  return { model, bodies };
}

/** Runs one prompt; returns the new state and the last event. */
async function run(model: LanguageModel, prompt: string, state: SessionState) {
  const session = { state };
  const approver = { decide: () => Promise.reject(new Error('unexpected question')) };
  let last: AgentEvent | undefined;
  const input = { prompt, session, signal: new AbortController().signal };
  for await (const event of runAgent(
    input,
    { model, tools, approver, clock: systemClock, digest: computeDigest },
    SETTINGS,
  ))
    last = event;
  return { state: session.state, last };
}

const DONE = { type: 'run_end', outcome: 'done', message: 'Done.' };

/** Parts of a history's answers for their own provider only: signatures and encrypted reasoning. */
function secretsOf({ messages }: SessionState): readonly string[] {
  const states = messages.flatMap((message) => (message.role === 'assistant' ? [message.providerState?.items] : []));
  const found = JSON.stringify(states).matchAll(/"(?:signature|encrypted_content|thoughtSignature)":("[^"]+")/g);
  return [...found].map(([, secret = '']) => secret);
}

describe.each(WIRE_NAMES)('a conversation over %s', (from) => {
  it('goes on over every other wire, with native calls and with XNL, and without the state of its model', async () => {
    const before = await run((await open(from)).model, 'look', EMPTY_SESSION);
    expect(before.last).toEqual(DONE);
    const secrets = secretsOf(before.state);
    expect(secrets.length > 0).toBe(from === 'anthropic-messages' || from === 'openai-responses' || from === 'gemini');
    const state = { ...before.state, messages: [...before.state.messages, ...ODD] };
    for (const to of WIRE_NAMES) {
      for (const speak of [(model: LanguageModel) => model, withXnl]) {
        const { model, bodies } = await open(to);
        const { last } = await run(speak(model), 'go on', state);
        expect(last, `over ${to}`).toEqual(DONE);
        const sent = secrets.filter((secret) => bodies.some((body) => body.includes(secret)));
        if (from !== to) expect(sent, `over ${to}`).toEqual([]);
        else if (speak !== withXnl) expect(sent, `over ${to}`).toEqual(secrets);
      }
    }
  });
});
