import { countOf } from '../../text/quantities.ts';
import { describeDrift } from '../check-requests.ts';
import type { StoryResult } from '../play/play-story.ts';
import { at, pageHtml, svg } from './page.ts';
import { type ReportFacts, totalsText } from './report-stories.ts';
import { escapeMarkup } from './write-report.ts';

/** The report of `ybs test` as one page; texts of models, programs and files are inserted as text. */
export function storiesHtml(results: readonly StoryResult[], { agent = 'ybs', reachable, shard }: ReportFacts): string {
  const longest = Math.max(1, ...results.map(({ durationMs }) => durationMs));
  const failed = results.filter(({ type }) => type === 'failed');
  const part = shard === undefined ? '' : `, part ${shard.index} of ${shard.count}`;
  return pageHtml(`ybs test: ${agent}`, [
    `<h1>${escapeMarkup(`Stories played by ${agent}${part}`)}</h1>`,
    `<p class="${failed.length === 0 ? 'good' : 'bad'}">${escapeMarkup(totalsText(results).trim())}</p>`,
    outcomeChart(results),
    ...(reachable === undefined ? [] : [`<p class="bad">${escapeMarkup(`reachable: ${reachable}`)}</p>`]),
    '<table><thead><tr><th>story</th><th>result</th><th>seconds</th><th>time</th></tr></thead><tbody>',
    // What failed comes first.
    ...[...failed, ...results.filter(({ type }) => type !== 'failed')].map(({ name, type, durationMs }) => {
      const bar = svg(`<rect width="${at(durationMs / longest)}" height="14"/>`);
      const cells = [escapeMarkup(name), type, (durationMs / 1000).toFixed(1), type === 'skipped' ? '' : bar];
      return `<tr class="${CLASSES[type]}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    }),
    '</tbody></table>',
    ...results.flatMap(detailsHtml),
  ]);
}

const CLASSES: Readonly<Record<StoryResult['type'], string>> = { passed: '', failed: 'bad', skipped: 'soft' };

/** The shares of passed, failed and skipped stories as one bar. */
function outcomeChart(results: readonly StoryResult[]): string {
  let start = 0;
  const parts = (['passed', 'failed', 'skipped'] as const).map((type) => {
    const share = results.filter((result) => result.type === type).length / Math.max(results.length, 1);
    const name = type === 'passed' ? 'good' : CLASSES[type];
    const rect = `<rect class="${name}" x="${at(start)}" width="${at(share)}" height="14"/>`;
    start += share;
    return rect;
  });
  return svg(parts.join(''));
}

/** The problems, warnings and drift of a story. */
function detailsHtml(result: StoryResult): readonly string[] {
  const { drift = [] } = result;
  const texts = [
    ...(result.type === 'failed' ? result.problems : []),
    ...(result.type === 'passed' && result.warning !== undefined ? [`warning: ${result.warning}`] : []),
    ...(result.type === 'skipped' ? [result.reason] : []),
    ...drift.map((part) => `drift: ${describeDrift(part, drift)}\n${part.diff}`.trimEnd()),
  ];
  if (texts.length === 0) return [];
  const open = result.type === 'failed' ? ' open' : '';
  return [
    `<details${open}><summary>${escapeMarkup(`${result.name}: ${countOf(texts.length, 'note')}`)}</summary>`,
    ...texts.map((text) => `<div class="step"><pre>${escapeMarkup(text)}</pre></div>`),
    '</details>',
  ];
}
