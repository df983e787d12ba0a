import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { playDecisions } from '../../support/stories/decided-run.ts';
import { run } from './rows.ts';

/** Commands that remove everything behind the link `l`, which leads to the home directory. */
const COMMANDS = [
  ...['rm -rf l/*', 'rm -rf l/.', 'rm -rf l/', 'cd l && rm -rf *', 'bash -c "rm -rf l/*"', 'rm -rf "l"/*'],
  ...['find l/ -delete', 'find -L l -delete', 'git -C l clean -fdx', 'rsync -a --delete empty/ l'],
  // The name of the link is a pattern.
  ...['rm -rf ?/*', 'rm -rf l*/*', 'rm -rf [l]/*', 'rm -rf [!a]/*', 'rm -rf l*/.', 'find l*/ -delete', 'rm -rf */*'],
  // The command creates another link to the same directory.
  ...['ln -s l z && rm -rf z/*', 'ln -s "$HOME" z; rm -rf z/*', 'mv l m && rm -rf m/*', 'cp -P l z; rm -rf z/*'],
];

// Neither the mode nor the sandbox protects the home directory here, only the plan, which finds the links, and the
// rules.
it.skipIf(process.platform === 'win32')(
  'a removal through a link is denied, and the model reads the reason',
  async () => {
    const { home, calls } = await playDecisions([COMMANDS.map((command) => run(command))], {
      options: ['--permission-mode', 'full-access', '--no-sandbox'],
      files: { 'photos/summer.jpg': 'sea', 'ws/a/b': 'b' },
      links: { 'ws/l': '~' },
    });
    expect(fs.readFileSync(path.join(home, 'photos/summer.jpg'), 'utf8')).toBe('sea');
    const found = calls.map(({ decision, rule, reads }, index) => [COMMANDS[index], decision, rule, reads]);
    const directory = /would remove everything in (?:the home directory|the workspace)/;
    expect(found).toEqual(
      COMMANDS.map((command) => [command, 'deny', 'built-in: recursive removal', expect.stringMatching(directory)]),
    );
  },
);
