import { describe, expect, it } from 'vitest';
import { drawLine } from '../../../../src/terminal/editor/draw.ts';
import { press } from '../../../../src/terminal/editor/line-editor.ts';
import { newLine } from '../../../../src/terminal/editor/line-state.ts';
import type { Key } from '../../../../src/terminal/keys/key.ts';

const NAMES = ['gpt-large', 'gpt-small', 'qwen', 'qwen-long', 'llama', 'mistral', 'phi', 'gemma', 'yi'];
const CHOICES = NAMES.map((name) => ({ value: name, label: `${name}  ${name.length},000 tokens` }));

/** The answer after these keys; a name in angle brackets is one key, other texts are typed. */
function answerTo(...keys: readonly string[]) {
  let state = newLine([], '', CHOICES);
  for (const text of keys) {
    const name = /^<(.+)>$/.exec(text)?.[1];
    const key: Key = name === undefined ? { type: 'text', text } : { type: 'key', name };
    const pressed = press(state, key);
    if (pressed.effect !== undefined) return pressed.effect;
    state = pressed.state;
  }
  return drawLine(state, '> ', {}, { columns: 30, rows: 24 }).rows;
}

describe('the list of a question', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['Enter takes the first', [], 'gpt-large'],
    ['Down moves down', ['<Down>', '<C-n>', '<Tab>'], 'qwen-long'],
    ['Up moves up, from the first to the last', ['<Down>', '<Up>', '<C-p>', '<S-Tab>'], 'gemma'],
    ['Down moves from the last to the first', ['<Up>', '<Down>'], 'gpt-large'],
    ['a page down', ['<PageDown>'], 'gemma'],
    ['a page stops at the end', ['<PageDown>', '<PageDown>'], 'yi'],
    ['and at the start', ['<Down>', '<PageUp>'], 'gpt-large'],
    ['typed words choose, in any case', ['LONG', ' ', '9,0'], 'qwen-long'],
    ['the whole name comes before longer ones', ['qwen'], 'qwen'],
    ['typing begins with the first that matches', ['<Down>', 'q', '<Down>', 'w'], 'qwen'],
    ['erased text has no effect', ['lla', 'x', '<Backspace>'], 'llama'],
    ['text without a match is the answer', [' my/model '], 'my/model'],
  ])('%s', (_name, keys, value) => {
    expect(answerTo(...keys, '<Enter>')).toMatchObject({ type: 'submit', text: value });
  });

  it('leaves other keys to the line', () => {
    expect(answerTo('<C-c>')).toEqual({ type: 'interrupt', cleared: false });
    expect(answerTo('<Esc>')).toEqual({ type: 'escape' });
  });

  it('is drawn around its chosen row, on a low screen with fewer rows', () => {
    expect(answerTo('qw')).toEqual(['> qw', '▌ › qwen  4,000 tokens', '▌   qwen-long  9,000 tokens']);
    expect(answerTo('zz')).toEqual(['> zz', '▌   no match; Enter takes the']);
    expect(answerTo('<Up>')).toHaveLength(9);
    expect(answerTo()).toContain('▌   and 1 more');
    const low = drawLine(newLine([], '', CHOICES), '> ', {}, { columns: 30, rows: 5 });
    expect(low.rows).toEqual(['> ', '▌ › gpt-large  9,000 tokens', '▌   gpt-small  9,000 tokens', '▌   and 7 more']);
  });
});
