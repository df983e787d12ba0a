import { mockLlmFetch } from '../../mock-llm-server/testing.ts';
import { nodeStoryDisk } from '../../src/adapters/files/node-story-disk.ts';
import { systemClock } from '../../src/adapters/system.ts';
import { type AgentOptions, openAgent } from '../../src/open-agent.ts';
import type { AgentEvent } from '../../src/ports/events.ts';
import { loadWire, WIRES, type Wire } from '../../src/providers/wires.ts';
import { type PlayableStory, playStory, type StoryResult } from '../../src/stories/play-story.ts';
import { createYbsPlayer } from '../../src/stories/play-with-ybs.ts';
import { prefixProblems, type SentRequest } from './byte-prefix.ts';

/** A played story: its result, its events, and the requests that did not continue the one before them. */
export interface StoryOverWire {
  readonly result: StoryResult;
  readonly events: readonly AgentEvent[];
  readonly prefixProblems: readonly string[];
}

/** Plays a story with ybs over a wire, against the mock model in this process. */
export async function playOverWire(
  playable: PlayableStory,
  wire: Wire,
  config: NonNullable<AgentOptions['config']> = {},
): Promise<StoryOverWire> {
  const { source, story } = playable;
  const mock = mockLlmFetch({ scenarios: [source.content] });
  const requests: SentRequest[] = [];
  const restarts = new Set<number>();
  const events: AgentEvent[] = [];
  const module = await loadWire(wire);
  const model = module.createModel({
    provider: 'mock',
    endpoint: `http://mock.invalid${WIRES[wire].basePath}`,
    label: 'mock',
    model: 'mock-model',
    maxTokens: 4_096,
    maxContextTokens: config.context?.max_tokens ?? 32_000,
    timeoutMs: 10_000,
    clock: systemClock,
    async fetch(input, init) {
      const request = readRequest(await new Request(input, { ...init, signal: null }).text());
      // Requests for summaries have no tools.
      if (request?.tools !== undefined) requests.push(request);
      return mock(input, init);
    },
  });
  const player = createYbsPlayer(async (_playable, workspace, approver) => {
    const safety = { ...config.safety, permission_mode: story.permission_mode ?? 'ask' };
    const agent = await openAgent({ workspace, approver, model, config: { ...config, safety } });
    const run: typeof agent.run = async function* (prompt, signal) {
      for await (const event of agent.run(prompt, signal)) {
        events.push(event);
        if (event.type === 'compaction') restarts.add(requests.length);
        yield event;
      }
    };
    return { agent: { ...agent, run }, close: agent.close, requests: () => mock.requests };
  });
  const ports = { disk: nodeStoryDisk, player, now: systemClock.now };
  const result = await playStory(playable, ports, new AbortController().signal);
  return { result, events, prefixProblems: prefixProblems(requests, restarts) };
}

/** The system text, the tools and the messages of a request on any wire; `undefined` for a request without messages. */
function readRequest(body: string): SentRequest | undefined {
  if (body === '') return undefined;
  const request: Readonly<Record<string, unknown>> = JSON.parse(body);
  const system = request['system'] ?? request['instructions'] ?? request['systemInstruction'];
  const messages = request['messages'] ?? request['input'] ?? request['contents'];
  return Array.isArray(messages) ? { system, tools: request['tools'], messages } : undefined;
}
