import os from 'node:os';
import { expect, it } from 'vitest';

it('tests and their child processes see an empty home directory', () => {
  expect(process.env['HOME']).toContain('ybs-test-home-');
  expect(os.homedir()).toBe(process.env['HOME']);
  expect(process.env['XDG_CONFIG_HOME']).toContain('ybs-test-home-');
});
