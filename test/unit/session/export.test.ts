import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/agent/errors.ts';
import { exportMarkdown } from '../../../src/session/export/export-markdown.ts';
import { historyElement } from '../../../src/session/export/history-xnl.ts';
import type { StoredEvent } from '../../../src/session/log/events.data.ts';
import { parseAnnounced, planRetention, retentionNotice } from '../../../src/session/retention.ts';
import { describeSessions, findListed, findSession } from '../../../src/session/session-list.ts';
import {
  describeAge,
  findNameProblem,
  newSessionName,
  startOfAutomaticName,
} from '../../../src/session/session-names.ts';
import { createTestStore } from '../../support/agent/session-store.ts';
import { createMemoryFileSystem } from '../../support/fakes/memory-file-system.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 20, 9, 0, 0);
const name = (daysAgo: number): string => newSessionName(NOW - daysAgo * DAY, () => 0);

describe('the clean-up of sessions', () => {
  const names = [name(40), name(35), name(3), name(2), name(1), 'my-fix', 'saved-20200101-000000-0000'];
  const plan = (
    limits: { maxSessions: number; retentionDays: number },
    announced: Readonly<Record<string, number>> = {},
    open: readonly string[] = [],
  ) => planRetention(names, (each) => open.includes(each), limits, announced, NOW);

  it.each([
    ['the old ones', { maxSessions: 0, retentionDays: 30 }, [name(40), name(35)]],
    ['the oldest beyond the maximum', { maxSessions: 2, retentionDays: 0 }, [name(40), name(35), name(3)]],
    ['none without limits', { maxSessions: 0, retentionDays: 0 }, []],
    ['none within the limits', { maxSessions: 5, retentionDays: 50 }, []],
  ])('announces %s, and removes no session at once', (_name, limits, announce) => {
    expect(plan(limits)).toEqual({
      announce,
      remove: [],
      announced: Object.fromEntries(announce.map((each) => [each, NOW])),
    });
  });

  it('removes sessions announced a day ago, except open ones', () => {
    const announced = { [name(40)]: NOW - DAY, [name(35)]: NOW - DAY, 'no-longer-there': 0 };
    const step = plan({ maxSessions: 0, retentionDays: 30 }, announced, [name(35)]);
    expect(step).toEqual({ announce: [], remove: [name(40)], announced: {} });
  });

  it('announces at most once a day', () => {
    const announced = { [name(40)]: NOW - DAY / 2 };
    const step = plan({ maxSessions: 0, retentionDays: 30 }, announced);
    expect(step).toEqual({ announce: [], remove: [], announced });
  });

  it('names the sessions to remove, the reason, and how to keep them', () => {
    const limits = { maxSessions: 100, retentionDays: 30 };
    expect(retentionNotice(['a'], limits)).toMatch(
      /will remove the session a because of session\.max_sessions \(100\)/,
    );
    expect(retentionNotice(['a', 'b', 'c'], limits)).toMatch(/3 sessions, a to c, .*ybs --resume and type \/save/);
  });

  it.each(['', '[]', '{"a":"b"}', '{"a":1'])(
    'announces again when the list of announcements is damaged: %j',
    (text) => {
      expect(parseAnnounced(text)).toEqual({});
    },
  );
});

describe('the name of a session', () => {
  it('contains the start in UTC and four random digits', () => {
    expect(newSessionName(Date.UTC(2026, 0, 18, 14, 30, 22), () => 0.6225)).toBe('session-20260118-143022-9f5c');
    expect(startOfAutomaticName('session-20260118-143022-9f5c')).toBe(Date.UTC(2026, 0, 18, 14, 30, 22));
    expect(startOfAutomaticName('saved-20260118-143022-9f5c')).toBeUndefined();
  });

  it.each(['fix', 'important-bugfix', 'a.b_c-1', 'x'.repeat(80)])('may be %j', (wanted) => {
    expect(findNameProblem(wanted)).toBeUndefined();
  });

  it.each(['', '../x', 'a/b', '.hidden', 'a b', 'con', 'NUL.x', 'a.', 'x'.repeat(81), 'session-20260118-143022-9f3a'])(
    'may not be %j',
    (wanted) => {
      expect(findNameProblem(wanted)).toMatch(/^(A session cannot be named|Choose another name)/);
    },
  );
});

it.each([
  [59_000, 'just now'],
  [60_000, '1 minute ago'],
  [59 * 60_000, '59 minutes ago'],
  [2 * 3_600_000, '2 hours ago'],
  [3 * DAY, '3 days ago'],
])('an age of %i ms is shown as %s', (ms, text) => {
  expect(describeAge(ms)).toBe(text);
});

describe('the list of sessions', () => {
  const head = (name: string, id: string) => ({
    name,
    id,
    workspace: '/w',
    modifiedMs: NOW - 60_000,
    firstPrompt: 'fix\nit',
  });
  const heads = [
    head('session-20260118-143022-9f3a', 'aaaa-1'),
    head('session-20260119-000000-0000', 'bbbb-2'),
    head('fix', 'cccc-3'),
  ];

  it('shows age, number of prompts and the first line of the first prompt', () => {
    const summaries = [
      {
        ...heads[0],
        name: 'a',
        id: 'x',
        workspace: '/w',
        modifiedMs: NOW - 60_000,
        firstPrompt: 'fix\nit',
        prompts: 3,
      },
    ];
    expect(describeSessions(summaries, { now: NOW, workspace: '/w' })).toBe('  1. a (1 minute ago) - 3 prompts: fix');
    expect(describeSessions([], { now: NOW, workspace: '/w' })).toBe('There are no stored sessions.');
  });

  it('shows the directory of a session if it is not the current one, and marks the open session', () => {
    const summaries = [
      { ...head('a', '1'), prompts: 1 },
      { ...head('b', '2'), workspace: '/other', prompts: 2 },
      { ...head('c', '3'), workspace: undefined, prompts: 3 },
      { ...head('d', '4'), workspace: '/a\n5. e', prompts: 4 },
    ];
    expect(describeSessions(summaries, { now: NOW, workspace: '/w', open: 'a' }).split('\n')).toEqual([
      '  1. a (1 minute ago, open) - 1 prompt: fix',
      '  2. b (1 minute ago) - 2 prompts in /other: fix',
      '  3. c (1 minute ago) - 3 prompts: fix',
      '  4. d (1 minute ago) - 4 prompts in /a\\u{a}5. e: fix',
    ]);
  });

  it('has the command of a session that began with one', async () => {
    const store = createTestStore(createMemoryFileSystem().fileSystem);
    const record = await store.create('a');
    const text = '[Shell command output]\nCommand: echo hi\nexit_code: 0';
    await record.append({ type: 'user_message', text }, '');
    expect(await store.heads()).toMatchObject([{ firstPrompt: '!echo hi' }]);
  });

  it.each([
    ['the name', 'session-20260118-143022-9f3a', 0],
    ['the file name', 'fix.jsonl', 2],
    ['the start of a name', '20260119', 1],
    ['the UUID', 'bbbb-2', 1],
    ['the start of a UUID', 'cc', 2],
    ['the number', '3', 2],
  ])('finds a session by %s', (_by, wanted, index) => {
    expect(findListed(heads, wanted)).toBe(heads[index]?.name);
  });

  it.each([
    ['nope', /^There is no session "nope"/],
    ['latest', /lists them\. ybs --continue continues the last one of this directory\.$/],
    ['', /^There is no session ""/],
    [
      'session-2026',
      /^"session-2026" is the start of 2 sessions\. Write more of it:\n {2}session-20260118-143022-9f3a\n {2}session-20260119-000000-0000$/,
    ],
  ])('does not find %j', (wanted, message) => {
    expect(() => findSession(heads, wanted)).toThrow(message);
  });

  it('lists at most ten sessions whose names begin with the text, each on a line', () => {
    const many = Array.from({ length: 12 }, (_, index) => head(`s-\n${index}`, `id-${index}`));
    const names = many.slice(0, 10).map(({ name }) => `  ${name.replace('\n', '\\u{a}')}`);
    const lines = ['"s-" is the start of 12 sessions. Write more of it:', ...names, '  and 2 more'];
    expect(() => findSession(many, 's-')).toThrow(new UsageError(lines.join('\n')));
  });

  it.each(['0', '4'])('rejects the number %s', (wanted) => {
    expect(() => findListed(heads, wanted)).toThrow(`There is no session ${wanted} in the list.`);
  });
});

const EVENTS: readonly StoredEvent[] = [
  { type: 'session_start', sessionId: 'id', time: 'now', model: 'mock/m', workspace: '/w', permissionMode: 'ask' },
  { type: 'user_message', text: 'Say "hi"\tnow\r\n\\' },
  {
    type: 'assistant_message',
    message: {
      role: 'assistant',
      content: '\n\nI look first.\n',
      toolCalls: [
        { id: 'c1', name: 'bash', arguments: '{"command":"ls -la","n":-1,"on":true,"no":null,"a b":[],"o":{}}' },
        { id: 'c2', name: 'bash', arguments: '{"cut' },
      ],
    },
    finish: 'tool_calls',
  },
  {
    type: 'tool_call',
    call: { id: 'c1', name: 'bash', arguments: '{}' },
    effect: { summary: 'run ls\n-la', paths: [] },
  },
  {
    type: 'tool_result',
    callId: 'c1',
    toolName: 'run_shell',
    outcome: 'ok',
    content: 'a ``` b',
    summary: 'exit code 0',
    durationMs: 1,
  },
  { type: 'user_message', text: 'Tasks are open.', reminder: true },
  { type: 'compaction', tokensBefore: 9, tokensAfter: 1, messages: [] },
  {
    type: 'assistant_message',
    message: { role: 'assistant', content: 'Half', toolCalls: [], partial: true },
    finish: 'aborted',
  },
  { type: 'assistant_message', message: { role: 'assistant', content: '', toolCalls: [] }, finish: 'stop' },
  { type: 'run_end', outcome: 'aborted', message: 'Stopped.' },
];

it('a session as Markdown has its prompts, answers, calls and results', () => {
  expect(exportMarkdown('s', EVENTS)).toMatchInlineSnapshot(`
    "# Session s

    - model: mock/m
    - workspace: /w
    - time: now

    ## User

    Say "hi"	now
    \\

    ## Assistant

    I look first.

    ### run ls -la

    run_shell: exit code 0

    \`\`\`\`text
    a \`\`\` b
    \`\`\`\`

    *The conversation was shortened here: 9 to 1 tokens.*

    ## Assistant (stopped)

    Half

    *Stopped.*
    "
  `);
});

it('history.xnl has one element per message', () => {
  expect(EVENTS.map((event) => historyElement(event, 'Be brief.') ?? '').join('')).toMatchInlineSnapshot(`
    "<system {
      content = "Be brief."
    }>
    <user {
      content = "Say \\"hi\\"\\tnow\\r\\n\\\\"
    }>
    <assistant {
      content = "\\n\\nI look first.\\n"
      toolCalls = [
        {
          id = "c1"
          name = "bash"
          input = {
            command = "ls -la"
            n = -1
            on = true
            no = null
            "a b" = []
            o = {}
          }
        }
        {
          id = "c2"
          name = "bash"
          input = "{\\"cut"
        }
      ]
    }>
    <tool {
      toolCallId = "c1"
      name = "run_shell"
      content = "a \`\`\` b"
    }>
    <user {
      content = "Tasks are open."
    }>
    <assistant {
      content = "Half"
    }>
    "
  `);
});
