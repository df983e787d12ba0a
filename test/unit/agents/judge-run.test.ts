import { expect, it } from 'vitest';
import { judgeRun, type SeenRun } from '../../agents/judge-run.ts';

const expected = { written: 'Hello 🙂\n', said: 'It is written.' };
const right: SeenRun = {
  exitCode: 0,
  seconds: 1,
  stdout: 'It is written.\n',
  stderr: '',
  written: 'Hello 🙂\n',
  log: '',
};

it.each<[what: string, change: Partial<SeenRun>, faults: readonly string[]]>([
  ['is right', {}, []],
  ['is right with more said around it', { stdout: 'I think.\nIt is written. Bye.' }, []],
  ['fails', { exitCode: 7 }, ['it ended with exit code 7']],
  ['hangs', { exitCode: null }, ['it did not end']],
  ['writes nothing', { written: null }, ['there is no hello.txt']],
  ['writes an empty file', { written: '' }, ['hello.txt holds "" instead of "Hello 🙂\\n"']],
  ['loses the line end', { written: 'Hello 🙂' }, ['hello.txt holds "Hello 🙂" instead of "Hello 🙂\\n"']],
  ['says something else', { stdout: 'Done.' }, ['it did not say "It is written."']],
  ['says it on standard error only', { stdout: '', stderr: right.stdout }, ['it did not say "It is written."']],
  [
    'does nothing at all',
    { exitCode: 1, written: null, stdout: '' },
    ['it ended with exit code 1', 'there is no hello.txt', 'it did not say "It is written."'],
  ],
])('a run that %s', (_what, change, faults) => {
  expect(judgeRun({ ...right, ...change }, expected)).toEqual(faults);
});
