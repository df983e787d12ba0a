import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOfCharacter } from '../../../../src/terminal/keys/decode-sequence.ts';
import { InputLexer, type InputToken } from '../../../../src/terminal/keys/input-lexer.ts';
import { propertySettings } from '../../../support/random/property.ts';
import recorded from './recorded-input.json' with { type: 'json' };

const ESC = '\u001b';
const ST = `${ESC}\\`;

/** A text as its bytes in UTF-8, one character each. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** The names of keys, the characters that are text, and pastes in angle brackets. */
function namesOf(tokens: readonly InputToken[]): readonly string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'paste') return `<${token.text}>`;
    const keys = token.type === 'key' ? [token.key] : [...token.text].map((text) => keyOfCharacter(text));
    return keys.flatMap((key) => (key === undefined ? [] : key.type === 'key' ? [key.name] : [...key.text]));
  });
}

/** The tokens of chunks. `elapse`: after each chunk, the time for its rest passes. */
function read(chunks: readonly string[], elapse = false): readonly string[] {
  const lexer = new InputLexer();
  const tokens = chunks.flatMap((chunk) => {
    const arrived = lexer.push(chunk);
    return elapse && lexer.waitMs !== undefined ? [...arrived, ...lexer.elapse()] : arrived;
  });
  return namesOf(lexer.waitMs === undefined ? tokens : [...tokens, ...lexer.elapse()]);
}

/** A text in two chunks, cut at every byte. */
const cuts = (bytes: string) =>
  Array.from({ length: bytes.length - 1 }, (_, index) => [bytes.slice(0, index + 1), bytes.slice(index + 1)]);

/** Replies of terminals that were not recorded, with the source of their form. */
const REPLIES: readonly (readonly [source: string, bytes: string])[] = [
  ['OSC 10 in a prompt: claude-code#12910', `${ESC}]10;rgb:e4e4/e4e4/e4e4${ST}`],
  ['OSC 11 after a failed command: stablyai/orca#16633', `${ESC}]11;rgb:1c1c/1e1e/2626\u0007`],
  ['OSC 11 over SSH: NousResearch/hermes-agent#30218', `${ESC}]11;rgb:3030/3434/4646\u0007`],
  ['OSC 4 with alpha: xterm, ctlseqs, Operating System Commands', `${ESC}]4;255;rgba:0000/0000/0000/ffff${ST}`],
  ['OSC 52, the clipboard: tmux#5388', `${ESC}]52;c;${Buffer.from('secret'.repeat(200)).toString('base64')}${ST}`],
  ['OSC 52 with BEL: xterm, ctlseqs', `${ESC}]52;c;aGVsbG8=\u0007`],
  ['DA1 of Windows Terminal: microsoft/terminal#17439', `${ESC}[?61;6;7;21;22;23;24;28;32;42c`],
  ['DA1 split: tmux#5128', `${ESC}[?61;4;6;7;14;21;22;23;24;28;32c`],
  ['DA1, DA2 and XTVERSION of Konsole: tmux#5616', `${ESC}[?62;1;4c${ESC}[>1;115;0c${ESC}P>|Konsole 26.04.0${ST}`],
  ['XTVERSION, focus, DA1 of VTE: claude-code#92275', `${ESC}[I${ESC}P>|VTE(8401)${ST}${ESC}[?61;1;22;28c`],
  ['DA3: xterm, ctlseqs, CSI = Ps c', `${ESC}P!|7E565445${ST}`],
  ['wheel in tmux: claude-code#81648', `${ESC}[<65;40;17M${ESC}[<65;38;23M`],
  ['wheel split in two reads: agav#136', `${ESC}[<65;12;5M`],
  ['movement: opentui#781', `${ESC}[<35;20;5m`],
  ['highlight tracking, start and end: xterm, ctlseqs', `${ESC}[T!"#$%&`],
  ['highlight tracking, no selection: xterm, ctlseqs', `${ESC}[t!"`],
  ['X10 report whose bytes are not UTF-8', `${ESC}[M \u00f8\u00ff`],
  ['X10 report with a far column in the mode 1005', `${ESC}[M ${utf8('ǩ')}!`],
  ['DEC locator: xterm, ctlseqs', `${ESC}[2;4;12;40;1&w`],
  ['focus in and out: xterm, ctlseqs', `${ESC}[I${ESC}[O`],
  ['colour scheme: contour, VT extensions, mode 2031', `${ESC}[?997;1n`],
  ['size of the window: mode 2048', `${ESC}[48;40;100;800;1000t`],
  ['flags of the kitty keyboard protocol', `${ESC}[?31u`],
  ['status of the kitty graphics protocol', `${ESC}_Gi=31;ENOTSUPPORTED:query${ST}`],
  ['capabilities, OSC 1337 of iTerm2: opencode.nvim#144', `${ESC}]1337;ReportCellSize=18.0;8.0;2.0${ST}`],
  ['clipboard of kitty, OSC 5522', `${ESC}]5522;type=read:status=OK${ST}`],
  ['colours of kitty, OSC 21', `${ESC}]21;foreground=rgb:dd/dd/dd${ST}`],
  ['a reply within the passthrough of tmux: tmux, FAQ', `${ESC}Ptmux;${ESC}${ESC}]11;rgb:1/2/3\u0007${ST}`],
  ['DECRPSS: xterm, ctlseqs', `${ESC}P1$r0;1;4m${ST}`],
  ['DECRPM: xterm, ctlseqs', `${ESC}[?2048;0$y`],
  ['DECREPTPARM: xterm, ctlseqs', `${ESC}[2;1;1;128;128;1;0x`],
  ['XTSMGRAPHICS: xterm, ctlseqs', `${ESC}[?2;0;1000;1000S`],
  ['title with an umlaut, whose last byte looks like ST', `${ESC}]l${utf8('MÜnchen')}${ST}`],
  ['8-bit CSI in UTF-8', utf8('\u009b?62;22c')],
  ['8-bit OSC and ST as bytes: xterm with S8C1T', '\u009d11;rgb:0000/0000/0000\u009c'],
  ['privacy message and start of string: ECMA-48, 8.3.94 and 8.3.128', `${ESC}^note${ST}${ESC}Xtext${ST}`],
  ['device status, printer, keyboard: xterm, ctlseqs', `${ESC}[0n${ESC}[?13n${ESC}[?27;1;0;0n`],
  ['win32-input-mode of ConPTY', `${ESC}[17;29;0;1;8;1_`],
];

/** A key event of win32-input-mode: `CSI Vk;Sc;Uc;Kd;Cs;Rc _`. */
const event = (fields: string) => `${ESC}[${fields}_`;
const typed = (text: string) => [...text].map((character) => event(`0;0;${character.charCodeAt(0)};1;0;1`)).join('');

/** Keys of Windows Terminal in win32-input-mode, with the reports that have their bytes. */
const WINDOWS_KEYS: readonly (readonly [source: string, bytes: string, keys: readonly string[]])[] = [
  ['Windows, Enter', event('13;28;13;1;0;1') + event('13;28;13;0;0;1'), ['Enter']],
  ['Windows, Shift-Enter', event('13;28;13;1;16;1') + event('13;28;13;0;16;1'), ['S-Enter']],
  ['Windows, Ctrl-A: contour-terminal/endo#42', event('65;30;1;1;8;1') + event('65;30;1;0;8;1'), ['C-a']],
  ['Windows, Shift alone: contour-terminal/endo#42', event('16;42;0;1;16;1'), []],
  ['Windows, Shift-A', event('65;30;65;1;16;1') + event('65;30;65;0;16;1'), ['A']],
  ['Windows, Left with the bit of enhanced keys', event('37;75;0;1;256;1') + event('37;75;0;0;256;1'), ['Left']],
  ['Windows, Ctrl-Left and Alt-Delete', event('37;75;0;1;264;1') + event('46;83;0;1;258;1'), ['C-Left', 'M-Delete']],
  ['Windows, Shift-Tab', event('9;15;9;1;16;1'), ['S-Tab']],
  [
    'Windows, Backspace and Ctrl-Backspace',
    event('8;14;8;1;0;1') + event('8;14;127;1;8;1'),
    ['Backspace', 'C-Backspace'],
  ],
  ['Windows, Alt-B', event('66;48;98;1;2;1'), ['M-b']],
  ['Windows, AltGr-E', event('69;18;8364;1;9;1'), ['€']],
  [
    'Windows, an emoji in two halves',
    event('0;0;55357;1;0;1') + event('0;0;55357;0;0;1') + event('0;0;56832;1;0;1'),
    ['😀'],
  ],
  ['Windows, a repeated key', event('65;30;97;1;0;3'), ['a', 'a', 'a']],
  ['Windows, a code typed with Alt', event('18;56;0;1;2;1') + event('18;56;228;0;0;1'), ['ä']],
  ['Windows, fields left out', `${ESC}[;4;20;116;1;0;1_`.replace(';4;20', ';20'), ['t']],
  ['Lens on Windows, Enter: far2l#2593', event('0;0;13;1;0;1') + event('13;28;13;0;0;1'), ['Enter']],
  [
    'Lens on Windows, Ctrl-C: far2l#2593',
    event('17;29;0;1;8;1') + event('0;0;3;1;0;1') + event('67;46;3;0;8;1') + event('17;29;0;0;0;1'),
    ['C-c'],
  ],
  ['Lens on Windows, Esc: far2l#2593', event('0;0;27;1;0;1') + event('27;1;27;0;0;1'), ['Esc']],
  [
    'a paste as key events: microsoft/terminal#17656',
    `${typed('\u001b[200~')}${typed('t_\r')}${typed('\u001b[201~')}`,
    ['<t_\r>'],
  ],
];

describe.each([
  ...recorded.replies.map(([terminal = '', name = '', bytes = '']) => [`${terminal}: ${name}`, bytes] as const),
  ...REPLIES,
])('%s', (_source, bytes) => {
  it('is neither text nor a key, wherever its chunks end', () => {
    const withText = `a${bytes}b`;
    expect(read([withText])).toEqual(['a', 'b']);
    for (const chunks of cuts(withText)) expect(read(chunks), JSON.stringify(chunks)).toEqual(['a', 'b']);
    expect(read([...withText])).toEqual(['a', 'b']);
    for (let index = 1; index < withText.length - 1; index += 1) {
      const chunks = [withText.slice(0, index), withText[index] ?? '', withText.slice(index + 1)];
      expect(read(chunks), JSON.stringify(chunks)).toEqual(['a', 'b']);
    }
  });

  it('is neither text nor a key when its rest is late', () => {
    // After a pause, Escape alone is the key, and a single character is typed.
    for (const [start = '', rest = ''] of cuts(bytes).filter(([, late = '']) => late.length > 1)) {
      const keys = read([start]);
      expect(start.endsWith(ESC) ? ['Esc'] : [], start).toEqual(expect.arrayContaining([...keys]));
      expect(read([start, rest], true), JSON.stringify([start, rest])).toEqual(keys);
    }
  });
});

/** The keys that were recorded; the modifiers that a protocol does not report are left out. */
const RECORDED: Readonly<Record<string, string>> = {
  Return: 'Enter',
  'shift+Return': 'S-Enter',
  'ctrl+Return': 'Enter',
  'alt+Return': 'M-Enter',
  'shift+Tab': 'S-Tab',
  Escape: 'Esc',
  BackSpace: 'Backspace',
  'ctrl+BackSpace': 'C-Backspace',
  'alt+BackSpace': 'M-Backspace',
  'shift+a': 'A',
  'ctrl+a': 'C-a',
  'alt+a': 'M-a',
  'alt+b': 'M-b',
  'ctrl+shift+c': 'C-S-c',
  'ctrl+slash': 'C-_',
  'ctrl+underscore': 'C-_',
  'ctrl+i': 'Tab',
  'ctrl+Left': 'C-Left',
  'alt+Left': 'M-Left',
  'shift+Left': 'Left',
  'ctrl+Delete': 'C-Delete',
  Prior: 'PageUp',
  KP_Enter: 'Enter',
  KP_5: '5',
  eacute: 'é',
  'ctrl+space': 'C- ',
};

/** Keys for which a terminal sends the bytes of another one. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  'shift+Return': ['Enter'],
  'ctrl+BackSpace': ['Backspace'],
  'alt+BackSpace': ['ÿ'],
  'alt+a': ['á'],
  'alt+b': ['â'],
  'ctrl+shift+c': ['C-c', 'C-l'],
  KP_Left: ['4', 'Left'],
};

describe.each(recorded.keys)('%s, %s', (_terminal = '', _protocol, name = '', bytes = '') => {
  it(`has one key for ${name}, wherever its chunks end`, () => {
    const [key, ...more] = read([bytes]);
    expect(more).toEqual([]);
    const isWithoutUse = /^(?:F\d+|shift\+F3|Menu|Super_L|Shift_L)$/.test(name) || bytes === '\u0000';
    const expected = [RECORDED[name] ?? name, ...(AMBIGUOUS[name] ?? [])];
    if (key === undefined) expect([isWithoutUse, bytes]).toEqual([true, bytes]);
    else expect(expected).toContain(key);
    for (const chunks of cuts(bytes)) expect(read(chunks), JSON.stringify(chunks)).toEqual(read([bytes]));
  });
});

describe('keys that were not recorded', () => {
  it.each<readonly [source: string, bytes: string, keys: readonly string[]]>([
    ['the Linux console, F1', `${ESC}[[A`, []],
    ['rxvt, Shift-Home', `${ESC}[7$`, ['Home']],
    ['rxvt, Ctrl-Home', `${ESC}[7^`, ['C-Home']],
    ['rxvt, Ctrl-Shift-Delete', `${ESC}[3@`, ['C-Delete']],
    ['VT220, Home and End', `${ESC}[1~${ESC}[4~`, ['Home', 'End']],
    ['old Konsole, Ctrl-Right', `${ESC}O5C`, ['C-Right']],
    ['VT100, keypad in application mode', `${ESC}Op${ESC}Oy${ESC}Ok`, ['0', '9', '+']],
    ['Konsole, Shift-Enter: claude-code#2115', `${ESC}OM`, ['S-Enter']],
    ['iTerm2, Option with an arrow: python-prompt-toolkit#483', `${ESC}[1;9D${ESC}[1;9C`, ['M-Left', 'M-Right']],
    ['8-bit SS3', '\u008fD', ['Left']],
    ['Alt and a letter of two bytes', `${ESC}${utf8('é')}`, ['M-é']],
    ['Alt-Ctrl', `${ESC}\u0001`, ['C-M-a']],
    ['kitty, repeat', `${ESC}[97;1:2u`, ['a']],
    ['kitty, release', `${ESC}[97;1:3u`, []],
    ['kitty, text of Option: kitty#8760', `${ESC}[97;;229u`, ['å']],
    ['kitty, text of two code points', `${ESC}[97;;101:769u`, ['e', '\u0301']],
    ['kitty, alternate and base key', `${ESC}[1057:1089:99;2u`, ['\u0441']],
    ['kitty, Caps Lock', `${ESC}[97;65u`, ['A']],
    ['kitty, Super', `${ESC}[118;9u`, []],
    ['kitty, left Ctrl alone', `${ESC}[57442;5u`, []],
    ['kitty, keypad', `${ESC}[57400u${ESC}[57409u${ESC}[57418u`, ['1', '.', 'Right']],
    ['kitty, Ctrl-C and Ctrl-[', `${ESC}[99;5u${ESC}[91;5u`, ['C-c', 'Esc']],
    ['kitty, a code that is no character', `${ESC}[9999999u${ESC}[128u`, []],
    ['modifyOtherKeys, Shift-Enter: ctlseqs', `${ESC}[27;2;13~`, ['S-Enter']],
    ['modifyOtherKeys, Ctrl-C with Caps Lock', `${ESC}[27;5;67~`, ['C-c']],
    ...WINDOWS_KEYS,
    ['more parameters than a key has', `${ESC}[1;2;3A${ESC}[1;2;3;4u`, []],
    ['the end of a paste alone', `${ESC}[201~`, []],
  ])('%s', (_name, bytes, keys) => {
    expect(read([bytes])).toEqual(keys);
    for (const chunks of cuts(bytes)) expect(read(chunks), JSON.stringify(chunks)).toEqual(keys);
  });
});

describe('Escape', () => {
  it.each([
    ['alone', [ESC], ['Esc']],
    ['twice', [ESC, ESC], ['Esc', 'Esc']],
    ['before a mouse report: FTXUI#675, dux#210', [`${ESC}${ESC}[<0;48;12M`], ['Esc']],
    ['before a letter', [`${ESC}${ESC}x`], ['Esc', 'M-x']],
    ['before a reply in two chunks', [`${ESC}${ESC}]11;rgb:0/`, '0/0\u0007'], ['Esc']],
    ['before an arrow, which is Alt', [`${ESC}${ESC}[D`], ['M-Left']],
    ['cut off by Ctrl-C', [`${ESC}]11;rgb`, '\u0003'], ['C-c']],
    ['before the start of a sequence that is cut off', [`${ESC}[1;`, `${ESC}[D`], ['Left']],
    ['before a sequence that a letter of another script ends', [`${ESC}[1;${utf8('é')}`], ['é']],
  ])('%s', (_name, chunks, keys) => {
    expect(read(chunks)).toEqual(keys);
  });

  it.each([
    ['a letter that is typed later', [ESC, 'a'], ['Esc', 'a']],
    ['a word that arrives later', [ESC, 'Paris'], ['Esc', ...'Paris']],
    ['an arrow whose rest is late', [ESC, '[A'], ['Esc', 'Up']],
    ['Alt-[ and a letter that is typed later', [`${ESC}[`, 'A'], ['A']],
    ['a key that is pressed when the rest of a reply is lost', [`${ESC}[?62;`, 'c'], ['c']],
    ['a key that is pressed when the end of a string is lost', [`${ESC}]11;rgb:`, 'x', 'y'], ['x', 'y']],
    ['an arrow when the end of a string is lost', [`${ESC}]11;rgb:`, `${ESC}[A`], ['Up']],
    ['the end of a string whose end is late', [`${ESC}]11;rgb:0/0/0${ESC}`, '\\', 'x'], ['x']],
  ])('and %s', (_name, chunks, keys) => {
    expect(read(chunks, true)).toEqual(keys);
  });

  it('is discarded when its rest is much too late', () => {
    const lexer = new InputLexer();
    lexer.push(ESC);
    expect(namesOf(lexer.elapse())).toEqual(['Esc']);
    expect(lexer.elapse()).toEqual([]);
    expect(lexer.waitMs).toBeUndefined();
    expect(namesOf(lexer.push('[A'))).toEqual(['[', 'A']);
  });
});

describe('a paste without its end', () => {
  const START = `${ESC}[200~`;
  const END = `${ESC}[201~`;
  it.each([
    ['does not swallow keys: pi#9119, opentui#1256', [`${START}partial paste`, 'x'], ['<partial paste>', 'x']],
    ['does not swallow Ctrl-C, Enter, arrows', [`${START}a`, '\u0003', '\r'], ['<a>', 'C-c', 'Enter']],
    ['ends at an arrow', [`${START}a`, `${ESC}[A`], ['<a>', 'Up']],
    ['continues when its rest is late', [`${START}one\n`, 'two\n', `three${END}`], ['<one\n>', '<two\n>', '<three>']],
    ['ends at its late end', [`${START}one`, END, 'x'], ['<one>', 'x']],
    ['ends at an end that is cut: codegraff#532', [`${START}one`, ESC, '[201~', 'x'], ['<one>', 'x']],
    ['ends at an end that is cut before its last byte', [`${START}one${ESC}[201`, '~', 'x'], ['<one>', 'x']],
    ['keeps a split character', [`${START}a${utf8('é').slice(0, 1)}`, `${utf8('é').slice(1)}b${END}`], undefined],
  ])('%s', (_name, chunks, keys) => {
    if (keys === undefined) expect(read(chunks).join('')).toBe('<aéb>');
    else expect(read(chunks, true)).toEqual(keys);
  });

  it('that is dropped ends at the next single key', () => {
    const lexer = new InputLexer();
    lexer.push(`${START}half`);
    lexer.dropPaste();
    expect(namesOf(lexer.push('more of it'))).toEqual([]);
    expect(namesOf(lexer.push('y'))).toEqual(['y']);
    lexer.dropPaste();
    expect(namesOf(lexer.push(`${START}x${END}`))).toEqual(['<x>']);
  });

  it('in 8-bit form ends in that form', () => {
    expect(read(['\u009b200~a\u009b201~b'])).toEqual(['<a>', 'b']);
  });
});

it('any bytes are read in chunks as they are read at once, and only a start is held', () => {
  const byte = fc.constantFrom(...`\u001b\u001b[]OPM<?;:12~c$y\\\u0007\u0003\r aé\u009b\u009c\u00c2`);
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (bytes, size) => {
      const text = bytes.join('');
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      // Ctrl-C alone ends a paste, which depends on the chunks.
      if (!text.includes('200~')) expect(read(chunks)).toEqual(read([text]));
    }),
    propertySettings(300),
  );
});
