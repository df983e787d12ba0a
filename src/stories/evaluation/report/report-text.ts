import type { Palette } from '../../../app/terminal.ts';
import { escapeLine } from '../../../text/escape.ts';
import { countOf, dollars, withSeparators } from '../../../text/quantities.ts';
import { truncateLine } from '../../../text/truncate.ts';
import { type TestCase, writeJunit } from '../../report/write-report.ts';
import type { Progress } from '../run-evaluation.ts';
import type { EvaluationReport, Row, StoryReport } from './report-format.ts';

/** Number of problems of one variant that the report as text shows. */
const SHOWN_PROBLEMS = 3;
const MAX_PROBLEM = 100;

/** The columns of the table of a story: their headings and cells. */
export const COLUMNS: readonly (readonly [heading: string, cell: (row: Row) => string])[] = [
  ['variant', ({ variant }) => variant],
  ['passed', ({ passed, runs }) => `${passed}/${runs}`],
  ['rate', ({ runs, rate }) => (runs === 0 ? '-' : percent(rate))],
  ['95 %', ({ interval }) => interval.map(percent).join('–')],
  ['turns', ({ turns }) => turns.toFixed(1)],
  ['calls', ({ toolCalls }) => toolCalls.toFixed(1)],
  ['errors', ({ toolErrors }) => toolErrors.toFixed(1)],
  ['in', ({ inputTokens }) => withSeparators(Math.round(inputTokens))],
  ['out', ({ outputTokens }) => withSeparators(Math.round(outputTokens))],
  ['cost', ({ cost }) => (cost === undefined ? '-' : dollars(cost))],
  ['time', ({ durationMs }) => `${(durationMs / 1000).toFixed(1)} s`],
  ['verdict', ({ verdict }) => verdict ?? ''],
];

/** The report as text: a table for each story, then what the evaluation spent and its outcome. */
export function reportText(report: EvaluationReport, palette: Palette): string {
  const { stories, stopped } = report;
  return [
    ...stories.map((story) => storyText(story, palette)),
    `spent: ${spentText(report)}`,
    ...(stopped === undefined ? [] : [palette('yellow', `stopped: ${escapeLine(stopped)}`)]),
    palette(report.outcome === 'met' ? 'green' : 'red', outcomeText(report)),
    '',
  ].join('\n');
}

function storyText(story: StoryReport, palette: Palette): string {
  const { name, rows } = story;
  const table = [
    COLUMNS.map(([heading]) => heading),
    ...rows.map((row) => COLUMNS.map(([, cell]) => escapeLine(cell(row)))),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const [head = '', ...lines] = table.map((cells) => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `  ${padded.join('  ')}`.trimEnd();
  });
  const problems = rows.flatMap((row) =>
    problemsOf(row, SHOWN_PROBLEMS).map(
      ({ subject, text }) => `  ${escapeLine(row.variant)}: ${subject}: ${truncateLine(escapeLine(text), MAX_PROBLEM)}`,
    ),
  );
  return [
    `${palette('bold', escapeLine(name))}: ${policyText(story)}`,
    palette('dim', head),
    ...lines.map((line, index) => coloured(rows[index], line, palette)),
    ...problems,
    '',
  ].join('\n');
}

function coloured(row: Row | undefined, text: string, palette: Palette): string {
  if (row?.verdict === 'worse') return palette('red', text);
  if (row?.verdict === 'better') return palette('green', text);
  return row?.met === false ? palette('yellow', text) : text;
}

/** The runs of a story and its policy: `10 runs of each variant, every run must pass`. */
export function policyText({ planned, policy }: StoryReport): string {
  const wanted = policy === 'always' ? 'every run' : `${percent(policy.usually)} of the runs`;
  return `${countOf(planned, 'run')} of each variant, ${wanted} must pass`;
}

/** The problems of a variant, at most `max` of the runs that failed, and the runs that they concern. */
export function problemsOf({ problems, errors }: Row, max?: number) {
  return [
    ...problems.slice(0, max).map(({ text, runs }) => ({ subject: `${countOf(runs, 'run')} failed`, text })),
    ...errors.map(({ text, runs }) => ({ subject: `${countOf(runs, 'run')} could not be judged`, text })),
  ];
}

/** The requests, tokens and costs of an evaluation. */
export function spentText({ spent }: EvaluationReport): string {
  const money = spent.cost > 0 ? `, ${dollars(spent.cost)}` : '';
  const cached = spent.cached > 0 ? `; ${countOf(spent.cached, 'answer')} from the cache` : '';
  return `${countOf(spent.requests, 'request')}, ${withSeparators(spent.tokens)} tokens${money}${cached}`;
}

/** The report in the XML of JUnit: a test for each story and variant, which fails if the policy does not hold. */
export function reportJunit({ stories, stopped }: EvaluationReport): string {
  const tests = stories.flatMap((story) => story.rows.map((row) => testOf(story, row)));
  return writeJunit('ybs eval', tests, stopped === undefined ? '' : `stopped: ${stopped}`);
}

function testOf({ name, planned }: StoryReport, row: Row): TestCase {
  const { variant, passed, runs, interval, verdict, problems, errors, met } = row;
  const rate = `${passed} of ${runs} runs passed (95 %: ${interval.map(percent).join(' to ')})`;
  const compared = verdict === 'inconclusive' ? 'inconclusive against' : `${verdict} than`;
  const text = [...problems, ...errors].map((problem) => `${problem.runs} × ${problem.text}`).join('\n');
  const test = {
    ...{ group: variant, name, durationMs: row.durationMs * runs },
    output: verdict === undefined ? rate : `${rate}; ${compared} the first variant`,
  };
  if (runs === 0) return { ...test, verdict: { type: 'error', message: `none of ${planned} runs was judged`, text } };
  return met ? test : { ...test, verdict: { type: 'failure', message: rate, text } };
}

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
  return `${done} of ${countOf(planned, 'run')}: ${passed} passed, ${failed} failed${unknown}; ${withSeparators(spent.tokens)} tokens${money}`;
}

/** A part of 1 in percent, without decimals. */
function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
