import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutputCleaner, ShellTranscript } from '../../../../src/tools/shell/shell-output.ts';
import { propertySettings } from '../../../support/random/property.ts';

function clean(...pieces: readonly string[]): string {
  const cleaner = createOutputCleaner();
  return pieces.map((piece) => cleaner.push(piece)).join('') + cleaner.flush();
}

describe('cleaned output', () => {
  it.each([
    ['plain text is kept', 'a\tb\nc', 'a\tb\nc'],
    ['colours are removed', '\u001b[1;31mred\u001b[0m text', 'red text'],
    ['colours in one-byte sequences are removed', '\u009b31mred', 'red'],
    ['a title is removed', '\u001b]0;title\u0007text', 'text'],
    ['a link keeps its text', '\u001b]8;;http://a.b\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a device string is removed', '\u001bPq#0\u001b\\text', 'text'],
    ['character sets and two-character sequences are removed', '\u001b(Btext\u001b7\u001bM', 'text'],
    ['a title without an end does not swallow the next line', '\u001b]0;title\ntext', '␛]0;title\ntext'],
    ['an incomplete sequence at the end is shown', 'text\u001b[3', 'text␛[3'],
    ['Windows line ends become line feeds', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['only the last state of a progress line is kept', '10 %\r50 %\r100 %\ndone\n', '100 %\ndone\n'],
    ['a finished progress line may end in a carriage return', '10 %\r100 %\r', '100 %'],
    ['an erased line is removed', '10 %\r\u001b[Kdone\n', 'done\n'],
    ['lines with only carriage returns are empty', '\r\r\n', '\n'],
    ['backspaces are applied', 'ab😀\b\bc\b\b\b\bd', 'd'],
    ['other control characters become visible', 'a\0b\u0007\u007f\u0085', 'a␀b␇␡\ufffd'],
  ])('%s', (_, text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('does not depend on how the output is split', () => {
    const parts = fc.constantFrom(
      'a',
      '😀',
      '\n',
      '\r',
      '\b',
      '\t',
      '\0',
      '\u001b',
      '[',
      ']',
      '3',
      'm',
      'P',
      '\\',
      '(',
      '\u0007',
      '\u009b',
    );
    fc.assert(
      fc.property(fc.array(fc.array(parts).map((texts) => texts.join(''))), (pieces) => {
        expect(clean(...pieces)).toBe(clean(pieces.join('')));
      }),
      propertySettings(500),
    );
  });

  it('does not hold back an endless line or sequence', () => {
    const cleaner = createOutputCleaner();
    const line = 'x'.repeat(20_000);
    expect(cleaner.push(line)).toBe(line);
    expect(cleaner.push(`\u001b]${line}`)).toBe(`␛]${line}`);
  });
});

function write(...pieces: readonly (readonly ['stdout' | 'stderr', string])[]): string {
  const transcript = new ShellTranscript();
  return pieces.map(([stream, text]) => transcript.add({ stream, text })).join('') + transcript.end();
}

describe('ShellTranscript', () => {
  it.each([
    [
      'standard output alone has no markers',
      [
        ['stdout', 'a\n'],
        ['stdout', 'b\n'],
      ],
      'a\nb\n',
    ],
    [
      'standard error is marked',
      [
        ['stderr', 'a\n'],
        ['stderr', 'b\n'],
      ],
      '[stderr]\na\nb\n',
    ],
    [
      'a change of stream is marked',
      [
        ['stdout', 'a\n'],
        ['stderr', 'b\n'],
        ['stdout', 'c'],
      ],
      'a\n[stderr]\nb\n[stdout]\nc',
    ],
    [
      'a marker is on its own line',
      [
        ['stdout', 'a'],
        ['stderr', 'b'],
      ],
      'a\n[stderr]\nb',
    ],
    [
      'two pieces of a line are joined',
      [
        ['stdout', '1'],
        ['stdout', '0\n'],
      ],
      '10\n',
    ],
    [
      'a stream without visible output is not marked',
      [
        ['stdout', 'a\n'],
        ['stderr', '\u001b[0m'],
        ['stdout', 'b\n'],
      ],
      'a\nb\n',
    ],
  ] as const)('%s', (_, pieces, expected) => {
    expect(write(...pieces)).toBe(expected);
  });
});
