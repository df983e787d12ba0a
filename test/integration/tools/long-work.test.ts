import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../../src/agent/async/abort.ts';
import type { Tool } from '../../../src/agent/ports/tool.ts';
import { createEditFile } from '../../../src/tools/files/edit-file.ts';
import type { FilePorts } from '../../../src/tools/files/load-file.ts';
import { createReadFile } from '../../../src/tools/files/read-file.ts';
import { createWriteFile } from '../../../src/tools/files/write-file.ts';
import { CONTEXT, call, fileWorkspace, finish } from '../../support/tools/file-tools.ts';

const SIZE = 2 ** 16;
const LINES = Array.from({ length: 5_000 }, (_, index) => `const value${index} = compute(${index});\n`).join('');

interface LongCall {
  readonly content: string;
  readonly create: (ports: FilePorts) => Tool;
  readonly args: Readonly<Record<string, unknown>>;
  /** The file is read, then changed by another program, before the call. */
  readonly changed?: string;
}

const edit = (content: string, old_text: string, new_text: string, replace_all = true): LongCall => ({
  content,
  create: createEditFile,
  args: { old_text, new_text, replace_all },
});

// The minimum number of pauses is the size of the work divided by the size of a step, estimated generously.
const CALLS: readonly (readonly [string, number, LongCall])[] = [
  ['replaces all of one long line', 4, edit('a'.repeat(SIZE), 'a', 'b')],
  ['finds a text that nearly matches everywhere', 2, edit('a'.repeat(SIZE), `${'a'.repeat(1_000)}b`, 'c')],
  ['finds an ambiguous text', 4, edit('a'.repeat(8 * SIZE), 'a', 'b', false)],
  ['replaces in each of many lines', 4, edit(LINES, 'value', 'number')],
  ['replaces CRLF line endings', 4, edit('a\r\n'.repeat(25_000), 'a\n', 'b\n')],
  ['fails to match an edit in many lines', 4, edit(LINES, 'const value4999 = conpute(4999);\n', 'x')],
  ['finds that an edit was already made', 4, edit('ab'.repeat(SIZE / 2), 'x', 'b')],
  [
    'rewrites many lines',
    4,
    { content: LINES, create: createWriteFile, args: { content: LINES.replaceAll('v', 'w') } },
  ],
  ['shows what another program changed', 4, { ...edit(LINES, 'value', 'number'), changed: LINES.replaceAll('v', 'w') }],
  ['reads many lines', 2, { content: LINES.repeat(6), create: createReadFile, args: {} }],
];

describe('a call with long work', () => {
  it.each(CALLS)('that %s is divided into at least %d steps, and stops at any of them', async (_name, least, long) => {
    const all = await countPauses(long, Number.POSITIVE_INFINITY);
    expect(all.pauses).toBeGreaterThanOrEqual(least);
    for (const last of [1, Math.ceil(all.pauses / 2), all.pauses]) {
      expect(await countPauses(long, last)).toEqual({ pauses: last, error: new AbortedError() });
    }
  });

  it('that does not find a file in a large directory compares only names with the same first letter', async () => {
    const names = ['apples', 'bapple', ...Array.from({ length: 2_000 }, (_, index) => `c${index}`)];
    const { ports } = fileWorkspace({}, () => ({
      list: async () => names.map((name) => ({ name, kind: 'file' }) as const),
    }));
    expect(await call(createReadFile(ports), { path: 'apple' })).toBe(
      'not_found: apple does not exist. Did you mean apples?',
    );
  });

  it('that is short does not pause', async () => {
    expect((await countPauses(edit('a\nb\n', 'a', 'b'), 1)).pauses).toBe(0);
  });
});

/** The number of pauses of a call that is stopped at the pause `last`, and its error. */
async function countPauses(
  { content, create, args, changed }: LongCall,
  last: number,
): Promise<{ readonly pauses: number; readonly error: unknown }> {
  const world = fileWorkspace({ 'a.txt': content });
  if (changed !== undefined) {
    await call(createReadFile(world.ports), { path: 'a.txt' });
    world.volume.writeFileSync('/w/a.txt', changed);
  }
  let pauses = 0;
  const pause = async (): Promise<void> => {
    if (++pauses === last) throw new AbortedError();
  };
  try {
    const planned = await create(world.ports).plan({ path: 'a.txt', ...args }, { ...CONTEXT, pause });
    if (planned.effect.paths[0]?.access === 'read') await finish(planned);
    return { pauses, error: undefined };
  } catch (error) {
    return { pauses, error };
  }
}
