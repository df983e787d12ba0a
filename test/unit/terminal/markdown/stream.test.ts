import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKDOWN_START, renderMarkdown } from '../../../../src/terminal/markdown/stream.ts';
import { escapeForTerminal } from '../../../../src/text/escape.ts';
import { textWidth } from '../../../../src/text/width.ts';
import { propertySettings } from '../../../support/random/property.ts';
import { markdownRows, NO_STYLES, TAGS } from '../../../support/screens/markdown-screen.ts';

const LONG = 'The quick brown fox jumps over the lazy dog and runs.';
const RULE = `<dim>${'─'.repeat(40)}</dim>`;

describe('a text in Markdown', () => {
  const ROWS: readonly (readonly [string, string, readonly string[]])[] = [
    ['nothing', '\n\n', []],
    ['a paragraph with its line ends', 'One\ntwo.\n\nThree.\n', ['One', 'two.', '', 'Three.']],
    ['several empty lines as one', 'a\n\n\n\nb', ['a', '', 'b']],
    ['a hard line end', 'a  \nb\\\nc', ['a', 'b', 'c']],
    [
      'headings',
      '# *One* #\n## Two\ntext\n####### seven',
      ['<bold><underline><italic>One</italic></underline></bold>', '<bold>Two</bold>', 'text', '####### seven'],
    ],
    ['an empty heading', '#\ntext', ['text']],
    [
      'emphasis',
      'a **b** _c_ ~~d~~ ***e***',
      ['a <bold>b</bold> <italic>c</italic> <strikethrough>d</strikethrough> <italic><bold>e</bold></italic>'],
    ],
    ['emphasis over two lines', '**a\nb** c', ['<bold>a</bold>', '<bold>b</bold> c']],
    ['emphasis that never ends', 'a **b c', ['a **b c']],
    ['names and products', 'snake_case_name and 2 * 3 * 4 and ~5', ['snake_case_name and 2 * 3 * 4 and ~5']],
    ['inline code', 'a `b  c` ``d`e``', ['a <cyan>b</cyan> <cyan>c</cyan> <cyan>d`e</cyan>']],
    ['escapes and entities', '\\*a\\* &lt;b&gt; &amp; &copy;', ['*a* <b> & &copy;']],
    [
      'a row that would look like a typed message',
      '`>` a\n\\> b\n&gt; c\n\n**>** d',
      ['<cyan>></cyan> a', '\\> b', '\\> c', '', '\\<bold>></bold> d'],
    ],
    ['no row in a block as a typed message', '- \\> a\n\n> \\> b', ['• > a', '', '<dim>│</dim> > b']],
    [
      'a cell at the start of a row',
      '| a | b |\n|---|---|\n| \\> c | d |',
      ['<bold>a</bold>  <dim> │ </dim><bold>b</bold>', '<dim>────┼──</dim>', '\\> c<dim> │ </dim>d'],
    ],
    ['HTML unchanged', '<b>bold</b> <script>x</script>', ['<b>bold</b> <script>x</script>']],
    [
      'a link with its address',
      '[the *docs*](https://a.example/x "title")',
      ['<underline>the</underline> <underline><italic>docs</italic></underline> <dim>(https://a.example/x)</dim>'],
    ],
    [
      'a link whose text is its address',
      '<https://a.example> [a.txt](a.txt) https://b.example.',
      [
        '<underline>https://a.example</underline> <underline>a.txt</underline> <underline>https://b.example</underline>.',
      ],
    ],
    [
      'a link whose text is another address',
      '[https://good.example](https://bad.example)',
      ['<underline>https://good.example</underline> <dim>(https://bad.example)</dim>'],
    ],
    ['a picture', '![alt](a.png)', ['<underline>alt</underline> <dim>(a.png)</dim>']],
    [
      'a reference unchanged',
      '[a][b] [c]\n\n[b]: https://a.example',
      ['[a][b] [c]', '', '[b]: <underline>https://a.example</underline>'],
    ],
    ['a list', '- a\n* b\n+ c\n-\n- d', ['• a', '• b', '• c', '•', '• d']],
    ['a list in a list', '- a\n  - b\n    - c\n- d', ['• a', '  • b', '    • c', '• d']],
    ['a numbered list', '1. a\n2) b\n10. c\n    d', ['1. a', '2) b', '10. c', '    d']],
    ['a list under a numbered item with few spaces', '1. a\n  - b\n2. c', ['1. a', '   • b', '2. c']],
    ['a list with empty lines', '- a\n\n  more\n\n- b\n\nend', ['• a', '', '  more', '', '• b', '', 'end']],
    [
      'tasks',
      '- [ ] open\n- [x] **done**\n- [y] none\n- [ ]',
      ['☐ open', '☑ <bold>done</bold>', '• [y] none', '• [ ]'],
    ],
    ['a number that is not an item', 'text\n1986. A year\n2. no item', ['text', '1986. A year', '2. no item']],
    [
      'a quote',
      '> a\nlazy\n> > b\n\nend',
      ['<dim>│</dim> a', '<dim>│</dim> lazy', '<dim>│</dim> <dim>│</dim> b', '', 'end'],
    ],
    ['an empty row in a quote', '> a\n>\n> - b', ['<dim>│</dim> a', '<dim>│</dim>', '<dim>│</dim> • b']],
    ['a rule', '***\n- - -\n__', [RULE, RULE, '__']],
    ['a line below a paragraph', 'Title\n---\ntext', ['Title', RULE, 'text']],
    [
      'a block of code',
      '```ts\nconst a = 1;\n\n\tb\n```\ntext',
      ['<dim>ts</dim>', '  <magenta>const</magenta> a = <yellow>1</yellow>;', '', '  \tb', 'text'],
    ],
    [
      'a block of code in an unknown language',
      '~~~ klingon x\nqapla **x**\n~~~',
      ['<dim>klingon x</dim>', '  qapla **x**'],
    ],
    ['a block of code with fences in it', '````\n```\na\n```\n````', ['  ```', '  a', '  ```']],
    ['a block of code that never ends', 'a\n```\nb\n\nc', ['a', '  b', '', '  c']],
    ['a block of code in a list', '- a\n  ```\n  b\n    c\n  ```\n- d', ['• a', '    b', '      c', '• d']],
    ['a block of code that its list ends', '- ```\n  b\nc', ['•   b', 'c']],
    [
      'a comment over several lines',
      '```js\n/* a\nb */ c\n```',
      ['<dim>js</dim>', '  <dim>/* a</dim>', '  <dim>b */</dim> c'],
    ],
    ['three backticks in a line', 'a ```b``` c\n```d``` e', ['a <cyan>b</cyan> c', '<cyan>d</cyan> e']],
    ['an indented block', 'a\n\n    b  c\n\td', ['a', '', '  b  c', '  d']],
    ['an indented line of a paragraph', 'a\n     b', ['a', 'b']],
    [
      'a table',
      '| a | b |\n|---|--:|\n| `c` | 10 |\n| d \\| e |',
      [
        '<bold>a</bold>    <dim> │ </dim> <bold>b</bold>',
        '<dim>──────┼───</dim>',
        '<cyan>c</cyan>    <dim> │ </dim>10',
        'd | e<dim> │ </dim>',
      ],
    ],
    ['a table after a paragraph', 'a\n| b |\n|-|\ntext', ['a', '<bold>b</bold>', '<dim>─</dim>', 'text']],
    ['lines that are not a table', '|-- a\n|   |-- b', ['|-- a', '|   |-- b']],
    ['wide characters', '日本 **語**', ['日本 <bold>語</bold>']],
  ];

  it.each(ROWS)('shows %s', (_name, source, rows) => {
    expect(markdownRows([source], { palette: TAGS })).toEqual(rows);
    expect(markdownRows([...source], { palette: TAGS })).toEqual(rows);
  });

  const WIDTHS: readonly (readonly [number, string, readonly string[]])[] = [
    [20, LONG, ['The quick brown fox', 'jumps over the lazy', 'dog and runs.']],
    [60, LONG, [LONG]],
    [20, `- ${LONG}`, ['• The quick brown', '  fox jumps over the', '  lazy dog and runs.']],
    [20, `> 1. **${LONG}**`, ['│ 1. The quick brown', '│    fox jumps over', '│    the lazy dog', '│    and runs.']],
    [20, '日本語のテキストは折り返される、必要。', ['日本語のテキストは折', 'り返される、必要。']],
    [20, '日本語のテキストは折。', ['日本語のテキストは', '折。']],
    [20, 'a https://a.example/a/long/address b', ['a', 'https://a.example/a/long/address b']],
    [
      20,
      '| a | b |\n|-|-|\n| one two three four | x |',
      ['a                │ b', '─────────────────┼──', 'one two three    │ x', 'four             │'],
    ],
    [
      20,
      '| a | b | c |\n|-|-|-|\n| one two three | four five six | seven eight |\n| 1 | 2 | 3 |',
      ['a: one two three', 'b: four five six', 'c: seven eight', '', 'a: 1', 'b: 2', 'c: 3'],
    ],
    [20, '| a |\n|-|\n| abcdefghijklmnopqrstuvwxyz |', ['a', '─'.repeat(20), 'abcdefghijklmnopqrst', 'uvwxyz']],
    [100, `${LONG} ${LONG}`, [`${LONG} The quick brown fox jumps over the lazy dog`, 'and runs.']],
    [20, '---', ['─'.repeat(20)]],
  ];
  it.each(WIDTHS)('is wrapped at %i columns: %s', (width, source, rows) => {
    expect(markdownRows([source], { width })).toEqual(rows);
    expect(markdownRows([...source], { width })).toEqual(rows);
  });

  it('appears word by word, and an emphasis when it ends', () => {
    const shown: string[] = [];
    let state = MARKDOWN_START;
    for (const piece of ['The ', 'quick br', 'own **f', 'ox jumps', '** over\n', '- x']) {
      const rendered = renderMarkdown(state, piece, { width: 60, palette: NO_STYLES });
      ({ state } = rendered);
      shown.push(rendered.text);
    }
    expect(shown).toEqual(['The', ' quick', ' brown', '', ' fox jumps over', '\n']);
  });

  it('waits at most 400 characters for the end of an emphasis', () => {
    const { text } = renderMarkdown(MARKDOWN_START, `*${'word '.repeat(200)}`, { width: 60, palette: NO_STYLES });
    expect(text.length).toBeGreaterThan(900);
  });

  it.each([
    ['an emphasis', '*a'.repeat(3_000)],
    ['a cell', `| a |\n|-|\n| ${'b'.repeat(3_000)} |`],
    ['a table', `| a |\n|-|${`\n| ${'b'.repeat(1_900)} |`.repeat(53)}`],
  ])('shows %s of unusual length unchanged', (_name, text) => {
    expect(markdownRows([text]).join('\n')).toBe(text);
  });

  it('nests 20 quotes and lists at most', () => {
    expect(markdownRows(['> '.repeat(22)])).toEqual([`${'│ '.repeat(20)}> >`]);
  });

  it('keeps the colours of code after a long comment', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const rows = markdownRows([`\`\`\`ts\n/*\n${lines.join('\n')}\n*/\nconst a = 1;\n\`\`\``], { palette: TAGS });
    expect(rows.slice(-3)).toEqual([
      '  <dim>line 199</dim>',
      '  <dim>*/</dim>',
      '  <magenta>const</magenta> a = <yellow>1</yellow>;',
    ]);
  });
});

const PARTS = [
  ...['a', 'b', ' ', ' ', '  ', '\n', '\n', '\n\n', '\t', '    ', 'word', '+', '=', '.', '\\', '!', '&amp;'],
  ...['*', '**', '_', '`', '```', '```ts', '~~', '~~~', '[', ']', '](', ')', '(', '<', '>', 'snake_case'],
  ...['> ', '- ', '* ', '1. ', '12) ', '[ ] ', '[x] ', '# ', '## ', '|', '| a | b |\n', '|-|-|\n', '---'],
  ...['https://a.example/b', '日本', '👩🏽‍💻', 'const x = "y"; // z'],
];
const source = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(''));

describe('any text in Markdown', () => {
  it('is shown in the same way wherever its pieces end', () => {
    const sizes = fc.array(fc.nat(30), { maxLength: 12 });
    fc.assert(
      fc.property(source, sizes, fc.constantFrom(20, 60), (text, cuts, width) => {
        const pieces: string[] = [];
        let rest = text;
        for (const size of cuts) {
          pieces.push(rest.slice(0, size));
          rest = rest.slice(size);
        }
        const screen = { width, palette: TAGS };
        const whole = markdownRows([text], screen);
        expect(markdownRows([...pieces, rest], screen)).toEqual(whole);
        expect(markdownRows(text.split(''), screen)).toEqual(whole);
      }),
      propertySettings(50),
    );
  });

  it('loses no letter, at any width', () => {
    // The mark of a task and an entity are shown as other characters; a narrow table repeats its headings.
    const letters = (text: string) => text.replaceAll(/&amp;|\[x\]|[^\p{L}\p{N}]/gu, '');
    const withoutTables = source.map((text) => text.replaceAll('|', ''));
    fc.assert(
      fc.property(withoutTables, fc.constantFrom(1, 7, 20, 60, 100), (text, width) => {
        expect(letters(markdownRows([text], { width }).join(''))).toBe(letters(text));
      }),
      propertySettings(50),
    );
    const cell = fc.constantFrom('a', 'bc def', '日本 語', 'abcdefghijklmnop', '**b** `c`', '');
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, fc.constantFrom(7, 20, 60), (rows, width) => {
        const lines = rows.map((row) => `| ${row.join(' | ')} |`);
        const text = [lines[0], '|-|-|-|', ...lines.slice(1)].join('\n');
        const shown = [...letters(markdownRows([text], { width }).join(''))];
        const given = [...letters(text)];
        expect(given.filter((letter) => !shown.includes(letter))).toEqual([]);
        if (width === 60) expect(shown.toSorted().join('')).toBe(given.toSorted().join(''));
      }),
      propertySettings(50),
    );
  });

  it('has no row that is wider than the screen, unless a word is', () => {
    const parts = fc.constantFrom('word ', '**bold** ', '日本', 'x', '`c` ', '\n', '- ', '> ', '1. ');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (pieces) => {
        const wide = markdownRows(pieces, { width: 30 }).filter((row) => {
          const [prefix = ''] = /^(?:[│•] |\d\. | )*/.exec(row) ?? [];
          return textWidth(row) > 30 && textWidth(prefix) <= 20 && !/x{10}/.test(row);
        });
        expect(wide).toEqual([]);
      }),
      propertySettings(50),
    );
  });

  it('writes no control sequence', () => {
    const parts = fc.constantFrom(...PARTS, '\u001b[2J', '\u001b]8;;x\u0007', '\r', '▌', '\u202e', '&#x1b;', '&#9612;');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
        const rows = markdownRows([escapeForTerminal(pieces.join(''))]);
        expect(rows.filter((row) => escapeForTerminal(row) !== row)).toEqual([]);
      }),
      propertySettings(50),
    );
  });
});
