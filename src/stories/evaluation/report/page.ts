import { countOf } from '../../../text/quantities.ts';
import { at, pageHtml, svg } from '../../report/page.ts';
import { escapeMarkup } from '../../report/write-report.ts';
import type { EvaluationReport, Pair, Row, Step, StoryReport } from './report-format.ts';
import { COLUMNS, outcomeText, policyText, problemsOf, spentText } from './report-text.ts';

/** The report as one page; texts of models, programs and files are inserted as text. */
export function reportHtml(report: EvaluationReport): string {
  const { stories, stopped, variants } = report;
  return pageHtml(`ybs eval: ${variants.join(', ')}`, [
    `<h1>${escapeMarkup(variants.join(' · '))}</h1>`,
    `<p class="${report.outcome === 'met' ? 'good' : 'bad'}">${escapeMarkup(outcomeText(report))}</p>`,
    ...(stopped === undefined ? [] : [`<p class="bad">${escapeMarkup(`stopped: ${stopped}`)}</p>`]),
    `<p>${escapeMarkup(spentText(report))}</p>`,
    ...stories.flatMap(storyHtml),
  ]);
}

function storyHtml(story: StoryReport): readonly string[] {
  const { name, rows, pairs } = story;
  const columns = rows.length > 1 ? [...COLUMNS, DIFFERENCE] : COLUMNS.slice(0, -1);
  const headings = [...columns.map(([heading]) => heading), '0 % to 100 % passed', 'tokens of a run'];
  const mostTokens = Math.max(1, ...rows.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
  return [
    '<section>',
    `<h2>${escapeMarkup(name)}</h2>`,
    `<p class="soft">${escapeMarkup(policyText(story))}</p>`,
    `<table><thead><tr>${headings.map((heading) => `<th>${escapeMarkup(heading)}</th>`).join('')}</tr></thead><tbody>`,
    ...rows.map((row) => {
      const cells = columns.map(([heading, cell]) => {
        const text = escapeMarkup(cell(row));
        return heading === 'verdict' ? `<td class="${text}">${text}</td>` : `<td>${text}</td>`;
      });
      const charts = [intervalChart(row), tokenChart(row, mostTokens)].map((chart) => `<td>${chart}</td>`);
      return `<tr class="${row.met ? '' : 'bad'}">${[...cells, ...charts].join('')}</tr>`;
    }),
    '</tbody></table>',
    ...rows.flatMap(problemsHtml),
    ...pairs.flatMap(pairHtml),
    '</section>',
  ];
}

/** The rate of a variant on a line from 0 to 1, with its interval. */
function intervalChart({ runs, rate, interval: [from, to] }: Row): string {
  if (runs === 0) return '';
  return svg(`<line x1="${at(from)}" x2="${at(to)}" y1="8" y2="8"/><circle cx="${at(rate)}" cy="8" r="5"/>`);
}

/** The mean tokens of a run of a variant as a bar: those of the requests, then those of the answers. */
function tokenChart({ inputTokens, outputTokens }: Row, most: number): string {
  const [first, second] = [at(inputTokens / most), at(outputTokens / most)];
  return svg(`<rect class="soft" width="${first}" height="14"/><rect x="${first}" width="${second}" height="14"/>`);
}

/** The interval of the difference of the rates, in percentage points. */
const DIFFERENCE: (typeof COLUMNS)[number] = [
  'difference',
  ({ difference }) => difference?.map(points).join(' to ') ?? '',
];

function points(difference: number): string {
  const rounded = Math.round(difference * 100);
  return `${rounded > 0 ? '+' : ''}${rounded}`;
}

function problemsHtml(row: Row): readonly string[] {
  const lines = problemsOf(row);
  if (lines.length === 0) return [];
  return [
    `<details><summary>${escapeMarkup(`${row.variant}: ${countOf(lines.length, 'problem')}`)}</summary><ul>`,
    ...lines.map(({ subject, text }) => `<li>${escapeMarkup(`${subject}: ${text}`)}</li>`),
    '</ul></details>',
  ];
}

function pairHtml({ run, equal, before, after }: Pair): readonly string[] {
  const [first, second] = [before, after].map(
    ({ variant, passed }) =>
      `<h3 class="${passed ? 'good' : 'bad'}">${escapeMarkup(variant)}: ${passed ? 'passed' : 'failed'}</h3>`,
  );
  const rest = Math.max(before.steps.length, after.steps.length);
  const both = Array.from({ length: rest - equal }, (_, index) => equal + index);
  return [
    `<h3>${escapeMarkup(`Run ${run}: ${before.variant} and ${after.variant}`)}</h3>`,
    `<details><summary>${countOf(equal, 'equal step')}</summary>`,
    ...before.steps.slice(0, equal).map(stepHtml),
    '</details>',
    '<div class="pair">',
    `<div>${first}</div><div>${second}</div>`,
    ...both.map((index) => `${stepHtml(before.steps[index])}${stepHtml(after.steps[index])}`),
    '</div>',
  ];
}

function stepHtml(step: Step | undefined): string {
  if (step === undefined) return '<div></div>';
  const [title, ...texts] = textsOf(step);
  const blocks = texts.filter((text) => text !== '').map((text) => `<pre>${escapeMarkup(text)}</pre>`);
  return `<div class="step"><h4>${escapeMarkup(title)}</h4>${blocks.join('')}</div>`;
}

function textsOf(step: Step): readonly [title: string, ...texts: readonly string[]] {
  switch (step.type) {
    case 'user':
      return ['user', step.text];
    case 'assistant':
      return ['model', step.text, ...step.calls.map((call) => `● ${call.name} ${call.arguments}`)];
    case 'result':
      return [`${step.tool}: ${step.outcome}`, step.text];
    case 'end':
      return [`end: ${step.outcome}`, step.text];
    default:
      return step satisfies never;
  }
}
