import { expect, it } from 'vitest';
import { judgeRun, type SeenRun } from '../../agents/judge-run.ts';
import { type Expected, RESULTS_FILE, RESULTS_LINE } from '../../agents/stories.ts';

const expected: Expected = {
  files: { 'a.txt': 'Hello 🙂\n' },
  results: ['a.txt', 'Hello'],
  said: 'It is written.',
  steps: 3,
};
const asked = (step: number | undefined, more: Partial<SeenRun['requests'][number]> = {}) => ({
  status: 200,
  path: '/v1/x',
  ...(step !== undefined && { step }),
  lint: [],
  ...more,
});
const wrote = (text: string | null) => ({ files: { ...right.files, 'a.txt': text } });
const right: SeenRun = {
  exitCode: 0,
  seconds: 1,
  stdout: 'It is written.\n',
  stderr: '',
  files: { 'a.txt': 'Hello 🙂\n', [RESULTS_FILE]: ['a.txt b.txt', '1: Hello'].join(RESULTS_LINE) },
  requests: [asked(undefined, { auxiliary: 'title' }), asked(0), asked(1), asked(2)],
  log: '',
};

it.each<[what: string, change: Partial<SeenRun>, faults: readonly string[]]>([
  ['is right', {}, []],
  ['is right with more said around it', { stdout: 'I think.\nIt is written. Bye.' }, []],
  ['fails', { exitCode: 7 }, ['it ended with exit code 7']],
  ['hangs', { exitCode: null }, ['it did not end']],
  ['writes nothing', wrote(null), ['there is no a.txt']],
  ['writes an empty file', wrote(''), ['a.txt holds "" instead of "Hello 🙂\\n"']],
  ['loses the line end', wrote('Hello 🙂'), ['a.txt holds "Hello 🙂" instead of "Hello 🙂\\n"']],
  ['says something else', { stdout: 'Done.' }, ['it did not say "It is written."']],
  ['says it on standard error only', { stdout: '', stderr: right.stdout }, ['it did not say "It is written."']],
  [
    'finds something else',
    { files: { ...right.files, [RESULTS_FILE]: `none${RESULTS_LINE}Hello` } },
    ['result 1 is "none", without a.txt'],
  ],
  [
    'loses a result',
    { files: { ...right.files, [RESULTS_FILE]: 'a.txt Hello' } },
    ['reports/seen.txt holds 1 of 2 results'],
  ],
  [
    'tries a step again',
    { requests: [asked(0), asked(1), asked(1), asked(2)] },
    ['it asked for the steps 1,2,2,3 instead of 1,2,3'],
  ],
  ['stops early', { requests: [asked(0)] }, ['it asked for the steps 1 instead of 1,2,3']],
  [
    'asks for what there is not',
    { requests: [...right.requests, asked(undefined, { status: 404, error: 'unknown_route' })] },
    ['/v1/x was answered 404 unknown_route'],
  ],
  [
    'sends what the provider would refuse',
    { requests: [asked(0), asked(1), asked(2, { lint: ['no max_tokens'] })] },
    ['/v1/x was faulted: no max_tokens'],
  ],
  [
    'does nothing at all',
    { exitCode: 1, files: {}, stdout: '', requests: [] },
    [
      'it ended with exit code 1',
      'there is no a.txt',
      'it did not say "It is written."',
      'reports/seen.txt holds 1 of 2 results',
      'it asked for the steps none instead of 1,2,3',
    ],
  ],
])('a run that %s', (_what, change, faults) => {
  expect(judgeRun({ ...right, ...change }, expected)).toEqual(faults);
});

it('a story without results leaves no file of them', () => {
  expect(judgeRun({ ...right, files: { 'a.txt': 'Hello 🙂\n' } }, { ...expected, results: [] })).toEqual([]);
});
