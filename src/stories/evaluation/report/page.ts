import { countOf } from '../../../text/quantities.ts';
import { escapeMarkup } from '../../report/write-report.ts';
import type { EvaluationReport, Pair, Row, Step, StoryReport } from './report-format.ts';
import { COLUMNS, outcomeText, policyText, problemsOf, spentText } from './report-text.ts';

/**
 * The report as one page that needs nothing else: charts are inline, there are no scripts, and the page forbids to load
 * anything. Texts of models, programs and files are inserted as text.
 */
export function reportHtml(report: EvaluationReport): string {
  const { stories, stopped, variants } = report;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(`ybs eval: ${variants.join(', ')}`)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeMarkup(variants.join(' · '))}</h1>`,
    `<p class="${report.outcome === 'met' ? 'good' : 'bad'}">${escapeMarkup(outcomeText(report))}</p>`,
    ...(stopped === undefined ? [] : [`<p class="bad">${escapeMarkup(`stopped: ${stopped}`)}</p>`]),
    `<p>${escapeMarkup(spentText(report))}</p>`,
    ...stories.flatMap(storyHtml),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const STYLE = [
  ':root{color-scheme:light dark;--ink:light-dark(#1c1e21,#e6e6e6);--soft:light-dark(#6b7280,#9ca3af)}',
  ':root{--line:light-dark(#d5d8dd,#3c4149);--panel:light-dark(#f6f7f9,#1e2227)}',
  ':root{--good:light-dark(#15803d,#4ade80);--bad:light-dark(#b91c1c,#f87171);--mark:light-dark(#2563eb,#60a5fa)}',
  'body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);max-width:76rem;margin:2rem auto;padding:0 1rem}',
  'table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}',
  'th,td{padding:.3rem .8rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}',
  'th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:500}',
  '.good,.better{color:var(--good)}.bad,.worse{color:var(--bad)}.soft{color:var(--soft)}',
  'svg{display:block;background:var(--panel);fill:var(--mark);stroke:none}',
  'svg line{stroke:var(--mark);stroke-width:4;stroke-opacity:.45}svg .soft{fill:var(--soft)}',
  '.pair{display:grid;grid-template-columns:1fr 1fr;gap:.6rem;align-items:start}',
  '.step{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem;min-width:0}',
  '.step h4{margin:0;font-size:.8rem;color:var(--soft);font-weight:500}',
  'pre{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace}',
  'details{margin:.5rem 0}summary{cursor:pointer;color:var(--soft)}',
].join('\n');

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

/** Width of a chart, with room for half of a circle at its ends. */
const WIDTH = 200;

function at(part: number): string {
  return (part * WIDTH).toFixed(1);
}

function svg(marks: string): string {
  return `<svg viewBox="-5 0 ${WIDTH + 10} 16" width="${WIDTH + 10}" height="16">${marks}</svg>`;
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

/** The title of a step and its texts. */
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
