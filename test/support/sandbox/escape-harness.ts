import process from 'node:process';
import { type ProbeMode, RUNS, type RunProbe, runAtTerminal, runInAgent } from './escape-modes.ts';
import { killedAgents, probeGroups, SURVIVORS } from './escape-probes.ts';
import { type Attempt, runGroup, runSurvivors } from './escape-runs.ts';

// Runs the attempts of `escape-probes.ts` as the user that starts it, and prints a line of JSON for each. The first
// argument names the modes, such as `plain,sandbox`; attempts whose name does not contain the second one are left out.

/** The result of one attempt, in its mode. */
export interface ProbeResult extends Attempt {
  readonly mode: ProbeMode;
}

/** A command to run, whose attempts have these names. */
interface Work {
  readonly names: readonly string[];
  run(): Promise<readonly ProbeResult[]>;
}

function worksOf(mode: ProbeMode): readonly Work[] {
  const isLong = process.env['YBS_TEST_LONG'] === '1';
  const run = RUNS[mode];
  const work = (names: readonly string[], attempt: () => Promise<readonly Attempt[]>): Work => ({
    names,
    run: async () => (await attempt()).map((each) => ({ mode, ...each })),
  });
  // The kernel ends the processes of a sandbox after its first one; without a sandbox, they stay.
  const polls = mode === 'plain' ? 1 : 40;
  const survivors = (label: string, shapes: typeof SURVIVORS, runShapes: RunProbe): Work =>
    work(
      shapes.map(([name]) => `${label}: a process ${name}`),
      () => runSurvivors(label, shapes, runShapes, polls),
    );
  return [
    survivors('killed agent', killedAgents(isLong), runInAgent(mode)),
    survivors('stopped', SURVIVORS, run),
    ...probeGroups(process.geteuid?.() === 0, isLong).map((group) =>
      work(
        group.map(({ name }) => name),
        () => runGroup(group, group.some(({ hasTerminal }) => hasTerminal) ? runAtTerminal(mode) : run),
      ),
    ),
  ];
}

function modeOf(text: string): ProbeMode {
  if (text !== 'plain' && text !== 'sandbox' && text !== 'peer') throw new Error(`${text} is not a mode`);
  return text;
}

async function main([list = '', task = '', command = '', home = '', workspace = '']: readonly string[]): Promise<void> {
  const modes = list.split(',').map(modeOf);
  if (task === 'agent') {
    for (const mode of modes) await RUNS[mode](command, { home, workspace }, new AbortController().signal);
    return;
  }
  process.env['PROBE_SECRET'] = 'ESCAPED';
  const works = modes.flatMap(worksOf).filter(({ names }) => names.some((name) => name.includes(task)));
  const worker = async (): Promise<void> => {
    for (let work = works.shift(); work !== undefined; work = works.shift()) {
      for (const result of await work.run()) process.stdout.write(`${JSON.stringify(result)}\n`);
    }
  };
  // A fork bomb would disturb the others, and so would sockets, which a sandbox hides, when they vanish while it starts.
  const disturbing = works.splice(0).flatMap((work) => {
    if (work.names.some((name) => /fork bomb|socket/.test(name))) return [work];
    works.push(work);
    return [];
  });
  await Promise.all(Array.from({ length: 4 }, worker));
  works.push(...disturbing);
  await worker();
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
