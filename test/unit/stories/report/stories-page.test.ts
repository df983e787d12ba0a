import { expect, it } from 'vitest';
import type { StoryResult } from '../../../../src/stories/play/play-story.ts';
import { storiesHtml } from '../../../../src/stories/report/stories-page.ts';

const HOSTILE = '<script>alert("1")</script><img src=x onerror=y>\u0000\u001b\u202e';
const drift = [{ scenario: 's', step: 0, part: 'system', summary: HOSTILE, diff: HOSTILE }];
const RESULTS: readonly StoryResult[] = [
  { type: 'passed', name: 'good', durationMs: 1_240 },
  { type: 'passed', name: 'warned', durationMs: 10, warning: HOSTILE, drift },
  { type: 'failed', name: HOSTILE, durationMs: 2_480, problems: [HOSTILE, 'b'], kept: '/tmp/x' },
  { type: 'skipped', name: 'left', durationMs: 0, reason: HOSTILE },
];

it('the page has what failed first, bars in proportion, and the notes of each story', () => {
  const page = storiesHtml(RESULTS, { shard: { index: 1, count: 4 } });
  expect(page).toContain('<h1>Stories played by ybs, part 1 of 4</h1>');
  expect(page).toContain('1 skipped, 2 passed, 1 failed');
  const rows = [...page.matchAll(/<tr class="([^"]*)"><td>(.*?)<\/td><td>(\w+)<\/td><td>([\d.]+)<\/td>(.*?)<\/tr>/g)];
  expect(rows.map(([, kind, , type, time]) => [kind, type, time])).toEqual([
    ['bad', 'failed', '2.5'],
    ['', 'passed', '1.2'],
    ['', 'passed', '0.0'],
    ['soft', 'skipped', '0.0'],
  ]);
  expect(rows.map(([, , , , , bar = '']) => /rect width="([\d.]+)"/.exec(bar)?.[1])).toEqual([
    '200.0',
    '100.0',
    '0.8',
    undefined,
  ]);
  expect(page).toMatch(
    /class="good" x="0\.0" width="100\.0".*class="bad" x="100\.0" width="50\.0".*class="soft" x="150\.0"/,
  );
  expect(page.match(/<details open>/g)).toHaveLength(1);
  expect(page.match(/<summary>/g)).toHaveLength(3);
});

it('the page inserts texts as text, and loads nothing', () => {
  const page = storiesHtml(RESULTS, { agent: HOSTILE, reachable: HOSTILE });
  expect(page).not.toContain(HOSTILE);
  const tags = [...page.matchAll(/<(\/?[a-z0-9]+)/gi)].map(([, tag = '']) => tag.replace('/', ''));
  const known = 'html head meta title style body h1 p table thead tbody tr th td svg rect details summary div pre';
  expect(tags.filter((tag) => !known.split(' ').includes(tag))).toEqual([]);
  expect(page).not.toMatch(/<[^>]*\s(?:on\w+|src|href)\s*=/i);
  expect(page).toContain("default-src 'none'");
});

it('the page of no stories has no bars', () => {
  expect(storiesHtml([], {})).toContain('0 passed, 0 failed');
});
