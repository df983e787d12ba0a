// Plays the same stories with ybs and with real, unmodified agents, and writes the wall time and the CPU time of each
// process tree to tooling/bench/agents.md: `npm run bench:agents -- [ROUNDS] [AGENT ...]`, for example `-- 9 codex pi`; all agents
// without names. The rounds are interleaved. The agents are those of `npm run test:agents`, from the same cache, on the
// loopback interface only. Each keeps its home directory for all
// rounds; the first round fills it and does not count. Needs Linux, because each run has its own process namespace, so
// that the CPU time of processes that an agent leaves behind counts as well.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { enterNetworkNamespace } from '../../src/node/network-namespace.ts';
import { fillAgent } from '../../src/stories/agents/agent-setup.ts';
import type { KnownAgent } from '../../src/stories/agents/known-agents.ts';
import { agentCache, installAgent, ripgrepDirectory } from '../agents/agent-cache.ts';
import { AGENT_RUNS } from '../agents/agent-runs.ts';
import { checkRun, ObservedJournalSchema } from '../agents/check-run.ts';
import { STORIES, type Story } from '../agents/stories.ts';
import { median, medianWithRange } from './measure.ts';
import { type MockProcess, startMockProcess } from './mock-process.ts';
import { runTimed, type TimedProcess } from './timed-process.ts';

/** An agent with the words that start it before its own arguments. */
interface Competitor {
  readonly known: KnownAgent;
  readonly title: string;
  readonly version: string;
  readonly command: readonly string[];
  /** Directories of PATH that it needs. */
  readonly tools: readonly string[];
  readonly times: Map<Story, Pick<TimedProcess, 'wall' | 'cpu'>[]>;
}

const root = path.join(import.meta.dirname, '../..');
const page = path.join(import.meta.dirname, 'agents.md');
const OTHERS = ['pi', 'codex', 'claude', 'gemini', 'opencode'];
/** The fastest of these is the measure of the target. */
const RIVALS: readonly string[] = ['pi', 'codex', 'claude'];
const TARGET = 0.6;
/** With a shell as its first process, the namespace and the processes in it end with the agent. */
const NAMESPACE = ['unshare', '-pf', '--kill-child', '--mount-proc', 'sh', '-c', '"$@"; exit $?', 'sh'];

const TWO_STEPS = STORIES.find(({ name }) => name === 'hello');
if (TWO_STEPS === undefined) throw new Error('tooling/agents/stories.ts has no story named hello');
const RELEASE = 'Release 1.2\n\n- faster start\n- fewer requests\n';
const TEN_STEPS: Story = {
  name: 'ten-steps',
  prompt: 'Prepare the release notes.',
  workspace: { 'notes/changes.txt': 'faster start\nfewer requests\nsmaller logs\n' },
  expected: {
    files: { 'release.txt': RELEASE, 'notes/release-1.2.txt': `${RELEASE}- smaller logs\n` },
    results: [],
    text: 'The release notes are ready.',
    steps: 10,
  },
};
const stories = [TWO_STEPS, TEN_STEPS];
const scenarios = ['tooling/agents/hello.json', 'tooling/bench/agents/ten-steps.json'].map((file) =>
  path.join(root, file),
);

const { rounds, names } = readArguments(process.argv.slice(2));
const competitors = [...ownCompetitors(), ...(await installOthers())];
const isolation = await enterNetworkNamespace(() => () => {});
if (isolation.type === 'reachable') throw new Error(`no agent runs with a network: ${isolation.reason}`);
if (isolation.type === 'ended') process.exitCode = isolation.exitCode;
else await measure();

function ownCompetitors(): readonly Competitor[] {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const own = (protocol: KnownAgent['protocol'], provider: string, environment: KnownAgent['environment']) => {
    const options = ['--provider', provider, '--model', 'mock-model', '--permission-mode', 'full-access'];
    const known = { name: `ybs, ${protocol}`, bin: 'ybs', protocol, files: {}, environment };
    const command = [process.execPath, path.join(root, 'dist/ybs.js')];
    return {
      known: { ...known, args: [...options, '$PROMPT'] },
      ...{ title: 'ybs', version, command, tools: [], times: new Map() },
    };
  };
  return [
    own('openai-chat', 'openai-compatible', { LLM_BASE_URL: '$BASE/v1', LLM_AUTH_TOKEN: 'unused' }),
    own('anthropic-messages', 'anthropic', { ANTHROPIC_BASE_URL: '$BASE', ANTHROPIC_API_KEY: 'sk-ant-unused' }),
  ];
}

async function installOthers(): Promise<readonly Competitor[]> {
  const cache = agentCache(process.env);
  const installed: Competitor[] = [];
  for (const bin of names) {
    const known = AGENT_RUNS.find((run) => run.bin === bin);
    if (known === undefined) throw new Error(`AGENT_RUNS has no agent ${bin}`);
    const { agent } = known;
    const command = await installAgent(cache, agent);
    const tools = agent.needsRipgrep === true ? [ripgrepDirectory(command)] : [];
    const { title, version } = agent;
    installed.push({ known, title, version, command: [command], tools, times: new Map() });
  }
  return installed;
}

function readArguments(words: readonly string[]): { readonly rounds: number; readonly names: readonly string[] } {
  const counts = words.filter((word) => /^[1-9]\d*$/.test(word));
  const chosen = words.filter((word) => !counts.includes(word));
  const unknown = chosen.filter((word) => !OTHERS.includes(word));
  if (counts.length > 1 || unknown.length > 0) {
    throw new Error(`usage: npm run bench:agents -- [ROUNDS] [AGENT ...], where AGENT is one of ${OTHERS.join(', ')}`);
  }
  return { rounds: Number(counts[0] ?? 5), names: OTHERS.filter((bin) => chosen.length === 0 || chosen.includes(bin)) };
}

async function measure(): Promise<void> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'ybs-bench-'));
  const mock = await startMockProcess(scenarios);
  const load = [os.loadavg()];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const story of stories) {
        for (const competitor of competitors) {
          const { wall, cpu } = await play(competitor, story, mock, scratch);
          const times = competitor.times.get(story) ?? [];
          if (round > 0) competitor.times.set(story, [...times, { wall, cpu }]);
        }
      }
    }
    load.push(os.loadavg());
  } finally {
    await mock.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  const text = report(load.map(([minute = 0]) => minute.toFixed(1)));
  writeFileSync(page, text);
  console.log(text);
}

/** Plays a story once. Throws if the agent deviates from it, because the time of a failed run says nothing. */
async function play(
  { known, command, tools }: Competitor,
  story: Story,
  mock: MockProcess,
  scratch: string,
): Promise<TimedProcess> {
  const home = path.join(scratch, known.name);
  const workspace = mkdtempSync(path.join(scratch, 'workspace-'));
  const setup = fillAgent(known, { base: mock.url, home, prompt: story.prompt });
  writeFiles(home, setup.files);
  writeFiles(workspace, story.workspace);
  const env = {
    PATH: [path.dirname(process.execPath), ...tools, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    ...setup.environment,
  };
  const [last = []] = setup.commands.toReversed();
  const timed = await runTimed([...NAMESPACE, ...command, ...last.slice(1)], { cwd: workspace, env, timeout: 120_000 });
  const { entries } = ObservedJournalSchema.parse(await mock.takeJournal());
  const files = Object.keys(story.expected.files).map((file) => [file, readIfPresent(path.join(workspace, file))]);
  const observed = {
    ...timed,
    seconds: timed.wall / 1000,
    files: Object.fromEntries(files),
    requests: entries,
    log: '',
  };
  const problems = checkRun(observed, story.expected);
  if (problems.length > 0)
    throw new Error(`${known.name}, ${story.name}: ${problems.join('; ')}\n${timed.stdout}\n${timed.stderr}`);
  return timed;
}

function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(directory, { recursive: true });
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), content);
  }
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function report(load: readonly string[]): string {
  const [cpu] = os.cpus();
  const date = new Date().toISOString().slice(0, 10);
  const leftOut = OTHERS.filter((bin) => !names.includes(bin));
  return `# ybs beside other agents

\`npm run bench:agents\` writes this page. Every agent plays the same two stories against \`mock-llm-server\` in another
process, in ${rounds} interleaved rounds after one that does not count. Wall time and CPU time are those of the whole
process tree, medians with the range in parentheses; the ratios are to \`ybs\` over \`openai-chat\` in the same run. The
mock answers at once, so the figures show what an agent itself costs, not how fast it is with a real model. The page
[startup.md](startup.md) says what the time of \`ybs\` consists of.

Measured on ${date} with Node ${process.versions.node} on ${os.cpus().length} × ${cpu?.model ?? 'unknown'}; load average ${load.join(' before and ')} after.${leftOut.length === 0 ? '' : `\nLeft out: ${leftOut.join(', ')}.`}

${stories.map(storyTable).join('\n\n')}
`;
}

function storyTable(story: Story): string {
  const medians = (competitor: Competitor, clock: 'wall' | 'cpu') => median(timesOf(competitor, story, clock));
  const [base] = competitors;
  if (base === undefined) throw new Error('there are no competitors');
  const rows = competitors.map((competitor) => {
    const { known, title, version } = competitor;
    const cells = (['wall', 'cpu'] as const).flatMap((clock) => [
      medianWithRange(timesOf(competitor, story, clock), 0),
      (medians(competitor, clock) / medians(base, clock)).toFixed(2),
    ]);
    return `| ${[`${title} ${version}`, `\`${known.protocol}\``, ...cells].join(' | ')} |`;
  });
  const rivals = competitors.filter(({ known }) => RIVALS.includes(known.bin));
  const [fastest] = rivals.toSorted((left, right) => medians(left, 'wall') - medians(right, 'wall'));
  const ratio = (competitor: Competitor) =>
    fastest === undefined ? Number.NaN : medians(competitor, 'wall') / medians(fastest, 'wall');
  const ratios = competitors
    .filter(({ known }) => known.bin === 'ybs')
    .map((competitor) => `${ratio(competitor).toFixed(2)} over \`${competitor.known.protocol}\``)
    .join(' and ');
  const target = story === TWO_STEPS ? `, target at most ${TARGET}` : '';
  const verdict =
    fastest === undefined
      ? 'This run has none of Claude Code, Codex and pi.'
      : `The fastest of ${rivals.map(({ title }) => title).join(', ')} is ${fastest.title}. In times of its wall time, \`ybs\`\n` +
        `takes ${ratios}${target}.`;
  return `## ${story.expected.steps} steps

| Agent | Protocol | Wall, ms | Ratio | CPU, ms | Ratio |
| --- | --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}

${verdict}`;
}

function timesOf({ times }: Competitor, story: Story, clock: 'wall' | 'cpu'): readonly number[] {
  return (times.get(story) ?? []).map((time) => time[clock]);
}
