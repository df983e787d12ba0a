import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawLine } from '../../../../src/terminal/editor/draw.ts';
import { press, withCompletion } from '../../../../src/terminal/editor/line-editor.ts';
import { type LineState, newLine } from '../../../../src/terminal/editor/line-state.ts';
import type { Key } from '../../../../src/terminal/keys/key.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** The keys of a text: `<C-a>` is a key with a name, `<paste:…>` a paste, anything else is typed. */
function keysOf(text: string): readonly Key[] {
  return [...text.matchAll(/<paste:([^>]*)>|<([\w-]+)>|([^<])/gsu)].map(([, paste, name, typed]): Key => {
    if (paste !== undefined) return { type: 'paste', text: paste };
    return name === undefined ? { type: 'text', text: typed ?? '' } : { type: 'key', name };
  });
}

/** A line with its cursor as `|`. */
function lineOf(marked: string, history: readonly string[] = []): LineState {
  const cursor = marked.indexOf('|');
  return { ...newLine(history), buffer: { text: marked.replace('|', ''), cursor } };
}

const marked = ({ buffer: { text, cursor } }: LineState) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

function pressAll(state: LineState, keys: string) {
  const effects: string[] = [];
  let last = state;
  for (const key of keysOf(keys)) {
    const { state: next, effect } = press(last, key);
    last = next;
    if (effect !== undefined) effects.push('text' in effect ? `${effect.type} ${effect.text}` : effect.type);
  }
  return { state: last, line: marked(last), effects };
}

describe('keys that edit a line', () => {
  it.each([
    ['typed text', 'a|b', 'xy', 'axy|b'],
    ['C-a and C-e', 'a b|c', '<C-a>1<C-e>2', '1a bc2|'],
    ['C-b and C-f', 'abc|', '<C-b><C-b>x<C-f>y', 'axby|c'],
    ['Home and End of a line of several', 'one\ntw|o\nthree', '<Home>1<End>2', 'one\n1two2|\nthree'],
    ['M-b and M-f', 'one two-three|', '<M-b>x<M-b><M-b>y<M-f>z', 'one ytwoz|-xthree'],
    ['C-Left and C-Right', 'ž日本 два|', '<C-Left><C-Left>x<C-Right>y', 'xž日本y| два'],
    ['Left over an emoji', 'a👩🏽‍💻|b', '<Left>x', 'ax|👩🏽‍💻b'],
    ['Right over a character of two code points', '|e\u0301a', '<Right>x', 'e\u0301x|a'],
    ['Left and Right over a line feed', 'a\n|b', '<Left>x<Right>y', 'ax\ny|b'],
    ['Left at the start, Right at the end', '|a', '<Left><C-Left><Right><Right><C-Right>x', 'ax|'],
    ['Backspace of an emoji', 'a👩🏽‍💻|b', '<Backspace>', 'a|b'],
    ['Backspace of a line feed', 'a\n|b', '<C-h>', 'a|b'],
    ['Backspace at the start', '|b', '<Backspace>', '|b'],
    ['Delete and C-d', 'a|bcd', '<Delete><C-d>', 'a|d'],
    ['Delete at the end', 'a|', '<Delete>', 'a|'],
    ['C-k', 'one t|wo\nthree', '<C-k>', 'one t|\nthree'],
    ['C-k at the end of a line', 'one|\ntwo', '<C-k>', 'one|two'],
    ['C-k at the end', 'one|', '<C-k>', 'one|'],
    ['C-u', 'one\ntwo t|hree', '<C-u>', 'one\n|hree'],
    ['C-w', 'git commit --amend |', '<C-w>', 'git commit |'],
    ['M-Backspace', 'git commit --amend|', '<M-Backspace>', 'git commit --|'],
    ['M-d', 'one| two three', '<M-d>', 'one| three'],
    ['C-y', 'one two|', '<C-w>3 <C-y>', 'one 3 two|'],
    ['C-y after cuts in a row', 'one two three|', '<C-w><C-w><C-a><C-y>', 'two three|one '],
    ['C-y after cuts in both directions', 'one two| three', '<C-w><C-k><C-y>!', 'one two three!|'],
    ['C-y without a cut', 'a|', '<C-y>', 'a|'],
    ['C-t', 'a|bc', '<C-t>', 'ba|c'],
    ['C-t at the end', 'abc|', '<C-t>', 'acb|'],
    ['C-t at the start', '|abc', '<C-t>', '|abc'],
    ['M-Enter', 'a|b', '<M-Enter>', 'a\n|b'],
    ['C-j', 'a|b', '<C-j>', 'a\n|b'],
    ['a backslash at the end', 'one \\|', '<Enter>two', 'one \ntwo|'],
    ['Up and Down keep the column', 'long one\nab\nlo|ng', '<Up><Up>x<Down><Down>y', 'loxng one\nab\nloy|ng'],
    ['Up into a shorter line', 'a\nlong|', '<Up>x', 'ax|\nlong'],
    ['a paste', 'a|b', '<paste:one\r\ntwo\rthree>', 'aone\ntwo\nthree|b'],
    ['control characters of a paste', '|', '<paste:\u001b[31m\u0003>', '\\u{1b}[31m\\u{3}|'],
    ['undo of a word', '|', 'one two<C-_>', 'one |'],
    ['undo of cuts and pastes', 'one two|', '<C-w><paste:x><C-_><C-_>', 'one two|'],
    ['undo with nothing to undo', 'a|', '<C-_><C-_>', 'a|'],
    ['undo after a completion of history', '|', 'ab<C-u><C-_>', 'ab|'],
    ['keys without a meaning', 'a|', '<F5><M-x><C-s>', 'a|'],
    // https://github.com/openai/codex/issues/37839
    ['Backspace removes one mark of a letter', 'กี่|', '<Backspace>', 'กี|'],
    ['Backspace removes a mark outside the first plane', '\u{1e900}\u{1e944}|', '<Backspace>', '\u{1e900}|'],
    ['Backspace removes a whole emoji', '❤️1️⃣👩🏽‍💻|', '<Backspace><Backspace>', '❤️|'],
  ])('%s', (_name, before, keys, after) => {
    expect(pressAll(lineOf(before), keys)).toMatchObject({ line: after, effects: [] });
  });

  it('never split a character, whatever is typed', () => {
    const names = ['Left', 'Right', 'Up', 'Down', 'M-b', 'M-f', 'Backspace', 'Delete', 'C-k', 'C-u', 'C-w', 'M-d'];
    const more = ['C-y', 'C-t', 'C-_', 'C-a', 'C-e', 'M-Enter', 'C-r', 'Esc', 'Tab', 'C-p', 'C-n', 'M-Backspace'];
    const key: fc.Arbitrary<Key> = fc.oneof(
      fc.constantFrom('a', ' ', '日', 'é', '👩🏽‍💻', '\n', '🇨🇿').map((text): Key => ({ type: 'text', text })),
      fc.constantFrom(...names, ...more).map((name): Key => ({ type: 'key', name })),
      fc.constantFrom('a\nb', '👩🏽‍💻x', '日\r\n本').map((text): Key => ({ type: 'paste', text })),
    );
    const pressed = fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
      let state = newLine(['one', 'two\nthree']);
      for (const next of keys) state = press(state, next).state;
      const { text, cursor } = state.buffer;
      const parts = [text.slice(0, cursor), text.slice(cursor)];
      // A half of a character would become U+FFFD.
      expect(parts.map((part) => Buffer.from(part).toString())).toEqual(parts);
      expect(cursor).toBeGreaterThanOrEqual(0);
      expect(cursor).toBeLessThanOrEqual(text.length);
    });
    fc.assert(pressed, propertySettings(50));
  });
});

describe('keys with other effects', () => {
  it.each([
    ['Enter sends the line', 'hello|', '<Enter>', ['submit hello'], '|'],
    ['Enter sends an empty line', '|', '<Enter>', ['submit '], '|'],
    ['Enter in the middle sends the whole line', 'a\\|b\\', '<Enter>', ['submit a\\b\\'], '|'],
    ['Enter after two backslashes', 'a\\\\|', '<Enter>', ['submit a\\\\'], '|'],
    ['C-c clears the line', 'half|', '<C-c>', ['interrupt'], '|'],
    ['C-d leaves an empty line', '|', '<C-d>', ['end'], '|'],
    ['Esc', 'a|', '<Esc>', ['escape'], 'a|'],
    ['C-z, C-l, C-g, C-o', 'a|', '<C-z><C-l><C-g><C-o>', ['suspend', 'clear_screen', 'compose', 'unfold'], 'a|'],
    ['Tab', 'a|', '<Tab>', ['complete'], 'a|'],
  ])('%s', (_name, before, keys, effects, after) => {
    expect(pressAll(lineOf(before), keys)).toMatchObject({ line: after, effects });
  });

  it('report whether Ctrl-C cleared a line', () => {
    expect(press(lineOf('a|'), { type: 'key', name: 'C-c' }).effect).toEqual({ type: 'interrupt', cleared: true });
    expect(press(lineOf('|'), { type: 'key', name: 'C-c' }).effect).toEqual({ type: 'interrupt', cleared: false });
  });
});

describe('a long paste', () => {
  const LINES = Array.from({ length: 3_001 }, (_, index) => `line ${index}`).join('\n');
  const CHARACTERS = 'a b '.repeat(500);
  const paste = (text: string, before = lineOf('fix |!')) => press(before, { type: 'paste', text }).state;
  const shown = (state: LineState) => drawLine(state, '> ', {}, { columns: 70, rows: 20 });

  it.each([
    ['lines', LINES, '[pasted 3,001 lines]'],
    ['lines with an end', `${LINES}\n`, '[pasted 3,001 lines]'],
    ['one line', CHARACTERS, '[pasted 2,000 characters]'],
  ])('is one mark on the screen and is sent whole: %s', (_name, text, label) => {
    const state = paste(text);
    expect(shown(state)).toEqual({ rows: [`> fix ${label}!`], cursor: { row: 0, column: 6 + label.length } });
    for (const name of ['Enter', 'C-q']) {
      expect(press(state, { type: 'key', name }).effect).toMatchObject({
        text: `fix ${text}!`,
        shown: `fix ${label}!`,
      });
    }
  });

  it('is not folded up to ten lines', () => {
    const ten = LINES.split('\n').slice(0, 10).join('\n');
    expect(paste(ten).buffer.text).toBe(`fix ${ten}!`);
    expect(paste(`${ten}\nx`).buffer.text).not.toContain('line 1');
  });

  it.each([
    ['is removed as a whole', '<Backspace>', 'fix !'],
    ['is skipped by the cursor as a whole', '<Left>x', 'fix x[pasted 3,001 lines]!'],
    ['comes back with undo', '<C-w><C-_>', 'fix [pasted 3,001 lines]!'],
    ['is cut and put back', '<C-w><C-y>', 'fix [pasted 3,001 lines]!'],
    ['is folded again after it was shown', '<C-o><C-_>', 'fix [pasted 3,001 lines]!'],
    ['survives an earlier message', '<C-p><C-n>', 'fix [pasted 3,001 lines]!'],
  ])('%s', (_name, keys, line) => {
    const { state } = pressAll(paste(LINES, lineOf('fix |!', ['before'])), keys);
    expect(shown(state).rows).toEqual([`> ${line}`]);
    expect(pressAll(state, '<Enter>').effects).toEqual([`submit ${line.replace('[pasted 3,001 lines]', () => LINES)}`]);
  });

  it('is shown by Ctrl-O and can be edited then', () => {
    const { state, effects } = pressAll(paste(LINES), '<C-o>x');
    expect([effects, state.buffer.text]).toEqual([[], `fix ${LINES}x!`]);
    expect(shown(state).rows).toHaveLength(20);
    expect(pressAll(state, '<C-o>').effects).toEqual(['unfold']);
  });

  it('is separate from other pastes, and from a typed mark', () => {
    const first = paste(LINES, lineOf('|'));
    const { state } = pressAll(first, '<Left>\u{10ff00} ');
    const both = press(state, { type: 'paste', text: `${CHARACTERS}\u{10ff00}` }).state;
    expect(shown(both).rows).toEqual(['> \ufffd [pasted 2,002 characters][pasted 3,001 lines]']);
    expect(pressAll(both, '<Enter>').effects).toEqual([`submit \ufffd ${CHARACTERS}\u{10ff00}${LINES}`]);
  });

  it('has a label that is wrapped in a narrow terminal', () => {
    const rows = drawLine(paste(LINES), '> ', {}, { columns: 20, rows: 20 }).rows;
    expect(rows).toEqual(['> fix [pasted 3,001', '   lines]!']);
  });
});

describe('the history', () => {
  const history = ['first', 'second\nline', 'third'];

  it.each([
    ['Up shows the last message', '|', '<Up>', 'third|'],
    ['Up in a message of several lines first moves up in it', '|', '<Up><Up>', 'second\nline|'],
    ['Up then shows the previous message', '|', '<Up><Up><Up><Up>', 'first|'],
    ['C-p does not stop in it', '|', '<C-p><C-p><C-p><C-p>', 'first|'],
    ['Down returns to the line that was being typed', 'ha|lf', '<Up><Down>', 'ha|lf'],
    ['C-n at the end stays', 'ha|lf', '<C-n>', 'ha|lf'],
    ['a recalled message can be edited', '|', '<Up>!', 'third!|'],
    // https://github.com/google-gemini/gemini-cli/issues/16373
    ['an edited message waits where it was left', '|', '<C-p>!<C-p><C-p><C-n><C-n>', 'third!|'],
    ['an edited message leaves the new line as it is', 'ha|lf', '<C-p>!<C-p><C-n><C-n>', 'ha|lf'],
    ['an edit that was taken back is forgotten', '|', '<C-p>!<C-p><C-n><Backspace><C-p><C-n>', 'third|'],
  ])('%s', (_name, before, keys, after) => {
    expect(pressAll(lineOf(before, history), keys).line).toBe(after);
  });

  it('starts from the end again after a message', () => {
    expect(pressAll(lineOf('|', history), '<Up><Up><Enter><Up>').line).toBe('third|');
  });
});

describe('the search in the history', () => {
  const history = ['fix the test', 'run Tests', 'hello', 'run Tests'];

  it.each([
    ['finds the last message with the text in any case', '<C-r>tests<Right>', 'run T|ests', []],
    ['continues with Ctrl-R, past equal messages', '<C-r>test<C-r><End>', 'fix the test|', []],
    ['keeps the last message found when there is no other', '<C-r>test<C-r><C-r><C-r><End>', 'fix the test|', []],
    ['is narrowed by more text and widened by Backspace', '<C-r>tests<Backspace><C-h><End>', 'run Tests|', []],
    ['takes a paste', '<C-r><paste:hell><End>', 'hello|', []],
    ['sends the message found with Enter', '<C-r>hel<Enter>', '|', ['submit hello']],
    ['gives up with Esc', 'half<C-r>hel<Esc>', 'half|', []],
    ['gives up with C-g', 'half<C-r>hel<C-g>', 'half|', []],
    ['gives up with C-c', 'half<C-r>hel<C-c>', 'half|', []],
    ['finds nothing for another text', 'half<C-r>zz<End>', 'half|', []],
  ])('%s', (_name, keys, line, effects) => {
    expect(pressAll(lineOf('|', history), keys)).toMatchObject({ line, effects });
  });
});

describe('completion', () => {
  const found = (from: number, to: number, ...items: string[]) => ({ from, to, items });

  it('takes the only completion', () => {
    expect(marked(withCompletion(lineOf('see @fi| now'), found(4, 7, '@file:')))).toBe('see @file:| now');
  });

  it.each([
    ['/di|', '/diff', '/diff |'],
    ['/di| x', '/diff', '/diff| x'],
    ['see src|', 'src/', 'see src/|'],
    ['@ag|', '@agent:', '@agent:|'],
    ['@|', '@!', '@!|'],
  ])('ends the only one with a space at the end of the line, if it is complete: %s', (typed, item, expected) => {
    const to = typed.indexOf('|');
    const from = typed.lastIndexOf(' ', to) + 1;
    expect(marked(withCompletion(lineOf(typed), found(from, to, item)))).toBe(expected);
  });

  it('takes the common start of several, and offers them', () => {
    const state = withCompletion(lineOf('/s|'), found(0, 2, '/session', '/sessions'));
    expect(marked(state)).toBe('/session|');
    expect(pressAll(state, '<Tab>').line).toBe('/session|');
    expect(pressAll(state, '<Tab><Tab>').line).toBe('/sessions|');
    expect(pressAll(state, '<Tab><Tab><Tab>').line).toBe('/session|');
    expect(pressAll(state, '<S-Tab>').line).toBe('/sessions|');
    expect(pressAll(state, '<S-Tab><S-Tab>').line).toBe('/session|');
    expect(pressAll(state, '<Tab><Tab> x').line).toBe('/sessions x|');
    expect(pressAll(state, '<Tab><Tab><C-_>').line).toBe('/session|');
    expect(pressAll(state, '<Tab><Tab><C-_><C-_>').line).toBe('/s|');
  });

  it('does not change the line when there is none, or none that begins like the word', () => {
    const line = lineOf('ab|');
    expect(withCompletion(line, found(0, 2))).toBe(line);
    expect(marked(withCompletion(line, found(0, 2, 'xab', 'yab')))).toBe('ab|');
  });

  it('ends with Esc, which then has no other effect', () => {
    const state = withCompletion(lineOf('/s|'), found(0, 2, '/session', '/sessions'));
    expect(pressAll(state, '<Esc>')).toMatchObject({ line: '/session|', effects: [] });
    expect(pressAll(state, '<Esc><Esc>').effects).toEqual(['escape']);
  });
});
