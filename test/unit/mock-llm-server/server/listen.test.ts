import { expect, it } from 'vitest';
import { listenError } from '../../../../mock-llm-server/server/listen.ts';

it.each([
  ['EADDRINUSE', 'port 80 on ::1 is in use; choose another port (0 picks a free one)'],
  ['EACCES', 'this user may not open port 80 on ::1; choose a port above 1023'],
  ['EADDRNOTAVAIL', '::1 is not an address of this machine; choose another host'],
  ['ENOTFOUND', '::1 is not an address of this machine; choose another host'],
  ['EMFILE', 'cannot listen on ::1, port 80: listen EMFILE'],
])('the error for %s explains it and keeps its code', (code, message) => {
  const cause = Object.assign(new Error(`listen ${code}`), { code });
  expect(listenError(cause, '::1', 80)).toMatchObject({ message, code, cause });
});

it('the error for a failure without a code quotes its message', () => {
  expect(listenError(new Error('odd'), '::1', 80).message).toBe('cannot listen on ::1, port 80: odd');
});
