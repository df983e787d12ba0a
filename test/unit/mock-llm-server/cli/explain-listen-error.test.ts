import { expect, it } from 'vitest';
import { explainListenError } from '../../../../mock-llm-server/cli/serve.ts';

const failure = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

it.each([
  [failure('EADDRINUSE'), 'port 80 on ::1 is in use; choose another port (0 picks a free one)'],
  [failure('EACCES'), 'port 80 on ::1 may not be opened by this user; choose a port above 1023'],
  [failure('EADDRNOTAVAIL'), '::1 is not an address of this machine; choose another host'],
  [failure('ENOTFOUND'), '::1 is not an address of this machine; choose another host'],
  [failure('EMFILE'), 'cannot listen on ::1, port 80: listen EMFILE'],
  [new Error('odd'), 'cannot listen on ::1, port 80: odd'],
  ['odd', 'cannot listen on ::1, port 80: odd'],
])('explains %s', (error, line) => {
  expect(explainListenError(error, '::1', 80)).toBe(line);
});
