import xterm from '@xterm/headless';
import { createScreen, type Screen } from '../../../src/terminal/editor/screen.ts';
import { loadWidths } from '../../../src/text/width.ts';

await loadWidths();

/** A screen in memory that interprets what is written to it, as a terminal does. */
export interface VirtualScreen {
  readonly screen: Screen;
  /** The rows, with those that have left the screen, without trailing spaces and empty rows at the end. */
  rows(): Promise<readonly string[]>;
  /** The row of the cursor among `rows`, up to the cursor. */
  cursorRow(): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Changes the size of the terminal, which the screen learns only with the next `resize`. */
  resizeEarly(columns: number, rows: number): Promise<void>;
  /** Lets time pass until the sign of a status moves once. */
  tick(ms: number): void;
  /** Lets the time pass after which a changed status is drawn. */
  draw(): void;
  /** The rows that a terminal such as tmux keeps above the screen, because a sequence cleared the whole screen. */
  kept(): Promise<readonly string[]>;
  /** The number of functions that are called repeatedly. */
  ticking(): number;
}

/** Creates an empty screen of a terminal that wraps its rows again in another width, or cuts them. */
export function createVirtualScreen(columns = 60, rows = 20, onResize: 'wrap' | 'cut' = 'wrap'): VirtualScreen {
  const options = { cols: columns, rows, allowProposedApi: true, convertEol: true };
  const terminal = new xterm.Terminal(
    onResize === 'wrap' ? options : { ...options, windowsPty: { backend: 'conpty', buildNumber: 1 } },
  );
  const ticks = new Set<() => void>();
  let size = { columns, rows };
  let time = 0;
  const screen = createScreen({
    async write(text) {
      terminal.write(text);
      return true;
    },
    size: () => size,
    now: () => time,
    repeat(tick) {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  });
  const written = () => new Promise<void>((resolve) => terminal.write('', resolve));
  // Cells that were cut are still in the buffer.
  const lineAt = (row: number, end = terminal.cols) =>
    terminal.buffer.active.getLine(row)?.translateToString(false, 0, end) ?? '';
  const kept: string[] = [];
  terminal.parser.registerCsiHandler({ final: 'J' }, ([mode]) => {
    const { baseY, cursorX, cursorY } = terminal.buffer.active;
    const shown = Array.from({ length: terminal.rows }, (_, row) => lineAt(baseY + row).trimEnd());
    if (mode === 2 || cursorX + cursorY === 0) kept.push(...shown.filter((row) => row !== ''));
    return false;
  });
  return {
    screen,
    async rows() {
      await written();
      const all = Array.from({ length: terminal.buffer.active.length }, (_, row) => lineAt(row).trimEnd());
      return all.slice(0, all.findLastIndex((row) => row !== '') + 1);
    },
    async cursorRow() {
      await written();
      const { baseY, cursorY, cursorX } = terminal.buffer.active;
      return lineAt(baseY + cursorY, cursorX);
    },
    async resize(width, height) {
      await written();
      terminal.resize(width, height);
      size = { columns: width, rows: height };
      screen.refresh();
    },
    async resizeEarly(width, height) {
      await written();
      terminal.resize(width, height);
    },
    tick(ms) {
      time += ms;
      for (let draws = 0; draws < 3; draws++) for (const tick of ticks) tick();
    },
    draw() {
      time += 40;
      for (const tick of ticks) tick();
    },
    async kept() {
      await written();
      return kept;
    },
    ticking: () => ticks.size,
  };
}
