import { escapeMarkup } from '../../report/write-report.ts';
import type { Row } from './report-format.ts';
import { count, percent } from './report-text.ts';

const WIDTH = 760;
const LEFT = 170;
const RIGHT = 150;
const ROW = 30;
const SPAN = WIDTH - LEFT - RIGHT;

/** A chart of the rates with their intervals, one line per variant. */
export function intervalChart(rows: readonly Row[]): string {
  const height = rows.length * ROW + 30;
  const at = (part: number) => (LEFT + part * SPAN).toFixed(1);
  const axis = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      `<line class="axis" x1="${at(part)}" x2="${at(part)}" y1="0" y2="${height - 22}"/>` +
      `<text x="${at(part)}" y="${height - 6}" text-anchor="middle">${percent(part)}</text>`,
  );
  const lines = rows.map(({ variant, rate, interval: [from, to], passed, runs }, index) => {
    const y = index * ROW + ROW / 2;
    const mark =
      runs === 0
        ? ''
        : `<line class="mark" x1="${at(from)}" x2="${at(to)}" y1="${y}" y2="${y}" stroke-width="4" stroke-opacity=".45"/>` +
          `<circle class="mark" cx="${at(rate)}" cy="${y}" r="6"/>`;
    return `${label(variant, y)}${mark}${value(`${passed} of ${runs} passed`, y)}`;
  });
  return svg(height, 'Rates with 95 % intervals', [...axis, ...lines]);
}

/** A chart of the mean tokens of a run, one bar per variant: those of the requests, then those of the answers. */
export function tokenChart(rows: readonly Row[]): string {
  const most = Math.max(1, ...rows.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
  const bars = rows.map(({ variant, inputTokens, outputTokens }, index) => {
    const y = index * ROW + ROW / 2;
    const [first, second] = [inputTokens, outputTokens].map((tokens) => (tokens / most) * SPAN);
    const bar = (x: number, width = 0, name = '') =>
      `<rect class="${name}" x="${x.toFixed(1)}" y="${y - 7}" width="${width.toFixed(1)}" height="14"/>`;
    const text = `${count(Math.round(inputTokens + outputTokens))} tokens`;
    return `${label(variant, y)}${bar(LEFT, first, 'second')}${bar(LEFT + (first ?? 0), second, 'mark')}${value(text, y)}`;
  });
  return svg(rows.length * ROW + 4, 'Tokens of a run', bars);
}

/** Number of characters of a name for which there is room. */
const MAX_LABEL = 20;

function label(variant: string, y: number): string {
  const text = variant.length > MAX_LABEL ? `${variant.slice(0, MAX_LABEL - 1)}…` : variant;
  return `<text x="${LEFT - 10}" y="${y + 4}" text-anchor="end">${escapeMarkup(text)}</text>`;
}

function value(text: string, y: number): string {
  return `<text x="${WIDTH - RIGHT + 12}" y="${y + 4}">${escapeMarkup(text)}</text>`;
}

function svg(height: number, title: string, parts: readonly string[]): string {
  const box = `viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`;
  return `<svg role="img" aria-label="${escapeMarkup(title)}" ${box}><title>${escapeMarkup(title)}</title>${parts.join('')}</svg>`;
}
