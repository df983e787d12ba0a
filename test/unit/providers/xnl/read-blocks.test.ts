import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerPiece, BlockReader } from '../../../../src/providers/xnl/read-blocks.ts';
import { propertySettings } from '../../../support/random/property.ts';

/** The shown text and the calls of an answer that arrives in these chunks. */
function read(...chunks: readonly string[]) {
  const reader = new BlockReader();
  const pieces = [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()];
  return summary(pieces);
}

function summary(pieces: readonly AnswerPiece[]) {
  return {
    text: pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : [])).join(''),
    calls: pieces.flatMap((piece) => (piece.type === 'calls' ? piece.calls : [])),
  };
}

const CALL = '<tool_call id="a" lang="javascript" #>\nX.y({})\n</#>\n';

describe('BlockReader', () => {
  it.each([
    ['plain text', 'Hello!', 'Hello!', []],
    ['a block', `Look.\n!unquote_start\n${CALL}!unquote_end\nDone.`, 'Look.\n\nDone.', ['a:X.y({})']],
    ['a block at the end of the answer', `!unquote_start\n${CALL}!unquote_end`, '', ['a:X.y({})']],
    ['a block on one line', '!unquote_start <tool_call id="a" #>X.y()</#> !unquote_end', '', ['a:X.y()']],
    [
      'several blocks and calls',
      `!unquote_start\n${CALL}${CALL.replace('"a"', '"b"')}!unquote_end\n!unquote_start\n${CALL.replace('"a"', "'c'")}!unquote_end`,
      '\n',
      ['a:X.y({})', 'b:X.y({})', 'c:X.y({})'],
    ],
    ['a call outside of a block', CALL, CALL, []],
    ['a quoted block', `!quote_start\n!unquote_start\n${CALL}!unquote_end\n!quote_end`, 'same', []],
    ['a quoted call in a block', `!unquote_start\n!quote_start ${CALL} !quote_end\n!unquote_end`, '', []],
    ['a call in a comment', `!unquote_start\n<!-- ${CALL} -->\n!unquote_end`, '', []],
    ['a call in another element', `!unquote_start\n<note #n>${CALL}</#n>\n!unquote_end`, '', []],
    [
      'a marker',
      '!unquote_start\n<tool_call id=a lang="js" #m1>\nf("</#>")\n</#m1>\n!unquote_end',
      '',
      ['a:f("</#>")'],
    ],
    [
      'an end mark inside a line of the call',
      '!unquote_start\n<tool_call id="a" #>\nf("!unquote_end")\n</#>\n!unquote_end',
      '',
      ['a:f("!unquote_end")'],
    ],
    [
      'an indented call',
      '!unquote_start\n  <tool_call id="a" #>\n\n    f(`\n      x`)\n  </#>\n!unquote_end',
      '',
      ['a:  f(`\n    x`)'],
    ],
    ['an empty call', '!unquote_start\n<tool_call id="a" #></#>\n!unquote_end', '', ['a:']],
    ['a call without an id', '!unquote_start\n<tool_call #>f()</#>\n!unquote_end', '', ['undefined:f()']],
    ['what only looks like an element', '!unquote_start\n<note id=>x\n!unquote_end', '', []],
    ['text after the end of a block', '!unquote_start\n!unquote_end rest\nmore', ' rest\nmore', []],
    ['a mark that is never completed', 'What a day!unquote', 'same', []],
    ['an exclamation mark at the end', 'Wow!', 'same', []],
  ])('reads %s', (_name, answer, text, calls) => {
    const found = read(answer);
    expect(found.text).toBe(text === 'same' ? answer : text);
    expect(found.calls.map(({ id, text: call }) => `${id}:${call}`)).toEqual(calls);
    expect(found.calls.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it('reports a call without a closing tag, and reads the next block', () => {
    const { calls } = read(
      `!unquote_start\n<tool_call id="a" #>\nf()\n!unquote_end\n!unquote_start\n${CALL}!unquote_end`,
    );
    expect(calls).toEqual([
      { id: 'a', text: 'f()', problem: expect.stringContaining('no closing tag') },
      { id: 'a', text: 'X.y({})' },
    ]);
  });

  it.each(['<tool_call id="a">\nf()\n</tool_call>', '<tool_call id=>f()</#>'])(
    'reports the wrong start of %j',
    (call) => {
      expect(read(`!unquote_start\n${call}\n!unquote_end`)).toEqual({
        text: '',
        calls: [{ id: undefined, text: '', problem: expect.stringContaining('The start of the tool_call is wrong') }],
      });
    },
  );

  it('reports the calls of a block without an end, and shows the block', () => {
    const answer = `Look.\n!unquote_start\n${CALL}<tool_call id="b" #>\nf(`;
    const { text, calls } = read(answer);
    expect(text).toBe(answer);
    expect(calls).toEqual([
      { id: 'a', text: 'X.y({})', problem: expect.stringContaining('no !unquote_end') },
      { id: 'b', text: 'f(', problem: expect.stringContaining('no !unquote_end') },
    ]);
  });

  it('shows a block without an end and without calls as text', () => {
    expect(read('The mark !unquote_start opens a block.')).toEqual({
      text: 'The mark !unquote_start opens a block.',
      calls: [],
    });
  });

  it('shows text before a mark as soon as it cannot be part of one', () => {
    const reader = new BlockReader();
    expect(reader.read('Hello !un')).toEqual([{ type: 'text', text: 'Hello ' }]);
    expect(reader.read('der')).toEqual([{ type: 'text', text: '!under' }]);
  });

  it('shows everything after 2 million characters, so that an endless answer can be stopped', () => {
    const reader = new BlockReader();
    const shown: string[] = [];
    for (const chunk of ['!unquote_start\n', 'a'.repeat(2_000_000), 'b\n', CALL, '!unquote_end\n']) {
      const { text, calls } = summary(reader.read(chunk));
      expect(calls).toEqual([]);
      shown.push(`${text.length}`);
    }
    expect(shown).toEqual(['0', '2000015', '2', `${CALL.length}`, '13']);
    expect(reader.end()).toEqual([]);
  });

  it('gives the same result however the answer is cut', () => {
    const parts = ['!unquote_start', '!unquote_end', '!quote_start', '!quote_end', '<tool_call id="a" #>', '</#>'];
    const answers = fc.array(fc.constantFrom(...parts, '\n', '<!--', '-->', 'f()', ' ', '!', '<note #n>', '</#n>'), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(answers, fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 6 }), (answer, cuts) => {
        const text = answer.join('');
        const bounds = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
        const chunks = bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
        expect(read(...chunks)).toEqual(read(text));
      }),
      propertySettings(50),
    );
  });
});
