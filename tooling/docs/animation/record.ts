import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { ScenarioFileSchema } from '../../../mock-llm-server/scenario/format.ts';
import { startMockLlm } from '../../../mock-llm-server/testing.ts';
import { animationSvg, type Cell } from './svg.ts';

const root = path.join(import.meta.dirname, '../../..');
const STORY = path.join(import.meta.dirname, 'story.json');
const COLUMNS = 80;
const PROMPT = 'free shipping from 50.00 on';

/** The animated picture of a run in a terminal, from `story.json`. `bin` is the path of the file that starts `ybs`. */
export async function recordAnimation(bin: string): Promise<string> {
  const { scenarios } = ScenarioFileSchema.parse(JSON.parse(readFileSync(STORY, 'utf8')));
  const server = await startMockLlm({ scenarios });
  const temporary = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-animation-')));
  const workspace = path.join(temporary, 'playground');
  try {
    cpSync(path.join(root, 'examples/playground'), workspace, { recursive: true });
    const mode = ['--permission-mode', 'full-access', '--no-sandbox'];
    const options = ['-p', 'mock', '--endpoint', server.url, ...mode, '--cwd', workspace];
    const rows = await screenOf([bin, ...options, PROMPT], temporary);
    return animationSvg([typed(`$ ybs "${PROMPT}"`), ...rows], COLUMNS);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    await server.close();
  }
}

/** The rows that a command leaves on a screen, without the tokens, which depend on the length of the path. */
async function screenOf(args: readonly string[], home: string): Promise<readonly (readonly Cell[])[]> {
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: 40, allowProposedApi: true, scrollback: 1_000 });
  const child = spawn(process.execPath, [...args], {
    cols: COLUMNS,
    rows: 40,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home, TERM: 'xterm-256color' },
  });
  child.onData((data) => screen.write(data));
  const { exitCode } = await new Promise<{ readonly exitCode: number }>((resolve) => child.onExit(resolve));
  await new Promise<void>((resolve) => screen.write('', resolve));
  if (exitCode !== 0) throw new Error(`ybs ended with exit code ${exitCode}`);
  const { active } = screen.buffer;
  const rows = Array.from({ length: active.length }, (_, index) => cellsOf(active.getLine(index)));
  screen.dispose();
  const text = (row: readonly Cell[]) => row.map((cell) => cell.text).join('');
  const last = rows.findLastIndex((row) => text(row).trim() !== '');
  return rows.slice(0, last + 1).filter((row) => !/^▌ [\d,]+ tokens in, [\d,]+ out/.test(text(row)));
}

type BufferLine = ReturnType<xterm.Terminal['buffer']['active']['getLine']>;

function cellsOf(line: BufferLine): readonly Cell[] {
  return Array.from({ length: line?.length ?? 0 }, (_, column) => {
    const cell = line?.getCell(column);
    if (cell === undefined) return { ...PLAIN, text: ' ' };
    return {
      text: cell.getChars() || ' ',
      colour: cell.isFgPalette() ? cell.getFgColor() : undefined,
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      inverse: cell.isInverse() !== 0,
    };
  });
}

const PLAIN = { colour: undefined, bold: false, dim: false, italic: false, underline: false, inverse: false } as const;

function typed(text: string): readonly Cell[] {
  return [...text].map((character) => ({ ...PLAIN, text: character, bold: true }));
}
