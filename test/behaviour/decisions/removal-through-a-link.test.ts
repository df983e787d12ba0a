import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { playDecisions } from '../../support/decided-run.ts';

// The first case of the way from a call to its decision: the plan finds the link, and the rules see it.
it.skipIf(process.platform === 'win32')('a removal through a link is refused, and the model reads why', async () => {
  const { home, calls } = await playDecisions([[['run_shell', { command: 'rm -rf l/*' }]]], {
    options: ['--permission-mode', 'full-access', '--no-sandbox'],
    files: { 'photos/summer.jpg': 'sea' },
    links: { 'ws/l': '~' },
  });
  expect(fs.readFileSync(path.join(home, 'photos/summer.jpg'), 'utf8')).toBe('sea');
  expect(calls).toEqual([
    {
      decision: 'deny',
      rule: 'built-in: recursive removal',
      reason: expect.stringContaining('The command would remove everything in the home directory.'),
      reads: expect.stringContaining('Denied by the rule "built-in: recursive removal": Blocked'),
    },
  ]);
});
