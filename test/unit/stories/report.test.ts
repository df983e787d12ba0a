import { expect, it } from 'vitest';
import { PLAIN } from '../../../src/cli/output.ts';
import type { StoryResult } from '../../../src/stories/play-story.ts';
import { storyText, totalsText } from '../../../src/stories/report.ts';

const passed: StoryResult = { type: 'passed', name: 'good', durationMs: 1_240 };
const failed: StoryResult = {
  type: 'failed',
  name: 'bad\u0007',
  problems: ['a differs:\n-1\n+2\n', 'b\u001b is missing'],
  kept: '/tmp/x',
  durationMs: 50,
};

it('the report of a passed story is one line', () => {
  expect(storyText(passed, PLAIN)).toBe('passed good (1.2 s)\n');
});

it('the report of a failed story lists its problems and its directory', () => {
  expect(storyText(failed, PLAIN)).toBe(
    [
      'FAILED bad\\u{7} (0.1 s)',
      '  a differs:',
      '  -1',
      '  +2',
      '  b\\u{1b} is missing',
      '  the files are kept in /tmp/x',
      '',
    ].join('\n'),
  );
});

it('the last line of the report has the totals', () => {
  expect(totalsText([passed, failed, passed])).toBe('2 passed, 1 failed\n');
});
