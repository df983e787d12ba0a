// Runs real, unmodified agents with the built mock server: `npm run test:agents [NAME…]`. Each agent is installed from
// npm into a cache outside the project, has an empty home directory and only the loopback interface, and plays the same
// stories; one of them is also recorded, and recorded anew from a drift of its prompt. Hosts, which drive the built `ybs` as
// their agent, play a story of ybs; with `--record`, their conversations replace the transcripts that the integration
// tests play. Not part of `npm test`, because it downloads several hundred megabytes.
import path from 'node:path';
import { messageOf } from '../../src/agent/errors.ts';
import { findNetworkNamespace, type NetworkNamespace } from '../../src/node/network-namespace.ts';
import { agentCache, installAgent } from './agent-cache.ts';
import type { AgentPackage, AgentRun } from './agent-run.ts';
import { AGENT_RUNS, withServer } from './agent-runs.ts';
import { checkRun, type ObservedRun } from './check-run.ts';
import { HOST_CHECKS } from './host/checks.ts';
import { runChecks } from './host/run-checks.ts';
import { SDK_RUN } from './host/sdk.ts';
import { HOST_RUNS, type HostRun, playHost } from './hosts.ts';
import { observeRecording, observeRun } from './observe-run.ts';
import { type AgentResult, failureOf, resultTable } from './result-table.ts';
import { STORIES, type Story } from './stories.ts';

/** The configuration that is also recorded. */
const RECORDED = 'pi, openai-chat';

const cache = agentCache(process.env);
const namespace = await findNetworkNamespace(process.platform);
const RECORD = '--record';
const TRANSCRIPTS = path.resolve('test/integration/hosts/fixtures/hosts');
const records = process.argv.includes(RECORD);
const wanted = process.argv.slice(2).filter((word) => word !== RECORD);
const isWanted = ({ name: run }: { readonly name: string }) =>
  wanted.length === 0 || wanted.some((name) => run.startsWith(name));
const [runs, hosts, checked] = [AGENT_RUNS.filter(isWanted), HOST_RUNS.filter(isWanted), [SDK_RUN].filter(isWanted)];
if (runs.length + hosts.length + checked.length === 0) {
  const names = [...AGENT_RUNS, ...HOST_RUNS, SDK_RUN].map((run) => run.name);
  throw new Error(`No run is named ${wanted.join(' or ')}. The runs are ${names.join('; ')}.`);
}

const results: AgentResult[] = [];
for (const run of runs) {
  results.push({ run, outcome: await outcomeOf(run, namespace, playStories) });
  if (run.name !== RECORDED) continue;
  const recorded = { ...run, name: `${run.name}, recorded` };
  results.push({ run: recorded, outcome: await outcomeOf(run, namespace, record) });
}
for (const run of hosts) results.push({ run, outcome: await outcomeOf(run, namespace, playWithHost) });
for (const run of checked) results.push({ run, outcome: await outcomeOf(run, namespace, checkSdk) });
console.log(resultTable(results));
const failure = failureOf(results);
if (failure !== undefined) {
  console.error(failure);
  process.exitCode = 1;
}

type Prefix = readonly [string, ...string[]];
type Played = Exclude<AgentResult['outcome'], { type: 'skipped' }>;

/** Installs an agent and lets it work. An agent that cannot be installed or isolated is skipped with the reason. */
async function outcomeOf<Run extends { readonly agent: AgentPackage }>(
  run: Run,
  network: NetworkNamespace,
  work: (run: Run, command: string, prefix: Prefix) => Promise<Played>,
): Promise<AgentResult['outcome']> {
  if (network.type === 'unavailable') return { type: 'skipped', reason: network.reason };
  let command: string;
  try {
    command = await installAgent(cache, run.agent);
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    return { type: 'skipped', reason: `not installed: ${reason}` };
  }
  return work(run, command, network.prefix);
}

/** Lets the Claude Agent SDK drive the built ybs, with a mock model in this process. */
async function checkSdk(_run: HostRun, command: string): Promise<Played> {
  const started = performance.now();
  const [directory, ybs] = [path.resolve(command, '../../..'), path.resolve('dist/ybs.js')];
  const checks = await runChecks(HOST_CHECKS, directory, ybs, records ? TRANSCRIPTS : undefined);
  const seconds = (performance.now() - started) / 1000;
  const problems = checks.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]));
  return problems.length === 0 ? { type: 'passed', seconds } : { type: 'failed', seconds, problems };
}

async function playStories(run: AgentRun, command: string, prefix: Prefix): Promise<Played> {
  let seconds = 0;
  const problems: string[] = [];
  for (const story of STORIES.filter(({ served }) => served === undefined || withServer(run) !== undefined)) {
    const played = await play(run, story, command, prefix);
    seconds += played.seconds;
    problems.push(...played.problems.map((problem) => `${story.name}: ${problem}`));
  }
  return problems.length === 0 ? { type: 'passed', seconds } : { type: 'failed', seconds, problems };
}

async function playWithHost(run: HostRun, host: string, prefix: Prefix): Promise<Played> {
  const client = run.client === undefined ? host : await installAgent(cache, run.client);
  const { seconds, problems, details } = await playHost(run, { host, client }, prefix);
  if (problems.length === 0) return { type: 'passed', seconds };
  console.log(`${run.name}:\n${details}\n`);
  return { type: 'failed', seconds, problems };
}

async function record(run: AgentRun, command: string, prefix: Prefix): Promise<Played> {
  const recorded = await observeRecording(run, command, prefix);
  if (recorded.type === 'passed') return recorded;
  console.log(`${run.name}, recorded:\n${recorded.reason}\n`);
  const [reason = 'the recording failed'] = /^\S*Error.*$/m.exec(recorded.reason) ?? [];
  return { type: 'failed', seconds: 0, problems: [reason] };
}

/** Plays a story with an agent in new directories and returns the deviations from the expected outcome. */
async function play(run: AgentRun, story: Story, command: string, prefix: Prefix) {
  const observation = await observeRun(run, story.name, command, prefix);
  if (observation.type === 'failed') return { seconds: 0, problems: [observation.reason] };
  const problems = checkRun(observation.run, story.expected);
  if (problems.length > 0) report(run, observation.run);
  return { seconds: observation.run.seconds, problems };
}

function report({ name }: AgentRun, { stdout, stderr, log }: ObservedRun): void {
  for (const [title, text] of Object.entries({ 'standard output': stdout, 'standard error': stderr, server: log })) {
    if (text !== '') console.log(`${name}, ${title}:\n${text}\n`);
  }
}
