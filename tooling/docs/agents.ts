import { diffLines } from 'diff';
import { type AgentRun, shellCommand } from '../agents/agent-run.ts';
import { AGENT_RUNS } from '../agents/agent-runs.ts';

/** The runs of each agent, by the title of its section. */
const RUNS_BY_TITLE: ReadonlyMap<string, readonly AgentRun[]> = groupRuns(AGENT_RUNS);

/** The generated blocks of docs/agents.md: the index of agents, and the configuration of each. */
export const AGENT_BLOCKS: Readonly<Record<string, () => string>> = {
  agents: indexTable,
  ...Object.fromEntries([...RUNS_BY_TITLE].map(([title, runs]) => [title, () => describeRuns(runs)])),
};

function groupRuns(runs: readonly AgentRun[]): ReadonlyMap<string, readonly AgentRun[]> {
  const groups = new Map<string, AgentRun[]>();
  for (const run of runs) groups.set(run.agent.title, [...(groups.get(run.agent.title) ?? []), run]);
  return groups;
}

function indexTable(): string {
  const rows = [...RUNS_BY_TITLE].map(([title, runs]) => {
    const protocols = [...new Set(runs.map(({ protocol }) => `\`${protocol}\``))].join(', ');
    const [version] = runs.map(({ agent }) => `\`${agent.name}\` ${agent.version}`);
    return `| [${title}](#${title.toLowerCase().replaceAll(' ', '-')}) | ${version} | ${protocols} |`;
  });
  return ['| Agent | Package | Protocols |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The first run of an agent in full, and the differences of the others from it. */
export function describeRuns([first, ...others]: readonly AgentRun[]): string {
  if (first === undefined) return '';
  const heading = others.length === 0 ? [] : [`Over \`${first.protocol}\`:`];
  return [...heading, ...blocksOf(first), ...others.flatMap((run) => describeDifference(first, run))].join('\n\n');
}

function blocksOf(run: AgentRun): readonly string[] {
  const files = Object.entries(run.files).map(([file, content]) => {
    return `\`~/${file}\`:\n\n\`\`\`${file.split('.').at(-1)}\n${content}\`\`\``;
  });
  return [...files, `\`\`\`sh\n${shellCommand(run)}\n\`\`\``];
}

function describeDifference(first: AgentRun, run: AgentRun): readonly string[] {
  const changes = diffLines(settingsOf(first), settingsOf(run)).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : undefined;
    return sign === undefined
      ? []
      : value
          .trimEnd()
          .split('\n')
          .map((line) => `${sign} ${line}`);
  });
  const note = run.note === undefined ? [] : [run.note];
  return [...note, `Over \`${run.protocol}\`, changed:`, `\`\`\`diff\n${changes.join('\n')}\n\`\`\``];
}

function settingsOf(run: AgentRun): string {
  return [...Object.values(run.files), `${shellCommand(run)}\n`].join('');
}
