import { expect, it } from 'vitest';
import { checkRun, type ObservedRun } from '../../../../tooling/agents/check-run.ts';
import { type Expected, RESULTS_FILE, RESULTS_LINE } from '../../../../tooling/agents/stories.ts';

const expected: Expected = {
  files: { 'a.txt': 'Hello 🙂\n' },
  results: ['a.txt', 'Hello'],
  text: 'It is written.',
  steps: 3,
};
const asked = (step: number | undefined, more: Partial<ObservedRun['requests'][number]> = {}) => ({
  status: 200,
  path: '/v1/x',
  ...(step !== undefined && { step }),
  lint: [],
  ...more,
});
const wrote = (text: string | null) => ({ files: { ...right.files, 'a.txt': text } });
const right: ObservedRun = {
  exitCode: 0,
  seconds: 1,
  stdout: 'It is written.\n',
  stderr: '',
  files: { 'a.txt': 'Hello 🙂\n', [RESULTS_FILE]: ['a.txt b.txt', '1: Hello'].join(RESULTS_LINE) },
  requests: [asked(undefined, { auxiliary: 'title' }), asked(0), asked(1), asked(2)],
  log: '',
};

it.each<[what: string, change: Partial<ObservedRun>, problems: readonly string[]]>([
  ['is correct', {}, []],
  ['is correct with more text around the expected one', { stdout: 'I think.\nIt is written. Bye.' }, []],
  ['fails', { exitCode: 7 }, ['the agent ended with exit code 7']],
  ['hangs', { exitCode: null }, ['the agent did not end']],
  ['writes nothing', wrote(null), ['a.txt is missing']],
  ['writes an empty file', wrote(''), ['a.txt contains "" instead of "Hello 🙂\\n"']],
  ['loses the line ending', wrote('Hello 🙂'), ['a.txt contains "Hello 🙂" instead of "Hello 🙂\\n"']],
  ['prints a different text', { stdout: 'Done.' }, ['the output lacks "It is written."']],
  [
    'prints the text on standard error only',
    { stdout: '', stderr: right.stdout },
    ['the output lacks "It is written."'],
  ],
  [
    'finds a different text',
    { files: { ...right.files, [RESULTS_FILE]: `none${RESULTS_LINE}Hello` } },
    ['result 1 is "none", without a.txt'],
  ],
  [
    'loses a result',
    { files: { ...right.files, [RESULTS_FILE]: 'a.txt Hello' } },
    ['reports/seen.txt contains 1 of 2 results'],
  ],
  [
    'repeats a step',
    { requests: [asked(0), asked(1), asked(1), asked(2)] },
    ['the requested steps are 1,2,2,3 instead of 1,2,3'],
  ],
  ['stops early', { requests: [asked(0)] }, ['the requested steps are 1 instead of 1,2,3']],
  [
    'requests an unknown route',
    { requests: [...right.requests, asked(undefined, { status: 404, error: 'unknown_route' })] },
    ['/v1/x was answered 404 unknown_route'],
  ],
  [
    'sends a request that the provider would reject',
    { requests: [asked(0), asked(1), asked(2, { lint: ['no max_tokens'] })] },
    ['the linter rejected /v1/x: no max_tokens'],
  ],
  [
    'does not offer a tool that a step calls',
    { requests: [asked(0), asked(1, { unmet: [{ field: 'tools', wanted: 'add_note' }] }), asked(2)] },
    ['step 2 wanted the tools add_note'],
  ],
  [
    'does nothing at all',
    { exitCode: 1, files: {}, stdout: '', requests: [] },
    [
      'the agent ended with exit code 1',
      'a.txt is missing',
      'the output lacks "It is written."',
      'reports/seen.txt contains 1 of 2 results',
      'the requested steps are none instead of 1,2,3',
    ],
  ],
])('checkRun reports a run that %s', (_what, change, problems) => {
  expect(checkRun({ ...right, ...change }, expected)).toEqual(problems);
});

it('a story without results needs no file for them', () => {
  expect(checkRun({ ...right, files: { 'a.txt': 'Hello 🙂\n' } }, { ...expected, results: [] })).toEqual([]);
});
