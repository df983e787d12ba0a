import { describe, expect, it } from 'vitest';
import type { StoryResult } from '../../../../src/stories/play/play-story.ts';
import { createReporter, storyText, totalsText } from '../../../../src/stories/report/report-stories.ts';
import type { ReporterName } from '../../../../src/stories/report/write-report.ts';
import { PLAIN } from '../../../../src/terminal/output.ts';

const passed: StoryResult = { type: 'passed', name: 'good', durationMs: 1_240 };
const failed: StoryResult = {
  type: 'failed',
  name: 'bad\u0007',
  problems: ['a differs:\n-1\n+2\n', 'b\u001b is missing'],
  kept: '/tmp/x',
  durationMs: 50,
};

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

it('the warning of a passed story follows its line, and is part of JSON and JUnit', () => {
  const warned: StoryResult = { ...passed, warning: 'never used: scenario "a\u0007"' };
  expect(storyText(warned, PLAIN)).toBe('passed good (1.2 s)\n  warning: never used: scenario "a\\u{7}"\n');
  expect(createReporter('json', PLAIN).end([warned], {})).toContain('"warning":"never used');
  expect(createReporter('junit', PLAIN).end([warned], {})).toContain(
    '      <system-out>warning: never used: scenario &quot;a\\u{7}&quot;</system-out>\n    </testcase>',
  );
});

describe('the drift of a story', () => {
  const drift = [
    { scenario: 's', step: 0, part: 'system', summary: '+1 −0 lines', diff: '@@ line 1 → 1 @@\n+<b>\u001b' },
    { scenario: 's', step: 2, part: 'tool result 2', summary: 'differs', diff: '' },
  ];
  const lines = [
    '  drift: step 0, system: +1 −0 lines',
    '    @@ line 1 → 1 @@',
    '    +<b>\\u{1b}',
    '  drift: step 2, tool result 2: differs',
    '',
  ];

  it('follows its line, and the report ends with advice about it', () => {
    expect(storyText({ ...passed, drift }, PLAIN)).toBe(['passed good (1.2 s)', ...lines].join('\n'));
    expect(totalsText([{ ...passed, drift }])).toBe(
      'prompts differ from their prompt.lock.json; ybs test --rebase accepts them\n1 passed, 0 failed\n',
    );
  });

  it('precedes the directory of a failed story', () => {
    expect(storyText({ ...failed, problems: ['p'], drift }, PLAIN)).toBe(
      ['FAILED bad\\u{7} (0.1 s)', '  p', ...lines.slice(0, -1), '  the files are kept in /tmp/x', ''].join('\n'),
    );
  });

  it('is a part of JSON and JUnit', () => {
    const json = createReporter('json', PLAIN).end([{ ...passed, drift }], {});
    expect(JSON.parse(json)).toMatchObject({ stories: [{ drift }] });
    const junit = (result: StoryResult) => createReporter('junit', PLAIN).end([result], {});
    const text =
      'drift: step 0, system: +1 −0 lines\n@@ line 1 → 1 @@\n+&lt;b&gt;\\u{1b}\ndrift: step 2, tool result 2: differs';
    expect(junit({ ...passed, drift })).toContain(`<system-out>${text}</system-out>`);
    expect(junit({ ...failed, drift })).toContain(`<system-out>${text}\nthe files are kept in /tmp/x</system-out>`);
  });

  it('is reported as accepted, with the volatile texts that were found', () => {
    const rebased = {
      type: 'written',
      file: '/s/prompt.lock.json',
      proposed: [
        { name: 'duration', part: 'tool result', pattern: '\\d+' },
        { name: 'date', pattern: 'x' },
      ],
      unexplained: ['system, line 4'],
    } as const;
    expect(
      storyText({ ...passed, drift: drift.slice(1), rebased }, PLAIN)
        .split('\n')
        .slice(1),
    ).toEqual([
      '  wrote /s/prompt.lock.json',
      '  volatile in tool result: duration, \\d+',
      '  volatile in every part: date, x',
      '  differs between two runs, add an entry to "volatile": system, line 4',
      '  accepted: step 2, tool result 2: differs',
      '',
    ]);
    const unchanged = { ...rebased, type: 'unchanged', proposed: [], unexplained: [] } as const;
    expect(storyText({ ...passed, rebased: unchanged }, PLAIN)).toContain('\n  unchanged: /s/prompt.lock.json\n');
    expect(totalsText([{ ...passed, drift, rebased }])).toBe('1 passed, 0 failed\n');
  });
});

const skipped: StoryResult = { type: 'skipped', name: 'other', reason: 'it has 2 prompts', durationMs: 0 };

it('a skipped story is reported with its reason, and is not counted as passed', () => {
  expect(storyText(skipped, PLAIN)).toBe('skipped other: it has 2 prompts\n');
  expect(totalsText([passed, skipped])).toBe('1 skipped, 1 passed, 0 failed\n');
});

describe('a reporter', () => {
  const results = [passed, failed, skipped];
  const facts = { agent: 'mine "x" {prompt}', reachable: 'no namespaces' };
  const write = (name: ReporterName): string => {
    const reporter = createReporter(name, PLAIN);
    return [reporter.start(facts), ...results.map(reporter.story), reporter.end(results, facts)].join('');
  };

  it('as text first warns that the agent can reach other hosts', () => {
    expect(write('text').split('\n')).toEqual(
      expect.arrayContaining(['! the agent can reach other hosts: no namespaces', '1 skipped, 1 passed, 1 failed']),
    );
    expect(createReporter('text', PLAIN).start({})).toBe('');
  });

  it('as JSON writes one line with the totals and every result', () => {
    const text = write('json');
    expect(text.trimEnd()).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({ passed: 1, failed: 1, skipped: 1, ...facts, stories: results });
  });

  it('as JUnit writes a test case for every story', () => {
    expect(write('junit')).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites tests="3" failures="1" errors="0" skipped="1" time="1.290">',
        '  <testsuite name="ybs test" tests="3" failures="1" errors="0" skipped="1" time="1.290">',
        '    <testcase classname="mine &quot;x&quot; {prompt}" name="good" time="1.240"/>',
        '    <testcase classname="mine &quot;x&quot; {prompt}" name="bad\\u{7}" time="0.050">',
        '      <failure message="a differs:">a differs:',
        '-1',
        '+2',
        '',
        'b\\u{1b} is missing</failure>',
        '      <system-out>the files are kept in /tmp/x</system-out>',
        '    </testcase>',
        '    <testcase classname="mine &quot;x&quot; {prompt}" name="other" time="0.000">',
        '      <skipped message="it has 2 prompts"/>',
        '    </testcase>',
        '    <system-out>reachable: no namespaces</system-out>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });
});
