import { describe, expect, it } from 'vitest';
import { ShellTranscript } from '../../../../src/tools/shell/shell-output.ts';

function write(...pieces: readonly (readonly ['stdout' | 'stderr', string])[]): string {
  const transcript = new ShellTranscript();
  return pieces.map(([stream, text]) => transcript.add({ stream, text })).join('') + transcript.end();
}

describe('the text of both streams', () => {
  it.each([
    [
      'standard output alone has no marks',
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
      'a mark has its own line',
      [
        ['stdout', 'a'],
        ['stderr', 'b'],
      ],
      'a\n[stderr]\nb',
    ],
    [
      'a line in two pieces is one',
      [
        ['stdout', '1'],
        ['stdout', '0\n'],
      ],
      '10\n',
    ],
    [
      'a stream that says nothing is not marked',
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
