import { UsageError } from '../../../agent/errors.ts';
import { untilStopped } from '../../../app/driver/until-stopped.ts';
import { EXIT_CODES } from '../../../app/exit.ts';
import { createWiring } from '../../../app/wiring.ts';
import { evaluate } from '../../../stories/evaluation/evaluate.ts';
import { mergeReports } from '../../../stories/evaluation/report/merge-reports.ts';
import { reportHtml } from '../../../stories/evaluation/report/page.ts';
import type { EvaluationReport } from '../../../stories/evaluation/report/report-format.ts';
import { progressText, reportJunit, reportText } from '../../../stories/evaluation/report/report-text.ts';
import type { Progress } from '../../../stories/evaluation/run-evaluation.ts';
import { readVariants } from '../../../stories/evaluation/variants.ts';
import { readTimings } from '../../../stories/report/read-reports.ts';
import { readShard } from '../../../stories/report/shard.ts';
import { REPORTERS } from '../../../stories/report/write-report.ts';
import type { StoryAdapters, SubcommandPorts, SubcommandRequest } from '../subcommand.ts';

/** Exit code by the outcome of an evaluation. */
const OUTCOMES: Readonly<Record<EvaluationReport['outcome'], number>> = {
  met: EXIT_CODES.done,
  not_met: EXIT_CODES.failed,
  budget: EXIT_CODES.limit,
  aborted: EXIT_CODES.aborted,
};

/** Runs at the same time, unless `--jobs` names a number. */
const JOBS = 4;

/**
 * `ybs eval STORY…`: plays stories many times with each variant of the settings and compares them, or merges the reports
 * of shards. Returns the exit code.
 */
export function evalCommand(request: SubcommandRequest, ports: SubcommandPorts): Promise<number> {
  const { args, options, ownOptions } = request;
  const { user, loadStories } = ports;
  return untilStopped(user.onStop, async (stop) => {
    const adapters = await loadStories();
    const { disk } = adapters;
    const report = ownOptions.has('merge')
      ? await mergeReports(args, disk)
      : await evaluateStories(request, ports, adapters, stop.signal);
    const html = lastOf(ownOptions, 'html');
    if (html !== undefined) await disk.writeFile(disk.resolve(html), reportHtml(report));
    const reporter = REPORTERS.find((name) => name === lastOf(ownOptions, 'reporter')) ?? 'text';
    const { ui } = (await ports.wiring.readConfig(options)).config;
    await user.write(render(report, options.outputFormat === 'json' ? 'json' : reporter, user.palette(ui.color)));
    return OUTCOMES[report.outcome];
  });
}

async function evaluateStories(
  { args: stories, options, ownOptions }: SubcommandRequest,
  { user, machine }: SubcommandPorts,
  adapters: StoryAdapters,
  stop: AbortSignal,
): Promise<EvaluationReport> {
  const optionOf = (name: string) => lastOf(ownOptions, name);
  const shard = optionOf('shard');
  const timings = optionOf('timings');
  const evaluation = {
    ...{ stories, options },
    variants: readVariants(ownOptions.get('variant') ?? [], machine.resolvePath),
    runs: readNumber('runs', optionOf('runs'), { max: 10_000 }),
    jobs: readNumber('jobs', optionOf('jobs'), { max: 64 }) ?? JOBS,
    budget: {
      maxTokens: readNumber('max-tokens', optionOf('max-tokens'), {}),
      maxCost: readNumber('max-cost', optionOf('max-cost'), { fraction: true }),
    },
    shard: shard === undefined ? undefined : readShard(shard),
    timings: timings === undefined ? undefined : await readTimings(timings, adapters.disk),
  };
  const quiet = { ...machine, warn: warnOnce(user.warn) };
  const ports = { ...adapters, machine: quiet, wiring: createWiring(quiet), onProgress: showProgress(user) };
  try {
    return await evaluate(evaluation, ports, stop);
  } finally {
    user.showStatus(undefined);
  }
}

function lastOf(ownOptions: SubcommandRequest['ownOptions'], name: string): string | undefined {
  return ownOptions.get(name)?.at(-1);
}

function render(
  report: EvaluationReport,
  reporter: (typeof REPORTERS)[number],
  palette: ReturnType<SubcommandPorts['user']['palette']>,
): string {
  switch (reporter) {
    case 'text':
      return reportText(report, palette);
    case 'json':
      return `${JSON.stringify(report)}\n`;
    case 'junit':
      return reportJunit(report);
    default:
      return reporter satisfies never;
  }
}

function readNumber(
  name: string,
  value: string | undefined,
  { max = Number.MAX_SAFE_INTEGER, fraction = false }: { readonly max?: number; readonly fraction?: boolean },
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  const isValid = /^\d+(\.\d+)?$/.test(value) && number > 0 && number <= max && (fraction || Number.isInteger(number));
  if (isValid) return number;
  const wanted = fraction
    ? 'a number above 0'
    : `an integer from 1${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`;
  throw new UsageError(`--${name} cannot be ${JSON.stringify(value)}. Write ${wanted}.`);
}

/** Each warning once, although every run reads the configuration. */
function warnOnce(warn: SubcommandPorts['user']['warn']): SubcommandPorts['user']['warn'] {
  const seen = new Set<string>();
  return async (message) => {
    if (seen.has(message)) return;
    seen.add(message);
    await warn(message);
  };
}

/** Shows the progress in the status line; without a terminal, on standard error after each tenth of the runs. */
function showProgress({ interactive, showStatus, warn }: SubcommandPorts['user']): (progress: Progress) => void {
  let shown = 0;
  return (progress) => {
    const text = progressText(progress);
    if (interactive) {
      showStatus({ label: text });
      return;
    }
    const tenth = Math.floor(((progress.passed + progress.failed + progress.unjudged) / progress.planned) * 10);
    if (tenth === shown) return;
    shown = tenth;
    void warn(text);
  };
}
