import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCurrentDirectory, readHome } from '../../../src/node/machine.ts';

function broken(): string {
  throw new Error('ENOENT');
}

describe('the home directory', () => {
  it('is the one that the system reports', () => {
    expect(readHome(() => '/home/ada', path.posix.isAbsolute)).toBe('/home/ada');
  });

  it.each([
    ['empty', () => '', 'it is ""'],
    ['relative', () => 'home', 'it is "home"'],
    ['unknown', broken, 'it is unknown'],
  ])('is rejected when it is %s, because it would be inside the project', (_name, report, found) => {
    expect(() => readHome(report, path.posix.isAbsolute)).toThrow(
      `The home directory must be an absolute path, but ${found}. Set HOME (Windows: USERPROFILE).`,
    );
  });
});

describe('the current directory', () => {
  it('is the one that the system reports', () => {
    expect(readCurrentDirectory(() => '/work')).toBe('/work');
  });

  it('is rejected when it has been removed', () => {
    expect(() => readCurrentDirectory(broken)).toThrow('has been removed. Change to another directory');
  });
});
