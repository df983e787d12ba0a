import { describe, expect, it } from 'vitest';
import { mergeReports } from '../../../../src/stories/evaluation/report/merge-reports.ts';
import { reportHtml } from '../../../../src/stories/evaluation/report/page.ts';
import type { EvaluationReport, Step } from '../../../../src/stories/evaluation/report/report-format.ts';
import { progressText, reportJunit, reportText } from '../../../../src/stories/evaluation/report/report-text.ts';
import { summarizeStory } from '../../../../src/stories/evaluation/report/summarize.ts';
import { choosePair, equalSteps } from '../../../../src/stories/evaluation/report/transcript.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';
import { reportFiles, resultOf } from '../../../support/stories/evaluation-results.ts';

const answer = (text: string, name?: string): Step => ({
  type: 'assistant',
  text,
  calls: name === undefined ? [] : [{ name, arguments: '{}' }],
});
const ended: Step = { type: 'end', outcome: 'done', text: '' };

function runsOf(variant: string, passed: readonly boolean[], rest = {}) {
  return passed.map((one, index) =>
    resultOf({
      ...{ variant, run: index + 1, passed: one, problems: one ? [] : ['a.js differs:\n-1\n+2'], cost: 0.01 },
      steps: [{ type: 'user', text: 'go' }, answer(one ? 'good' : 'bad', 'edit_file'), ended],
      ...rest,
    }),
  );
}

const times = (count: number, value: boolean) => Array.from({ length: count }, () => value);

function report(rest: Partial<EvaluationReport> = {}): EvaluationReport {
  const results = [...runsOf('base', [...times(9, true), false]), ...runsOf('new', times(10, false), { turns: 5 })];
  const errors = [{ variant: 'new', message: 'The provider is down.' }];
  const story = summarizeStory({ name: 'fix', policy: { usually: 0.8 }, planned: 10, results, errors }, [
    'base',
    'new',
  ]);
  return {
    ...{ type: 'evaluation', outcome: 'not_met', variants: ['base', 'new'], stories: [story] },
    spent: { requests: 12, cached: 28, tokens: 34_567, cost: 0.25 },
    ...rest,
  };
}

describe('a report', () => {
  it('as text contains a row for each variant, the spent budget, and the outcome', () => {
    expect(reportText(report(), PLAIN)).toMatchInlineSnapshot(`
      "fix: 10 runs of each variant, 80 % of the runs must pass
        variant  passed  rate       95 %  turns  calls  errors   in  out     cost   time  verdict
        base       9/10  90 %  60 %–98 %    2.0    1.0     0.0  100   10  $0.0100  1.0 s
        new        0/10   0 %   0 %–28 %    5.0    1.0     0.0  100   10  $0.0100  1.0 s    worse
        base: 1 run failed: a.js differs:
        new: 10 runs failed: a.js differs:
        new: 1 run could not be judged: The provider is down.

      spent: 12 requests, 34,567 tokens, $0.2500; 28 answers from the cache
      not met: fix (new)
      "
    `);
  });

  it.each<readonly [Partial<EvaluationReport>, string]>([
    [{ outcome: 'met' }, '\nevery policy is met\n'],
    [{ stories: [] }, '\nnothing ran\n'],
    [
      { outcome: 'budget', stopped: 'no\u001b money' },
      'stopped: no\\u{1b} money\nthe budget is reached; with a larger one',
    ],
    [{ outcome: 'aborted', stopped: 'x' }, 'stopped: x\ninterrupted\n'],
  ])('as text for %j contains the line', (rest, text) => {
    expect(reportText(report(rest), PLAIN)).toContain(text);
  });

  it('as JUnit has a test for each story and variant', () => {
    expect(reportJunit(report({ stopped: 'a & b' }))).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="2" failures="1" errors="0" skipped="0" time="20.000">
        <testsuite name="ybs eval" tests="2" failures="1" errors="0" skipped="0" time="20.000">
          <testcase classname="base" name="fix" time="10.000">
            <system-out>9 of 10 runs passed (95 %: 60 % to 98 %)</system-out>
          </testcase>
          <testcase classname="new" name="fix" time="10.000">
            <failure message="0 of 10 runs passed (95 %: 0 % to 28 %)">10 × a.js differs:
      1 × The provider is down.</failure>
            <system-out>0 of 10 runs passed (95 %: 0 % to 28 %); worse than the first variant</system-out>
          </testcase>
          <system-out>stopped: a &amp; b</system-out>
        </testsuite>
      </testsuites>
      "
    `);
    const nothing = summarizeStory({ name: 'x', policy: 'always', planned: 2, results: [], errors: [] }, ['only']);
    expect(reportJunit(report({ stories: [nothing] }))).toContain('<error message="none of 2 runs was judged">');
  });

  it('shows its progress on one line', () => {
    const spent = { requests: 1, cached: 0, tokens: 1_200, cost: 0.5 };
    const state = { planned: 20, passed: 3, failed: 1, unjudged: 1, spent };
    expect(progressText(state)).toBe('5 of 20 runs: 3 passed, 1 failed, 1 not judged; 1,200 tokens, $0.5000');
    expect(progressText({ ...state, planned: 1, unjudged: 0, spent: { ...spent, cost: 0 } })).toBe(
      '4 of 1 run: 3 passed, 1 failed; 1,200 tokens',
    );
  });
});

describe('the page of a report', () => {
  it('contains the tables, charts and transcripts, and loads no resource', () => {
    const page = reportHtml(report());
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'");
    expect(page.match(/<svg /g)).toHaveLength(4);
    expect(page).toContain('<td class="worse">worse</td>');
    expect(page).toContain('1 equal step');
    expect(page).toMatch(/base: passed<\/h3>.*new: failed<\/h3>/);
    expect(page).not.toMatch(/<script|https?:|src=|href=|url\(/);
  });

  const HOSTILE = [
    '<script>alert(1)</script>',
    '</pre></style><img src=x onerror=alert(1)>',
    '" onload="alert(1)',
    "' onload='alert(1)",
    '&lt;b&gt;',
    '\u202etext\u0000\u001b[2J',
    '</svg><svg onload=alert(1)>',
  ];

  it.each(HOSTILE)('inserts %j as text', (text) => {
    const steps: readonly Step[] = [
      { type: 'user', text },
      { type: 'assistant', text, calls: [{ name: text, arguments: text }] },
      { type: 'result', tool: text, outcome: text, text },
      { type: 'end', outcome: text, text },
    ];
    const first = resultOf({ variant: 'a', steps: [], problems: [text], passed: false });
    const second = resultOf({ variant: text, steps: [...steps], problems: [text], passed: false });
    const errors = [{ variant: text, message: text }];
    const story = summarizeStory({ name: text, policy: 'always', planned: 1, results: [first, second], errors }, [
      'a',
      text,
    ]);
    const page = reportHtml(report({ stories: [story], variants: ['a', text], stopped: text }));
    expect(page).not.toContain(text);
    const tags = [...page.matchAll(/<(\/?[a-z0-9]+)/gi)].map(([, tag]) => tag);
    const known =
      'html head meta title style body h1 h2 h3 h4 p section table thead tbody tr th td svg line text circle rect details summary ul li div pre';
    expect(tags.filter((tag = '') => !known.split(' ').includes(tag.replace('/', '')))).toEqual([]);
    expect(page).not.toMatch(/<[^>]*\son\w+\s*=/i);
    expect(reportJunit(report({ stories: [story], stopped: text }))).not.toContain(text);
    const shown = reportText(report({ stories: [story] }), PLAIN);
    expect(['\u0000', '\u001b', '\u202e'].filter((hidden) => shown.includes(hidden))).toEqual([]);
  });
});

describe('two transcripts', () => {
  it('are equal up to the first step that differs, regardless of durations', () => {
    const result = (text: string): Step => ({ type: 'result', tool: 'run_shell', outcome: 'ok', text });
    const steps = [answer('a'), result('tests 3\nduration_ms 41.2'), ended];
    expect(equalSteps(steps, [answer('a'), result('tests 3\nduration_ms 39'), ended])).toBe(3);
    expect(equalSteps(steps, [answer('a'), result('tests 4\nduration_ms 41.2'), ended])).toBe(1);
    expect(equalSteps(steps, [answer('a')])).toBe(1);
  });

  it('come from a run that passes with one variant only, or else from the first that differs', () => {
    const [same, other] = [[answer('a')], [answer('b')]];
    const first = [1, 2, 3].map((run) => resultOf({ run, steps: same }));
    const second = (passed: boolean) => [
      resultOf({ variant: 'b', run: 1, steps: same }),
      resultOf({ variant: 'b', run: 2, steps: other }),
      resultOf({ variant: 'b', run: 3, steps: other, passed }),
    ];
    expect(choosePair(first, second(true))?.run).toBe(2);
    expect(choosePair(first, second(false))?.run).toBe(3);
    expect(choosePair(first, second(true).slice(0, 1))).toBeUndefined();
  });
});

describe('the reports of shards', () => {
  const shard = (index: number, rest: Partial<EvaluationReport> = {}) =>
    [`${index}.json`, JSON.stringify(report({ shard: { index, count: 2 }, outcome: 'met', ...rest }))] as const;
  const merge = (...files: readonly (readonly [name: string, text: string])[]) =>
    mergeReports(
      files.map(([name]) => name),
      reportFiles(Object.fromEntries(files)),
    );

  it('are merged, with the worst outcome and the total cost', async () => {
    const [story] = report().stories;
    const stories = story === undefined ? [] : [{ ...story, name: 'a' }];
    const merged = await merge(shard(1), shard(2, { outcome: 'budget', stopped: 'money', stories }));
    expect(merged).toMatchObject({ outcome: 'budget', stopped: 'money', spent: { requests: 24, cost: 0.5 } });
    expect(merged.stories.map(({ name }) => name)).toEqual(['a', 'fix']);
    expect((await merge(shard(1), shard(2))).outcome).toBe('met');
  });

  it.each([
    [[['x.json', '{}'] as const], 'x.json is not a report of ybs eval.'],
    [[shard(1)], 'The report of shard 2 of 2 is missing.'],
    [[shard(1), shard(2, { variants: ['base'] })], '2.json compares base, not base, new, so it cannot be merged.'],
  ])('are rejected unless they belong together: case %#', async (files, message) => {
    await expect(merge(...files)).rejects.toThrow(message);
  });
});
