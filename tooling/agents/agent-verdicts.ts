// Measures with the verdicts of the mock server what real agents do after faults, and whether their prompts suit a cache:
// `npm run build && node tooling/agents/agent-verdicts.ts [NAME…]`. Prints the table of docs/agents.md, one configuration for
// each agent. The agents are installed as for `npm run test:agents`.

import { messageOf } from '../../src/agent/errors.ts';
import { findNetworkNamespace } from '../../src/node/network-namespace.ts';
import { agentCache, installAgent } from './agent-cache.ts';
import { AGENT_RUNS } from './agent-runs.ts';
import type { ObservedRun } from './check-run.ts';
import { observeRun } from './observe-run.ts';

const cache = agentCache(process.env);
const network = await findNetworkNamespace(process.platform);
if (network.type === 'unavailable') throw new Error(network.reason);
const { prefix } = network;
const wanted = process.argv.slice(2);
const first = AGENT_RUNS.filter((run, index) => AGENT_RUNS.findIndex(({ bin }) => bin === run.bin) === index);
const runs = first.filter(({ bin }) => wanted.length === 0 || wanted.includes(bin));

console.log(
  '| Agent | Protocol | After a 429 with `retry-after: 2` | After a text without an end | After a call without an end | Cache |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const run of runs) {
  let command: string;
  try {
    command = await installAgent(cache, run.agent);
  } catch (error) {
    console.error(`${run.name}: ${messageOf(error)}`);
    console.log(`| ${run.agent.title} | \`${run.protocol}\` | not run | not run | not run | not run |`);
    continue;
  }
  const cells: string[] = [];
  for (const [story, describe] of [
    ['busy', describeWait],
    ['cut-text', describeText],
    ['cut-call', describeCall],
    ['repair', describeCache],
  ] as const) {
    const observation = await observeRun(run, story, command, prefix);
    if (observation.type === 'failed') console.error(`${run.name}, ${story}: ${observation.reason}`);
    else console.error(`${run.name}, ${story}: ${JSON.stringify([observation.run.exitCode, observation.run.verdict])}`);
    cells.push(observation.type === 'failed' ? 'not run' : describe(observation.run));
  }
  console.log(`| ${[run.agent.title, `\`${run.protocol}\``, ...cells].join(' | ')} |`);
}

function faultOf({ verdict }: ObservedRun) {
  return verdict?.resilience.faults.at(0);
}

function describeWait(run: ObservedRun): string {
  const fault = faultOf(run);
  const waited = fault?.retryAfter?.waitedMs;
  if (fault === undefined) return 'no request';
  if (waited === undefined) return 'gives up';
  return `${fault.ok ? 'waits' : 'too early'}: ${(waited / 1000).toFixed(1)} s`;
}

function describeText(run: ObservedRun): string {
  const fault = faultOf(run);
  if (fault === undefined) return 'no request';
  if (fault.outcome !== 'ended') return outcomeText(fault, run.exitCode);
  if (run.exitCode !== 0) return 'ends with an error';
  return run.stdout.includes('full of fish') ? 'takes it as the answer' : 'ends without an error';
}

function describeCall(run: ObservedRun): string {
  const fault = faultOf(run);
  if (fault === undefined) return 'no request';
  if (fault.outcome !== 'ended') return outcomeText(fault, run.exitCode);
  return run.exitCode === 0 ? 'ends without an error' : 'ends with an error';
}

/** An agent that is still running after the time limit has no exit code. */
function outcomeText(
  { outcome, repeats }: { readonly outcome: string; readonly repeats: number },
  exitCode: number | null,
): string {
  const rest = exitCode === null ? ', without end' : '';
  switch (outcome) {
    case 'repeated':
      return (repeats === 1 ? 'asks again' : `asks again ${repeats} times`) + rest;
    case 'resumed':
      return `asks for the rest${rest}`;
    case 'executed':
      return 'executes it';
    case 'trusted':
      return 'trusts it';
    default:
      return 'goes on without it';
  }
}

function describeCache({ verdict }: ObservedRun): string {
  if (verdict === undefined) return 'not run';
  const { continued, stable, tokens, breaks } = verdict.cache;
  const total = `${stable} of ${continued}`;
  const parts = [...new Set(breaks.map(({ part }) => part))].join(', ');
  return breaks.length === 0 ? total : `${total}; ${parts}, ${tokens} tokens`;
}
