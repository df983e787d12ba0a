import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe } from 'vitest';
import { createNodeShell } from '../../../src/node/shell/node-shell.ts';
import { chooseShellProgram } from '../../../src/node/shell/shell-program.ts';
import { shellContract } from '../../support/contracts/shell.ts';
import { createManualClock } from '../../support/fakes/manual-clock.ts';
import { createScriptedShell } from '../../support/fakes/scripted-shell.ts';

const program = chooseShellProgram({ platform: 'posix', environment: {}, exists: existsSync });

// The commands of the contract are written for a POSIX shell, and Windows has no signals that could end them.
describe.skipIf(process.platform === 'win32')('where there are signals', () => {
  shellContract([
    {
      name: 'node shell',
      create: () => ({
        shellFor: () => createNodeShell({ program }),
        directory: tmpdir(),
        pass: async () => {},
      }),
    },
    {
      name: 'scripted shell',
      create: () => {
        const clock = createManualClock();
        return {
          shellFor: (...script) => createScriptedShell(clock, ...script),
          directory: '/work',
          pass: (ms) => clock.advance(ms),
        };
      },
    },
  ]);
});
