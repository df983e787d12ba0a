import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../../src/agent/errors.ts';
import { hostPath } from '../../../../src/tools/dialects/host-path.ts';

const REFUSED = 'Use a path relative to the working directory.';

describe('hostPath', () => {
  it.each([
    // written, on POSIX, on Windows
    ['a.ts', 'a.ts', 'a.ts'],
    ['src/a.ts', 'src/a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts', 'src\\a.ts'],
    ['.\\src\\a.ts', './src/a.ts', '.\\src\\a.ts'],
    ['src/we\\ird', 'src/we\\ird', 'src/we\\ird'],
    ['/ws/a.ts', '/ws/a.ts', '/ws/a.ts'],
    ['~/a.ts', '~/a.ts', '~/a.ts'],
    ['/c/ws/a.ts', '/c/ws/a.ts', 'C:/ws/a.ts'],
    ['/c', '/c', 'C:/'],
    ['/cd/a', '/cd/a', '/cd/a'],
    ['C:\\ws\\a.ts', REFUSED, 'C:\\ws\\a.ts'],
    ['c:/ws/a.ts', REFUSED, 'c:/ws/a.ts'],
    ['C:a.ts', 'C:a.ts', 'C:a.ts'],
    ['\\\\server\\share\\a', REFUSED, '\\\\server\\share\\a'],
    ['file:///ws/a.ts', '/ws/a.ts', '/ws/a.ts'],
    ['FILE:///ws/a%20b.ts', '/ws/a b.ts', '/ws/a b.ts'],
    ['file:/ws/a.ts', '/ws/a.ts', '/ws/a.ts'],
    ['file://localhost/ws/a.ts', '/ws/a.ts', '/ws/a.ts'],
    ['file:///C:/ws/a.ts', '/C:/ws/a.ts', 'C:/ws/a.ts'],
    ['file:///c/ws/a.ts', '/c/ws/a.ts', 'C:/ws/a.ts'],
    ['file://server/share/a', REFUSED, '//server/share/a'],
    ['file:///a%zz', REFUSED, REFUSED],
    ['file://', REFUSED, REFUSED],
    ['file:a.ts', REFUSED, REFUSED],
    ['files/a.ts', 'files/a.ts', 'files/a.ts'],
    ['', '', ''],
  ])('reads %j as %j on POSIX and %j on Windows', (written, posix, windows) => {
    const read = (platform: 'posix' | 'windows'): string => {
      try {
        return hostPath(written, platform);
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        expect(error.code).toBe('invalid_arguments');
        return error.message.slice(-REFUSED.length);
      }
    };
    expect([read('posix'), read('windows')]).toEqual([posix, windows]);
  });
});
