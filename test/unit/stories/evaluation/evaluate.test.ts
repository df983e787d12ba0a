import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NamedScenarioFile } from '../../../../mock-llm-server/scenario/prepare.ts';
import { ModelError } from '../../../../src/agent/errors.ts';
import type { SandboxState } from '../../../../src/agent/ports/shell.ts';
import { type EvaluationRequest, evaluate } from '../../../../src/stories/evaluation/evaluate.ts';
import type { EvaluationReport } from '../../../../src/stories/evaluation/report/report-format.ts';
import type { Progress } from '../../../../src/stories/evaluation/run-evaluation.ts';
import type { MockModel } from '../../../../src/stories/run-stories.ts';
import { configuredRun, MODEL } from '../../../support/agent/configured-run.ts';
import { createMemoryStoryDisk } from '../../../support/fakes/memory-story-disk.ts';
import type { ScriptedAnswer } from '../../../support/fakes/scripted-model.ts';
import type { ScriptedCommand } from '../../../support/fakes/scripted-shell.ts';

type Story = NonNullable<NamedScenarioFile['content']['story']>;

interface Script {
  readonly answers?: readonly ScriptedAnswer[];
  /** The result of the check of the sandbox. */
  readonly sandbox?: SandboxState;
  readonly commands?: readonly ScriptedCommand[];
  /** The stories by name. */
  readonly stories?: Readonly<Record<string, Partial<Story>>>;
  readonly paths?: readonly string[];
  /** More settings of the user. */
  readonly config?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** Evaluations one after the other on the same machine; a number stops one after that many runs. */
  readonly evaluations?: readonly (Partial<EvaluationRequest> & { readonly stopAfter?: number })[];
}

const usage = { inputTokens: 90, outputTokens: 10 };
const answer = (text: string): ScriptedAnswer => ({ text, usage });

/** Evaluates stories with a scripted model; runs of the story work in `/tmp/1`, `/tmp/2` and so on. */
async function play(script: Script) {
  const { answers = [answer('Done.')], stories = { one: {} }, evaluations = [{}], config = {}, files = {} } = script;
  const { paths = Object.keys(stories).map((name) => `/stories/${name}`) } = script;
  const reports: EvaluationReport[] = [];
  const progress: Progress[] = [];
  const disk = createMemoryStoryDisk({});
  const mockModel: MockModel = {
    load: async (wanted) =>
      wanted.map((place) => ({
        file: `${place}/scenario.json`,
        content: { scenarios: [], story: { prompts: ['go'], ...stories[path.basename(place)] } },
      })),
    watch: () => Promise.reject(new Error('an evaluation has no other server')),
    start: async () => ({
      url: 'http://127.0.0.1:9',
      requests: [],
      results: () => [],
      prompts: () => [],
      close: async () => {},
    }),
    draftLock: () => Promise.reject(new Error('no lock')),
  };
  const workspaces = Array.from({ length: 9 }, (_, index) => [`/tmp/${index + 1}/README.md`, 'Here.\n']);
  const observed = await configuredRun({
    config: { llm: MODEL, agent: { retry_attempts: 0 }, ...config },
    files: { ...Object.fromEntries(workspaces), ...files },
    answers,
    ...(script.sandbox !== undefined && { sandbox: script.sandbox }),
    ...(script.commands !== undefined && { commands: script.commands }),
    async run(wiring, _user, options, machine) {
      for (const { stopAfter, ...rest } of evaluations) {
        const stop = new AbortController();
        const request: EvaluationRequest = {
          ...{ stories: paths, variants: [{ name: 'default', file: undefined }], runs: 3, jobs: 1, options },
          ...{ budget: { maxTokens: undefined, maxCost: undefined }, shard: undefined, timings: undefined },
          ...rest,
        };
        const onProgress = (state: Progress) => {
          progress.push(state);
          if (state.passed === stopAfter) stop.abort();
        };
        const storyDisk = {
          ...disk,
          kindOf: async (place: string) => (place.endsWith('.jsonl') ? ('file' as const) : ('missing' as const)),
          readFile: () => Promise.reject(new Error('no file')),
          resolve: path.posix.resolve,
        };
        reports.push(await evaluate(request, { machine, wiring, mockModel, disk: storyDisk, onProgress }, stop.signal));
      }
    },
  });
  const stored = (place: string) => observed.listFiles(`/home/ada/.cache/ybs/eval/${place}`).length;
  return { ...observed, reports, progress, stored, left: [...disk.directories.keys()] };
}

const rowOf = (report: EvaluationReport | undefined) => report?.stories[0]?.rows[0];

describe('evaluate', () => {
  it('plays every run in a separate workspace, which it removes, and keeps only the answers', async () => {
    const { reports, requests, stored, left, outcome } = await play({});
    expect(outcome).toBe(0);
    expect(reports[0]).toMatchObject({ outcome: 'met', spent: { requests: 3, cached: 0, tokens: 300 } });
    expect(rowOf(reports[0])).toMatchObject({ passed: 3, runs: 3, turns: 1 });
    const systems = requests.map(({ body }) => JSON.stringify(body).match(/\/tmp\/\d/)?.[0]);
    expect(systems).toEqual(['/tmp/1', '/tmp/2', '/tmp/3']);
    expect([stored('answers'), stored('runs'), left]).toEqual([3, 0, []]);
  });

  it.each([
    [{ maxTokens: 100, maxCost: undefined }, {}, /--max-tokens/],
    [{ maxTokens: undefined, maxCost: 0.1 }, { [`${MODEL.provider}/m`]: { input: 1000, output: 1000 } }, /--max-cost/],
  ])('reports that it stopped at the budget %j', async (budget, prices, stopped) => {
    const { reports, requests, outcome } = await play({ evaluations: [{ budget }], config: { models: { prices } } });
    expect(outcome).toBe(0);
    expect(reports[0]).toMatchObject({ outcome: 'budget', stopped: expect.stringMatching(stopped) });
    expect(requests).toHaveLength(1);
  });

  it('keeps the finished runs when it is aborted, and plays the others the next time', async () => {
    const { reports, requests, progress, stored } = await play({ evaluations: [{ stopAfter: 1 }, {}] });
    expect(reports.map(({ outcome }) => outcome)).toEqual(['aborted', 'met']);
    expect(reports.map(({ spent }) => spent.requests)).toEqual([1, 2]);
    expect(rowOf(reports[1])).toMatchObject({ passed: 3, runs: 3 });
    expect(progress.map(({ passed }) => passed)).toEqual([1, 1, 2, 3]);
    expect([requests.length, stored('answers'), stored('runs')]).toEqual([3, 3, 0]);
  });

  it('asks the model once for each answer', async () => {
    const { reports, requests } = await play({ evaluations: [{ runs: 2 }, { runs: 3 }] });
    expect(reports.map(({ spent }) => [spent.requests, spent.cached])).toEqual([
      [2, 0],
      [1, 2],
    ]);
    expect(requests).toHaveLength(3);
  });

  it('skips a story that continues a session, with a reason, and is not met', async () => {
    const { reports, requests } = await play({ stories: { one: { session: 'session.jsonl' } } });
    expect(requests).toEqual([]);
    expect(reports[0]).toMatchObject({ outcome: 'not_met', spent: { requests: 0 } });
    const text = 'skipped: the story continues a session, and only ybs test plays such stories';
    expect(rowOf(reports[0])).toMatchObject({ passed: 0, runs: 0, met: false, errors: [{ text, runs: 3 }] });
  });

  const MAKE: ScriptedCommand = { command: 'make', steps: [{ stdout: 'built\n' }] };
  const ON: SandboxState = { type: 'on', program: 'bubblewrap' };
  const OFF: SandboxState = { type: 'off', reason: 'no bubblewrap' };
  it.each<readonly [string, object, Partial<Story>, SandboxState, RegExp, number]>([
    // The project of the story is not trusted.
    ['mock', {}, {}, ON, /built/, 1],
    ['mock', {}, {}, { ...OFF, chosen: true }, /built/, 0],
    ['mock', {}, { sandbox: 'required' }, ON, /built/, 1],
    ['openai-compatible', MODEL, {}, ON, /built/, 1],
    ['openai-compatible', MODEL, {}, OFF, /Denied by the user/, 0],
  ])('plays a story with %s %j %j in the sandbox %j: %s, %i', async (provider, llm, story, sandbox, result, count) => {
    const { requests, sandboxRules } = await play({
      answers: [{ calls: [{ id: 'c', name: 'run_shell', arguments: '{"command":"make"}' }], usage }, answer('Done.')],
      ...{ sandbox, commands: [MAKE] },
      config: { llm: { provider, ...llm } },
      stories: { one: { permission_mode: 'full-access', ...story } },
      evaluations: [{ runs: 1 }],
    });
    expect(JSON.stringify(requests[1]?.body)).toMatch(result);
    expect(sandboxRules).toHaveLength(count);
  });

  it('starts no story of an untrusted project without a sandbox', async () => {
    const { reports, requests, outcome } = await play({ sandbox: OFF, config: { llm: { provider: 'mock' } } });
    expect([reports, requests]).toEqual([[], []]);
    expect(outcome).toContain(
      'are not of a project that you trust, and there is no sandbox for their commands (no bubblewrap).',
    );
  });

  it('skips a story that requires the sandbox if there is none, with a reason', async () => {
    const { reports, requests } = await play({ sandbox: OFF, stories: { one: { sandbox: 'required' } } });
    const text = 'skipped: it requires the sandbox, which is off: no bubblewrap';
    expect(rowOf(reports[0])).toMatchObject({ runs: 0, errors: [{ text, runs: 3 }] });
    expect(requests).toEqual([]);
  });

  it('reports why runs failed, and removes their workspaces', async () => {
    const { reports, left } = await play({ stories: { one: { expected_outcome: 'denied' } } });
    expect(reports[0]?.outcome).toBe('not_met');
    const text = 'expected the outcome denied, got done: Done.';
    expect(rowOf(reports[0])).toMatchObject({ passed: 0, runs: 3, problems: [{ text, runs: 3 }] });
    expect(left).toEqual([]);
  });

  it('stores runs and answers without the directory of the run', async () => {
    const { listFiles, readFile } = await play({
      answers: [answer('I work in /tmp/1.')],
      evaluations: [{ stopAfter: 1 }],
    });
    for (const place of ['answers', 'runs']) {
      const directory = `/home/ada/.cache/ybs/eval/${place}`;
      const texts = listFiles(directory).map((name) => readFile(`${directory}/${name}`));
      expect(texts).toEqual([expect.stringContaining('I work in <workspace>.')]);
      expect(texts.join('')).not.toContain('/tmp/1');
    }
  });

  it.each([
    ['auth', 1, { stopped: expect.stringMatching(/^the model cannot be asked: /) }],
    ['bad_request', 3, {}],
  ] as const)('counts runs whose request fails with %s as not judged', async (code, sent, more) => {
    const { reports, requests } = await play({ answers: [{ end: new ModelError(code, 'No.') }] });
    expect(reports[0]).toMatchObject({ outcome: 'not_met', ...more });
    expect(rowOf(reports[0])).toMatchObject({ passed: 0, runs: 0, errors: [{ runs: sent }] });
    expect(requests).toHaveLength(sent);
  });

  it.each<readonly [string, Script, RegExp]>([
    ['two stories with the same name', { paths: ['/a/one', '/b/one'] }, /Two stories have the name one/],
    [
      'a budget in dollars without a price',
      { evaluations: [{ budget: { maxTokens: undefined, maxCost: 1 } }] },
      /The price of openai-compatible\/m is unknown/,
    ],
    ['a cache that is a file', { files: { '/home/ada/.cache': '' } }, /cannot be used for answers/],
  ])('rejects %s before it asks the model', async (_name, script, message) => {
    const { outcome, requests } = await play(script);
    expect(outcome).toMatch(message);
    expect(requests).toEqual([]);
  });
});
