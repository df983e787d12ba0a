import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Story } from '../../../mock-llm-server/scenario/format.ts';
import { mockLlmFetch } from '../../../mock-llm-server/testing.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { nodeStoryDisk } from '../../../src/node/files/node-story-disk.ts';
import { systemClock } from '../../../src/node/system.ts';
import { type AgentOptions, openAgent } from '../../../src/open-agent.ts';
import { chooseModel } from '../../../src/providers/target/choose-model.ts';
import type { Wire } from '../../../src/providers/wires.ts';
import { type PlayableStory, playStory, type StoryResult } from '../../../src/stories/play/play-story.ts';
import { createYbsPlayer } from '../../../src/stories/play/play-with-ybs.ts';
import { prefixProblems, type SentRequest } from '../agent/byte-prefix.ts';
import { pathWithQuickNpm } from '../processes/quick-npm.ts';
import { temporaryDirectory } from '../processes/temporary-directory.ts';

/** A played story: its result, its events, and the requests that did not continue the previous one. */
export interface StoryOverWire {
  readonly result: StoryResult;
  readonly events: readonly AgentEvent[];
  readonly prefixProblems: readonly string[];
  /** Answers that came back in another form. */
  readonly history: readonly string[];
}

/** Plays a story with ybs over a wire, against the mock model in this process. Retries hardly wait. */
export async function playOverWire(
  playable: PlayableStory,
  wire: Wire,
  config: NonNullable<AgentOptions['config']> = {},
): Promise<StoryOverWire> {
  const { source, story } = playable;
  const mock = mockLlmFetch({ scenarios: [source.content] });
  const requests: SentRequest[] = [];
  const restarts = new Set<number>();
  const newBeginnings = beginningsOf(story);
  const events: AgentEvent[] = [];
  const chosen = chooseModel(
    {
      llm: {
        ...{ provider: 'mock', api_kind: wire, endpoint: 'http://127.0.0.1:1', max_tokens: 4_096, timeout_seconds: 60 },
        tool_protocol: story.tool_protocol,
        // Ollama keeps the window that a model is loaded with, and the mock names only its usual one as loaded.
        ...(wire === 'ollama-chat' && { model: 'mock-model:32k' }),
      },
      agent: { retry_attempts: 3, retry_backoff_base_ms: 1 },
      context: { max_tokens: config.context?.max_tokens ?? 32_000 },
    },
    {},
    {
      clock: systemClock,
      random: () => 0.5,
      openFetch: async () => async (input, init) => {
        const request = readRequest(await new Request(input, { ...init, signal: null }).text());
        // Requests for summaries have no tools.
        if (request?.tools !== undefined) requests.push(request);
        return mock(input, init);
      },
    },
  );
  if (chosen.type === 'refused') throw new Error(chosen.message);
  const model = await chosen.open();
  const player = createYbsPlayer(async (_playable, workspace, approver) => {
    const permission_mode = story.permission_mode ?? 'ask';
    const safety = { ...config.safety, permission_mode, sandbox_enabled: story.sandbox === 'required' };
    const stored = playable.session === undefined ? undefined : storeSession(playable.session);
    const session = stored === undefined ? config.session : { auto_save: true, storage_path: stored };
    const agent = await openAgent({
      workspace,
      approver,
      model,
      trusted: story.trust ?? true,
      adapters: { environment: { ...process.env, PATH: pathWithQuickNpm() } },
      config: { ...config, safety, session },
    });
    if (stored !== undefined) await agent.load('session');
    const onEvent = (event: AgentEvent): void => {
      events.push(event);
      const isNewRun = event.type === 'turn_start' && event.turn === 1;
      const isOtherForm = event.type === 'compaction' || (event.type === 'retry' && event.code === 'bad_request');
      if (isOtherForm || (isNewRun && newBeginnings.shift() === true)) restarts.add(requests.length);
    };
    return { agent, close: agent.close, requests: () => mock.requests, onEvent };
  });
  const runCheck = async () => {
    throw new Error('the stories that are played here have no checks');
  };
  const ports = { disk: nodeStoryDisk, player, runCheck, now: systemClock.now };
  const result = await playStory(playable, ports, new AbortController().signal);
  const history = mock.requests.flatMap((request) => request.history ?? []);
  return { result, events, prefixProblems: prefixProblems(requests, restarts), history };
}

/** For each run of a story, whether its user goes back in the conversation or changes the agent before it. */
function beginningsOf({ prompts }: Story): boolean[] {
  const runs: boolean[] = [];
  let isNew = false;
  for (const prompt of prompts) {
    isNew ||= /^\/(?:rewind|agent) |@agent:/u.test(prompt);
    if (prompt.startsWith('/')) continue;
    runs.push(isNew);
    isNew = false;
  }
  return runs;
}

/** A directory of sessions with a copy of this log. */
function storeSession(log: string): string {
  const directory = temporaryDirectory();
  copyFileSync(log, path.join(directory, 'session.jsonl'));
  return directory;
}

/** The system text, the tools and the messages of a request on any wire; `undefined` for a request without messages. */
function readRequest(body: string): SentRequest | undefined {
  if (body === '') return undefined;
  const request: Readonly<Record<string, unknown>> = JSON.parse(body);
  const system = request['system'] ?? request['instructions'] ?? request['systemInstruction'];
  const messages = request['messages'] ?? request['input'] ?? request['contents'];
  return Array.isArray(messages)
    ? { system, tools: request['tools'], messages: messages.flatMap(blocksOf) }
    : undefined;
}

/**
 * The blocks of a message, each with its role: a text after another one of the user joins its message, whose own text
 * then has the form of a block.
 */
function blocksOf(message: unknown): readonly unknown[] {
  if (typeof message !== 'object' || message === null || !('content' in message)) return [message];
  const { content, ...rest } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => ({
    ...rest,
    content: typeof block === 'string' ? { type: 'text', text: block } : named(block),
  }));
}

/** A block of the Responses API under the name that the other wires have for its type. */
function named(block: unknown): unknown {
  const isText = typeof block === 'object' && block !== null && 'type' in block && block.type === 'input_text';
  return isText ? { ...block, type: 'text' } : block;
}
