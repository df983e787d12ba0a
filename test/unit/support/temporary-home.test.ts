import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

it('tests and their child processes see an empty home directory', () => {
  const home = process.env['HOME'] ?? '';
  expect(home).toMatch(/[\\/]ybs-\w{6}[\\/]home$/);
  expect(os.homedir()).toBe(home);
  expect(process.env['XDG_CONFIG_HOME']).toBe(path.join(home, '.config'));
});
