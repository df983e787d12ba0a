import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadScenarioFiles, nodeScenarioFiles } from '../../../mock-llm-server/scenario/loading/load.ts';
import { type MockLlmFetch, mockLlmFetch } from '../../../mock-llm-server/testing.ts';
import type { AgentEvent } from '../../../src/agent/ports/events.ts';
import { startAgent } from '../../../src/app/session.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { storyListing } from '../../../src/node/files/story-listing.ts';
import { WorkerTextSearch } from '../../../src/node/search/worker-text-search.ts';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { chooseShellProgram } from '../../../src/node/shell/shell-program.ts';
import { computeDigest, systemClock } from '../../../src/node/system.ts';
import { createRedactor } from '../../../src/policy/redaction/redact.ts';
import { createOpenAiChat } from '../../../src/providers/openai-chat/openai-chat.ts';
import { listStoryPrompts } from '../../../src/stories/play/story-prompts.ts';
import { configOf } from '../../support/agent/config-of.ts';
import { PROMPT_SETTINGS } from '../../support/agent/prompt-settings.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { NO_EXTENSIONS } from '../../support/fakes/fake-agent.ts';

const PLAYGROUND = path.resolve('examples/playground');
const EMPTY = 'an empty directory';
const CONFIG = configOf();

/** The prompts of the stories that come with ybs, except the slow one. */
const PROMPTS = readdirSync('scenarios', { withFileTypes: true }).flatMap((entry) => {
  if (!entry.isDirectory() || entry.name === 'command-times-out') return [];
  const inStory = path.join('scenarios', entry.name, 'story.json');
  const file = existsSync(inStory) ? inStory : path.join('scenarios', entry.name, 'scenario.json');
  const content: { prompts?: string[]; story?: { prompts: string[] } } = JSON.parse(readFileSync(file, 'utf8'));
  return (content.prompts ?? content.story?.prompts ?? []).slice(0, 1);
});

/** A run: the outcomes of its calls, its last text, and the number of questions to the user. */
interface Played {
  readonly outcomes: readonly string[];
  readonly said: string | undefined;
  readonly asked: number;
}

interface Answers {
  readonly dryRun?: boolean;
  /** The number of questions that the user allows before the first refusal. */
  readonly allowed: number;
}

/** The prompts of the stories about calls that fail. */
const ABOUT_FAILURES = [
  'write the release notes',
  'run the slow command',
  'raise the shipping price',
  'change the password file',
  'which version is this?',
];

const notYaml = () => Promise.reject(new Error('no story here is YAML'));

describe('the bundled demos', () => {
  let mock: MockLlmFetch;
  let commands: string;
  let files: Awaited<ReturnType<typeof loadScenarioFiles>>;
  const textSearch = new WorkerTextSearch();

  beforeAll(async () => {
    files = await loadScenarioFiles([path.resolve('scenarios')], nodeScenarioFiles);
    mock = mockLlmFetch({ scenarios: path.resolve('scenarios') });
    commands = await mkdtemp(path.join(os.tmpdir(), 'ybs-commands-'));
    // Runs the tests of the playground as npm does, in a fifth of its processor time.
    await writeFile(path.join(commands, 'npm'), '#!/bin/sh\nexec node --test --test-isolation=none\n', { mode: 0o755 });
  });

  afterAll(async () => {
    await Promise.all([textSearch.dispose(), rm(commands, { recursive: true })]);
  });

  /** Runs one prompt in a copy of the playground, or in an empty directory. */
  async function play(prompt: string, { allowed, dryRun = false }: Answers, source = PLAYGROUND): Promise<Played> {
    const workspace = await realpath(await mkdtemp(path.join(os.tmpdir(), 'ybs-test-')));
    onTestFinished(() => rm(workspace, { recursive: true }));
    if (source !== EMPTY) cpSync(source, workspace, { recursive: true });
    const program = chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync });
    let asked = 0;
    const sessions = createTestStore(createNodeFileSystem(), { autoSave: false, temporaryDirectory: os.tmpdir() });
    const agent = await startAgent(
      {
        modelName: 'mock',
        permissionMode: 'ask',
        dryRun,
        maxIterations: 25,
        maxToolOutputChars: 10_000,
        context: { maxTokens: 32_000, threshold: 0.95, maxAnswerTokens: 4_096 },
        allowedCommands: [],
        allowedPaths: ['.'],
        blockedPaths: ['~/.ssh'],
        blockedCommands: ['sudo'],
        offersTools: true,
        toolSeconds: {},
        permissionLevels: {},
        confirmedTools: [],
        disabledTools: [],
        prompt: PROMPT_SETTINGS,
      },
      {
        loadExtensions: async () => NO_EXTENSIONS,
        model: createOpenAiChat({
          provider: 'mock',
          endpoint: 'http://mock/v1',
          fetch: mock,
          label: 'mock',
          model: 'mock-model',
          maxTokens: 4096,
          timeoutMs: 60_000,
          clock: systemClock,
        }),
        effort: undefined,
        configuration: { config: CONFIG, origins: new Map() },
        openModel: () => Promise.reject(new Error('not opened again')),
        approver: {
          async decide() {
            asked += 1;
            return asked > allowed ? { type: 'deny' } : { type: 'once' };
          },
        },
        fileSystem: createNodeFileSystem(),
        shell: createNodeShell({ program }),
        textSearch,
        clock: systemClock,
        digest: computeDigest,
        platform: 'posix',
        redactor: createRedactor([]),
        shellName: program.name,
        environment: { PATH: `${commands}${path.delimiter}${process.env['PATH'] ?? ''}` },
        workspace,
        home: os.homedir(),
        ownDirectories: [],
        sessions,
        record: await sessions.create(),
      },
    );
    const events: AgentEvent[] = [];
    for await (const event of agent.run(prompt, new AbortController().signal)) events.push(event);
    const outcomes = events.flatMap((event) => (event.type === 'tool_result' ? [event.outcome] : []));
    const said = events.flatMap((event) => (event.type === 'assistant_message' ? [event.message.content] : [])).at(-1);
    return { outcomes, said, asked };
  }

  const finished = new Map<string, Promise<Played>>();

  /** The run of one prompt, which several tests need, when the user allows everything. */
  function playAllowed(prompt: string, source = PLAYGROUND): Promise<Played> {
    const key = `${source}\n${prompt}`;
    const run = finished.get(key) ?? play(prompt, { allowed: Number.POSITIVE_INFINITY }, source);
    finished.set(key, run);
    return run;
  }

  /** The last text of the story with this prompt; the stories about denials say what is true after one. */
  function successOf(prompt: string): string | undefined {
    if (/old reports|password file/.test(prompt)) return undefined;
    const started = files
      .flatMap(({ content }) => content.scenarios)
      .find(({ trigger }) => {
        if (typeof trigger === 'string') return prompt.toLowerCase().includes(trigger);
        return trigger.tool_result === undefined && new RegExp(trigger.regex ?? '$^', 'i').test(prompt);
      });
    const last = started?.steps.at(-1);
    const content = last !== undefined && 'response' in last ? last.response.content : undefined;
    return typeof content === 'string' ? content : undefined;
  }

  it('claim no success after any denied question, or in a dry run', async () => {
    const refused: string[] = [];
    for (const prompt of PROMPTS) {
      const { asked, outcomes: all } = await playAllowed(prompt);
      expect(all, prompt).not.toContain('denied');
      for (let allowed = 0; allowed < asked; allowed += 1) {
        const { outcomes, said } = await play(prompt, { allowed });
        expect(outcomes, prompt).toContain('denied');
        refused.push(prompt);
        expect(said, prompt).not.toBe(successOf(prompt));
        if (successOf(prompt) !== undefined) expect(said, prompt).toContain('did not run');
      }
      // Without a question, a dry run is the run itself.
      if (refused.at(-1) === prompt) await expectNoSuccessDry(prompt);
    }
    expect(new Set(refused).size).toBeGreaterThanOrEqual(6);
    expect(refused.filter((prompt) => prompt === 'fix the failing test')).toHaveLength(3);
  });

  /** A dry run of a demo claims no success. */
  async function expectNoSuccessDry(prompt: string): Promise<void> {
    const { outcomes, said } = await play(prompt, { allowed: 0, dryRun: true });
    if (!outcomes.includes('not_run')) return;
    expect(said, prompt).not.toBe(successOf(prompt));
    if (prompt !== 'fix the failing test') return;
    expect(outcomes).toEqual(['not_run', 'ok', 'not_run']);
    expect(said).toContain('dry run');
  }

  it.for([
    ['the playground', PLAYGROUND, ABOUT_FAILURES],
    ['an empty directory', EMPTY, ABOUT_FAILURES.slice(0, 2)],
  ] as const)(
    'offer only prompts in %s whose calls succeed there, or fail as their story expects',
    async ([, source, expected]) => {
      const offered = await listStoryPrompts('scenarios', source, { ...storyListing, parseYaml: notYaml });
      const failing: string[] = [];
      for (const prompt of offered) {
        const { outcomes, said } = await playAllowed(prompt, source);
        expect(said, prompt).not.toMatch(/no scenario/i);
        if (outcomes.some((outcome) => outcome !== 'ok')) failing.push(prompt);
      }
      expect(failing).toEqual(expected);
    },
  );

  it('claim no success without their files', async () => {
    const failed: string[] = [];
    for (const prompt of PROMPTS) {
      const { outcomes, said } = await playAllowed(prompt, EMPTY);
      // A story may try again after a call that failed.
      if (outcomes.at(-1) !== 'failed') continue;
      failed.push(prompt);
      expect(said, prompt).not.toBe(successOf(prompt));
    }
    expect(failed.length).toBeGreaterThanOrEqual(4);
  });

  it('do not claim to fix a test that passes', async () => {
    const fixed = path.resolve('scenarios/edit-and-run-tests/expected');
    const { said, outcomes } = await play('fix the failing test', { allowed: 9 }, fixed);
    expect(outcomes).toContain('failed');
    expect(said).toContain('changed nothing');
  });
});
