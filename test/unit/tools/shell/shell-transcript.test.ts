import { describe, expect, it } from 'vitest';
import { ShellTranscript } from '../../../../src/tools/shell/shell-output.ts';

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
