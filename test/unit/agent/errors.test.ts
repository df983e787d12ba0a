import { describe, expect, it } from 'vitest';
import { FileSystemError, ModelError, messageOf, ToolError, UsageError } from '../../../src/agent/errors.ts';

describe('typed errors', () => {
  const cause = new Error('below');

  it.each([
    [
      new ToolError('not_found', 'No such file.', { cause }),
      { name: 'ToolError', code: 'not_found', message: 'No such file.' },
    ],
    [
      new ModelError('rate_limit', 'Slow down.', { cause, retryAfterMs: 5 }),
      { name: 'ModelError', code: 'rate_limit', message: 'Slow down.', retryAfterMs: 5 },
    ],
    [
      new FileSystemError('no_space', '/work/a', { cause }),
      { name: 'FileSystemError', code: 'no_space', message: '/work/a: the disk is full', path: '/work/a' },
    ],
  ])('%s', (error, fields) => {
    expect(error).toMatchObject({ ...fields, cause });
  });

  it.each([
    [undefined, 'permission_denied', 'permission denied'],
    ['EROFS', 'permission_denied', 'the file system is read-only'],
    ['EFBIG', 'io_error', 'the limit of the file size (ulimit -f) is reached'],
    ['EMFILE', 'io_error', 'system error EMFILE'],
    [undefined, 'io_error', 'system error'],
    [undefined, 'not_found', 'it does not exist'],
    [undefined, 'not_a_directory', 'a file is where a directory is needed'],
    [undefined, 'is_directory', 'it is a directory'],
    [undefined, 'already_exists', 'it already exists'],
    [undefined, 'no_space', 'the disk is full'],
    [undefined, 'link_loop', 'its links lead in a circle'],
    [undefined, 'not_a_file', 'it is not a regular file'],
    [undefined, 'moved', 'its path leads through a link'],
  ] as const)('of a file give the reason in words: %s, %s', (platformCode, code, reason) => {
    const options = platformCode && { cause: Object.assign(new Error(), { code: platformCode }) };
    expect(new FileSystemError(code, '/a', options)).toMatchObject({ reason, message: `/a: ${reason}` });
  });

  it('are printed with their names', () => {
    expect(String(new UsageError('No such option.'))).toBe('UsageError: No such option.');
  });

  it('need no cause', () => {
    expect(new ModelError('auth', 'Wrong key.').retryAfterMs).toBeUndefined();
  });
});

describe('the message of a thrown value', () => {
  it.each([
    [new Error('broken'), 'broken'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('%s', (error, message) => {
    expect(messageOf(error)).toBe(message);
  });
});
