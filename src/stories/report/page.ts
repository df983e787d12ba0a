import { escapeMarkup } from './write-report.ts';

/**
 * A page that needs nothing else: charts are inline, there are no scripts, and the page forbids to load anything.
 * `body` is markup.
 */
export function pageHtml(title: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    ...body,
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
  'table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto;width:fit-content;max-width:100%}',
  // A shadow where more of a table is out of view: the covers scroll with it.
  'table{background:linear-gradient(90deg,Canvas .6rem,transparent) local left/2rem 100% no-repeat,',
  'linear-gradient(270deg,Canvas .6rem,transparent) local right/2rem 100% no-repeat,',
  'linear-gradient(90deg,var(--soft),transparent) left/.6rem 100% no-repeat,',
  'linear-gradient(270deg,var(--soft),transparent) right/.6rem 100% no-repeat}',
  'th,td{padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}',
  'th:first-child,td:first-child,th:last-child{text-align:left}th{color:var(--soft);font-weight:500}',
  '.good,.better{color:var(--good)}.bad,.worse{color:var(--bad)}.soft{color:var(--soft)}',
  'svg{display:block;background:var(--panel);fill:var(--mark);stroke:none}',
  'td svg{width:8rem;height:auto;margin:auto 0}',
  'svg .good{fill:var(--good)}svg .bad,.bad svg{fill:var(--bad)}',
  'svg line{stroke:var(--mark);stroke-width:4;stroke-opacity:.45}svg .soft{fill:var(--soft)}',
  '.pair{display:grid;grid-template-columns:1fr 1fr;gap:.6rem;align-items:start}',
  '.step{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem;min-width:0}',
  '.step h4{margin:0;font-size:.8rem;color:var(--soft);font-weight:500}',
  'pre{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace}',
  'details{margin:.5rem 0}summary{cursor:pointer;color:var(--soft)}',
].join('\n');

/** Width of a chart, with room for half of a circle at its ends. */
const WIDTH = 200;

export function at(part: number): string {
  return (part * WIDTH).toFixed(1);
}

/** A chart of one row. */
export function svg(marks: string): string {
  return `<svg viewBox="-5 0 ${WIDTH + 10} 16" width="${WIDTH + 10}" height="16">${marks}</svg>`;
}
