import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCurrentDirectory, readHome } from '../../../src/cli/process-paths.ts';

function broken(): string {
  throw new Error('ENOENT');
}

describe('the home directory', () => {
  it('is what the system reports', () => {
    expect(readHome(() => '/home/ada', path.posix.isAbsolute)).toBe('/home/ada');
  });

  it.each([
    ['empty', () => '', 'it is ""'],
    ['relative', () => 'home', 'it is "home"'],
    ['unknown', broken, 'there is none'],
  ])('is refused where it is %s: the project would be taken for it', (_what, report, found) => {
    expect(() => readHome(report, path.posix.isAbsolute)).toThrow(
      `The home directory has to be an absolute path, but ${found}. Set HOME (Windows: USERPROFILE).`,
    );
  });
});

describe('the current directory', () => {
  it('is what the system reports', () => {
    expect(readCurrentDirectory(() => '/work')).toBe('/work');
  });

  it('may have been removed', () => {
    expect(() => readCurrentDirectory(broken)).toThrow('does not exist any more. Change to another one');
  });
});
