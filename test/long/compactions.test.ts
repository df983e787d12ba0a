import { describe, expect, it } from 'vitest';
import { runAgent } from '../../src/agent/agent-loop.ts';
import { fitIntoWindow } from '../../src/agent/context/fit-into-window.ts';
import { ModelError } from '../../src/agent/errors.ts';
import type { AgentEvent } from '../../src/agent/ports/events.ts';
import type { LanguageModel, ModelRequest } from '../../src/agent/ports/language-model.ts';
import type { Message } from '../../src/agent/ports/messages.ts';
import { repairHistory } from '../../src/agent/repair-history.ts';
import type { AgentSettings } from '../../src/agent/run-input.ts';
import { applyEvent, EMPTY_SESSION, type SessionState } from '../../src/agent/session-state.ts';
import { type Agent, startAgent } from '../../src/app/session.ts';
import { computeDigest } from '../../src/node/system.ts';
import { createRedactor } from '../../src/policy/redaction/redact.ts';
import { TOOL_NAMES } from '../../src/tools/tools.ts';
import { allowAll } from '../support/agent/agent-harness.ts';
import { prefixProblems } from '../support/agent/byte-prefix.ts';
import { configOf } from '../support/agent/config-of.ts';
import { PROMPT_SETTINGS } from '../support/agent/prompt-settings.ts';
import { createTestStore } from '../support/agent/session-store.ts';
import { NO_EXTENSIONS } from '../support/fakes/fake-agent.ts';
import { createFakeSessionFiles } from '../support/fakes/fake-session-files.ts';
import { createInProcessTextSearch } from '../support/fakes/in-process-text-search.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { createMemoryFileSystem } from '../support/fakes/memory-file-system.ts';
import { SCRIPTED } from '../support/fakes/scripted-model.ts';
import { createScriptedShell } from '../support/fakes/scripted-shell.ts';
import { result, scriptedTools } from '../support/fakes/scripted-tools.ts';
import { randomNumbers } from '../support/kills/story-kills.ts';

const RUNS = 30;
const TURNS_PER_RUN = 10;
const SYSTEM = 'You are under test.';

/** A model that calls tools in every turn but the last of a run, and counts tokens as real ones do. */
function createModel(window: number, tokensPerCharacter: number, names: readonly string[] = [SCRIPTED.model]) {
  const random = randomNumbers(7);
  const requests: ModelRequest[] = [];
  const refused = new Set<number>();
  let turn = 0;
  let summaries = 0;
  const modelOf = (name: string): LanguageModel => ({
    identity: { ...SCRIPTED, model: name },
    async *stream(request) {
      const inputTokens = Math.ceil(JSON.stringify(request).length * tokensPerCharacter);
      if (request.tools.length === 0) {
        summaries += 1;
        if (summaries % 3 === 0) throw new ModelError('overloaded', 'Try later.');
        yield { type: 'text_delta', text: `Summary ${summaries}. ${'It went on. '.repeat(20)}` };
        yield { type: 'usage', inputTokens, outputTokens: 100 };
        return yield { type: 'finish', reason: 'stop' };
      }
      requests.push(request);
      if (inputTokens > window) {
        refused.add(requests.length - 1);
        throw new ModelError('context_overflow', `${inputTokens} tokens are too many.`);
      }
      turn += 1;
      yield { type: 'text_delta', text: `Turn ${turn}. ${'Hm. '.repeat(random.next().value * 50)}` };
      if (turn % TURNS_PER_RUN > 0) {
        const calls = 1 + Math.floor(random.next().value * 3);
        for (let index = 0; index < calls; index += 1) {
          const args = JSON.stringify({
            length: Math.floor(random.next().value ** 3 * 20_000),
            text: 'y'.repeat(random.next().value * 500),
          });
          yield { type: 'tool_call_delta', index, id: `c${turn}.${index}`, name: 'read', arguments: args };
        }
      }
      yield { type: 'usage', inputTokens, outputTokens: 100 };
      yield { type: 'finish', reason: turn % TURNS_PER_RUN > 0 ? 'tool_calls' : 'stop' };
    },
  });
  return { models: names.map(modelOf), requests, refused };
}

/** A tool whose result has the length that the call asks for. */
const READ = scriptedTools({
  read: {
    async *run(args: unknown) {
      const length = typeof args === 'object' && args !== null && 'length' in args ? Number(args.length) : 0;
      return result('z'.repeat(length));
    },
  },
});

/** The requests of a session, and its messages without any compaction. */
interface Played {
  readonly requests: readonly ModelRequest[];
  /** The state after all events but compactions. */
  readonly whole: SessionState;
  /** The text of a file of the session. */
  saved(file: string): string | undefined;
}

async function playSession(window: number, tokensPerCharacter: number) {
  const {
    models: [model],
    requests,
    refused,
  } = createModel(window, tokensPerCharacter);
  if (model === undefined) throw new Error('there is no model');
  const files = createFakeSessionFiles();
  const settings: AgentSettings = {
    system: SYSTEM,
    maxIterations: 25,
    dryRun: false,
    decide: allowAll,
    prepareRequest: fitIntoWindow({ maxTokens: window, threshold: 0.95, maxAnswerTokens: 1_000, files }),
    session: { sessionId: 's', model: 'm', workspace: '/w', permissionMode: 'ask' },
  };
  const ports = {
    model,
    tools: READ,
    approver: { decide: () => Promise.reject(new Error('asked')) },
    clock: createManualClock(),
    digest: computeDigest,
  };
  const session = { state: EMPTY_SESSION };
  const events: AgentEvent[] = [];
  /** The state after each event, without any compaction. */
  let whole = EMPTY_SESSION;
  const restarts = new Set<number>();
  const { signal } = new AbortController();
  for (let run = 1; run <= RUNS; run += 1) {
    for await (const event of runAgent({ prompt: `Prompt ${run}.`, session, signal }, ports, settings)) {
      events.push(event);
      if (event.type === 'compaction') restarts.add(requests.length);
      else whole = applyEvent(whole, event);
    }
  }
  const saved = (file: string): string | undefined => files.saved.get(file);
  return { events, requests, refused, restarts, saved, whole, state: session.state };
}

/** The run after which the session goes on with the other model, or in another process. */
const SWITCH_EVERY = 4;
const RESUME_EVERY = 3;

/** Plays a session of the agent that changes its model, and whose process ends and is followed by another one. */
async function playSwitches(window: number, tokensPerCharacter: number) {
  const { models, requests, refused } = createModel(window, tokensPerCharacter, ['first', 'second']);
  const { fileSystem, volume } = createMemoryFileSystem({ '/w/a.txt': 'a' });
  const clock = createManualClock();
  const tool = READ.find('read');
  if (tool === undefined) throw new Error('there is no tool');
  const events: AgentEvent[] = [];
  const restarts = new Set<number>();
  const resumed: (readonly [state: unknown, before: unknown])[] = [];
  let model = 0;
  let whole = EMPTY_SESSION;
  let state = EMPTY_SESSION;

  const open = async (name: string | undefined): Promise<Agent> => {
    const sessions = createTestStore(fileSystem, { clock });
    const record = await (name === undefined ? sessions.create() : sessions.open(name));
    const current = models[model % models.length];
    if (current === undefined) throw new Error('there is no model');
    return startAgent(
      {
        modelName: current.identity.model,
        permissionMode: 'full-access',
        dryRun: false,
        maxIterations: 25,
        maxToolOutputChars: 100_000,
        context: { maxTokens: window, threshold: 0.95, maxAnswerTokens: 1_000 },
        allowedCommands: [],
        allowedPaths: [],
        blockedPaths: [],
        blockedCommands: [],
        disabledTools: TOOL_NAMES,
        offersTools: true,
        toolSeconds: {},
        permissionLevels: {},
        confirmedTools: [],
        prompt: PROMPT_SETTINGS,
        systemPrompt: SYSTEM,
        tools: [tool],
      },
      {
        model: current,
        loadExtensions: async () => NO_EXTENSIONS,
        approver: { decide: () => Promise.reject(new Error('asked')) },
        fileSystem,
        shell: createScriptedShell(clock),
        textSearch: createInProcessTextSearch(),
        clock,
        digest: computeDigest,
        platform: 'posix',
        redactor: createRedactor([]),
        shellName: 'bash',
        environment: {},
        workspace: '/w',
        home: '/home',
        ownDirectories: ['/sessions'],
        sessions,
        record,
        effort: undefined,
        configuration: { config: configOf(), origins: new Map() },
        openModel: () => Promise.reject(new Error('opened again')),
      },
    );
  };

  let agent = await open(undefined);
  const { signal } = new AbortController();
  for (let run = 1; run <= RUNS; run += 1) {
    for await (const event of agent.run(`Prompt ${run}.`, signal)) {
      events.push(event);
      state = applyEvent(state, event);
      if (event.type === 'compaction') restarts.add(requests.length);
      else whole = applyEvent(whole, event);
    }
    if (run % SWITCH_EVERY === 0) {
      model += 1;
      const next = models[model % models.length];
      if (next !== undefined) agent.useModel(next, next.identity.model);
    }
    if (run % RESUME_EVERY === 0) {
      const { name } = agent.record;
      await agent.close();
      agent = await open(name);
      resumed.push([agent.record.restored?.state, { ...state, started: false }]);
    }
  }
  await agent.close();
  const saved = (file: string): string | undefined =>
    volume.existsSync(file) ? String(volume.readFileSync(file, 'utf8')) : undefined;
  return { events, requests, refused, restarts, saved, whole, resumed };
}

/** Faults in the messages of one request: each must be one of the session, or stand for some of them. */
function faultsOf(
  messages: readonly Message[],
  { saved, whole }: Played,
  known: ReadonlySet<string>,
): readonly string[] {
  const faults: string[] = [];
  if (JSON.stringify(repairHistory(messages)) !== JSON.stringify(messages)) faults.push('the history needs repair');
  if (JSON.stringify(messages[0]) !== JSON.stringify(whole.messages[0]))
    faults.push('the first message is not the first prompt');
  for (const [index, message] of messages.entries()) {
    if (known.has(JSON.stringify(message))) continue;
    if (message.role === 'user' && message.summary === true && index === 1) continue;
    const original =
      message.role === 'tool'
        ? whole.messages.find((other) => other.role === 'tool' && other.toolCallId === message.toolCallId)?.content
        : undefined;
    const [, length, file = ''] =
      /^\[Output of (\d+) characters, moved to (.*) to save space\.\]$/.exec(message.content) ?? [];
    const text = length === undefined ? message.content : (saved(file) ?? '');
    const isWhole = text === original && text.length === Number(length);
    if (!isWhole && !isTruncated(text, original))
      faults.push(`message ${index} is new: ${message.content.slice(0, 80)}`);
  }
  return faults;
}

/** True for a text that was truncated in the middle. */
function isTruncated(text: string, original: string | undefined): boolean {
  const [start = '', end] = text.split(/\n\[… \d+ characters omitted …\]\n/);
  return end !== undefined && original?.startsWith(start) === true && original.endsWith(end);
}

describe('a session of 300 turns', () => {
  it.each([
    ['a model with few tokens per character', 16_000, 0.2],
    ['a model with many tokens per character', 16_000, 0.6],
    ['a small window', 4_000, 0.25],
    ['a large window', 100_000, 0.25],
  ])('continues to its end with %s, and every request is complete', async (_name, window, tokensPerCharacter) => {
    const played = await playSession(window, tokensPerCharacter);
    const { events, requests, refused, restarts, whole, state } = played;
    const ends = events.flatMap((event) => (event.type === 'run_end' ? [event.outcome] : []));
    expect(ends).toEqual(Array(RUNS).fill('done'));
    const turns = events.filter(({ type }) => type === 'turn_end');
    expect(turns).toHaveLength(RUNS * TURNS_PER_RUN);
    expect(requests.length - refused.size).toBe(turns.length);
    // A refused request is repeated in a shorter form, so a few are harmless: most must fit at once.
    expect(refused.size).toBeLessThanOrEqual(3);
    expect(restarts.size).toBeGreaterThanOrEqual(5);
    expect(prefixProblems(requests, restarts)).toEqual([]);
    const known = new Set(whole.messages.map((message) => JSON.stringify(message)));
    const faults = requests.flatMap(({ messages }, index) =>
      faultsOf(messages, played, known).map((fault) => `request ${index}: ${fault}`),
    );
    expect(faults).toEqual([]);
    // The events alone restore the session exactly.
    expect(events.reduce(applyEvent, EMPTY_SESSION)).toEqual(state);
  });

  it.each([
    ['a model with few tokens per character', 16_000, 0.2],
    ['a small window', 4_000, 0.25],
    ['a large window', 100_000, 0.25],
  ])('continues with other models and in other processes: %s', async (_name, window, tokensPerCharacter) => {
    const played = await playSwitches(window, tokensPerCharacter);
    const { events, requests, refused, restarts, whole, resumed } = played;
    expect(events.flatMap((event) => (event.type === 'run_end' ? [event.outcome] : []))).toEqual(
      Array(RUNS).fill('done'),
    );
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(RUNS * TURNS_PER_RUN);
    expect(refused.size).toBeLessThanOrEqual(5);
    expect(restarts.size).toBeGreaterThanOrEqual(5);
    // Neither a switch nor a resume changes a byte of what is sent again.
    expect(prefixProblems(requests, restarts)).toEqual([]);
    const known = new Set(whole.messages.map((message) => JSON.stringify(message)));
    const faults = requests.flatMap(({ messages }, index) =>
      faultsOf(messages, played, known).map((fault) => `request ${index}: ${fault}`),
    );
    expect(faults).toEqual([]);
    expect(resumed).toHaveLength(RUNS / RESUME_EVERY);
    for (const [state, before] of resumed) expect(state).toEqual(before);
    // The process after the last resume has no run.
    const answered = events.flatMap((event) => (event.type === 'turn_start' ? [event.model.model] : []));
    expect(new Set(answered)).toEqual(new Set(['first', 'second']));
    expect(events.filter(({ type }) => type === 'session_start')).toHaveLength(resumed.length);
  });
});
