import { xml } from '../../report.ts';
import type { EvaluationReport, Row, StoryReport } from './report-format.ts';
import { percent } from './report-text.ts';

/** The report in the XML of JUnit: a test for each story and variant, which fails if the policy does not hold. */
export function reportJunit({ stories, stopped }: EvaluationReport): string {
  const tests = stories.flatMap((story) => story.rows.map((row) => ({ story, row })));
  const failures = tests.filter(({ row }) => !row.met && row.runs > 0).length;
  const errors = tests.filter(({ row }) => row.runs === 0).length;
  const seconds = (ms: number) => (ms / 1000).toFixed(3);
  const time = seconds(tests.reduce((sum, { row }) => sum + row.durationMs * row.runs, 0));
  const totals = `tests="${tests.length}" failures="${failures}" errors="${errors}" skipped="0" time="${time}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="ybs eval" ${totals}>`,
    ...tests.flatMap(({ story, row }) => [
      `    <testcase classname="${xml(row.variant)}" name="${xml(story.name)}" time="${seconds(row.durationMs * row.runs)}">`,
      ...details(story, row),
      '    </testcase>',
    ]),
    ...(stopped === undefined ? [] : [`    <system-out>${xml(`stopped: ${stopped}`)}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function details({ planned }: StoryReport, row: Row): readonly string[] {
  const { passed, runs, interval, verdict, problems, errors, met } = row;
  const rate = `${passed} of ${runs} runs passed (95 %: ${percent(interval[0])} to ${percent(interval[1])})`;
  const compared =
    verdict === undefined
      ? ''
      : `; ${verdict} than the first variant`.replace('inconclusive than', 'inconclusive against');
  const reasons = [...problems, ...errors].map(({ text, runs: times }) => `${times} × ${text}`).join('\n');
  const output = `      <system-out>${xml(`${rate}${compared}`)}</system-out>`;
  if (runs === 0)
    return [`      <error message="${xml(`none of ${planned} runs was judged`)}">${xml(reasons)}</error>`, output];
  return met ? [output] : [`      <failure message="${xml(rate)}">${xml(reasons)}</failure>`, output];
}
