import type { Palette } from '../../../app/terminal.ts';
import { escapeLine } from '../../../text/escape.ts';
import { countOf } from '../../../text/quantities.ts';
import { truncateLine } from '../../../text/truncate.ts';
import type { Progress } from '../run-evaluation.ts';
import type { EvaluationReport, Row, StoryReport } from './report-format.ts';

const HEADINGS = [
  'variant',
  'passed',
  'rate',
  '95 %',
  'turns',
  'calls',
  'errors',
  'in',
  'out',
  'cost',
  'time',
  'verdict',
];

/** Number of problems that the report shows of one variant. */
const SHOWN_PROBLEMS = 3;
const MAX_PROBLEM = 100;

/** The report as text: a table for each story, then what the evaluation spent and its outcome. */
export function reportText(report: EvaluationReport, palette: Palette): string {
  const { stories, spent, stopped } = report;
  const money = spent.cost > 0 ? `, ${dollars(spent.cost)}` : '';
  const cached = spent.cached > 0 ? `; ${countOf(spent.cached, 'answer')} from the cache` : '';
  return [
    ...stories.map((story) => storyText(story, palette)),
    `spent: ${countOf(spent.requests, 'request')}, ${count(spent.tokens)} tokens${money}${cached}`,
    ...(stopped === undefined ? [] : [palette('yellow', `stopped: ${escapeLine(stopped)}`)]),
    palette(report.outcome === 'met' ? 'green' : 'red', outcomeText(report)),
    '',
  ].join('\n');
}

function storyText({ name, policy, planned, rows }: StoryReport, palette: Palette): string {
  const wanted = policy === 'always' ? 'every run must pass' : `${percent(policy.usually)} of the runs must pass`;
  const cells = rows.map((row) => cellsOf(row));
  const widths = HEADINGS.map((heading, index) =>
    Math.max(heading.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const format = (row: readonly string[]) =>
    `  ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join('  ')}`.trimEnd();
  const problems = rows.flatMap(({ variant, problems: failed, errors }) => [
    ...failed
      .slice(0, SHOWN_PROBLEMS)
      .map(({ text, runs }) => `  ${escapeLine(variant)}: ${countOf(runs, 'run')} failed: ${short(text)}`),
    ...errors.map(
      ({ text, runs }) => `  ${escapeLine(variant)}: ${countOf(runs, 'run')} could not be judged: ${short(text)}`,
    ),
  ]);
  return [
    `${palette('bold', escapeLine(name))}: ${countOf(planned, 'run')} of each variant, ${wanted}`,
    palette('dim', format(HEADINGS)),
    ...rows.map((row, index) => coloured(row, format(cells[index] ?? []), palette)),
    ...problems,
    '',
  ].join('\n');
}

function coloured({ verdict, met }: Row, text: string, palette: Palette): string {
  if (verdict === 'worse') return palette('red', text);
  if (verdict === 'better') return palette('green', text);
  return met ? text : palette('yellow', text);
}

function cellsOf(row: Row): readonly string[] {
  const { variant, passed, runs, rate, interval, verdict } = row;
  return [
    escapeLine(variant),
    `${passed}/${runs}`,
    runs === 0 ? '-' : percent(rate),
    `${percent(interval[0])}–${percent(interval[1])}`,
    row.turns.toFixed(1),
    row.toolCalls.toFixed(1),
    row.toolErrors.toFixed(1),
    count(Math.round(row.inputTokens)),
    count(Math.round(row.outputTokens)),
    row.cost === undefined ? '-' : dollars(row.cost),
    `${(row.durationMs / 1000).toFixed(1)} s`,
    verdict ?? '',
  ];
}

/** The outcome of an evaluation in words. */
export function outcomeText({ outcome, stories }: EvaluationReport): string {
  switch (outcome) {
    case 'met':
      return 'every policy is met';
    case 'not_met': {
      const ran = stories.some(({ rows }) => rows.some(({ runs }) => runs > 0));
      if (!ran) return 'nothing ran';
      const missed = stories.flatMap(({ name, rows }) =>
        rows.flatMap(({ met, variant }) => (met ? [] : [`${escapeLine(name)} (${escapeLine(variant)})`])),
      );
      return `not met: ${missed.join(', ')}`;
    }
    case 'budget':
      return 'the budget is reached; with a larger one, the same command continues';
    case 'aborted':
      return 'interrupted';
    default:
      return outcome satisfies never;
  }
}

/** One line about an evaluation that runs. */
export function progressText({ planned, passed, failed, unjudged, spent }: Progress): string {
  const done = passed + failed + unjudged;
  const unknown = unjudged === 0 ? '' : `, ${unjudged} not judged`;
  const money = spent.cost > 0 ? `, ${dollars(spent.cost)}` : '';
  return `${done} of ${countOf(planned, 'run')}: ${passed} passed, ${failed} failed${unknown}; ${count(spent.tokens)} tokens${money}`;
}

/** A part of 1 in percent, without decimals. */
export function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

/** An amount of US dollars. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}

/** A number with separators. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

function short(text: string): string {
  return truncateLine(escapeLine(text), MAX_PROBLEM);
}
