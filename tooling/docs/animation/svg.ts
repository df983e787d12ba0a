/** A character on a screen. `colour` is its number in the palette of the terminal. */
export interface Cell {
  readonly text: string;
  readonly colour: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

const ROW = 19;
const COLUMN = 8.4;
const MARGIN = 16;
const MAX_ROWS = 28;
const END_SECONDS = 6;
const FOREGROUND = '#d7dae0';
const BACKGROUND = '#16181d';
const COLOURS = ['#5c6370', '#f2777a', '#8fd18b', '#e6c06a', '#6cb6ff', '#d18ee2', '#5fd0d6', '#d7dae0'];

/** An animated picture of rows that appear one after another, and scroll when they fill the screen. */
export function animationSvg(rows: readonly (readonly Cell[])[], columns: number): string {
  const shown = Math.min(rows.length, MAX_ROWS);
  const width = Math.round(columns * COLUMN + 2 * MARGIN);
  const height = shown * ROW + 2 * MARGIN;
  const times: number[] = [];
  let time = 0.5;
  for (const row of rows) {
    times.push(time);
    time += secondsFor(row);
  }
  const total = time + END_SECONDS;
  const percent = (seconds: number) => `${((100 * seconds) / total).toFixed(2)}%`;
  const scrolled = times.flatMap((at, index) =>
    index < shown ? [] : [`${percent(at)}{transform:translateY(${-(index - shown + 1) * ROW}px)}`],
  );
  const end = `translateY(${-(rows.length - shown) * ROW}px)`;
  const styles = [
    `text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${FOREGROUND};white-space:pre}`,
    `.screen{transform:${end};animation:scroll ${total.toFixed(1)}s step-end infinite}`,
    `@keyframes scroll{0%{transform:none}${scrolled.join('')}100%{transform:${end}}}`,
    ...times.map(
      (at, index) =>
        `.r${index}{animation:r${index} ${total.toFixed(1)}s step-end infinite}` +
        `@keyframes r${index}{0%{visibility:hidden}${percent(at)}{visibility:visible}}`,
    ),
    '@media (prefers-reduced-motion:reduce){g{animation:none!important}}',
  ];
  const shapes = rows.map((row, index) => `<g class="r${index}">${rowShapes(row, MARGIN + index * ROW)}</g>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>A run of ybs in a terminal</title>',
    `<style>\n${styles.join('\n')}\n</style>`,
    `<clipPath id="screen"><rect y="${MARGIN}" width="${width}" height="${shown * ROW}"/></clipPath>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    `<g clip-path="url(#screen)"><g class="screen">\n${shapes.join('\n')}\n</g></g>`,
    '</svg>',
    '',
  ].join('\n');
}

/** The lines of the model take longer than the others. */
function secondsFor(row: readonly Cell[]): number {
  const text = row.map((cell) => cell.text).join('');
  if (text.startsWith('$ ')) return 1;
  return text.startsWith('▌') ? 0.25 : 0.45;
}

/** The texts of a row in their styles, on their backgrounds. */
function rowShapes(row: readonly Cell[], top: number): string {
  const parts: { style: string; text: string; start: number; background: string | undefined }[] = [];
  for (const [column, cell] of row.entries()) {
    const isBlank = cell.text === ' ' && !cell.inverse && !cell.underline;
    const style = isBlank ? '' : styleOf(cell);
    const last = parts.at(-1);
    if (last !== undefined && last.style === style) last.text += cell.text;
    else parts.push({ style, text: cell.text, start: column, background: cell.inverse ? colourOf(cell) : undefined });
  }
  const visible = parts.filter(({ text, background }) => background !== undefined || text.trim() !== '');
  const x = (column: number) => (MARGIN + column * COLUMN).toFixed(1);
  const rects = visible.map(({ background, start, text }) =>
    background === undefined
      ? ''
      : `<rect x="${x(start)}" y="${top}" width="${(text.length * COLUMN).toFixed(1)}" height="${ROW}" fill="${background}"/>`,
  );
  const spans = visible.map(({ style, start, text }) => {
    const content = text.trimEnd();
    // The length keeps the columns in place in any font.
    const length = ([...content].length * COLUMN).toFixed(1);
    return `<tspan x="${x(start)}" textLength="${length}"${style}>${escapeXml(content)}</tspan>`;
  });
  return visible.length === 0 ? '' : `${rects.join('')}<text y="${top + ROW - 5}">${spans.join('')}</text>`;
}

function colourOf({ colour }: Cell): string {
  return colour === undefined ? FOREGROUND : (COLOURS[colour % COLOURS.length] ?? FOREGROUND);
}

function styleOf(cell: Cell): string {
  const fill = cell.inverse ? BACKGROUND : colourOf(cell);
  return [
    fill === FOREGROUND ? '' : ` style="fill:${fill}"`,
    cell.bold ? ' font-weight="bold"' : '',
    cell.dim ? ' opacity="0.6"' : '',
    cell.italic ? ' font-style="italic"' : '',
    cell.underline ? ' text-decoration="underline"' : '',
  ].join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
